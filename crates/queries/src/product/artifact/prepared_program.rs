//! A program, flat.

use std::sync::Arc;

use loom_base::{Diagnostic, Outcome};
use loom_db::Db;
use loom_frontier::product::{Program, prepare_program};

use crate::link::{QueryCatalog, bytecode_inputs, link_diagnostics};
use crate::product::ProgramKey;
use crate::product::key::program_options;

/// The program with everything inlined, projected, unrolled and folded. No kernel's body is read for it.
///
/// Its link is no query of its own: only this asks for it, and what it is made of are queries already.
#[salsa::tracked]
pub fn prepared_program<'db>(db: &'db dyn Db, program: ProgramKey<'db>) -> Outcome<Arc<Program>> {
    let universe = program.universe(db);
    let found = link_diagnostics(db, universe);
    if found.iter().any(Diagnostic::is_error) {
        return Outcome::failure(found.clone());
    }
    let catalog = QueryCatalog::new(db, universe);
    let root = program.root(db);
    let options = program_options(&[root], program.config(db));
    let linked = loom_frontier::link(&catalog, &options, program.require_resolved_config(db));
    let Some(module) = &linked.value else {
        return Outcome::failure(linked.diagnostics);
    };
    // Text is verified where it stands; of bytecode, what is taken from it.
    if !bytecode_inputs(db, universe).is_empty() {
        let found = loom_ir::verify(&module.module(), &"linked".into());
        if found.iter().any(Diagnostic::is_error) {
            return Outcome::failure(found);
        }
    }
    prepare_program(&catalog, module, root).map(Arc::new)
}
