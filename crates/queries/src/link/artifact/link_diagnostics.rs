//! What is wrong with the providers of a link.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;

use crate::link::key::Universe;
use crate::link::link_symbols;
use crate::module::module_diagnostics;

/// The diagnostics of all providers, in order and under the names they have in the link: of text everything, of
/// bytecode damage of the tables. Bodies of
/// bytecode are looked at when they are needed.
#[salsa::tracked]
pub fn link_diagnostics<'db>(db: &'db dyn Db, universe: Universe<'db>) -> Arc<[Diagnostic]> {
    let mut found = Vec::new();
    for input in universe.inputs(db) {
        let renamed = |diagnostic: &Diagnostic| input.renamed(db, diagnostic.clone());
        match &input.file.value(db).content {
            Some(content) if loom_ir::is_bytecode(content.bytes()) => {
                found.extend(link_symbols(db, input.file).damage.iter().map(renamed));
            }
            _ => found.extend(module_diagnostics(db, input.file).iter().map(renamed)),
        }
    }
    found.into()
}
