//! Door B: links of modules, by name.
//!
//! A plan reads the records of the symbols it meets, one by one, and asks for candidates by name. So an edit of
//! a body leaves every plan alone, and an edit of a signature reaches only the plans that meet its name. Bodies
//! are opened for a plan's symbols only, of bytecode also then only those.

/// One file per artifact (see [`crate::unit`] for why they have a module of their own).
mod artifact {
    pub mod bytecode_inputs;
    pub mod candidates;
    pub mod family_members;
    pub mod link_diagnostics;
    pub mod link_plan;
    pub mod linked_product;
    pub mod module_families;
    pub mod module_names;
    pub mod symbol_demands;
    pub mod universe_families;
    pub mod universe_names;
}
mod catalog;
mod key;
#[cfg(test)]
mod tests;

pub use artifact::bytecode_inputs::bytecode_inputs;
pub use artifact::candidates::candidates;
pub use artifact::family_members::family_members;
pub use artifact::link_diagnostics::link_diagnostics;
pub use artifact::link_plan::link_plan;
pub use artifact::linked_product::{linked_bytecode, linked_diagnostics, linked_product, linked_text};
pub use artifact::module_families::module_families;
pub use artifact::module_names::module_names;
pub use artifact::symbol_demands::{DemandKey, symbol_demands};
pub use catalog::QueryCatalog;
pub use key::{LinkInput, LinkKey, LinkName, Universe};
