//! Door A: the artifacts of one compilation.

/// One file per artifact. A module of their own, because salsa gives each query a type of its name, which a
/// module beside it would collide with.
mod artifact {
    pub mod abi_key;
    pub mod compiled_unit;
    pub mod diagnostics;
    pub mod frontend_view;
    pub mod key;
    pub mod normalized_bitcode;
    pub mod object;
    pub mod payload;
}
#[cfg(test)]
mod tests;

pub use artifact::abi_key::abi_key;
pub use artifact::compiled_unit::compiled_unit;
pub use artifact::diagnostics::{UnitDiagnostics, diagnostics};
pub use artifact::frontend_view::frontend_view;
pub use artifact::key::CompileKey;
pub use artifact::normalized_bitcode::normalized_bitcode;
pub use artifact::object::object;
pub use artifact::payload::payload;
