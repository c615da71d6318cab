//! Libraries that are preloaded into the tools, to put them where nobody can wait to get: into another year, or short of
//! memory.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds `testdata/shims/NAME.c` into `directory` and returns the path of the library.
pub fn build(name: &str, directory: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../testdata/shims/{name}.c"));
    let library = directory.join(format!("{name}.so"));
    let output = Command::new("clang-22")
        .args(["-O1", "-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .output()
        .expect("clang-22 is installed for the tests");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    library
}
