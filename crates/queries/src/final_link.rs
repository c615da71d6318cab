//! Door A's final link: the payloads of what takes part, merged into one LLVM module.

/// One file per artifact, for the reason that the module `unit` gives.
mod artifact {
    pub mod key;
    pub mod linked_module;
    pub mod selected_payloads;
}
#[cfg(test)]
mod tests;

pub use artifact::key::{FinalLinkKey, FinalLinkOptions, SelectedInput, SelectedMember};
pub use artifact::linked_module::linked_module;
pub use artifact::selected_payloads::{Selected, selected_payloads};
