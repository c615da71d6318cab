//! LLVM modules into MLIR.

use loom_frontend::engine::ModuleError;

use crate::ffi;

/// Imports a module given as bitcode or textual IR into MLIR's LLVM dialect; returns the verified MLIR text.
pub fn import_into_mlir(ir: &[u8]) -> Result<String, ModuleError> {
    ffi::import_module("module", ir)
}
