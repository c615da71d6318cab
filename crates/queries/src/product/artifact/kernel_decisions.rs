//! What a kernel decides by its launch arguments.

use std::sync::Arc;

use loom_base::Outcome;
use loom_db::Db;
use loom_frontier::product::KernelDecisions;

use crate::link::{QueryCatalog, link_plan};
use crate::product::KernelKey;

/// The decisions of the kernel, from its body and from contracts. Most edits of the body leave them as they were.
#[salsa::tracked]
pub fn kernel_decisions<'db>(db: &'db dyn Db, kernel: KernelKey<'db>) -> Outcome<Arc<KernelDecisions>> {
    let planned = link_plan(db, kernel.link(db));
    let Some(plan) = &planned.value else {
        return Outcome::failure(planned.diagnostics.clone());
    };
    let catalog = QueryCatalog::new(db, kernel.universe(db));
    let config = kernel.config(db);
    loom_frontier::product::kernel_decisions(&catalog, plan, kernel.kernel(db), config).map(Arc::new)
}
