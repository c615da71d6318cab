//! Which programs a product is made of.

use loom_base::{Diagnostic, Outcome};
use loom_db::Db;
use loom_frontier::SymbolId;

use crate::link::{QueryCatalog, link_diagnostics, link_plan};
use crate::product::ProductKey;

/// The programs of the set, in their order. Providers with errors, and conflicts between what the programs need,
/// give none.
#[salsa::tracked]
pub fn product_roots<'db>(db: &'db dyn Db, product: ProductKey<'db>) -> Outcome<Box<[SymbolId]>> {
    let universe = product.universe(db);
    let found = link_diagnostics(db, universe);
    if found.iter().any(Diagnostic::is_error) {
        return Outcome::failure(found.clone());
    }
    let roots = loom_frontier::product::program_roots(&QueryCatalog::new(db, universe), product.roots(db));
    let Some(ids) = roots.value else {
        return roots;
    };
    let plan = link_plan(db, product.link(db, &ids));
    match plan.value {
        Some(_) => Outcome::success(ids),
        None => Outcome::failure(plan.diagnostics.clone()),
    }
}
