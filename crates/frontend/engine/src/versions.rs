//! Which engine this is.

use loom_frontend::engine::EngineVersions;
use loom_frontend::provider::Provider;

use crate::ffi;

/// Versions and identities of this executable and of the LLVM in it.
pub fn versions() -> EngineVersions {
    let (llvm, clang, build_id) = ffi::versions();
    let provider = Provider::pinned();
    EngineVersions {
        // MLIR is part of the same release and has no version of its own.
        mlir: llvm.clone(),
        llvm,
        clang,
        repository: provider.repository,
        commit: provider.commit,
        package: env!("LOOM_LLVM_PACKAGE").to_owned(),
        build_id: build_id.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
