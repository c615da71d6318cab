//! Door B: the artifacts of one module, text (`.loom`) or bytecode (`.loombc`).

/// One file per artifact (see [`crate::unit`] for why they have a module of their own).
mod artifact {
    pub mod module_bytecode;
    pub mod module_diagnostics;
    pub mod module_summary;
    pub mod module_text;
    pub mod parsed_module;
    pub mod symbol_body;
    pub mod symbol_text;
}
#[cfg(test)]
mod tests;

pub use artifact::module_bytecode::module_bytecode;
pub use artifact::module_diagnostics::module_diagnostics;
pub use artifact::module_summary::{ModuleSummary, SymbolSummary, module_summary};
pub use artifact::module_text::module_text;
pub use artifact::parsed_module::{ModuleSymbol, ParsedModule, parsed_module};
pub use artifact::symbol_body::symbol_body;
pub use artifact::symbol_text::symbol_text;
