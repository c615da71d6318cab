//! The template providers of one module.

use std::collections::BTreeMap;

use loom_db::{Db, File};

use crate::module::module_summary;

/// The ordinals of a module's template providers by family, in definition order.
#[salsa::tracked]
pub fn module_families(db: &dyn Db, file: File) -> BTreeMap<Box<str>, Vec<u32>> {
    let mut families: BTreeMap<Box<str>, Vec<u32>> = BTreeMap::new();
    for (ordinal, symbol) in module_summary(db, file).symbols.iter().enumerate() {
        if let Some(family) = symbol.record(db).family() {
            families.entry(family.into()).or_default().push(ordinal as u32);
        }
    }
    families
}
