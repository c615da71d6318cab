//! What an index knows of one symbol, and of one module.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use loom_ir::{Reference, SymbolFlags, SymbolKind};
use rustc_hash::FxHasher;

use crate::plan::Facets;

/// One symbol as other modules may know it (loom-language 4.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What it names.
    pub kind: SymbolKind,
    /// The op that defines or declares it.
    pub op: &'static str,
    /// The name, without `@`.
    pub name: Box<str>,
    /// Visibility and nature.
    pub flags: SymbolFlags,
    /// Position among the top-level ops of the module.
    pub item: u32,
    /// Mentions of other symbols in the order of the text, repetitions included.
    pub references: Box<[Reference]>,
}

impl Record {
    /// The family that a template provider belongs to.
    pub fn family(&self) -> Option<&str> {
        if self.kind != SymbolKind::Provider {
            return None;
        }
        let own = |reference: &&Reference| reference.op == self.op && reference.slot == "family";
        Some(&self.references.iter().find(own)?.symbol)
    }

    /// The configuration symbols that `facets` read, repetitions included.
    pub fn configuration(&self, facets: Facets) -> impl Iterator<Item = &str> {
        let read = move |it: &&Reference| it.op == "config.get" && facets.contains(it.facet);
        self.references.iter().filter(read).map(|it| &*it.symbol)
    }

    /// The target that the symbol is for.
    pub fn target(&self) -> Option<&str> {
        let own = |reference: &&Reference| reference.op == self.op && reference.slot == "target";
        Some(&self.references.iter().find(own)?.symbol)
    }

    /// Whether `facets` apply a template family.
    pub fn applies(&self, facets: Facets) -> bool {
        self.references
            .iter()
            .any(|it| it.op == "template.apply" && facets.contains(it.facet))
    }

    /// Whether the symbol has a body or value, or stands for one.
    pub fn is_definition(&self) -> bool {
        self.flags.has(SymbolFlags::DEFINITION)
    }

    /// Whether other modules see it.
    pub fn is_global(&self) -> bool {
        self.flags.is_global()
    }

    /// Whether it is a `config.decl` or `config.def`.
    pub fn is_config(&self) -> bool {
        self.flags.has(SymbolFlags::CONFIG)
    }

    /// Whether this definition is of a kind that `declaration` asks for: a kernel is both a kernel and an
    /// entry, everything else is only what it is (loom-language 4.3).
    pub fn fits(&self, declaration: &Record) -> bool {
        self.kind == declaration.kind
            || (declaration.kind == SymbolKind::Entry && self.kind == SymbolKind::Kernel)
    }

    /// Whether the symbol is a promise that some other module's definition must keep: everything that is
    /// declared but imports, which the run time binds, template families, which are contracts of their own,
    /// and targets, which may stay unbound.
    pub fn is_exact_declaration(&self) -> bool {
        self.flags.has(SymbolFlags::DECLARATION)
            && !self.flags.has(SymbolFlags::IMPORT)
            && matches!(
                self.kind,
                SymbolKind::Function
                    | SymbolKind::Kernel
                    | SymbolKind::Entry
                    | SymbolKind::Program
                    | SymbolKind::Global
            )
    }
}

/// The first level of the index: the symbols of one module, by position and by name.
#[derive(Clone, Debug)]
pub struct ModuleIndex {
    /// The symbols in definition order: the position is the ordinal (decision 41).
    pub records: Box<[Record]>,
    /// The first ordinal of each name.
    names: HashTable<u32>,
}

impl ModuleIndex {
    /// Indexes `records`, which are in definition order.
    pub fn new(records: impl IntoIterator<Item = Record>) -> ModuleIndex {
        let records: Box<[Record]> = records.into_iter().collect();
        let name = |ordinal: u32| &*records[ordinal as usize].name;
        let mut names = HashTable::with_capacity(records.len());
        for ordinal in 0..records.len() as u32 {
            let entry = names.entry(
                hash(name(ordinal)),
                |&first| name(first) == name(ordinal),
                |&first| hash(name(first)),
            );
            entry.or_insert(ordinal);
        }
        ModuleIndex { records, names }
    }

    /// The ordinal of the first symbol called `name`.
    pub fn named(&self, name: &str) -> Option<u32> {
        self.names
            .find(hash(name), |&first| *self.records[first as usize].name == *name)
            .copied()
    }
}

/// The hash of a name.
pub(super) fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}
