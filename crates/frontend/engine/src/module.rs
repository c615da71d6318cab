//! LLVM as the authority over module bytes.

use loom_base::Blob;
use loom_frontend::carrier::PAYLOAD_SECTION;
use loom_frontend::engine::{ModuleError, NormalizedModule};

use crate::ffi;

/// Normalizes a module given as bitcode or as textual IR (source integration, section 7, "LLVM Module
/// Normalization"). Fails with one of the `llvm_module_*`, `target_triple_*` or `data_layout_*` codes.
pub fn normalize(ir: &[u8]) -> Result<NormalizedModule, ModuleError> {
    ffi::normalize(&ffi::to_bitcode("module", ir)?)
}

/// What [`normalize`] costs beside LLVM's own parsing, verifying and writing of the same module, in one process:
/// microseconds of processor time of both, in turn, `pairs` times. For benchmarks.
pub fn measure_normalization(bitcode: &[u8], pairs: usize) -> Result<Vec<(u64, u64)>, ModuleError> {
    ffi::measure_normalization(bitcode, pairs)
}

/// Compiles a module given as bitcode or as textual IR to an object that carries its payload. The module is taken
/// as it is, without optimization; processor and features are those its functions name.
///
/// Fails as [`normalize`] does, and with `target_triple_unsupported` where objects cannot carry a payload.
pub fn pack(ir: &[u8]) -> Result<Blob, ModuleError> {
    ffi::pack(&ffi::to_bitcode("module", ir)?)
}

/// The contents of the payload sections of an object that is a bitcode module (LTO), in module order.
pub fn read_carriers(bitcode: &[u8]) -> Result<Vec<Blob>, ModuleError> {
    let contents = ffi::read_carriers(bitcode, PAYLOAD_SECTION)?;
    Ok(contents.into_iter().map(Blob::new).collect())
}

/// Folds the one straight-line function that the textual module `ir` defines, for each tuple of `arity` operands:
/// low bits in, bits out. `None` where LLVM gives no plain number (poison, undef, no folding).
pub fn fold_constants(ir: &str, arity: usize, operands: &[u64]) -> Result<Vec<Option<u64>>, ModuleError> {
    ffi::fold(ir, arity, operands)
}
