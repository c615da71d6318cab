//! The second level of the index: names of all modules.

use loom_db::Db;
use loom_frontier::SymbolId;
use rustc_hash::FxHashMap;

use crate::link::key::Universe;
use crate::link::module_names;

/// The symbols of each name, in index order. Changes whenever a module's names do; [`crate::link::candidates`] keeps
/// that from whoever asked for other names.
#[salsa::tracked(no_eq)]
pub(in crate::link) fn universe_names<'db>(
    db: &'db dyn Db,
    universe: Universe<'db>,
) -> FxHashMap<Box<str>, Box<[SymbolId]>> {
    collected(
        universe
            .inputs(db)
            .iter()
            .map(|input| module_names(db, input.file)),
    )
}

/// The maps of all modules as one.
pub(in crate::link) fn collected<'a>(
    modules: impl Iterator<Item = &'a FxHashMap<Box<str>, Vec<u32>>>,
) -> FxHashMap<Box<str>, Box<[SymbolId]>> {
    let mut all: FxHashMap<&str, Vec<SymbolId>> = FxHashMap::default();
    for (provider, module) in modules.enumerate() {
        for (name, ordinals) in module {
            let ids = ordinals.iter().map(|&ordinal| SymbolId {
                provider: provider as u32,
                ordinal,
            });
            all.entry(name).or_default().extend(ids);
        }
    }
    all.into_iter()
        .map(|(name, ids)| (name.into(), ids.into()))
        .collect()
}
