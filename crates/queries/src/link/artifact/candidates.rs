//! One name of the second level of the index: who has a name.

use loom_db::Db;
use loom_frontier::SymbolId;

use crate::link::artifact::universe_names::universe_names;
use crate::link::key::{LinkName, Universe};

/// All symbols of that name, in index order.
#[salsa::tracked]
pub fn candidates<'db>(db: &'db dyn Db, universe: Universe<'db>, name: LinkName<'db>) -> Box<[SymbolId]> {
    let found = universe_names(db, universe).get(name.text(db));
    found.cloned().unwrap_or_default()
}
