//! The template providers of one module.

use loom_db::{Db, File};
use rustc_hash::FxHashMap;

use crate::module::module_summary;

/// The ordinals of a module's template providers by family, in definition order.
#[salsa::tracked]
pub fn module_families(db: &dyn Db, file: File) -> FxHashMap<Box<str>, Vec<u32>> {
    let mut families: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
    for (ordinal, symbol) in module_summary(db, file).symbols.iter().enumerate() {
        if let Some(family) = symbol.record(db).family() {
            families.entry(family.into()).or_default().push(ordinal as u32);
        }
    }
    families
}
