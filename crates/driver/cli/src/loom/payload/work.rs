//! The commands of `loom payload`, run.

use std::path::{Path, PathBuf};

use loom_driver::base::{Blob, Diagnostic};
use loom_driver::payload_files::{Form, PayloadFiles, Report};
use loom_driver::{Interruption, Session};

use super::{Diff, Extract, Files, Pack, form};
use crate::streams::{STDIN, is_dash};
use crate::{Console, Status};

/// Reports on every file; the worst status counts.
pub(super) fn report(
    files: &Files,
    console: &mut Console<'_>,
    report: impl Fn(&PayloadFiles<'_>, &Path, Form) -> Result<Report, Interruption>,
) -> Status {
    let names: Vec<_> = files.files.iter().map(PathBuf::as_path).collect();
    with_payloads(&names, console, |payloads, names, console| {
        let form = form(files.json);
        let statuses = names.iter().map(|name| match report(payloads, name, form) {
            Ok(report) => tell(console, &report),
            Err(interruption) => console.report_interruption(&interruption),
        });
        statuses.fold(Status::Success, Status::max)
    })
}

/// Writes one payload, or the module in it.
pub(super) fn extract(extract: &Extract, console: &mut Console<'_>) -> Status {
    with_payloads(&[&extract.file], console, |payloads, names, console| {
        let extracted = payloads.extract(names[0], &extract.selection(), extract.part());
        write(console, &extract.output, extracted)
    })
}

/// Compares two payloads.
pub(super) fn diff(diff: &Diff, console: &mut Console<'_>) -> Status {
    with_payloads(&[&diff.a, &diff.b], console, |payloads, names, console| {
        let [a, b] = diff.selections();
        match payloads.diff((names[0], &a), (names[1], &b), form(diff.json)) {
            Ok(report) => tell(console, &report),
            Err(interruption) => console.report_interruption(&interruption),
        }
    })
}

/// Writes the object made of a module.
pub(super) fn pack(pack: &Pack, console: &mut Console<'_>) -> Status {
    with_payloads(&[&pack.module], console, |payloads, names, console| {
        match payloads.pack(names[0]) {
            // It can point into the text of the module.
            Ok(Err(refusal)) => console.report(payloads.snapshot, names[0], &[*refusal]),
            packed => write(console, &pack.output, packed),
        }
    })
}

/// Opens the files `names`, in which `-` becomes the name that standard input has from here on.
fn with_payloads(
    names: &[&Path],
    console: &mut Console<'_>,
    work: impl FnOnce(&PayloadFiles<'_>, &[&Path], &mut Console<'_>) -> Status,
) -> Status {
    let mut session = console.session();
    if let Err(status) = open_stdin(names, console, &mut session) {
        return status;
    }
    names
        .iter()
        .for_each(|name| console.read_stream(name, &mut session));
    let names: Vec<_> = names
        .iter()
        .map(|&name| if is_dash(name) { Path::new(STDIN) } else { name })
        .collect();
    let (cwd, engine) = (console.cwd.clone(), console.payload_engine.clone());
    let snapshot = session.snapshot();
    let payloads = PayloadFiles {
        snapshot: &snapshot,
        cwd: &cwd,
        engine: &*engine,
    };
    work(&payloads, &names, console)
}

fn open_stdin(names: &[&Path], console: &mut Console<'_>, session: &mut Session) -> Result<(), Status> {
    match names.iter().filter(|name| is_dash(name)).count() {
        0 => Ok(()),
        1 => console.read_stdin(session),
        _ => {
            let usage = Diagnostic::error("USAGE/001", "'-' is named twice: standard input can be read once");
            Err(console.report_plain(&usage.help("see loom payload --help")))
        }
    }
}

fn tell(console: &mut Console<'_>, report: &Report) -> Status {
    let mut status = console.print(report.output.as_bytes());
    for diagnostic in &report.diagnostics {
        status = status.max(console.report_plain(diagnostic));
    }
    match report.success {
        true => status,
        false => status.max(Status::Diagnostics),
    }
}

fn write(
    console: &mut Console<'_>,
    output: &Path,
    made: Result<Result<Blob, Box<Diagnostic>>, Interruption>,
) -> Status {
    match made {
        Ok(Ok(made)) => console.write_output(output, made.bytes()),
        Ok(Err(diagnostic)) => console.report_plain(&diagnostic),
        Err(interruption) => console.report_interruption(&interruption),
    }
}
