//! Which launches of a kernel can share an executable.

use std::sync::Arc;

use loom_base::Outcome;
use loom_db::Db;
use loom_frontier::SymbolId;
use loom_frontier::product::{LaunchChoices, LaunchClasses, LaunchSite, classify_choices, launched};

use crate::link::QueryCatalog;
use crate::product::{ProductKey, kernel_decisions, prepared_program, product_roots, program_choices};

/// The classes of the launches of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelClasses {
    /// The classes of all launches, program after program.
    pub launches: LaunchClasses,
    /// For each program of the set where its launches begin among these.
    pub firsts: Box<[u32]>,
}

/// The classes of all launches of `kernel` in the set, in the order of its programs. No body is read for it, and
/// launches are looked at only where one has no class.
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
    let roots = product_roots(db, product).value.as_deref().unwrap_or_default();
    let mut firsts = Vec::with_capacity(roots.len());
    let mut parts: Vec<&LaunchChoices> = Vec::new();
    let mut launches = 0;
    for &root in roots {
        firsts.push(launches);
        let chosen = program_choices(db, product, root).iter();
        for own in chosen.filter(|it| it.kernel == kernel) {
            launches += own.choices.launches();
            parts.push(&own.choices);
        }
    }
    // Only a launch without class is looked for.
    let site = |at: usize| {
        let programs = roots.iter().map(|&root| product.program(db, root));
        let prepared = programs.filter_map(|program| prepared_program(db, program).value.as_ref());
        let launches = prepared.flat_map(|program| launched(program));
        let own = launches.filter(|it| it.0 == kernel).flat_map(|it| it.1);
        own.map(LaunchSite::of).nth(at)
    };
    let catalog = QueryCatalog::new(db, product.universe(db));
    let classified = classify_choices(decisions, &parts, &site, &|spot| spot.place(&catalog));
    classified.map(|launches| {
        let firsts = firsts.into();
        Arc::new(KernelClasses { launches, firsts })
    })
}
