//! `loom-cc` and `loom-c++`: a front without LLVM that answers from the compile cache or becomes the engine.
//!
//! Where the cache has no answer, the front replaces itself by `loom-engine cc ARGV0 ARG...`, or `loom-engine cached KEY
//! ARGV0 ARG...` if the cache is to keep the result: same process, no child, so signals, exit status and resource
//! accounting are those of the compiler.

#![expect(clippy::disallowed_methods, reason = "the front becomes the engine's process")]

mod cached;

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use cached::Answer;

/// clang's status for a driver that cannot start a tool.
const CANNOT_EXECUTE: u8 = 1;

fn main() -> ExitCode {
    let front = match env::current_exe() {
        Ok(front) => front,
        Err(error) => return fail(&format!("cannot tell where this program is installed: {error}")),
    };
    let engine = front.with_file_name("loom-engine");
    let mut argv: Vec<_> = env::args_os().collect();
    if argv.is_empty() {
        argv.push("loom-cc".into());
    }
    let host = match cached::answer(&argv, &front, &engine) {
        Answer::Done(status) => return ExitCode::from(status),
        Answer::Misunderstood(message) => return fail(&message),
        Answer::Compile(host) => host,
    };
    become_engine(&engine, &host, &argv)
}

/// Only returns if the engine could not be started.
fn become_engine(engine: &Path, host: &[OsString], argv: &[OsString]) -> ExitCode {
    let error = Command::new(engine).args(host).args(argv).exec();
    fail(&format!(
        "cannot start '{}': {error}; is Loom installed completely?",
        engine.display()
    ))
}

fn fail(message: &str) -> ExitCode {
    eprintln!("loom-cc: error: {message}");
    ExitCode::from(CANNOT_EXECUTE)
}
