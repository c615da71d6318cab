//! The firewall of door B: what other modules may know of a module.

use loom_db::{Db, File};
use loom_ir::SymbolKind;

use crate::module::artifact::parsed_module::SymbolFacts;
use crate::module::parsed_module;

/// Symbols, signatures and references of a module, without bodies, comments or places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleSummary {
    /// In definition order: the position is the ordinal (decision 41).
    pub symbols: Box<[SymbolSummary]>,
}

/// One symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolSummary {
    /// What it names.
    pub kind: SymbolKind,
    /// The name, without `@`.
    pub name: Box<str>,
    /// How many symbols of the same kind and name stand before it.
    pub occurrence: u32,
    /// Op, flags, contract and references.
    pub facts: SymbolFacts,
}

/// The summary of the module. Symbols with syntax errors are not in it.
#[salsa::tracked]
pub fn module_summary(db: &dyn Db, file: File) -> ModuleSummary {
    let symbols = parsed_module(db, file)
        .symbols
        .iter()
        .map(|symbol| SymbolSummary {
            kind: symbol.kind(db),
            name: symbol.name(db).clone(),
            occurrence: symbol.occurrence(db),
            facts: symbol.facts(db).clone(),
        });
    ModuleSummary {
        symbols: symbols.collect(),
    }
}
