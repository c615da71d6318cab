//! A program, flat.

use std::sync::Arc;

use loom_base::Outcome;
use loom_db::Db;
use loom_frontier::product::{Program, prepare_program};

use crate::link::{QueryCatalog, linked_module};
use crate::product::ProgramKey;

/// The program with everything inlined, projected, unrolled and folded. No kernel's body is read for it.
#[salsa::tracked]
pub fn prepared_program<'db>(db: &'db dyn Db, program: ProgramKey<'db>) -> Outcome<Arc<Program>> {
    let linked = linked_module(db, program.link(db));
    let Some(module) = &linked.value else {
        return Outcome::failure(linked.diagnostics.clone());
    };
    let catalog = QueryCatalog::new(db, program.universe(db));
    prepare_program(&catalog, module, program.root(db)).map(Arc::new)
}
