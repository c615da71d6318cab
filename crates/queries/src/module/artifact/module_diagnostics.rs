//! What there is to say about a module.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::{Db, File};

use crate::module::parsed_module;

/// Everything wrong with the module as it stands, in source order. No artifact contains it, so places may move
/// without changing any.
#[salsa::tracked]
pub fn module_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    let parsed = parsed_module(db, file);
    parsed.diagnostics.iter().cloned().collect()
}
