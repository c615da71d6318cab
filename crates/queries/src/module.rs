//! Door B: the artifacts of one module, text (`.loom`) or bytecode (`.loombc`).
//!
//! Of text everything is in memory after parsing; of bytecode the tables are, and what stands behind them is read
//! and checked when somebody wants it.

/// One file per artifact (see [`crate::unit`] for why they have a module of their own).
mod artifact {
    pub mod module_bytecode;
    pub mod module_diagnostics;
    pub mod module_summary;
    pub mod module_text;
    pub mod parsed_module;
    pub mod symbol_body;
    mod symbol_bytes;
    pub mod symbol_contract;
    pub mod symbol_item;
    pub mod symbol_text;
    pub mod whole_module;
}
#[cfg(test)]
mod tests;

pub use artifact::module_bytecode::module_bytecode;
pub use artifact::module_diagnostics::module_diagnostics;
pub use artifact::module_summary::{ModuleSummary, module_summary};
pub use artifact::module_text::module_text;
pub use artifact::parsed_module::{FacetBytes, ModuleSymbol, ParsedModule, parsed_module};
pub use artifact::symbol_body::symbol_body;
pub use artifact::symbol_contract::symbol_contract;
pub use artifact::symbol_item::symbol_item;
pub use artifact::symbol_text::symbol_text;
pub use artifact::whole_module::whole_module;
