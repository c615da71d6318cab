//! From the roots to everything they need.
//!
//! Symbols are followed in the order of the plan. The mentions in a symbol are walked from the last to the
//! first; a declaration is followed at once by its definition (loom-language 4.5).

use loom_ir::SymbolFlags;

use super::facets::Facets;
use super::{Planned, Planner, Reason};
use crate::index::SymbolId;

impl Planner<'_> {
    /// Follows all mentions that have not been followed yet.
    pub(super) fn close(&mut self) {
        while let Some(&(position, facets)) = self.work.get(self.followed) {
            self.followed += 1;
            self.follow(position, facets);
        }
    }

    fn follow(&mut self, position: u32, facets: Facets) {
        let id = self.plan.symbols[position as usize].id;
        let catalog = self.catalog;
        for reference in catalog.record(id).references.iter().rev() {
            if !facets.contains(reference.facet) {
                continue;
            }
            let request = self.options.policy.request(reference);
            match catalog.named(id.provider, &reference.symbol) {
                Some(target) => self.reach(target, request, Reason::Dependency, Some(position)),
                None => self.report_unknown(id, reference),
            }
        }
    }

    /// Selects `id` and, if it is a declaration, what defines it.
    pub(super) fn reach(&mut self, id: SymbolId, request: Facets, reason: Reason, cause: Option<u32>) {
        let Some(position) = self.select(id, request, reason, cause) else {
            return;
        };
        if !self.catalog.record(id).flags.has(SymbolFlags::DECLARATION) {
            return;
        }
        for definition in self.definitions_of(id, request) {
            let Some(definition) = self.select(definition, request, Reason::Dependency, Some(position))
            else {
                continue;
            };
            let definitions = &mut self.plan.symbols[position as usize].definitions;
            if !definitions.contains(&definition) {
                definitions.push(definition);
            }
        }
    }

    /// Puts `id` into the plan, or adds to what is needed of it; yields its position.
    pub(super) fn select(
        &mut self,
        id: SymbolId,
        request: Facets,
        reason: Reason,
        cause: Option<u32>,
    ) -> Option<u32> {
        if self.is_stripped(id) {
            if !self.may_stay_open() {
                self.report_stripped(id, cause);
            }
            return None;
        }
        let record = self.catalog.record(id);
        let (has, wanted) = (Facets::of(record), request.answered_by(record));
        if let Some(&position) = self.positions.get(&id) {
            let planned = &mut self.plan.symbols[position as usize];
            let added = wanted.without(planned.facets);
            planned.facets = planned.facets.and(added);
            self.work.extend(added.each().map(|facet| (position, facet)));
            return Some(position);
        }
        let position = self.plan.symbols.len() as u32;
        self.positions.insert(id, position);
        self.plan.symbols.push(Planned {
            id,
            reason,
            cause,
            facets: wanted,
            definitions: Vec::new(),
        });
        // A whole symbol is walked as one, so that the order of its mentions is that of the text.
        if wanted == has {
            self.work.push((position, wanted));
        } else {
            self.work.extend(wanted.each().map(|facet| (position, facet)));
        }
        Some(position)
    }
}
