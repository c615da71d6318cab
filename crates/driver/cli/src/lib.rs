//! The command lines of `loom`, `loom-format`, `loom-link` and `loom-compile`, as functions over a [`Console`].
//!
//! **Invariant:** a tool sees the world through its console and a session alone, so tests run whole command
//! lines in memory.

pub mod compile;
mod configuration;
mod console;
pub mod format;
pub mod link;
pub mod loom;
mod status;
mod streams;
mod target;
#[cfg(test)]
mod testing;
mod tools;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use loom_driver::cache::Settings;
use loom_driver::engine_host::WorkerHost;
use loom_driver::{OsSystem, System as _};

pub use console::{Console, DiagnosticsFormat};
pub use status::Status;

/// Modules are many small values, and large files make large tables: the system's allocator spends a fifth of the
/// parser's time and makes it slower the longer a file is.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs a tool on the real world and turns its status into the process's.
#[expect(
    clippy::disallowed_methods,
    reason = "here the console is made of the real world"
)]
pub fn run_tool(tool: fn(Vec<OsString>, &mut Console<'_>) -> Status) -> ExitCode {
    let cwd = match std::env::current_dir() {
        Ok(cwd) => cwd,
        Err(error) => {
            eprintln!("error: the working directory cannot be determined: {error}");
            return Status::Environment.into();
        }
    };
    let executable = match std::env::current_exe() {
        Ok(executable) => executable,
        Err(error) => {
            eprintln!("error: the tool's own path cannot be determined: {error}");
            return Status::Environment.into();
        }
    };
    let host = WorkerHost::new(executable.with_file_name("loom-engine"));
    let host = match Settings::read(&OsSystem.environment()) {
        Ok(settings) => host.with_cache(Arc::new(OsSystem), &settings),
        Err(message) => {
            eprintln!("error: {message}");
            return Status::Environment.into();
        }
    };
    let host = Arc::new(host);
    let colour = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
    let mut console = Console {
        system: Arc::new(OsSystem),
        engine: host.clone(),
        payload_engine: host,
        cwd,
        executable,
        stdin: Box::new(io::stdin()),
        stdout: &mut io::stdout().lock(),
        stderr: &mut io::stderr().lock(),
        colour: colour && io::stderr().is_terminal(),
        diagnostics: DiagnosticsFormat::Text,
    };
    tool(std::env::args_os().collect(), &mut console).into()
}
