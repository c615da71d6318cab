//! The bytecode.

use loom_base::{Blob, Diagnostic};
use loom_db::{Db, File};

use crate::module::{module_diagnostics, parsed_module};

/// The module as bytecode (decision 30); `None` if it has errors.
#[salsa::tracked]
pub fn module_bytecode(db: &dyn Db, file: File) -> Option<Blob> {
    let failed = module_diagnostics(db, file).iter().any(Diagnostic::is_error);
    (!failed).then(|| Blob::new(loom_ir::encode(&parsed_module(db, file).module)))
}
