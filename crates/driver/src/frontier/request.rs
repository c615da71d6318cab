//! Requests for child products, and who receives them.

use std::error::Error;
use std::sync::Arc;

use loom_base::{Blob, Digest};
use loom_frontier::product::{ProductKind, RequestMetadata, RequestRoot};

use super::standing::Child;
pub use super::standing::Standing;

/// One kernel product to be made: ordinary bytecode with its exact roots, and what it is bound to when its parent
/// succeeds. Cheap to clone; retains nothing but itself.
#[derive(Clone, Debug)]
pub struct KernelRequest(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    source: Blob,
    metadata: RequestMetadata,
    bindings: Box<[RequestBinding]>,
    standing: Child,
}

/// What is to be made of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestDescriptor {
    /// The kind of product.
    pub product: ProductKind,
    /// What each root becomes in it.
    pub goal: Goal,
}

/// What a root becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// An entry that the host can execute.
    ExecutableEntry,
}

/// An entry of the child that satisfies a requirement of the parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestBinding {
    /// The parent's requirement.
    pub requirement: u32,
    /// Position among the request's roots.
    pub root: u32,
}

impl KernelRequest {
    pub(super) fn new(
        source: Blob,
        metadata: RequestMetadata,
        bindings: Box<[RequestBinding]>,
        standing: Child,
    ) -> Self {
        KernelRequest(Arc::new(Parts {
            source,
            metadata,
            bindings,
            standing,
        }))
    }

    /// What is to be made.
    pub fn descriptor(&self) -> RequestDescriptor {
        RequestDescriptor {
            product: self.0.metadata.product,
            goal: Goal::ExecutableEntry,
        }
    }

    /// The module, as bytecode. It compiles with nothing else.
    pub fn source(&self) -> &Blob {
        &self.0.source
    }

    /// The digest of what the module means: the same for requests that differ in comments alone.
    pub fn semantic_digest(&self) -> Digest {
        self.0.metadata.semantic
    }

    /// What the product must offer.
    pub fn roots(&self) -> &[RequestRoot] {
        &self.0.metadata.roots
    }

    /// What the parent binds, by ascending requirement. Holds once [`standing`](Self::standing) says so.
    pub fn bindings(&self) -> &[RequestBinding] {
        &self.0.bindings
    }

    /// What became of the parent.
    pub fn standing(&self) -> Standing {
        self.0.standing.standing()
    }
}

/// Why a sink does not take a request.
pub type SinkError = Box<dyn Error + Send + Sync>;

/// Receives the requests of one build, each once, on the thread of the build. Closures are sinks.
pub trait RequestSink {
    /// Takes over `request`, which is the sink's own from here on, also if the answer is an error.
    ///
    /// # Errors
    /// End the build: there will be no product, and no further request.
    fn publish(&mut self, request: KernelRequest) -> Result<(), SinkError>;
}

impl<F: FnMut(KernelRequest) -> Result<(), SinkError>> RequestSink for F {
    fn publish(&mut self, request: KernelRequest) -> Result<(), SinkError> {
        self(request)
    }
}
