//! What is wrong with the providers of a link.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;

use crate::link::key::Universe;
use crate::module::{module_diagnostics, parsed_module};

/// The diagnostics of all providers, in order and under the names they have in the link: of text everything, of
/// bytecode damage of the tables. Bodies of bytecode are looked at when they are needed.
#[salsa::tracked]
pub fn link_diagnostics<'db>(db: &'db dyn Db, universe: Universe<'db>) -> Arc<[Diagnostic]> {
    let mut found = Vec::new();
    for input in universe.inputs(db) {
        let renamed = |diagnostic: &Diagnostic| input.renamed(db, diagnostic.clone());
        let parsed = parsed_module(db, input.file);
        match parsed.text {
            Some(_) => found.extend(module_diagnostics(db, input.file).iter().map(renamed)),
            None => found.extend(parsed.diagnostics.iter().map(renamed)),
        }
    }
    found.into()
}
