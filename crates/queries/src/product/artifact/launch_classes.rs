//! Which launches of a kernel can share an executable.

use std::sync::Arc;

use loom_base::Outcome;
use loom_db::Db;
use loom_frontier::SymbolId;
use loom_frontier::product::{LaunchClasses, LaunchSite, classify_launches};

use crate::link::QueryCatalog;
use crate::product::{ProductKey, kernel_decisions, product_roots, program_sites};

/// The classes of the launches of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelClasses {
    /// The classes of all launches, program after program.
    pub launches: LaunchClasses,
    /// For each program of the set where its launches begin among these.
    pub firsts: Box<[u32]>,
}

/// The classes of all launches of `kernel` in the set, in the order of its programs. No body is read for it.
#[salsa::tracked]
pub fn launch_classes<'db>(
    db: &'db dyn Db,
    product: ProductKey<'db>,
    kernel: SymbolId,
) -> Outcome<Arc<KernelClasses>> {
    let decisions = kernel_decisions(db, product.kernel(db, kernel));
    let Some(decisions) = &decisions.value else {
        return Outcome::failure(decisions.diagnostics.clone());
    };
    let roots = product_roots(db, product).value.as_ref();
    let mut sites: Vec<LaunchSite> = Vec::new();
    let mut firsts = Vec::new();
    for &root in roots.into_iter().flatten() {
        firsts.push(sites.len() as u32);
        let launched = program_sites(db, product.program(db, root));
        let own = launched.iter().filter(|it| it.kernel == kernel);
        sites.extend(own.flat_map(|it| it.sites.iter().cloned()));
    }
    let catalog = QueryCatalog::new(db, product.universe(db));
    let classified = classify_launches(decisions, &sites, &|spot| spot.place(&catalog));
    classified.map(|launches| {
        let firsts = firsts.into();
        Arc::new(KernelClasses { launches, firsts })
    })
}
