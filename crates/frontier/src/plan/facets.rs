//! The independently readable parts of symbols, and how much of one a mention asks for (loom-language 4.6).

use loom_ir::{Facet, Reference, SymbolKind};

use crate::index::Record;

/// A set of facets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Facets(u8);

impl Facets {
    /// No facet.
    pub const NONE: Facets = Facets(0);
    /// Name, modifiers, arguments, results, predicates.
    pub const CONTRACT: Facets = Facets(1 << Facet::Contract as u8);
    /// The launch configuration of a kernel.
    pub const CONFIGURATION: Facets = Facets(1 << Facet::Configuration as u8);
    /// The body.
    pub const IMPLEMENTATION: Facets = Facets(1 << Facet::Implementation as u8);
    /// The whole symbol.
    pub const ALL: Facets = Facets(0b111);

    /// Both sets together.
    pub const fn and(self, other: Facets) -> Facets {
        Facets(self.0 | other.0)
    }

    /// What is in both sets.
    pub const fn common(self, other: Facets) -> Facets {
        Facets(self.0 & other.0)
    }

    /// What is in this set alone.
    pub const fn without(self, other: Facets) -> Facets {
        Facets(self.0 & !other.0)
    }

    /// Whether `facet` is in the set.
    pub const fn contains(self, facet: Facet) -> bool {
        self.0 & (1 << facet as u8) != 0
    }

    /// Whether there is no facet.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The facets as a list, contract first.
    pub fn list(self) -> Vec<Facet> {
        Facet::ALL
            .into_iter()
            .filter(|&facet| self.contains(facet))
            .collect()
    }

    /// The facets one by one, contract first.
    pub fn each(self) -> impl Iterator<Item = Facets> {
        Facet::ALL
            .into_iter()
            .filter(move |&facet| self.contains(facet))
            .map(|facet| Facets(1 << facet as u8))
    }

    /// What a symbol has. Only kernels and command programs can be taken in parts.
    pub fn of(record: &Record) -> Facets {
        match record.kind {
            _ if !record.is_definition() => Facets::CONTRACT,
            SymbolKind::Kernel => Facets::ALL,
            _ => Facets::CONTRACT.and(Facets::IMPLEMENTATION),
        }
    }

    /// The facets of `record` that answer the request `self`.
    pub(super) fn answered_by(self, record: &Record) -> Facets {
        let has = Facets::of(record);
        match record.kind {
            SymbolKind::Kernel | SymbolKind::Program => has.common(self.and(Facets::CONTRACT)),
            _ => has,
        }
    }

    /// The names of the facets in the set, as listings of `record` show them.
    pub fn names(self, record: &Record) -> Vec<&'static str> {
        if !matches!(
            record.kind,
            SymbolKind::Kernel | SymbolKind::Entry | SymbolKind::Program
        ) {
            return vec!["definition"];
        }
        let names = ["contract", "configuration", "implementation"];
        Facet::ALL
            .into_iter()
            .zip(names)
            .filter(|(facet, _)| self.contains(*facet))
            .map(|it| it.1)
            .collect()
    }

    /// The numbers of the facets in the set (loom-language 4.6).
    pub fn numbers(self, record: &Record) -> Vec<u16> {
        let numbers: [u16; 3] = match record.kind {
            SymbolKind::Kernel | SymbolKind::Entry => [0x1001, 0x1002, 0x1003],
            SymbolKind::Program => [0x1e01, 0, 0x1e02],
            _ => return vec![0x0001],
        };
        Facet::ALL
            .into_iter()
            .zip(numbers)
            .filter(|(facet, _)| self.contains(*facet))
            .map(|it| it.1)
            .collect()
    }
}

/// How much of a symbol a mention asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum DependencyPolicy {
    /// All of it: what the linker tool wants.
    #[default]
    Complete,
    /// A launch asks for contract and configuration of a kernel, a dispatch for its contract alone, anything
    /// else for the whole symbol: what a command product wants.
    RequestedFacets,
}

impl DependencyPolicy {
    /// What `reference` asks for.
    pub(super) fn request(self, reference: &Reference) -> Facets {
        match (self, reference.op) {
            (DependencyPolicy::RequestedFacets, "kernel.launch") => {
                Facets::CONTRACT.and(Facets::CONFIGURATION)
            }
            (DependencyPolicy::RequestedFacets, "kernel.dispatch") => Facets::CONTRACT,
            _ => Facets::ALL,
        }
    }
}
