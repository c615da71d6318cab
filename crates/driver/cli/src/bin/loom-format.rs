//! `loom-format`: canonical text and bytecode of Loom modules.

use std::process::ExitCode;

fn main() -> ExitCode {
    loom_driver_cli::run_tool(loom_driver_cli::format::run)
}
