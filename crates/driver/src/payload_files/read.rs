//! From a name to the carriers in the file.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use loom_base::{Blob, Diagnostic};
use loom_frontend::carrier::{Carriers, read_carriers};
use loom_frontend::engine::FileState;

use super::PayloadFiles;
use super::engine::read_sections;
use crate::Interruption;

impl PayloadFiles<'_> {
    /// Answers about the carriers in the file `name`, those in bitcode included. The inner error is `IO/001`.
    pub(super) fn with_carriers<T>(
        &self,
        name: &Path,
        answer: impl FnOnce(&Carriers<'_>) -> T,
    ) -> Result<Result<T, Box<Diagnostic>>, Interruption> {
        let content = match self.read(name)? {
            Ok(content) => content,
            Err(unread) => return Ok(Err(unread)),
        };
        let mut interrupted = None;
        let directory = name.parent().unwrap_or(Path::new(""));
        let mut thin_member = |member: &[u8]| {
            self.read_member(&directory.join(loom_store::path_of(member)))
                .unwrap_or_else(|interruption| {
                    let reason = interruption.to_string();
                    interrupted.get_or_insert(interruption);
                    Err(reason)
                })
        };
        let mut carriers = read_carriers(&name.to_string_lossy(), content.bytes(), &mut thin_member);
        if let Some(interruption) = interrupted {
            return Err(interruption);
        }
        carriers.resolve_bitcode(&mut |bitcode| read_sections(self.engine, bitcode));
        Ok(Ok(answer(&carriers)))
    }

    /// The content of the file `name`. The inner error is `IO/001`.
    pub(super) fn read(&self, name: &Path) -> Result<Result<Blob, Box<Diagnostic>>, Interruption> {
        let found = self.find(name)?;
        Ok(found.map_err(|reason| {
            let message = format!("cannot read '{}': {reason}", name.display());
            Box::new(Diagnostic::error("IO/001", message))
        }))
    }

    fn read_member(&self, name: &Path) -> Result<Result<Arc<[u8]>, String>, Interruption> {
        let found = self.find(name)?;
        Ok(found
            .map(|content| content.share())
            .map_err(|reason| format!("'{}': {reason}", name.display())))
    }

    fn find(&self, name: &Path) -> Result<Result<Blob, String>, Interruption> {
        let file = self.snapshot.file(self.cwd.join(name).as_os_str().as_bytes())?;
        let reason = match (&file.problem, &file.state) {
            (Some(problem), _) => problem.to_string(),
            (None, FileState::Directory { .. }) => "it is a directory".to_owned(),
            (None, _) => "no such file".to_owned(),
        };
        Ok(file.content.ok_or(reason))
    }
}
