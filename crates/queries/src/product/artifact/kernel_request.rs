//! One class of a kernel as a module of its own.

use std::sync::Arc;

use loom_base::{Blob, Outcome};
use loom_db::Db;
use loom_frontier::product::RequestMetadata;

use crate::link::linked_product;
use crate::product::{ClassKey, KernelKey, kernel_decisions};

/// The request of the class of the kernel, as bytecode, with what the bytes say besides the module.
#[salsa::tracked]
pub fn kernel_request<'db>(
    db: &'db dyn Db,
    kernel: KernelKey<'db>,
    class: ClassKey<'db>,
) -> Outcome<Arc<(Blob, RequestMetadata)>> {
    let decisions = kernel_decisions(db, kernel);
    let linked = linked_product(db, kernel.link(db));
    let (Some(decisions), Some(linked)) = (&decisions.value, &linked.value) else {
        let found = decisions.diagnostics.iter().chain(&*linked.diagnostics);
        return Outcome::failure(found.cloned().collect::<Vec<_>>());
    };
    let request = loom_frontier::product::kernel_request(linked, decisions, class.trace(db));
    Outcome::success(Arc::new((Blob::new(request.bytes), request.metadata)))
}
