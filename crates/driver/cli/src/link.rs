//! `loom-link`: one module of what its roots need from inputs and libraries.

#[cfg(test)]
mod tests;
mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Parser, ValueEnum};

use crate::target::TargetArgs;
use crate::{Console, DiagnosticsFormat, Status};

/// Links Loom modules.
///
/// The inputs are the requester: what it publishes is the output's. Libraries may satisfy what the requester
/// needs, and publish nothing. With roots, the output has the roots and what they need; without, all symbols of
/// the inputs.
#[derive(Parser, Debug)]
#[command(name = "loom-link", version, after_help = EXAMPLES)]
pub struct Args {
    /// Modules to link, text or bytecode; `-` or none is standard input
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// A module that may satisfy what the inputs need
    #[arg(long = "library", value_name = "PATH")]
    libraries: Vec<PathBuf>,

    /// What is taken: `link` the roots and what they need, `merge` everything of the inputs, `auto` links if
    /// there are roots
    #[arg(long, value_enum, default_value_t)]
    mode: Mode,

    /// A symbol that the output must have, with or without `@`
    #[arg(long = "root", value_name = "SYMBOL")]
    roots: Vec<String>,

    /// Makes the exported symbols of the inputs roots
    #[arg(long)]
    include_input_exports: bool,

    /// What inputs and libraries must be
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    from: From,

    /// What to write; json and dot are for --print-plan, json also for --list-symbols
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    to: Form,

    /// Where to write; `-` is standard output
    #[arg(long, short, default_value = "-", value_name = "FILE")]
    output: PathBuf,

    /// The value of a configuration symbol
    #[arg(long = "config", value_name = "NAME=VALUE")]
    config: Vec<String>,

    /// Values of configuration symbols: a JSON object, comments allowed; keys of nested objects are joined by `.`
    #[arg(long = "config-file", value_name = "FILE")]
    config_files: Vec<PathBuf>,

    #[command(flatten)]
    target: TargetArgs,

    /// Fails if a configuration symbol of the output has no value
    #[arg(long)]
    require_resolved_config: bool,

    /// Leaves declarations without definition as they are: the output is to be linked again
    #[arg(long)]
    allow_unresolved: bool,

    /// Leaves out what exists for tests only
    #[arg(long)]
    strip_check: bool,

    /// Prints what would be taken and why, instead of linking
    #[arg(long, conflicts_with_all = ["list_symbols", "print_config_schema"])]
    print_plan: bool,

    /// Prints all symbols of inputs and libraries, instead of linking
    #[arg(long, conflicts_with = "print_config_schema")]
    list_symbols: bool,

    /// Prints a JSON schema of configuration files for the output, instead of linking
    #[arg(long)]
    print_config_schema: bool,

    /// Whether the output is verified before it is written
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    verify: bool,

    /// How to write diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    diagnostics: DiagnosticsFormat,
}

const EXAMPLES: &str = "\
Examples:
  loom-link a.loom b.loom                                 merge two modules
  loom-link app.loom --library=lib.loombc --root=@main    only what @main needs
  loom-link app.loom --library=lib.loombc --root=@main --print-plan
  loom-link app.loom --root=@main --print-plan --to=dot | dot -Tsvg > plan.svg
  loom-link app.loom --config=tile.m=16 --to=bc -o app.loombc
  loom-link app.loom --library=lib.loombc --root=@main --target=amdgpu:gfx942

Exit status: 0 success, 1 errors in the input, 2 usage, 3 environment.";

/// What is taken.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum Mode {
    /// Link if there are roots, else merge
    #[default]
    Auto,
    /// Everything of the inputs
    Merge,
    /// The roots and what they need
    Link,
}

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
    /// Canonical text, or lines
    #[default]
    Text,
    /// Bytecode
    #[value(alias = "bytecode")]
    Bc,
    /// JSON
    Json,
    /// A picture in the language of Graphviz
    Dot,
}

/// Runs one command line, program name first.
pub fn run(args: Vec<OsString>, console: &mut Console<'_>) -> Status {
    match console.parse::<Args>(args) {
        Ok(args) => work::run(args, console),
        Err(status) => status,
    }
}
