//! LLVM as the authority over module bytes.

use loom_frontend::engine::{ModuleError, NormalizedModule};

use crate::ffi;

/// Normalizes a module given as bitcode or as textual IR (source integration, section 7, "LLVM Module
/// Normalization"). Fails with one of the `llvm_module_*`, `target_triple_*` or `data_layout_*` codes.
pub fn normalize(ir: &[u8]) -> Result<NormalizedModule, ModuleError> {
    ffi::normalize_module("module", ir)
}
