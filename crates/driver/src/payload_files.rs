//! `loom payload`: reports about the payloads in files.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use loom_base::Diagnostic;
use loom_frontend::carrier::{Carriers, read_carriers};
use loom_frontend::provider::Provider;
use loom_frontend::report;

use crate::{Interruption, Snapshot};

pub use loom_frontend::payload::ModuleAuthority;
pub use loom_frontend::report::{Form, Report};

/// Lists what the file `name`, seen from directory `cwd`, carries. Checks framing, roots and identities, never
/// the modules.
pub fn show(snapshot: &Snapshot, cwd: &Path, name: &Path, form: Form) -> Result<Report, Interruption> {
    with_carriers(snapshot, cwd, name, |carriers| report::show(carriers, form))
}

/// Checks everything about what the file `name`, seen from directory `cwd`, carries; `authority` parses and rewrites the modules.
pub fn verify(
    snapshot: &Snapshot,
    cwd: &Path,
    name: &Path,
    form: Form,
    authority: &dyn ModuleAuthority,
) -> Result<Report, Interruption> {
    with_carriers(snapshot, cwd, name, |carriers| {
        report::verify(carriers, form, &Provider::pinned(), authority)
    })
}

fn with_carriers(
    snapshot: &Snapshot,
    cwd: &Path,
    name: &Path,
    answer: impl FnOnce(&Carriers<'_>) -> Report,
) -> Result<Report, Interruption> {
    let file = snapshot.file(cwd.join(name).as_os_str().as_bytes())?;
    let Some(content) = file.content else {
        let reason = file.problem.as_deref().unwrap_or("no such file");
        let diagnostic = Diagnostic::error("IO/001", format!("cannot read '{}': {reason}", name.display()));
        return Ok(Report {
            output: String::new(),
            diagnostics: vec![diagnostic],
            success: false,
        });
    };
    let directory = name.parent().unwrap_or(Path::new(""));
    let mut thin_member = |member: &[u8]| {
        let member = cwd.join(directory).join(loom_store::path_of(member));
        let file = snapshot
            .file(member.as_os_str().as_bytes())
            .map_err(|interruption| interruption.to_string())?;
        let problem = || file.problem.as_deref().unwrap_or("no such file").to_owned();
        file.content
            .as_ref()
            .map(|content| content.share())
            .ok_or_else(problem)
    };
    Ok(answer(&read_carriers(
        &name.to_string_lossy(),
        content.bytes(),
        &mut thin_member,
    )))
}
