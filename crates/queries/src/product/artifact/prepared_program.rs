//! A program, flat.

use std::sync::Arc;

use loom_base::{Diagnostic, Outcome};
use loom_db::Db;
use loom_frontier::product::{Program, prepare_program};

use crate::link::{QueryCatalog, linked_diagnostics, linked_module};
use crate::module::module_summary;
use crate::product::ProgramKey;

/// The program with everything inlined, projected, unrolled and folded. No kernel's body is read for it.
#[salsa::tracked]
pub fn prepared_program<'db>(db: &'db dyn Db, program: ProgramKey<'db>) -> Outcome<Arc<Program>> {
    let linked = linked_module(db, program.link(db));
    let Some(module) = &linked.value else {
        return Outcome::failure(linked.diagnostics.clone());
    };
    // Text is verified where it stands; of bytecode, what is taken from it.
    let inputs = program.universe(db).inputs(db);
    if inputs
        .iter()
        .any(|input| module_summary(db, input.file).is_bytecode)
    {
        let found = linked_diagnostics(db, program.link(db));
        if found.iter().any(Diagnostic::is_error) {
            return Outcome::failure(found.clone());
        }
    }
    let catalog = QueryCatalog::new(db, program.universe(db));
    prepare_program(&catalog, module, program.root(db)).map(Arc::new)
}
