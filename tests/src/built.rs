//! Where the built tools are: in the directory of the profile these tests were built in.

use std::path::{Path, PathBuf};

/// The executable `name` of this build. Fails, saying what to run, if it has not been built.
pub fn tool(name: &str) -> PathBuf {
    let path = directory().join(name);
    assert!(
        path.is_file(),
        "{name} is not built in this profile; run `make build` (cargo build --release --workspace), then the \
         tests in the same profile"
    );
    path
}

/// The directory cargo puts this profile's executables into.
pub fn directory() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let deps = test.parent().expect("test executables lie in deps/");
    deps.parent()
        .map(Path::to_path_buf)
        .expect("deps/ lies in the profile's directory")
}
