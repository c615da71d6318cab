//! The command line of `loom payload`.

#[cfg(test)]
mod tests;
mod work;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use loom_driver::payload_files::{Form, Part, Selection};

use crate::{Console, Status};

/// What to do with payloads.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Lists payloads and records with all their fields
    ///
    /// Framing, roots and identities are checked, the modules are not: `verify` does. A linked file holds records
    /// of the payloads that were linked into it, not the payloads themselves.
    #[command(after_help = SHOW)]
    Show(Files),
    /// Checks everything, the modules included
    ///
    /// LLVM parses, verifies and rewrites each module: a payload is valid if this Loom would use it. Fails if there
    /// is neither a payload nor a record.
    #[command(after_help = VERIFY)]
    Verify(Files),
    /// Prints the identity of each payload; of each record, where there are records only
    ///
    /// Equal identities mean equal payloads, whatever the names of the objects.
    #[command(after_help = IDENTITY)]
    Identity(Files),
    /// Takes one payload out of a file
    ///
    /// Writes its canonical root, which the other commands accept like an object, or its bitcode.
    #[command(after_help = EXTRACT)]
    Extract(Extract),
    /// Shows the fields in which two payloads differ
    ///
    /// Nothing is printed if they are equal. Exit status 1 means that they differ, or that there was an error.
    #[command(after_help = DIFF)]
    Diff(Diff),
    /// Makes an object with a payload from an LLVM module
    ///
    /// Takes bitcode or textual IR that any frontend wrote, and compiles it as it is: for the target triple, and with
    /// the processors and features that the module has. The module is not optimized, and needs no hint.
    #[command(after_help = PACK)]
    Pack(Pack),
}

const SHOW: &str = "\
Examples:
  loom payload show x.o libx.a                   what the objects carry
  loom payload show --json a.out                 the payloads that were linked, for programs
  ar p libx.a x.o | loom payload show -";

const VERIFY: &str = "\
Examples:
  loom payload verify x.o libx.a
  loom payload verify --json x.o                 one JSON object a payload, with its verdict";

const IDENTITY: &str = "\
Examples:
  loom payload identity x.o libx.a               digest, two blanks, object
  loom payload identity old/libx.a | sort        to be compared with that of new/libx.a";

const EXTRACT: &str = "\
Examples:
  loom payload extract x.o -o x.root             the canonical root
  loom payload extract --bitcode x.o -o x.bc     the module
  loom payload extract --bitcode x.o -o - | llvm-dis-22
  loom payload extract libx.a --member=x.o -o x.root
  loom payload extract libx.a --index=2 -o x.root";

const DIFF: &str = "\
Examples:
  loom payload diff old/x.o new/x.o
  loom payload diff old/libx.a new/libx.a --member=x.o
  loom payload diff both.o both.o --index-a=0 --index-b=1
  loom payload diff --json x.o x.root";

const PACK: &str = "\
Examples:
  loom payload pack kernel.bc -o kernel.o
  loom payload pack kernel.ll -o kernel.o
  rustc --emit=llvm-bc -o - kernel.rs | loom payload pack - -o kernel.o";

#[derive(Args, Debug)]
pub(super) struct Files {
    /// Objects, archives, linked files or bare roots; `-` is standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// Writes JSON lines
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
pub(super) struct Extract {
    /// An object, archive or bare root; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Where to write; `-` is standard output
    #[arg(long, short, required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// Writes the module in the payload instead of the whole root
    #[arg(long)]
    bitcode: bool,

    /// Only payloads of archive members with this name
    #[arg(long, value_name = "NAME")]
    member: Option<String>,

    /// The payload with this number in the file, from 0, as `loom payload show` counts
    #[arg(long, value_name = "N")]
    index: Option<usize>,
}

#[derive(Args, Debug)]
pub(super) struct Diff {
    /// One file; `-` is standard input
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    a: PathBuf,

    /// The other file
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    b: PathBuf,

    /// Only payloads of archive members with this name, in both files
    #[arg(long, value_name = "NAME", conflicts_with_all = ["member_a", "member_b"])]
    member: Option<String>,

    /// The payload with this number, from 0, in both files
    #[arg(long, value_name = "N", conflicts_with_all = ["index_a", "index_b"])]
    index: Option<usize>,

    /// As --member, in A only
    #[arg(long, value_name = "NAME")]
    member_a: Option<String>,

    /// As --index, in A only
    #[arg(long, value_name = "N")]
    index_a: Option<usize>,

    /// As --member, in B only
    #[arg(long, value_name = "NAME")]
    member_b: Option<String>,

    /// As --index, in B only
    #[arg(long, value_name = "N")]
    index_b: Option<usize>,

    /// Writes a JSON line for each field
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
pub(super) struct Pack {
    /// The module, bitcode or textual IR; `-` is standard input
    #[arg(value_name = "MODULE", value_hint = ValueHint::FilePath)]
    module: PathBuf,

    /// The object to write; `-` is standard output
    #[arg(long, short, required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,
}

/// Runs one command.
pub(super) fn run(command: &Command, console: &mut Console<'_>) -> Status {
    match command {
        Command::Show(files) => {
            work::report(files, console, |payloads, name, form| payloads.show(name, form))
        }
        Command::Verify(files) => {
            work::report(files, console, |payloads, name, form| payloads.verify(name, form))
        }
        Command::Identity(files) => work::report(files, console, |payloads, name, form| {
            payloads.identity(name, form)
        }),
        Command::Extract(extract) => work::extract(extract, console),
        Command::Diff(diff) => work::diff(diff, console),
        Command::Pack(pack) => work::pack(pack, console),
    }
}

impl Extract {
    fn selection(&self) -> Selection {
        Selection {
            member: self.member.clone(),
            index: self.index,
        }
    }

    fn part(&self) -> Part {
        match self.bitcode {
            true => Part::Bitcode,
            false => Part::Root,
        }
    }
}

impl Diff {
    /// What is meant in A and in B.
    fn selections(&self) -> [Selection; 2] {
        let sides = [(&self.member_a, self.index_a), (&self.member_b, self.index_b)];
        sides.map(|(member, index)| Selection {
            member: member.clone().or_else(|| self.member.clone()),
            index: index.or(self.index),
        })
    }
}

fn form(json: bool) -> Form {
    match json {
        true => Form::Json,
        false => Form::Text,
    }
}
