//! From a command line to a link, and from its outcome to the output.

use std::path::{Path, PathBuf};

use loom_driver::base::{Diagnostic, Outcome};
use loom_driver::link::{
    Configuration, Link, LinkProvider, ListingForm, Mode, PlanOptions, Role, TargetFacts,
};
use loom_driver::{Interruption, Session, Snapshot};

use super::{Args, Form, From};
use crate::configuration::configure;
use crate::streams::{STDIN, is_dash};
use crate::{Console, Status};

pub(super) fn run(args: Args, console: &mut Console<'_>) -> Status {
    console.diagnostics = args.diagnostics;
    if let Some(message) = misuse(&args) {
        let diagnostic = Diagnostic::error("USAGE/001", message);
        return console.report_plain(&diagnostic.help("see loom-link --help"));
    }
    let mut session = console.session();
    let files = match name_files(&args, console, &mut session) {
        Ok(files) => files,
        Err(status) => return status,
    };
    let snapshot = session.snapshot();
    let linked = link(&args, console, &snapshot, &files);
    let status = linked.unwrap_or_else(|interruption| console.report_interruption(&interruption));
    // The process ends here, and the operating system frees memory faster.
    std::mem::forget((snapshot, session));
    status
}

/// What is wrong with the command line as a whole.
fn misuse(args: &Args) -> Option<&'static str> {
    let has_roots = !args.roots.is_empty() || args.include_input_exports;
    let lists = args.print_plan || args.list_symbols;
    if args.mode == super::Mode::Merge && has_roots {
        return Some("merge mode does not accept --root or --include-input-exports");
    }
    if args.inputs.len() > 1 && args.inputs.iter().any(|input| is_dash(input)) {
        return Some("'-' stdin input must be the only input path in this invocation");
    }
    if args.libraries.iter().any(|library| is_dash(library)) {
        return Some("library input requires a filesystem path, not stdin");
    }
    if args.config_files.iter().any(|file| is_dash(file)) {
        return Some("--config-file requires a filesystem path, not stdin");
    }
    match args.to {
        Form::Json if !lists => Some("--to=json is for --print-plan and --list-symbols"),
        Form::Dot if !args.print_plan => Some("--to=dot is for --print-plan"),
        Form::Bc if lists || args.print_config_schema => Some("--to=bc is for linked modules"),
        _ => None,
    }
}

/// The inputs, then the libraries; standard input is one of them if asked for.
fn name_files(
    args: &Args,
    console: &mut Console<'_>,
    session: &mut Session,
) -> Result<Vec<(PathBuf, Role)>, Status> {
    let inputs = match args.inputs.as_slice() {
        [] => vec![PathBuf::from(STDIN)],
        [one] if is_dash(one) => vec![PathBuf::from(STDIN)],
        inputs => inputs.to_vec(),
    };
    if inputs == [Path::new(STDIN)] {
        console.read_stdin(session)?;
    }
    let inputs = inputs.into_iter().map(|input| (input, Role::Input));
    let libraries = args
        .libraries
        .iter()
        .map(|library| (library.clone(), Role::Library));
    let files: Vec<(PathBuf, Role)> = inputs.chain(libraries).collect();
    for (file, _) in &files {
        console.read_stream(file, session);
    }
    args.config_files
        .iter()
        .for_each(|file| console.read_stream(file, session));
    Ok(files)
}

fn link(
    args: &Args,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
    files: &[(PathBuf, Role)],
) -> Result<Status, Interruption> {
    let mut status = check_forms(args, console, snapshot, files)?;
    let config = match configure(&args.config, &args.config_files, console, snapshot)? {
        Ok(config) => config,
        Err(failed) => {
            status = status.max(failed);
            Configuration::default()
        }
    };
    let target = args.target.facts(console).unwrap_or_else(|failed| {
        status = status.max(failed);
        TargetFacts::default()
    });
    if status != Status::Success {
        return Ok(status);
    }
    let link = Link {
        providers: files
            .iter()
            .map(|(file, role)| LinkProvider {
                path: console.absolute(file),
                name: file.to_string_lossy().as_ref().into(),
                role: *role,
            })
            .collect(),
        options: PlanOptions {
            mode: match args.mode {
                super::Mode::Merge => Mode::Merge,
                super::Mode::Link => Mode::Link,
                super::Mode::Auto if args.roots.is_empty() && !args.include_input_exports => Mode::Merge,
                super::Mode::Auto => Mode::Link,
            },
            include_input_exports: args.include_input_exports,
            roots: args.roots.clone(),
            allow_unresolved: args.allow_unresolved,
            strip_tests: args.strip_check,
            config,
            target,
            ..PlanOptions::default()
        },
        require_resolved_config: args.require_resolved_config,
        verify: args.verify,
    };
    let form = match args.to {
        Form::Json => ListingForm::Json,
        Form::Dot => ListingForm::Dot,
        Form::Text | Form::Bc => ListingForm::Text,
    };
    let bytes = match () {
        () if args.print_plan => snapshot.link_plan(&link, form)?.map(String::into_bytes),
        () if args.list_symbols => snapshot.link_symbols(&link, form)?.map(String::into_bytes),
        () if args.print_config_schema => snapshot.link_config_schema(&link)?.map(String::into_bytes),
        () if args.to == Form::Bc => snapshot.linked_bytecode(&link)?.map(|blob| blob.bytes().to_vec()),
        () => snapshot.linked_text(&link)?.map(|text| text.as_bytes().to_vec()),
    };
    Ok(finish(args, console, snapshot, &files[0].0, &bytes))
}

/// Reports what there is to say, and writes the output if there is one.
fn finish(
    args: &Args,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
    first: &Path,
    outcome: &Outcome<Vec<u8>>,
) -> Status {
    let status = console.report(snapshot, first, &outcome.diagnostics);
    match &outcome.value {
        Some(bytes) if status == Status::Success => console.write_output(&args.output, bytes),
        Some(_) => status,
        None => status.max(Status::Diagnostics),
    }
}

/// Reports the files that are not what `--from` says.
fn check_forms(
    args: &Args,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
    files: &[(PathBuf, Role)],
) -> Result<Status, Interruption> {
    let mut status = Status::Success;
    for (file, _) in files.iter().filter(|_| args.from != From::Auto) {
        let path = console.absolute(file);
        if snapshot.file(&path)?.content.is_none() {
            continue;
        }
        let message = match (args.from, snapshot.is_bytecode(&path)?) {
            (From::Text, true) => "the input is bytecode, not text",
            (From::Bc, false) => "the input is not bytecode",
            _ => continue,
        };
        let diagnostic = Diagnostic::error("FORMAT/002", message)
            .at(&file.to_string_lossy().as_ref().into(), 0..0)
            .help("leave out --from to accept either");
        status = status.max(console.report(snapshot, file, &[diagnostic]));
    }
    Ok(status)
}
