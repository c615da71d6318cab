//! Which symbols of a plan are one symbol of the product, and in which order they stand.

use std::collections::BTreeMap;

use loom_ir::{SymbolFlags, SymbolKind};

use crate::index::{Catalog, Role, SymbolId};
use crate::plan::{Plan, Planned, Reason};

/// Symbols of a plan that become one item. Positions are those of the plan.
pub(super) struct Group {
    /// What the item is made from: the definition, or else the declaration that says most.
    pub base: u32,
    /// All members in the order of the product, the base included.
    pub members: Vec<u32>,
    /// Whether other modules know it by its name; if not, it may be renamed.
    pub is_named: bool,
    /// Whether it was asked for.
    pub is_root: bool,
}

impl Group {
    /// The members' ids: that of the base, then those of the others in order.
    pub fn ids(&self, plan: &Plan) -> Vec<SymbolId> {
        let others = self.members.iter().filter(|&&member| member != self.base);
        std::iter::once(&self.base)
            .chain(others)
            .map(|&member| plan.symbols[member as usize].id)
            .collect()
    }
}

/// The groups of `plan` in the order of the product: inputs before libraries, each in module order; a group
/// stands where its first member stands.
pub(super) fn group(catalog: &dyn Catalog, plan: &Plan) -> Vec<Group> {
    let mut linked = vec![false; plan.symbols.len()];
    let definitions = plan.symbols.iter().flat_map(|planned| &planned.definitions);
    definitions.for_each(|&definition| linked[definition as usize] = true);

    let mut order: Vec<u32> = (0..plan.symbols.len() as u32).collect();
    order.sort_by_key(|&member| place(catalog, &plan.symbols[member as usize]));
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for member in order {
        let planned = &plan.symbols[member as usize];
        let record = catalog.record(planned.id);
        let is_root = planned.reason == Reason::Root;
        let is_named = record.is_global() || linked[member as usize];
        match named.get(&*record.name).filter(|_| is_named) {
            Some(&at) => {
                let group = &mut groups[at];
                group.members.push(member);
                group.is_root |= is_root;
                if rank(catalog, planned) > rank(catalog, &plan.symbols[group.base as usize]) {
                    group.base = member;
                }
            }
            None => {
                if is_named {
                    named.insert(&record.name, groups.len());
                }
                groups.push(Group {
                    base: member,
                    members: vec![member],
                    is_named,
                    is_root,
                });
            }
        }
    }
    groups
}

/// Where a symbol stands in the product.
fn place(catalog: &dyn Catalog, planned: &Planned) -> (Role, SymbolId) {
    (catalog.role(planned.id), planned.id)
}

/// How much a symbol says: a definition more than a declaration, an import more than another declaration, and the
/// declaration of a kernel more than that of its entry.
fn rank(catalog: &dyn Catalog, planned: &Planned) -> u8 {
    let record = catalog.record(planned.id);
    match (record.is_definition(), record.kind) {
        (true, _) => 3,
        (false, SymbolKind::Entry) => 0,
        (false, _) if record.flags.has(SymbolFlags::IMPORT) => 2,
        (false, _) => 1,
    }
}
