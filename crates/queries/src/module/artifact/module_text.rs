//! The canonical text.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::{Db, File};

use crate::module::{module_diagnostics, whole_module};

/// The canonical text of the module (loom-language 1.4); `None` if it has errors.
#[salsa::tracked]
pub fn module_text(db: &dyn Db, file: File) -> Option<Arc<str>> {
    let failed = module_diagnostics(db, file).iter().any(Diagnostic::is_error);
    let module = (!failed).then(|| whole_module(db, file).ok()).flatten()?;
    Some(loom_ir::print(&module).into())
}
