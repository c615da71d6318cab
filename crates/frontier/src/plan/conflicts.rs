//! Selected symbols that cannot stand in one module.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use loom_base::Diagnostic;
use loom_ir::SymbolKind;
use rustc_hash::FxHashMap;

use super::{Mode, Planner};
use crate::codes;
use crate::index::SymbolId;

impl Planner<'_> {
    /// Reports names that two selected symbols claim: two definitions, or two kinds. Private symbols claim none,
    /// they are renamed.
    pub(super) fn find_conflicts(&mut self) {
        let catalog = self.catalog;
        let mut linked = vec![false; self.plan.symbols.len()];
        let definitions = self.plan.symbols.iter().flat_map(|planned| &planned.definitions);
        definitions.for_each(|&definition| linked[definition as usize] = true);
        let mut first: FxHashMap<&str, SymbolId> = FxHashMap::default();
        let mut claims: BTreeMap<&str, Vec<SymbolId>> = BTreeMap::new();
        for (planned, linked) in self.plan.symbols.iter().zip(linked) {
            let record = catalog.record(planned.id);
            if !record.is_global() && !linked {
                continue;
            }
            match first.entry(&record.name) {
                Entry::Vacant(entry) => {
                    entry.insert(planned.id);
                }
                Entry::Occupied(entry) => {
                    claims
                        .entry(&record.name)
                        .or_insert_with(|| vec![*entry.get()])
                        .push(planned.id);
                }
            }
        }
        let mut found = Vec::new();
        for ids in claims.values_mut() {
            ids.sort();
            let definitions: Vec<_> = ids
                .iter()
                .copied()
                .filter(|&id| catalog.record(id).is_definition())
                .collect();
            // What a definition defines decides what its name stands for.
            let first = definitions.first().copied().unwrap_or(ids[0]);
            let other_kind = ids.iter().copied().find(|&id| !self.agree(first, id));
            let repeated = match definitions[..] {
                [one, other, ..] if !catalog.record(one).is_config() => Some((one, other)),
                _ => None,
            };
            match (other_kind, repeated) {
                (Some(other), _) => found.push(self.kinds(first, other)),
                (None, Some((one, other))) if !self.reported.contains(&one) => {
                    found.push(self.duplicate(one, other));
                }
                _ => {}
            }
        }
        self.diagnostics.append(&mut found);
    }

    /// Whether two symbols may share a name, being definition and declaration, or two declarations.
    fn agree(&self, one: SymbolId, other: SymbolId) -> bool {
        let is_kernel = |kind| matches!(kind, SymbolKind::Kernel | SymbolKind::Entry);
        let (one, other) = (self.catalog.record(one).kind, self.catalog.record(other).kind);
        one == other || (is_kernel(one) && is_kernel(other))
    }

    fn kinds(&self, one: SymbolId, other: SymbolId) -> Diagnostic {
        let catalog = self.catalog;
        let (a, b) = (catalog.record(one), catalog.record(other));
        let (in_a, in_b) = (catalog.provider_name(one), catalog.provider_name(other));
        let (kind_a, kind_b) = (a.kind.name(), b.kind.name());
        let message = format!(
            "'@{}' is a {kind_b} in '{in_b}' and a {kind_a} in '{in_a}'",
            a.name
        );
        Diagnostic::error(codes::KIND, message)
            .at(in_b, catalog.place(other))
            .related(format!("the {kind_a}"), in_a, catalog.place(one))
            .help("rename one of the two")
    }

    fn duplicate(&self, one: SymbolId, other: SymbolId) -> Diagnostic {
        let catalog = self.catalog;
        let name = &catalog.record(one).name;
        let (in_one, in_other) = (catalog.provider_name(one), catalog.provider_name(other));
        let conflict =
            format!("global symbol '@{name}' selected from '{in_one}' conflicts with '{in_other}'");
        let message = match self.options.mode {
            Mode::Merge => format!("duplicate concrete symbol definition '@{name}'; {conflict}"),
            Mode::Link => conflict,
        };
        Diagnostic::error(codes::DUPLICATE, message)
            .at(in_other, catalog.place(other))
            .related("first defined here", in_one, catalog.place(one))
            .help("keep one of the definitions, make one private, or rename one")
    }
}
