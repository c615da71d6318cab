//! Kernel requests: one class of a kernel as a module that compiles on its own (loom-language 5.6).
//!
//! A request is an ordinary module (decision 31). It is what a link of the kernel gives, with the decisions of
//! the class carried out: each becomes a call of the chosen provider, and where that choice does not hold for
//! every launch, the promises that justify it stand right before the call.

use std::sync::Arc;

use loom_base::Digest;
use loom_ir::{Item, Module};

use super::decisions::KernelDecisions;
use crate::link::Linked;
pub use metadata::{ProductKind, RequestMetadata, RequestRoot, read_request_metadata, semantic_digest};
use specialize::specialize;

mod metadata;
mod specialize;

/// A kernel request. It owns all it is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RequestModule {
    /// The module as bytecode, with its metadata in it.
    pub bytes: Box<[u8]>,
    /// What the bytes say besides the module.
    pub metadata: RequestMetadata,
}

/// The module of the class of a kernel that chooses `trace` ([`super::LaunchClass::trace`]). `linked` is the link
/// that [`super::request_options`] asks for; the kernel of `decisions` must be in it.
pub fn request_module(linked: &Linked, decisions: &KernelDecisions, trace: &[Option<u32>]) -> Module {
    let mut module = linked.module();
    let place = |id| linked.items.iter().position(|item| item.origins.contains(&id));
    let name = |id| linked.items[place(id)?].item.symbol().map(|(_, name)| name);
    if let Some(at) = place(decisions.kernel) {
        let kernel = specialize(&module.items[at], decisions, trace, &name);
        module.items[at] = Arc::new(renumbered(kernel));
    }
    module
}

/// [`request_module`] as bytecode that says what it is a request for.
pub fn kernel_request(linked: &Linked, decisions: &KernelDecisions, trace: &[Option<u32>]) -> RequestModule {
    let module = request_module(linked, decisions, trace);
    let root = linked
        .items
        .iter()
        .position(|item| item.origins.contains(&decisions.kernel));
    let metadata = RequestMetadata {
        product: ProductKind::Kernel,
        roots: root
            .map(|symbol| RequestRoot {
                module: 0,
                symbol: symbol as u32,
            })
            .into_iter()
            .collect(),
        semantic: semantic_digest(&module),
    };
    RequestModule {
        bytes: loom_ir::encode_with_metadata(&module, &metadata.encode()).into(),
        metadata,
    }
}

/// The digest of a module's meaning: without comments, blank lines and places.
fn digest(items: impl IntoIterator<Item = Arc<[u8]>>) -> Digest {
    let start = loom_base::DigestWriter::default().raw(b"loom module meaning\0");
    items
        .into_iter()
        .fold(start, |writer, item| writer.bytes64(&item))
        .finish()
}

/// `item` with everything numbered as if it had been read from a file.
fn renumbered(item: Item) -> Item {
    let symbol = loom_ir::symbol(loom_ir::OpTable::standard(), &item);
    let read = symbol.and_then(|symbol| loom_ir::decode_item(&symbol.semantic, &symbol.trivia).ok());
    read.unwrap_or(item)
}

#[cfg(test)]
mod tests;
