//! One name of the second level of the index: who provides for a family.

use loom_db::Db;
use loom_frontier::SymbolId;

use crate::link::artifact::universe_families::universe_families;
use crate::link::key::{LinkName, Universe};

/// All providers of the template family of that name, in index order.
#[salsa::tracked]
pub fn family_members<'db>(db: &'db dyn Db, universe: Universe<'db>, name: LinkName<'db>) -> Box<[SymbolId]> {
    let found = universe_families(db, universe).get(name.text(db));
    found.cloned().unwrap_or_default()
}
