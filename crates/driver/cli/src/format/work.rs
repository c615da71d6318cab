//! The three modes: check, rewrite, convert.

use std::path::{Path, PathBuf};

use loom_driver::base::Diagnostic;
use loom_driver::{Interruption, Session, Snapshot};

use super::{Args, Form, From};
use crate::streams::{STDIN, is_dash};
use crate::{Console, Status};

/// From this many inputs on, threads save more than they cost.
const WORTH_WARMING: usize = 8;

pub(super) fn run(args: Args, console: &mut Console<'_>) -> Status {
    console.diagnostics = args.diagnostics;
    let mut session = console.session();
    let inputs = match name_inputs(&args, console, &mut session) {
        Ok(inputs) => inputs,
        Err(status) => return status,
    };
    let snapshot = session.snapshot();
    let mut status = Status::Success;
    if inputs.len() >= WORTH_WARMING {
        let paths: Vec<_> = inputs.iter().map(|input| console.absolute(input)).collect();
        if let Err(interruption) = snapshot.warm_modules(&paths) {
            return console.report_interruption(&interruption);
        }
    }
    for input in &inputs {
        let result = match () {
            () if args.check => check(&args, console, &snapshot, input),
            () if args.in_place => rewrite(&args, console, &snapshot, input),
            () => convert(&args, console, &snapshot, input),
        };
        status = status.max(result.unwrap_or_else(|interruption| console.report_interruption(&interruption)));
    }
    // The process ends here, and the operating system frees memory faster.
    std::mem::forget((snapshot, session));
    status
}

/// The names of the inputs, standard input being one of them if asked for.
fn name_inputs(
    args: &Args,
    console: &mut Console<'_>,
    session: &mut Session,
) -> Result<Vec<PathBuf>, Status> {
    let usage = |console: &mut Console<'_>, message: &str| {
        Err(console.report_plain(&Diagnostic::error("USAGE/001", message).help("see loom-format --help")))
    };
    match args.inputs.as_slice() {
        [] if args.check || args.in_place => return usage(console, "no input files"),
        [one] if is_dash(one) && args.in_place => {
            return usage(console, "standard input cannot be rewritten in place");
        }
        [] => {}
        [one] if is_dash(one) => {}
        inputs if inputs.iter().any(|input| is_dash(input)) => {
            return usage(console, "'-' must be the only input");
        }
        [_, _, ..] if !(args.check || args.in_place) => {
            return usage(console, "several inputs need --check or --in-place");
        }
        inputs => return Ok(inputs.to_vec()),
    }
    console.read_stdin(session)?;
    Ok(vec![STDIN.into()])
}

/// Reports the input if it is invalid or not canonical.
fn check(
    args: &Args,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
    input: &Path,
) -> Result<Status, Interruption> {
    let module = match read(args, console, snapshot, input)? {
        Ok(module) => module,
        Err(status) => return Ok(status),
    };
    if module.canonical == module.content {
        return Ok(module.status);
    }
    let offset = module
        .content
        .iter()
        .zip(&module.canonical)
        .take_while(|(old, new)| old == new)
        .count();
    let offset = u32::try_from(offset).unwrap_or(u32::MAX);
    let name = input.to_string_lossy();
    let mut diagnostic = Diagnostic::error("FORMAT/001", "the module is not in canonical form")
        .at(&name.as_ref().into(), offset..offset);
    if name != STDIN {
        diagnostic = diagnostic.help(format!("run `loom-format --in-place {name}`"));
    }
    Ok(console.report(snapshot, input, &[diagnostic]))
}

/// Gives the file its canonical content, if it is valid and has another one.
fn rewrite(
    args: &Args,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
    input: &Path,
) -> Result<Status, Interruption> {
    let module = match read(args, console, snapshot, input)? {
        Ok(module) => module,
        Err(status) => return Ok(status),
    };
    if module.canonical == module.content {
        return Ok(module.status);
    }
    Ok(module.status.max(console.write_output(input, &module.canonical)))
}

/// Writes the module to the output in the wanted form.
fn convert(
    args: &Args,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
    input: &Path,
) -> Result<Status, Interruption> {
    let module = match read(args, console, snapshot, input)? {
        Ok(module) => module,
        Err(status) => return Ok(status),
    };
    let bytes = match (args.to, module.form) {
        (to, form) if to == form => module.canonical,
        (Form::Text, _) => text(console, snapshot, input)?,
        (Form::Bc, _) => bytecode(console, snapshot, input)?,
    };
    Ok(module.status.max(console.write_output(&args.output, &bytes)))
}

/// A valid input.
struct Module {
    form: Form,
    content: Vec<u8>,
    /// What the content should be, in the form that it has.
    canonical: Vec<u8>,
    /// What its warnings mean.
    status: Status,
}

/// Reads, checks and reports on an input. The inner error is the status of an invalid one.
fn read(
    args: &Args,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
    input: &Path,
) -> Result<Result<Module, Status>, Interruption> {
    let path = console.absolute(input);
    let content = snapshot
        .file(&path)?
        .content
        .map(|content| content.bytes().to_vec())
        .unwrap_or_default();
    let form = match snapshot.is_bytecode(&path)? {
        true => Form::Bc,
        false => Form::Text,
    };
    let expected = match args.from {
        From::Auto => form,
        From::Text => Form::Text,
        From::Bc => Form::Bc,
    };
    if form != expected {
        let message = match form {
            Form::Text => "the input is not bytecode",
            Form::Bc => "the input is bytecode, not text",
        };
        let diagnostic = Diagnostic::error("FORMAT/002", message)
            .at(&input.to_string_lossy().as_ref().into(), 0..0)
            .help("leave out --from to accept either");
        return Ok(Err(console.report(snapshot, input, &[diagnostic])));
    }
    let status = console.report(snapshot, input, &snapshot.module_diagnostics(&path)?);
    if status != Status::Success {
        return Ok(Err(status));
    }
    let canonical = match form {
        Form::Text => text(console, snapshot, input)?,
        Form::Bc => bytecode(console, snapshot, input)?,
    };
    Ok(Ok(Module {
        form,
        content,
        canonical,
        status,
    }))
}

fn text(console: &Console<'_>, snapshot: &Snapshot, input: &Path) -> Result<Vec<u8>, Interruption> {
    let text = snapshot.module_text(&console.absolute(input))?;
    Ok(text
        .value
        .map(|text| text.as_bytes().to_vec())
        .unwrap_or_default())
}

fn bytecode(console: &Console<'_>, snapshot: &Snapshot, input: &Path) -> Result<Vec<u8>, Interruption> {
    let bytecode = snapshot.module_bytecode(&console.absolute(input))?;
    Ok(bytecode
        .value
        .map(|blob| blob.bytes().to_vec())
        .unwrap_or_default())
}
