//! The second level of the index: who has a name.

use loom_db::Db;
use loom_frontier::SymbolId;

use crate::link::key::{LinkName, Universe};
use crate::link::module_names;

/// All symbols of that name, in index order.
#[salsa::tracked]
pub fn candidates<'db>(db: &'db dyn Db, universe: Universe<'db>, name: LinkName<'db>) -> Box<[SymbolId]> {
    let modules = universe.inputs(db).iter().enumerate();
    let of_module = |(provider, input): (usize, &crate::link::LinkInput)| {
        let ordinals = module_names(db, input.file)
            .get(name.text(db))
            .map_or(&[][..], |found| found);
        ordinals.iter().map(move |&ordinal| SymbolId {
            provider: provider as u32,
            ordinal,
        })
    };
    modules.flat_map(of_module).collect()
}
