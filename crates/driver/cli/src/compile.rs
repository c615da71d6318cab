//! `loom-compile`: command programs as artifacts, and what they leave to be compiled elsewhere.

mod publish;
#[cfg(test)]
mod tests;
mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::{Console, DiagnosticsFormat, Status};

/// Compiles the command programs of a Loom module.
///
/// The module is one that loom-link made. Each program becomes an artifact that does not contain the kernels it
/// launches: the manifest lists what the host must supply for it. With --emit-kernel-requests the launches are
/// classified, and each class of a kernel becomes a module of its own that compiles with nothing else.
#[derive(Parser, Debug)]
#[command(name = "loom-compile", version, after_help = EXAMPLES)]
pub struct Args {
    /// The module, text or bytecode; `-` or none is standard input
    #[arg(value_name = "INPUT", default_value = "-", hide_default_value = true)]
    input: PathBuf,

    /// What to make
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// The kind of product
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    product: Product,

    /// A program to compile, with or without `@`; by default all that are public or retained
    #[arg(long = "root", value_name = "SYMBOL")]
    roots: Vec<String>,

    /// Where to write the manifest or picture; `-` is standard output
    #[arg(long, short, default_value = "-", value_name = "FILE")]
    output: PathBuf,

    /// The directory for the programs, `program-N.loomcmd`; made if need be
    #[arg(long, value_name = "DIR")]
    emit_command_artifacts: Option<PathBuf>,

    /// The directory for kernel requests, `kernel-N.loombc` for requirement N; made if need be
    #[arg(long, value_name = "DIR")]
    emit_kernel_requests: Option<PathBuf>,

    /// The value of a configuration symbol
    #[arg(long = "config", value_name = "NAME=VALUE")]
    config: Vec<String>,

    /// Values of configuration symbols: a JSON object, comments allowed; keys of nested objects are joined by `.`
    #[arg(long = "config-file", value_name = "FILE")]
    config_files: Vec<PathBuf>,

    /// Fails if a configuration symbol of a program has no value
    #[arg(long)]
    require_resolved_config: bool,

    /// Prints for each launch which decision chose which provider and why, instead of compiling
    #[arg(long, conflicts_with_all = ["format", "emit_command_artifacts", "emit_kernel_requests"])]
    explain_classes: bool,

    /// How to write diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    diagnostics: DiagnosticsFormat,
}

const EXAMPLES: &str = "\
Examples:
  loom-link app.loom --library=lib.loombc --root=@main --allow-unresolved --to=bc -o main.loombc
  loom-compile main.loombc --format=loom-command --root=@main --output=main.json \\
      --emit-command-artifacts=out --emit-kernel-requests=out
  loom-compile main.loombc --format=dot | dot -Tsvg > main.svg
  loom-compile main.loombc --explain-classes

The manifest is written last: while it is the former one, so are the programs and requests that count.
Exit status: 0 success, 1 errors in the input, 2 usage, 3 environment.";

/// What can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Artifacts of command programs, and a manifest
    LoomCommand,
    /// A picture of the programs in the language of Graphviz
    Dot,
}

/// Kinds of products.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum Product {
    /// Command programs
    #[default]
    Command,
}

/// Runs one command line, program name first.
pub fn run(args: Vec<OsString>, console: &mut Console<'_>) -> Status {
    match console.parse::<Args>(args) {
        Ok(args) => work::run(args, console),
        Err(status) => status,
    }
}
