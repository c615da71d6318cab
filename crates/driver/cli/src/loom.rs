//! `loom`: sessions, payloads, versions, and the way to the other tools.

mod cache;
mod lto;
mod payload;
mod raise;
#[cfg(test)]
mod tests;
mod version;

use std::ffi::OsString;
use std::io::BufReader;

use clap::{Parser, Subcommand};
use loom_driver::{Session, protocol};

use crate::{Console, DiagnosticsFormat, Status, tools};

/// The Loom compiler: long-lived sessions, payloads of objects, and the way to the other tools.
#[derive(Parser, Debug)]
#[command(name = "loom", arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Args {
    /// Shows the versions of Loom, of its engine and of the LLVM in it
    #[arg(long, short = 'V', exclusive = true)]
    version: bool,

    /// How to write diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", global = true)]
    diagnostics: DiagnosticsFormat,

    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  loom --version                                 who Loom is, and which LLVM it holds
  loom payload show x.o libx.a                   what the objects carry
  loom payload verify --json x.o                 check it against LLVM, for programs
  loom lto a.o 'libx.a(b.o)' -o linked.bc        the modules of both as one
  loom raise linked.bc -o s0.mlir                a linked module in MLIR, with structured control flow
  loom cache stats                               how often compiles were answered without compiling
  loom session --stdio < requests.jsonl          a long-lived compiler, spoken to in JSON lines
  loom format --check src/*.loom                 the same as loom-format
  loom link app.loom --root=@main                the same as loom-link
  loom compile --format=dot app.loombc           the same as loom-compile

Exit status: 0 success, 1 errors in the input or differences, 2 usage, 3 environment.";

#[derive(Subcommand, Debug)]
enum Command {
    /// Answers requests for artifacts over changing files, and runs only what each change affects
    #[command(after_help = SESSION)]
    Session {
        /// Reads requests from standard input and writes responses to standard output, one JSON object per line
        #[arg(long, required = true)]
        stdio: bool,
    },
    /// Shows, checks, compares and makes what objects, archives and bare payload roots carry
    #[command(after_help = PAYLOAD)]
    Payload {
        #[command(subcommand)]
        command: payload::Command,
    },
    /// Merges the payloads of objects, archive members and modules into one LLVM module
    #[command(after_help = lto::HELP)]
    Lto(lto::Lto),
    /// Raises a linked LLVM module to MLIR with structured control flow (S0)
    #[command(after_help = raise::EXAMPLES)]
    Raise(raise::Raise),
    /// Shows and tends the compile cache of loom-cc
    #[command(after_help = cache::EXAMPLES)]
    Cache {
        #[command(subcommand)]
        command: cache::Command,
    },
    /// Formats, checks and converts modules: runs loom-format
    #[command(disable_help_flag = true)]
    Format {
        /// Arguments of loom-format
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Links modules: runs loom-link
    #[command(disable_help_flag = true)]
    Link {
        /// Arguments of loom-link
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Compiles command programs: runs loom-compile
    #[command(disable_help_flag = true)]
    Compile {
        /// Arguments of loom-compile
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Prints a shell's completions for one of the tools
    #[command(after_help = COMPLETIONS)]
    Completions(tools::Completions),
    /// Prints manual pages
    #[command(after_help = MAN)]
    Man(tools::Man),
}

const PAYLOAD: &str = "\
Examples:
  loom payload show x.o libx.a                   what the objects carry
  loom payload verify x.o                        check it against LLVM
  loom payload identity x.o                      one digest for the whole payload
  loom payload extract --bitcode x.o -o x.bc     the module
  loom payload diff old/x.o new/x.o              which field differs
  loom payload pack x.ll -o x.o                  an object from any LLVM module

A file is judged by its content: ELF object or linked file, archive, thin archive, LLVM bitcode, or bare root.
Exit status: 0 success, 1 errors in the input or differences, 2 usage, 3 environment.";

const COMPLETIONS: &str = "\
Examples:
  loom completions bash > ~/.local/share/bash-completion/completions/loom
  loom completions zsh loom-format > ~/.zfunc/_loom-format
  loom completions fish | source";

const MAN: &str = "\
Examples:
  loom man | man -l -                            the page of loom itself
  loom man loom-payload-extract | man -l -
  loom man --all ~/.local/share/man/man1         write them all";

const SESSION: &str = "\
Examples of requests (schema: session.schema.json):
  {\"id\": 1, \"method\": \"artifact\", \"kind\": \"module_text\", \"path\": \"a.loom\"}
  {\"id\": 2, \"method\": \"artifact\", \"kind\": \"object\", \"argv\": [\"loom-cc\", \"-c\", \"x.c\"]}
  {\"id\": 3, \"method\": \"change\", \"files\": [{\"path\": \"x.h\", \"reread\": true}]}
  {\"id\": 2, \"method\": \"cancel\"}";

/// Runs one command line, program name first.
pub fn run(args: Vec<OsString>, console: &mut Console<'_>) -> Status {
    let args = match console.parse::<Args>(args) {
        Ok(args) => args,
        Err(status) => return status,
    };
    console.diagnostics = args.diagnostics;
    match args.command {
        None => version::run(console),
        Some(Command::Session { stdio: _ }) => serve(console),
        Some(Command::Payload { command }) => payload::run(&command, console),
        Some(Command::Lto(lto)) => lto::run(&lto, console),
        Some(Command::Raise(raise)) => raise::run(&raise, console),
        Some(Command::Cache { command }) => cache::run(&command, console),
        Some(Command::Format { args }) => become_tool("loom-format", &args, console),
        Some(Command::Link { args }) => become_tool("loom-link", &args, console),
        Some(Command::Compile { args }) => become_tool("loom-compile", &args, console),
        Some(Command::Completions(completions)) => completions.run(console),
        Some(Command::Man(man)) => man.run(console),
    }
}

fn serve(console: &mut Console<'_>) -> Status {
    let session = Session::recording(console.system.clone(), console.engine.clone());
    let stdin = std::mem::replace(&mut console.stdin, Box::new(std::io::empty()));
    match protocol::serve(session, &console.cwd, BufReader::new(stdin), console.stdout) {
        Ok(()) => Status::Success,
        Err(error) => console.report_io("the session lost its client", &error),
    }
}

/// Replaces this process by the tool beside it.
#[expect(clippy::disallowed_methods, reason = "one tool becomes another")]
fn become_tool(tool: &str, args: &[OsString], console: &mut Console<'_>) -> Status {
    use std::os::unix::process::CommandExt;
    let path = console.executable.with_file_name(tool);
    let error = std::process::Command::new(&path).args(args).exec();
    console.report_io(&format!("cannot run '{}'", path.display()), &error)
}
