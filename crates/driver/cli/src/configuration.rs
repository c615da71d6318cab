//! `--config` and `--config-file`, which several tools have.

use std::path::PathBuf;

use loom_driver::base::Diagnostic;
use loom_driver::link::Configuration;
use loom_driver::{Interruption, Snapshot};

use crate::{Console, Status};

/// The configuration of the command line. The inner error is the status of a faulty one, which is reported.
pub(crate) fn configure(
    arguments: &[String],
    files: &[PathBuf],
    console: &mut Console<'_>,
    snapshot: &Snapshot,
) -> Result<Result<Configuration, Status>, Interruption> {
    let mut config = Configuration::default();
    let mut status = Status::Success;
    for argument in arguments {
        if let Err(diagnostic) = config.bind_argument(argument) {
            status = status.max(console.report_plain(&diagnostic));
        }
    }
    for file in files {
        let name = file.to_string_lossy().as_ref().into();
        let content = snapshot.file(&console.absolute(file))?;
        let found = match (&content.content, &content.problem) {
            (None, problem) => {
                let exists = console.system.stat(&console.cwd.join(file)).is_ok();
                let reason = match problem {
                    Some(problem) => problem,
                    None if exists => "it is no regular file",
                    None => "no such file",
                };
                vec![Diagnostic::error("IO/001", format!("cannot read the file: {reason}")).at(&name, 0..0)]
            }
            (Some(content), _) => match std::str::from_utf8(content.bytes()) {
                Ok(text) => config.bind_file(text, &name),
                Err(error) => {
                    let message = "the configuration is not text";
                    let diagnostic = Diagnostic::error("LINK/015", message).at(&name, 0..0);
                    vec![diagnostic.note(format!("byte {} is not UTF-8", error.valid_up_to()))]
                }
            },
        };
        status = status.max(console.report(snapshot, file, &found));
    }
    Ok(if status == Status::Success {
        Ok(config)
    } else {
        Err(status)
    })
}
