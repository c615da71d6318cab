//! A program, flat.

use std::sync::Arc;

use loom_base::{Diagnostic, Outcome};
use loom_db::Db;
use loom_frontier::product::{Program, prepare_program};

use crate::link::{QueryCatalog, bytecode_inputs, linked_diagnostics, linked_module};
use crate::product::ProgramKey;

/// The program with everything inlined, projected, unrolled and folded. No kernel's body is read for it.
#[salsa::tracked]
pub fn prepared_program<'db>(db: &'db dyn Db, program: ProgramKey<'db>) -> Outcome<Arc<Program>> {
    let linked = linked_module(db, program.link(db));
    let Some(module) = &linked.value else {
        return Outcome::failure(linked.diagnostics.clone());
    };
    // Text is verified where it stands; of bytecode, what is taken from it.
    if !bytecode_inputs(db, program.universe(db)).is_empty() {
        let found = linked_diagnostics(db, program.link(db));
        if found.iter().any(Diagnostic::is_error) {
            return Outcome::failure(found.clone());
        }
    }
    let catalog = QueryCatalog::new(db, program.universe(db));
    prepare_program(&catalog, module, program.root(db)).map(Arc::new)
}
