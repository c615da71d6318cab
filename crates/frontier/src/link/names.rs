//! What symbols are called in the product.
//!
//! Names that other modules know stay. Private symbols give way: the first of a name keeps it if it is free,
//! the others become `@name$link0`, `@name$link1` and so on, in the order of the product.

use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::Group;
use crate::index::{Catalog, SymbolId};
use crate::plan::Plan;

/// The names of the product's symbols.
pub(super) struct Names {
    /// The new names of renamed symbols.
    renamed: FxHashMap<SymbolId, Box<str>>,
}

impl Names {
    /// Whether nothing was renamed.
    pub fn are_authored(&self) -> bool {
        self.renamed.is_empty()
    }

    /// The new name of `id`, if it has one.
    pub fn of(&self, id: SymbolId) -> Option<&str> {
        self.renamed.get(&id).map(|name| &**name)
    }

    /// The new name of what `name` means in the module of `from`.
    pub fn mentioned(&self, catalog: &dyn Catalog, from: SymbolId, name: &str) -> Option<&str> {
        self.of(catalog.named(from.provider, name)?)
    }
}

/// Names all groups of a product.
pub(super) fn final_names(catalog: &dyn Catalog, plan: &Plan, groups: &[Group]) -> Names {
    let id = |group: &Group| plan.symbols[group.base as usize].id;
    let authored = |group: &Group| &*catalog.record(id(group)).name;
    // A new name must be none that anybody wrote.
    let written: FxHashSet<&str> = groups.iter().map(authored).collect();
    let mut taken: FxHashSet<&str> = groups
        .iter()
        .filter(|group| group.is_named)
        .map(authored)
        .collect();
    let mut renamed = FxHashMap::default();
    let mut next: FxHashMap<&str, u32> = FxHashMap::default();
    let privates = || groups.iter().filter(|group| !group.is_named);
    // What was asked for by name keeps it before others do.
    for group in privates()
        .filter(|it| it.is_root)
        .chain(privates().filter(|it| !it.is_root))
    {
        let name = authored(group);
        if taken.insert(name) {
            continue;
        }
        let number = next.entry(name).or_insert(0);
        let new = loop {
            let new = format!("{name}$link{number}");
            *number += 1;
            if !written.contains(&*new) {
                break new;
            }
        };
        renamed.insert(id(group), new.into());
    }
    Names { renamed }
}
