//! The firewall of door B: what other modules may know of a module.

use loom_db::{Db, File};

use crate::module::{ModuleSymbol, parsed_module};

/// The symbols of a module. Equal as long as the same symbols stand in the same order; what is known of each is in
/// its fields, which change one by one.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct ModuleSummary<'db> {
    /// In definition order: the position is the ordinal (decision 41). Those with syntax errors are left out.
    pub symbols: Box<[ModuleSymbol<'db>]>,
    /// Comments after the last op.
    pub trailing: Box<str>,
    /// Whether the module is bytecode, whose items nobody has verified.
    pub is_bytecode: bool,
}

/// The summary of the module.
#[salsa::tracked]
pub fn module_summary<'db>(db: &'db dyn Db, file: File) -> ModuleSummary<'db> {
    let parsed = parsed_module(db, file);
    ModuleSummary {
        symbols: parsed.symbols.clone(),
        trailing: parsed.trailing.clone(),
        is_bytecode: parsed.text.is_none(),
    }
}
