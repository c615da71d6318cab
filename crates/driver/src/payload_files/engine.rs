//! What the payload commands ask of LLVM.

use loom_base::Blob;
use loom_frontend::engine::{EngineFailure, ModuleError};
use loom_frontend::payload::{ModuleAuthority, PayloadError};

use crate::engine_host::WorkerHost;

/// Judges stored modules, and knows two things more about modules. Outer errors are about the engine, inner ones
/// about the module.
pub trait PayloadEngine: ModuleAuthority + Send + Sync {
    /// The contents of the payload sections in an object that is a bitcode module, in module order.
    fn read_sections(&self, bitcode: Blob) -> Result<Result<Vec<Blob>, ModuleError>, EngineFailure>;

    /// Compiles a module, bitcode or textual IR, to an object with its payload.
    fn pack(&self, module: Blob) -> Result<Result<Blob, ModuleError>, EngineFailure>;
}

impl PayloadEngine for WorkerHost {
    fn read_sections(&self, bitcode: Blob) -> Result<Result<Vec<Blob>, ModuleError>, EngineFailure> {
        self.read_carriers(bitcode)
    }

    fn pack(&self, module: Blob) -> Result<Result<Blob, ModuleError>, EngineFailure> {
        WorkerHost::pack(self, module)
    }
}

/// [`PayloadEngine::read_sections`] as a reader of carriers wants it.
pub(super) fn read_sections(
    engine: &dyn PayloadEngine,
    bitcode: &[u8],
) -> Result<Vec<Vec<u8>>, PayloadError> {
    match engine.read_sections(Blob::new(bitcode)) {
        Ok(Ok(sections)) => Ok(sections.iter().map(|section| section.bytes().to_vec()).collect()),
        // The module is the container here, not the payload.
        Ok(Err(error)) => Err(PayloadError::CarrierUnreadable {
            offset: 0,
            reason: format!("bitcode cannot be read: {}", error.message),
        }),
        Err(failure) => Err(PayloadError::Module(ModuleError::unavailable(&failure))),
    }
}
