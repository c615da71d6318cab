//! `loom --version`.

use loom_driver::{EngineVersions, Interruption, build_id};

use crate::{Console, Status};

/// Says who Loom is and who its engine is; without an engine the first part, and why.
pub(super) fn run(console: &mut Console<'_>) -> Status {
    let loom = format!("Loom {}\n", env!("CARGO_PKG_VERSION"));
    let own = console.system.read(&console.executable).ok();
    let own = own.and_then(|bytes| build_id(&bytes)).unwrap_or_default();
    let own = line("loom", &format!("build-id {}", or(&own, "none")));
    match console.session().snapshot().engine_versions() {
        Ok(versions) => console.print((loom + &describe(&versions) + &own).as_bytes()),
        Err(failure) => {
            let printed = console.print((loom + &own).as_bytes());
            printed.max(console.report_interruption(&Interruption::Engine(failure)))
        }
    }
}

fn describe(versions: &EngineVersions) -> String {
    let provider = format!("{} {}", versions.repository, versions.commit);
    let build_id = format!("build-id {}", or(&versions.build_id, "none"));
    let lines = [
        ("LLVM", versions.llvm.as_str()),
        ("Clang", &versions.clang),
        ("MLIR", or(&versions.mlir, "none")),
        ("provider", &provider),
        ("package", or(&versions.package, "unknown")),
        ("engine", &build_id),
    ];
    lines.map(|(name, value)| line(name, value)).concat()
}

fn line(name: &str, value: &str) -> String {
    format!("{name:<9} {value}\n")
}

fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}
