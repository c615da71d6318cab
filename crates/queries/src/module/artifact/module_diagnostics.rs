//! What there is to say about a module.

use std::sync::Arc;

use loom_base::{Diagnostic, FileName};
use loom_db::{Db, File};

use crate::module::{parsed_module, whole_module};

/// Everything wrong with the module as it stands: syntax or damage first, then what the verifier says about the
/// rest. No artifact contains it, so places may move without changing any.
#[salsa::tracked]
pub fn module_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    let parsed = parsed_module(db, file);
    let name = FileName::from(String::from_utf8_lossy(file.path(db)));
    let verified = match whole_module(db, file) {
        Ok(module) => loom_ir::verify(&module, &name),
        Err(damage) => vec![*damage],
    };
    parsed.diagnostics.iter().cloned().chain(verified).collect()
}
