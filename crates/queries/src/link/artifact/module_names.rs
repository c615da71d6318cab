//! The first level of the index: names of one module.

use loom_db::{Db, File};
use rustc_hash::FxHashMap;

use crate::module::module_summary;

/// The ordinals of a module's symbols by name, in definition order. Equal through every edit that neither adds,
/// removes, renames nor moves symbols.
#[salsa::tracked]
pub fn module_names(db: &dyn Db, file: File) -> FxHashMap<Box<str>, Vec<u32>> {
    let mut names: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
    for (ordinal, symbol) in module_summary(db, file).symbols.iter().enumerate() {
        names
            .entry(symbol.name(db).clone())
            .or_default()
            .push(ordinal as u32);
    }
    names
}
