//! The catalog that plans and links ask, answered by queries.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;
use loom_frontier::{Catalog, Demand, Facets, Provider, Record, SymbolId, TargetFacts};
use loom_ir::Item;
use loom_ir::fold::Exact;
use rustc_hash::FxHashMap;

use super::key::{LinkInput, LinkName, Universe};
use super::{DemandKey, candidates, family_members, module_names, symbol_demands};
use crate::module::{
    ModuleSummary, ModuleSymbol, module_summary, parsed_module, symbol_body, symbol_contract, symbol_item,
};

/// The providers of a universe. Whoever asks depends on exactly what was asked.
pub struct QueryCatalog<'db> {
    db: &'db dyn Db,
    universe: Universe<'db>,
    inputs: &'db [LinkInput],
    providers: &'db [Provider],
    /// What was asked before. Whoever asked depends on it already.
    summaries: Vec<OnceCell<&'db ModuleSummary<'db>>>,
    names: Vec<OnceCell<&'db FxHashMap<Box<str>, Vec<u32>>>>,
    records: RefCell<FxHashMap<SymbolId, &'db Record>>,
}

impl<'db> QueryCatalog<'db> {
    /// The catalog of `universe`.
    pub fn new(db: &'db dyn Db, universe: Universe<'db>) -> Self {
        let inputs = universe.inputs(db);
        QueryCatalog {
            db,
            universe,
            inputs,
            providers: universe.providers(db),
            summaries: vec![OnceCell::new(); inputs.len()],
            names: vec![OnceCell::new(); inputs.len()],
            records: RefCell::default(),
        }
    }

    /// The symbol called `id`.
    pub fn symbol(&self, id: SymbolId) -> ModuleSymbol<'db> {
        self.summary(id.provider).symbols[id.ordinal as usize]
    }

    fn summary(&self, provider: u32) -> &'db ModuleSummary<'db> {
        self.summaries[provider as usize].get_or_init(|| module_summary(self.db, self.input(provider).file))
    }

    fn input(&self, provider: u32) -> &'db LinkInput {
        &self.inputs[provider as usize]
    }

    fn renamed<T>(&self, id: SymbolId, found: Result<T, Box<Diagnostic>>) -> Result<T, Box<Diagnostic>> {
        found.map_err(|damage| Box::new(self.input(id.provider).renamed(self.db, *damage)))
    }

    fn name(&self, text: &str) -> LinkName<'db> {
        LinkName::new(self.db, Box::<str>::from(text))
    }
}

impl Catalog for QueryCatalog<'_> {
    fn providers(&self) -> &[Provider] {
        self.providers
    }

    fn count(&self, provider: u32) -> u32 {
        self.summary(provider).symbols.len() as u32
    }

    fn record(&self, id: SymbolId) -> &Record {
        let mut records = self.records.borrow_mut();
        records
            .entry(id)
            .or_insert_with(|| self.symbol(id).record(self.db))
    }

    fn named(&self, provider: u32, name: &str) -> Option<SymbolId> {
        let names = &self.names[provider as usize];
        let names = names.get_or_init(|| module_names(self.db, self.input(provider).file));
        let ordinal = *names.get(name)?.first()?;
        Some(SymbolId { provider, ordinal })
    }

    fn candidates(&self, name: &str) -> Vec<SymbolId> {
        candidates(self.db, self.universe, self.name(name)).to_vec()
    }

    fn members(&self, family: &str) -> Vec<SymbolId> {
        family_members(self.db, self.universe, self.name(family)).to_vec()
    }

    fn contract(&self, id: SymbolId) -> Result<Arc<Item>, Box<Diagnostic>> {
        self.renamed(id, symbol_contract(self.db, self.symbol(id)).clone())
    }

    fn part(&self, id: SymbolId, facets: Facets) -> Result<Arc<Item>, Box<Diagnostic>> {
        let whole = Facets::of(self.record(id)).without(facets).is_empty();
        let facets = if whole { Facets::ALL } else { facets };
        self.renamed(id, symbol_item(self.db, self.symbol(id), facets).clone())
    }

    fn meaning(&self, id: SymbolId) -> Result<Arc<Item>, Box<Diagnostic>> {
        self.renamed(id, symbol_body(self.db, self.symbol(id)).clone())
    }

    fn demands(
        &self,
        id: SymbolId,
        facets: Facets,
        config: &dyn Fn(&str) -> Option<Exact>,
        target: TargetFacts,
    ) -> Result<Arc<[Demand]>, Box<Diagnostic>> {
        let symbol = self.symbol(id);
        let mut names: Vec<&str> = symbol.record(self.db).configuration(facets).collect();
        names.sort_unstable();
        names.dedup();
        let known = names
            .into_iter()
            .filter_map(|name| Some((Box::from(name), config(name)?)));
        let known: Box<[(Box<str>, Exact)]> = known.collect();
        let found = symbol_demands(self.db, symbol, DemandKey::new(self.db, facets, known, target));
        self.renamed(id, found.clone())
    }

    fn authored(&self, id: SymbolId) -> Option<Arc<Item>> {
        let parsed = parsed_module(self.db, self.input(id.provider).file);
        let module = parsed.text.as_ref()?;
        module.items.get(self.record(id).item as usize).cloned()
    }

    fn trailing(&self, provider: u32) -> &str {
        &self.summary(provider).trailing
    }
}
