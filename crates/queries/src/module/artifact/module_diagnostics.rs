//! What there is to say about a module.

use std::sync::Arc;

use loom_base::{Diagnostic, FileName};
use loom_db::{Db, File};

use crate::module::parsed_module;

/// Everything wrong with the module as it stands: syntax first, then what the verifier says about the rest.
/// No artifact contains it, so places may move without changing any.
#[salsa::tracked]
pub fn module_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    let parsed = parsed_module(db, file);
    let name = FileName::from(String::from_utf8_lossy(file.path(db)));
    let verified = loom_ir::verify(&parsed.module, &name);
    parsed.diagnostics.iter().cloned().chain(verified).collect()
}
