//! The bytecode.

use loom_base::{Blob, Diagnostic};
use loom_db::{Db, File};

use crate::module::{module_diagnostics, whole_module};

/// The module as bytecode (decision 30); `None` if it has errors.
#[salsa::tracked]
pub fn module_bytecode(db: &dyn Db, file: File) -> Option<Blob> {
    let failed = module_diagnostics(db, file).iter().any(Diagnostic::is_error);
    let module = (!failed).then(|| whole_module(db, file).ok()).flatten()?;
    Some(Blob::new(loom_ir::encode(&module)))
}
