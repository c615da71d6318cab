//! The plan of a link.

use loom_base::{Diagnostic, Outcome};
use loom_db::Db;
use loom_frontier::{Plan, plan_link};

use crate::link::key::LinkKey;
use crate::link::{QueryCatalog, link_diagnostics};

/// Which symbols the product takes. Providers with errors give no plan.
#[salsa::tracked]
pub fn link_plan<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Outcome<Plan> {
    let universe = key.universe(db);
    let found = link_diagnostics(db, universe);
    if found.iter().any(Diagnostic::is_error) {
        return Outcome::failure(found.clone());
    }
    plan_link(&QueryCatalog::new(db, universe), key.options(db))
}
