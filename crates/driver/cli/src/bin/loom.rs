//! `loom`: sessions, payloads, versions, and the way to the other tools.

use std::process::ExitCode;

fn main() -> ExitCode {
    loom_driver_cli::run_tool(loom_driver_cli::loom::run)
}
