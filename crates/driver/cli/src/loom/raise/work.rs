//! The command, run. Nothing is written before everything is made.

use std::path::Path;

use loom_driver::Interruption;
use loom_driver::base::{Blob, Diagnostic};
use loom_driver::raise::{RaiseReply, RaiseRequest, render_hints, render_html, render_json};

use super::{Raise, ReportForm};
use crate::streams::{STDIN, is_dash};
use crate::{Console, Status};

pub(super) fn run(raise: &Raise, console: &mut Console<'_>) -> Status {
    if let Some(usage) = usage_error(raise) {
        return console.report_plain(&usage);
    }
    let module = match read(raise, console) {
        Ok(module) => module,
        Err(status) => return status,
    };
    let request = RaiseRequest {
        module,
        options: raise.options(),
    };
    let asked = console.session().snapshot().raised_module(&request);
    match asked {
        Ok(reply) => publish(raise, &reply, console),
        Err(interruption) => console.report_interruption(&interruption),
    }
}

/// Standard output takes one thing.
fn usage_error(raise: &Raise) -> Option<Diagnostic> {
    let report = raise
        .report
        .map(|_| raise.report_output.as_deref().unwrap_or(Path::new("-")));
    let outputs = [Some(&*raise.output), report, raise.hint_report.as_deref()];
    let streams = outputs.into_iter().flatten().filter(|it| is_dash(it)).count();
    (streams > 1).then(|| {
        Diagnostic::error("USAGE/001", "standard output is asked to take several outputs")
            .help("name a file with --output, --report-output or --hint-report")
    })
}

fn read(raise: &Raise, console: &mut Console<'_>) -> Result<Blob, Status> {
    let mut session = console.session();
    let name = match is_dash(&raise.module) {
        true => {
            console.read_stdin(&mut session)?;
            Path::new(STDIN)
        }
        false => &raise.module,
    };
    console.read_stream(name, &mut session);
    let found = session.snapshot().file(&console.absolute(name));
    let file = found.map_err(|interruption: Interruption| console.report_interruption(&interruption))?;
    file.content.ok_or_else(|| {
        let reason = file.problem.as_deref().unwrap_or("no such file");
        let message = format!("cannot read '{}': {reason}", name.display());
        console.report_plain(&Diagnostic::error("IO/001", message))
    })
}

fn publish(raise: &Raise, reply: &RaiseReply, console: &mut Console<'_>) -> Status {
    let mut status = Status::Success;
    for mut diagnostic in reply.report.diagnostics() {
        if raise.require_hints {
            diagnostic = Diagnostic::error(diagnostic.code, diagnostic.message);
        }
        status = status.max(console.report_plain(&diagnostic));
    }
    let result = match &reply.result {
        Ok(result) if status == Status::Success => result,
        Ok(_) => return status,
        // The hints have been reported one by one.
        Err(_) if status != Status::Success => return status,
        Err(error) => {
            let message = format!("{}: {}", raise.module.display(), error.message);
            return console.report_plain(&Diagnostic::error(error.code.clone(), message));
        }
    };
    // What was asked for beside the module first: whoever sees the module sees those too.
    if let Some(file) = &raise.hint_report {
        status = status.max(console.write_output(file, render_hints(&reply.report).as_bytes()));
    }
    if let Some(form) = raise.report {
        let report = match form {
            ReportForm::Html => render_html(&reply.report),
            ReportForm::Json => render_json(&reply.report),
        };
        let file = raise.report_output.as_deref().unwrap_or(Path::new("-"));
        status = status.max(console.write_output(file, report.as_bytes()));
    }
    match status {
        Status::Success => console.write_output(&raise.output, result.bytes()),
        failed => failed,
    }
}
