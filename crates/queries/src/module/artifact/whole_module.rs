//! The module in memory with all its items.

use std::sync::Arc;

use loom_base::{Diagnostic, FileName};
use loom_db::{Db, File};
use loom_ir::Module;

use crate::module::artifact::parsed_module::{Content, content};
use crate::module::parsed_module;

/// The module with all its items: of text what parsing made, with items in error marked broken.
///
/// # Errors
/// The first `BYTECODE` diagnostic when bytecode is damaged anywhere.
pub fn whole_module(db: &dyn Db, file: File) -> Result<Arc<Module>, Box<Diagnostic>> {
    match &parsed_module(db, file).text {
        Some(module) => Ok(Arc::clone(module)),
        None => decoded_module(db, file).clone(),
    }
}

/// Reads all items of a bytecode file. Without equality: who needs a whole module follows from the whole file.
#[salsa::tracked(no_eq)]
fn decoded_module(db: &dyn Db, file: File) -> Result<Arc<Module>, Box<Diagnostic>> {
    let name = FileName::from(String::from_utf8_lossy(file.path(db)));
    match content(file.value(db), &name)? {
        Content::Bytecode(bytes) => Ok(Arc::new(loom_ir::decode(bytes, &name)?)),
        Content::Text(_) => unreachable!("text is in memory already"),
    }
}
