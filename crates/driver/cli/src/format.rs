//! `loom-format`: checks modules and writes them as canonical text or as bytecode.

#[cfg(test)]
mod tests;
mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::{Console, DiagnosticsFormat, Status};

/// Formats, checks and converts Loom modules.
///
/// Without --check or --in-place, converts one input to canonical text, or to bytecode with --to=bc. Every
/// module is parsed and verified before anything is written.
#[derive(Parser, Debug)]
#[command(name = "loom-format", version, after_help = EXAMPLES)]
pub struct Args {
    /// Modules to read, text or bytecode; `-` or none is standard input
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Reports every input that is not in canonical form, and writes nothing
    #[arg(long, conflicts_with_all = ["in_place", "output", "to"])]
    check: bool,

    /// Rewrites each input in canonical form; an invalid one is left as it is
    #[arg(long, short = 'i', conflicts_with_all = ["output", "to"])]
    in_place: bool,

    /// What the input must be
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    from: From,

    /// What to write
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    to: Form,

    /// Where to write; `-` is standard output
    #[arg(long, short, default_value = "-", value_name = "FILE")]
    output: PathBuf,

    /// How to write diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    diagnostics: DiagnosticsFormat,
}

const EXAMPLES: &str = "\
Examples:
  loom-format kernel.loom                        canonical text to standard output
  loom-format --check src/*.loom                 exit 1 and a list if any is not canonical
  loom-format --in-place src/*.loom              rewrite the files
  loom-format --to=bc -o kernel.loombc kernel.loom
  loom-format --diagnostics=json < kernel.loom

Exit status: 0 success, 1 errors in the input or differences, 2 usage, 3 environment.";

/// What an input may be.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum From {
    /// Whatever it turns out to be
    #[default]
    Auto,
    /// Text
    Text,
    /// Bytecode
    #[value(alias = "bytecode")]
    Bc,
}

/// What an output can be.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum Form {
    /// Canonical text
    #[default]
    Text,
    /// Bytecode
    #[value(alias = "bytecode")]
    Bc,
}

/// Runs one command line, program name first.
pub fn run(args: Vec<OsString>, console: &mut Console<'_>) -> Status {
    match console.parse::<Args>(args) {
        Ok(args) => work::run(args, console),
        Err(status) => status,
    }
}
