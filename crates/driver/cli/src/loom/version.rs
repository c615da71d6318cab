//! `loom --version`.

use loom_driver::{EngineVersions, Interruption};

use crate::{Console, Status};

/// Says who Loom is, then who its engine is; without an engine the first half and why.
pub(super) fn run(console: &mut Console<'_>) -> Status {
    let status = console.print(format!("Loom {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
    let snapshot = console.session().snapshot();
    match snapshot.engine_versions() {
        Ok(versions) => status.max(console.print(describe(&versions).as_bytes())),
        Err(failure) => console.report_interruption(&Interruption::Engine(failure)),
    }
}

fn describe(versions: &EngineVersions) -> String {
    let or_none = |text: &str, none: &str| {
        if text.is_empty() {
            none.to_owned()
        } else {
            text.to_owned()
        }
    };
    format!(
        "LLVM      {}\nClang     {}\nMLIR      {}\nprovider  {} {}\npackage   {}\nengine    build-id {}\n",
        versions.llvm,
        versions.clang,
        or_none(&versions.mlir, "none"),
        versions.repository,
        versions.commit,
        or_none(&versions.package, "unknown"),
        or_none(&versions.build_id, "none"),
    )
}
