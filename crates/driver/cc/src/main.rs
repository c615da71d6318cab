//! `loom-cc` and `loom-c++`: a front without LLVM that becomes the engine.
//!
//! The front replaces itself by `loom-engine cc ARGV0 ARG...`: same process, no child, so signals, exit status
//! and resource accounting are those of the compiler. It is the place where cache hits will be served before
//! any LLVM code is loaded.

#![expect(clippy::disallowed_methods, reason = "the front becomes the engine's process")]

use std::env;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// clang's status for a driver that cannot start a tool.
const CANNOT_EXECUTE: u8 = 1;

fn main() -> ExitCode {
    let engine = match env::current_exe() {
        Ok(front) => front.with_file_name("loom-engine"),
        Err(error) => return fail(&format!("cannot tell where this program is installed: {error}")),
    };
    let mut argv = env::args_os();
    let name = argv.next().unwrap_or_else(|| "loom-cc".into());
    // Only returns if the engine could not be started.
    let error = Command::new(&engine).arg("cc").arg(name).args(argv).exec();
    fail(&format!(
        "cannot start '{}': {error}; is Loom installed completely?",
        engine.display()
    ))
}

fn fail(message: &str) -> ExitCode {
    eprintln!("loom-cc: error: {message}");
    ExitCode::from(CANNOT_EXECUTE)
}
