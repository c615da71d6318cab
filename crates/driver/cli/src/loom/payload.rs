//! `loom payload show` and `verify`.

use std::path::Path;
use std::sync::Arc;

use loom_driver::payload_files::{self, Form, Report};
use loom_driver::{Interruption, Snapshot};

use super::PayloadFiles;
use crate::{Console, Status};

pub(super) fn show(files: &PayloadFiles, console: &mut Console<'_>) -> Status {
    let cwd = console.cwd.clone();
    report_on(files, console, |snapshot, name, form| {
        payload_files::show(snapshot, &cwd, name, form)
    })
}

pub(super) fn verify(files: &PayloadFiles, console: &mut Console<'_>) -> Status {
    let (cwd, authority) = (console.cwd.clone(), Arc::clone(&console.authority));
    report_on(files, console, |snapshot, name, form| {
        payload_files::verify(snapshot, &cwd, name, form, &*authority)
    })
}

/// Every file is reported on; the worst status counts.
fn report_on(
    files: &PayloadFiles,
    console: &mut Console<'_>,
    report: impl Fn(&Snapshot, &Path, Form) -> Result<Report, Interruption>,
) -> Status {
    let form = if files.json { Form::Json } else { Form::Text };
    let session = console.session();
    let snapshot = session.snapshot();
    let mut status = Status::Success;
    for name in &files.files {
        match report(&snapshot, name, form) {
            Ok(report) => {
                status = status.max(console.print(report.output.as_bytes()));
                for diagnostic in &report.diagnostics {
                    status = status.max(console.report_plain(diagnostic));
                }
                if !report.success {
                    status = status.max(Status::Diagnostics);
                }
            }
            Err(interruption) => status = status.max(console.report_interruption(&interruption)),
        }
    }
    status
}
