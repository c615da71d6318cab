//! The second level of the index: template families of all modules.

use loom_db::Db;
use loom_frontier::SymbolId;
use rustc_hash::FxHashMap;

use crate::link::artifact::universe_names::collected;
use crate::link::key::Universe;
use crate::link::module_families;

/// The providers of each template family, in index order (see [`super::universe_names`]).
#[salsa::tracked(no_eq)]
pub(in crate::link) fn universe_families<'db>(
    db: &'db dyn Db,
    universe: Universe<'db>,
) -> FxHashMap<Box<str>, Box<[SymbolId]>> {
    collected(
        universe
            .inputs(db)
            .iter()
            .map(|input| module_families(db, input.file)),
    )
}
