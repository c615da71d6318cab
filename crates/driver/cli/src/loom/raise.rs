//! `loom raise`: linked modules to MLIR, and back.

#[cfg(test)]
mod tests;
mod work;

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use loom_driver::raise::{RaiseOptions, RaisedForm};

use crate::{Console, Status};

pub(super) const EXAMPLES: &str = "\
Examples:
  loom raise linked.bc -o s0.mlir                S0 as MLIR text
  loom raise linked.bc -o s0.mlir --report=html --report-output=s0.html
  loom raise linked.bc -o - --no-locations | less
  loom raise linked.bc --lower -o again.bc       there and back: the module with its bodies lowered from S0

The linked module stays the owner of all that MLIR cannot hold; the report names it by its SHA-256 and counts what
S0 does not say. A function that cannot be lifted is in S0 as it is, or as a declaration, and the report says why.
Exit status: 0 success, 1 errors in the input, 2 usage, 3 environment.";

/// What to raise, how, and where to put what comes of it.
#[derive(Args, Debug)]
pub(super) struct Raise {
    /// The linked module, bitcode or textual IR; `-` is standard input
    #[arg(value_name = "MODULE", value_hint = ValueHint::FilePath)]
    module: PathBuf,

    /// Where to write; `-` is standard output
    #[arg(long, short, required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// How to write S0
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    to: To,

    /// Leaves source locations out of S0
    #[arg(long, conflicts_with = "lower")]
    no_locations: bool,

    /// Lowers S0 again and writes the linked module, as bitcode, with the lowered bodies in it
    #[arg(long, conflicts_with_all = ["to", "keep_hints"])]
    lower: bool,

    /// Also writes what became of functions, loops and candidates
    #[arg(long, value_enum, value_name = "FORM")]
    report: Option<ReportForm>,

    /// Where to write the report; standard output without it
    #[arg(long, value_name = "FILE", requires = "report", value_hint = ValueHint::FilePath)]
    report_output: Option<PathBuf>,

    /// Also writes what became of each candidate, as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    hint_report: Option<PathBuf>,

    /// Keeps one attribute on each recovered candidate: the stage before S0
    #[arg(long)]
    keep_hints: bool,

    /// Fails, and writes nothing, if a candidate of the source is not found again
    #[arg(long)]
    require_hints: bool,

    /// Lets MLIR use several threads; the result is the same
    #[arg(long)]
    threads: bool,
}

/// How S0 is written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum To {
    /// MLIR's text
    #[default]
    Text,
    /// MLIR's bytecode
    Bytecode,
}

/// How the report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ReportForm {
    /// A page for people
    Html,
    /// One object for programs
    Json,
}

impl Raise {
    fn options(&self) -> RaiseOptions {
        RaiseOptions {
            form: match (self.lower, self.to) {
                (true, _) => RaisedForm::Lowered,
                (false, To::Text) => RaisedForm::Text,
                (false, To::Bytecode) => RaisedForm::Bytecode,
            },
            drop_locations: self.no_locations,
            keep_hints: self.keep_hints,
            require_hints: self.require_hints,
            threads: self.threads,
        }
    }
}

/// Runs the command.
pub(super) fn run(raise: &Raise, console: &mut Console<'_>) -> Status {
    work::run(raise, console)
}
