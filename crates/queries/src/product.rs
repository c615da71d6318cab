//! Door B: command products, by program and by kernel.
//!
//! Every program is linked and prepared on its own, so an edit reaches the programs that meet it. A product that is
//! body-blind depends on no kernel's body; a classified one depends on what kernels decide by their launch
//! arguments, which most edits of bodies leave as it was; a request depends on one kernel and one class.

/// One file per artifact (see [`crate::unit`] for why they have a module of their own).
mod artifact {
    pub mod class_explanation;
    pub mod command_product;
    pub mod command_set;
    pub mod kernel_decisions;
    pub mod kernel_request;
    pub mod launch_classes;
    pub mod prepared_program;
    pub mod product_roots;
    pub mod program_choices;
    pub mod program_classes;
}
mod key;
#[cfg(test)]
mod tests;

pub use artifact::class_explanation::class_explanation;
pub use artifact::command_product::command_product;
pub use artifact::command_set::{CommandSet, command_set};
pub use artifact::kernel_decisions::kernel_decisions;
pub use artifact::kernel_request::kernel_request;
pub use artifact::launch_classes::{KernelClasses, launch_classes};
pub use artifact::prepared_program::prepared_program;
pub use artifact::product_roots::product_roots;
pub use artifact::program_choices::{KernelChoices, program_choices};
pub use artifact::program_classes::program_classes;
pub use key::{ClassKey, KernelKey, ProductForm, ProductKey, ProgramKey};
