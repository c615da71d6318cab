//! `loom-compile`: command products of Loom modules.

use std::process::ExitCode;

fn main() -> ExitCode {
    loom_driver_cli::run_tool(loom_driver_cli::compile::run)
}
