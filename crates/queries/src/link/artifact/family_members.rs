//! Who provides for a template family.

use loom_db::Db;
use loom_frontier::SymbolId;

use crate::link::key::{LinkName, Universe};
use crate::link::module_families;

/// All providers of the template family of that name, in index order.
#[salsa::tracked]
pub fn family_members<'db>(db: &'db dyn Db, universe: Universe<'db>, name: LinkName<'db>) -> Box<[SymbolId]> {
    let modules = universe.inputs(db).iter().enumerate();
    let of_module = |(provider, input): (usize, &crate::link::LinkInput)| {
        let ordinals = module_families(db, input.file)
            .get(name.text(db))
            .map_or(&[][..], |found| found);
        ordinals.iter().map(move |&ordinal| SymbolId {
            provider: provider as u32,
            ordinal,
        })
    };
    modules.flat_map(of_module).collect()
}
