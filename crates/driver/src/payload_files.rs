//! `loom payload`: what the payloads in files are, and objects made of modules.

mod engine;
mod pack;
mod read;

use std::path::Path;

use loom_base::{Blob, Diagnostic};
use loom_frontend::carrier::Carriers;
use loom_frontend::engine::ModuleError;
use loom_frontend::payload::Field;
use loom_frontend::provider::Provider;
use loom_frontend::report;

use crate::{Interruption, Snapshot};

pub use engine::PayloadEngine;
pub use loom_frontend::payload::ModuleAuthority;
pub use loom_frontend::report::{Form, Part, Report, Selection};

/// Files as one user sees them. The names in requests are the user's own; they are looked up from `cwd`, and
/// answers repeat them as they are.
///
/// A file is judged by its content: ELF, archive, thin archive (whose members are looked up from the archive's
/// directory), bitcode (whose sections the engine reads), else a bare root.
///
/// Requests are `Err` if the snapshot was interrupted. Whatever is wrong with a file is part of the answer: the
/// stable codes of [`PayloadError`](loom_frontend::payload::PayloadError), `IO/001` for a file that cannot be
/// read, `engine_unavailable` where the engine broke and nothing is known about the module it was given.
pub struct PayloadFiles<'a> {
    /// The state of the files.
    pub snapshot: &'a Snapshot,
    /// Where relative names start.
    pub cwd: &'a Path,
    /// What knows LLVM.
    pub engine: &'a dyn PayloadEngine,
}

impl PayloadFiles<'_> {
    /// Lists what the file `name` carries. Checks framing, roots and identities, never the modules.
    pub fn show(&self, name: &Path, form: Form) -> Result<Report, Interruption> {
        self.report(name, |carriers| report::show(carriers, form))
    }

    /// The identities of the payloads in the file `name`; of the records, where it holds only records.
    pub fn identity(&self, name: &Path, form: Form) -> Result<Report, Interruption> {
        self.report(name, |carriers| report::identity(carriers, form))
    }

    /// Checks everything about what the file `name` carries; the engine parses and rewrites the modules.
    pub fn verify(&self, name: &Path, form: Form) -> Result<Report, Interruption> {
        self.report(name, |carriers| {
            report::verify(carriers, form, &Provider::pinned(), self.engine)
        })
    }

    /// The selected payload of the file `name`, or the module in it.
    pub fn extract(
        &self,
        name: &Path,
        selection: &Selection,
        part: Part,
    ) -> Result<Result<Blob, Box<Diagnostic>>, Interruption> {
        let extracted = self.with_carriers(name, |carriers| {
            report::extract(carriers, selection, part)
                .map(Blob::new)
                .map_err(|diagnostic| Box::new(excuse_payload(*diagnostic)))
        })?;
        Ok(extracted.and_then(|part| part))
    }

    /// Compares the selected payloads of two files field by field.
    pub fn diff(
        &self,
        left: (&Path, &Selection),
        right: (&Path, &Selection),
        form: Form,
    ) -> Result<Report, Interruption> {
        let compared = self.with_carriers(left.0, |left_carriers| {
            self.report(right.0, |right_carriers| {
                report::diff((left_carriers, left.1), (right_carriers, right.1), form)
            })
        })?;
        compared.unwrap_or_else(|unread| Ok(failed(*unread)))
    }

    /// The object with its payload that is made of the module, bitcode or textual IR, in the file `name`. The
    /// module is compiled as it is, for the target and with the attributes that it has.
    pub fn pack(&self, name: &Path) -> Result<Result<Blob, Box<Diagnostic>>, Interruption> {
        pack::pack(self, name)
    }

    fn report(
        &self,
        name: &Path,
        answer: impl FnOnce(&Carriers<'_>) -> Report,
    ) -> Result<Report, Interruption> {
        let answered = self.with_carriers(name, answer)?;
        let mut report = answered.unwrap_or_else(|unread| failed(*unread));
        report.diagnostics = report.diagnostics.into_iter().map(excuse_payload).collect();
        Ok(report)
    }
}

fn failed(diagnostic: Diagnostic) -> Report {
    Report {
        output: String::new(),
        diagnostics: vec![diagnostic],
        success: false,
    }
}

/// Where the engine broke, nothing is wrong with the payload as far as anybody knows, and a diagnostic must not
/// blame it.
fn excuse_payload(mut diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.code == ModuleError::UNAVAILABLE {
        let blamed = format!("`{}`: ", Field::Bitcode.name());
        diagnostic.message = diagnostic.message.replacen(&blamed, "", 1);
        diagnostic =
            diagnostic.help("this says nothing about the payload: it is not accepted without LLVM's word");
    }
    diagnostic
}
