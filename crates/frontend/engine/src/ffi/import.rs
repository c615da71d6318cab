//! LLVM IR through inkwell into MLIR, read with melior.

use std::borrow::Cow;
use std::ffi::c_void;

use inkwell::context::Context as LlvmContext;
use inkwell::memory_buffer::MemoryBuffer;
use loom_frontend::engine::ModuleError;
use melior::Context as MlirContext;
use melior::ir::Module as MlirModule;
use melior::ir::operation::OperationLike;

use super::bytes::Failure;
use super::raw;

/// The bitcode, unnormalized, of a module given as bitcode or as text.
pub(crate) fn to_bitcode<'a>(name: &str, ir: &'a [u8]) -> Result<Cow<'a, [u8]>, ModuleError> {
    if is_bitcode(ir) {
        return Ok(Cow::Borrowed(ir));
    }
    let context = LlvmContext::create();
    let module = parse(&context, name, ir)?;
    Ok(Cow::Owned(module.write_bitcode_to_memory().as_slice().to_vec()))
}

/// Imports a module (bitcode or text) into MLIR and prints the verified result.
pub(crate) fn import_module(name: &str, ir: &[u8]) -> Result<String, ModuleError> {
    let llvm_context = LlvmContext::create();
    let llvm_module = parse(&llvm_context, name, ir)?;
    let mlir_context = MlirContext::new();
    mlir_context.enable_multi_threading(false);
    let raw_context = mlir_context.to_raw().ptr.cast::<c_void>();
    let mut failure = Failure::default();
    // SAFETY: both handles are live and of the LLVM this executable contains once; the import clones the LLVM
    // module, so inkwell stays its owner.
    let imported = unsafe {
        raw::loom_load_import_dialects(raw_context);
        raw::loom_import_into_mlir(llvm_module.as_mut_ptr().cast(), raw_context, failure.callback())
    };
    if imported.is_null() {
        return Err(failure.into_error());
    }
    // SAFETY: a fresh module of `mlir_context`, handed to us to own.
    let module = unsafe { MlirModule::from_raw(mlir_sys::MlirModule { ptr: imported }) };
    if !module.as_operation().verify() {
        return Err(error(
            "structured_raising_invalid",
            "the imported MLIR module does not verify",
        ));
    }
    Ok(module.as_operation().to_string())
}

fn parse<'a>(
    context: &'a LlvmContext,
    name: &str,
    ir: &[u8],
) -> Result<inkwell::module::Module<'a>, ModuleError> {
    super::initialize_targets();
    let buffer = MemoryBuffer::create_from_memory_range_copy(ir, name);
    let module = context
        .create_module_from_ir(buffer)
        .map_err(|message| error("llvm_module_unparsable", message.to_string_lossy().trim_end()))?;
    module
        .verify()
        .map_err(|message| error("llvm_module_invalid", message.to_string_lossy().trim_end()))?;
    Ok(module)
}

fn error(code: &str, message: &str) -> ModuleError {
    ModuleError {
        code: code.to_owned(),
        message: message.to_owned(),
    }
}

/// Raw bitcode or bitcode in its wrapper; everything else is text to LLVM as well.
fn is_bitcode(ir: &[u8]) -> bool {
    ir.starts_with(b"BC\xc0\xde") || ir.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}
