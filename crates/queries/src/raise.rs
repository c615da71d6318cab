//! Where both doors meet: the linked module in MLIR.

/// One file per artifact.
mod artifact {
    pub mod key;
    pub mod raised_module;
}
#[cfg(test)]
mod tests;

pub use artifact::key::RaiseKey;
pub use artifact::raised_module::raised_module;
