//! The two-level index: what each module offers by name, and which modules offer a name.
//!
//! The first level, [`ModuleIndex`], belongs to one module and changes with it alone. The second level answers
//! [`Catalog::candidates`]. Neither holds a body, and building them reads none: text modules are in memory
//! anyway, of bytecode only header and tables are read (decision 30).

use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashTable;
use loom_base::{Diagnostic, FileName};
use loom_ir::fold::Exact;
use loom_ir::{Item, Module};
use rustc_hash::FxHashMap;

use crate::plan::{Demand, Facets, demands};
use crate::target::TargetFacts;

use record::hash;
pub use record::{ModuleIndex, Record};
pub use source::{Content, Source, name_range, read_source};

mod record;
mod source;

/// Why a module takes part in a link (product frontiers, "Start from requester ownership").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Part of the requester: its symbols are the product's own.
    Input,
    /// May satisfy what the requester needs, and publishes nothing.
    Library,
}

impl Role {
    /// The word of listings.
    pub fn name(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::Library => "library",
        }
    }
}

/// One module of a link.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Provider {
    /// The path as the user gave it.
    pub name: FileName,
    /// Its role.
    pub role: Role,
}

/// A symbol of a link. Ids are ordered as the index is: by provider, then by position in the module
/// (decision 41).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId {
    /// Position of the module among the providers.
    pub provider: u32,
    /// Position of the symbol in the module.
    pub ordinal: u32,
}

/// Everything a link may ask about its providers. [`Index`] answers from memory; a query database answers by
/// name, so that a plan depends on the names it meets and on nothing else.
pub trait Catalog {
    /// The providers in the order of the command line.
    fn providers(&self) -> &[Provider];

    /// How many symbols a provider has. Whoever walks all of them depends on all of them.
    fn count(&self, provider: u32) -> u32;

    /// One record.
    fn record(&self, id: SymbolId) -> &Record;

    /// What `name` means within a provider: its first symbol of that name.
    fn named(&self, provider: u32, name: &str) -> Option<SymbolId>;

    /// All symbols called `name`, in index order.
    fn candidates(&self, name: &str) -> Vec<SymbolId>;

    /// All providers of the template family `family`, in index order.
    fn members(&self, family: &str) -> Vec<SymbolId>;

    /// The symbol's op without its regions: name, modifiers, arguments, results, predicates. Never opens a body.
    ///
    /// # Errors
    /// A `BYTECODE` diagnostic when the bytes are damaged.
    fn contract(&self, id: SymbolId) -> Result<Arc<Item>, Box<Diagnostic>>;

    /// The symbol's op with only the regions of `facets`; without comments when not all of it is wanted. The
    /// bytes of other facets are not read.
    ///
    /// # Errors
    /// A `BYTECODE` diagnostic when the bytes are damaged.
    fn part(&self, id: SymbolId, facets: Facets) -> Result<Arc<Item>, Box<Diagnostic>>;

    /// The template applications in `facets` of a symbol; `config` tells the values of configuration, `target`
    /// what is known of the target. A plan asks this only of symbols it selected whose references name an
    /// application.
    ///
    /// # Errors
    /// A `BYTECODE` diagnostic when the bytes are damaged.
    fn demands(
        &self,
        id: SymbolId,
        facets: Facets,
        config: &dyn Fn(&str) -> Option<Exact>,
        target: TargetFacts,
    ) -> Result<Arc<[Demand]>, Box<Diagnostic>> {
        Ok(demands(&*self.part(id, facets)?, config, target).into())
    }

    /// The symbol's op with everything in it.
    ///
    /// # Errors
    /// A `BYTECODE` diagnostic when the bytes are damaged.
    fn body(&self, id: SymbolId) -> Result<Arc<Item>, Box<Diagnostic>> {
        self.part(id, Facets::ALL)
    }

    /// The symbol's op with everything in it but comments, for readers whom these do not concern.
    ///
    /// # Errors
    /// A `BYTECODE` diagnostic when the bytes are damaged.
    fn meaning(&self, id: SymbolId) -> Result<Arc<Item>, Box<Diagnostic>> {
        self.body(id)
    }

    /// The symbol's op as it stands in its file, with places; `None` when the module is bytecode. Only
    /// diagnostics ask for it.
    fn authored(&self, id: SymbolId) -> Option<Arc<Item>>;

    /// Where the symbol's name stands in its file; an empty range when the module is bytecode.
    fn place(&self, id: SymbolId) -> Range<u32> {
        self.authored(id).map_or(0..0, |item| name_range(&item))
    }

    /// Comments after the last op of a module.
    fn trailing(&self, provider: u32) -> &str;

    /// The role of a symbol's provider.
    fn role(&self, id: SymbolId) -> Role {
        self.providers()[id.provider as usize].role
    }

    /// The name of a symbol's provider.
    fn provider_name(&self, id: SymbolId) -> &FileName {
        &self.providers()[id.provider as usize].name
    }
}

/// A [`Catalog`] in memory. It is immutable and may be shared.
pub struct Index {
    providers: Vec<Provider>,
    modules: Vec<ModuleIndex>,
    contents: Vec<Content>,
    /// Flat number of each module's first symbol.
    starts: Vec<u32>,
    /// First and last symbol of each name.
    names: HashTable<(SymbolId, SymbolId)>,
    /// By flat number: the next symbol of the same name.
    next: Vec<Option<SymbolId>>,
    families: FxHashMap<Box<str>, Vec<SymbolId>>,
}

impl Index {
    /// Indexes `sources`, which are in command-line order.
    pub fn new(sources: impl IntoIterator<Item = Source>) -> Index {
        let mut index = Index {
            providers: Vec::new(),
            modules: Vec::new(),
            contents: Vec::new(),
            starts: Vec::new(),
            names: HashTable::new(),
            next: Vec::new(),
            families: FxHashMap::default(),
        };
        let sources: Vec<Source> = sources.into_iter().collect();
        let count = sources.iter().map(|source| source.module.records.len()).sum();
        index.next.reserve(count);
        // Names that differ are the common case; with room for all of them none is hashed twice.
        index.names = HashTable::with_capacity(count);
        for source in sources {
            index.add(source);
        }
        index
    }

    fn add(&mut self, source: Source) {
        let provider = self.providers.len() as u32;
        let Source {
            provider: described,
            module,
            content,
        } = source;
        self.starts.push(self.next.len() as u32);
        self.next.resize(self.next.len() + module.records.len(), None);
        self.providers.push(described);
        self.modules.push(module);
        self.contents.push(content);
        for ordinal in 0..self.modules[provider as usize].records.len() as u32 {
            self.enter(SymbolId { provider, ordinal });
        }
    }

    fn enter(&mut self, id: SymbolId) {
        let modules = &self.modules;
        let record = record_of(modules, id);
        if let Some(family) = record.family() {
            match self.families.get_mut(family) {
                Some(members) => members.push(id),
                None => {
                    self.families.insert(family.into(), vec![id]);
                }
            }
        }
        let hashed = hash(&record.name);
        let same = |(first, _): &(SymbolId, SymbolId)| record_of(modules, *first).name == record.name;
        match self.names.find_mut(hashed, same) {
            Some((_, last)) => {
                let flat = self.starts[last.provider as usize] + last.ordinal;
                self.next[flat as usize] = Some(id);
                *last = id;
            }
            None => {
                let rehash = |(first, _): &(SymbolId, SymbolId)| hash(&record_of(modules, *first).name);
                self.names.insert_unique(hashed, (id, id), rehash);
            }
        }
    }

    /// The module a text provider was read from.
    fn text(&self, id: SymbolId) -> Option<&Module> {
        match &self.contents[id.provider as usize] {
            Content::Text(module) => Some(module),
            Content::Bytecode { .. } => None,
        }
    }
}

impl Catalog for Index {
    fn providers(&self) -> &[Provider] {
        &self.providers
    }

    fn count(&self, provider: u32) -> u32 {
        self.modules[provider as usize].records.len() as u32
    }

    fn record(&self, id: SymbolId) -> &Record {
        record_of(&self.modules, id)
    }

    fn named(&self, provider: u32, name: &str) -> Option<SymbolId> {
        let ordinal = self.modules[provider as usize].named(name)?;
        Some(SymbolId { provider, ordinal })
    }

    fn candidates(&self, name: &str) -> Vec<SymbolId> {
        let same = |(first, _): &(SymbolId, SymbolId)| &*record_of(&self.modules, *first).name == name;
        let first = self.names.find(hash(name), same).map(|&(first, _)| first);
        let follow = |id: &SymbolId| self.next[(self.starts[id.provider as usize] + id.ordinal) as usize];
        std::iter::successors(first, follow).collect()
    }

    fn members(&self, family: &str) -> Vec<SymbolId> {
        self.families.get(family).cloned().unwrap_or_default()
    }

    fn contract(&self, id: SymbolId) -> Result<Arc<Item>, Box<Diagnostic>> {
        let name = self.provider_name(id);
        self.contents[id.provider as usize].contract(self.record(id), name)
    }

    fn part(&self, id: SymbolId, facets: Facets) -> Result<Arc<Item>, Box<Diagnostic>> {
        let (name, record) = (self.provider_name(id), self.record(id));
        self.contents[id.provider as usize].part(record, facets, name)
    }

    fn authored(&self, id: SymbolId) -> Option<Arc<Item>> {
        let module = self.text(id)?;
        Some(module.items[self.record(id).item as usize].clone())
    }

    fn trailing(&self, provider: u32) -> &str {
        match &self.contents[provider as usize] {
            Content::Text(module) => &module.trailing,
            Content::Bytecode { summary, .. } => &summary.trailing,
        }
    }
}

fn record_of(modules: &[ModuleIndex], id: SymbolId) -> &Record {
    &modules[id.provider as usize].records[id.ordinal as usize]
}

#[cfg(test)]
mod tests;
