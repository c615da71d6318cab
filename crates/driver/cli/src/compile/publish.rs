//! Several files at once, as well as a file system can do that (decision 6).
//!
//! Everything is staged beside its target first, so most failures happen before anything is visible. Then the files
//! are renamed into place, the manifest last. If that fails halfway, what was there before is put back.

use std::io;
use std::path::{Path, PathBuf};

use loom_driver::Kind;

use crate::{Console, Status};

/// A file to be written.
pub(super) struct Output<'a> {
    /// Where, as the user said it.
    pub path: PathBuf,
    /// What.
    pub bytes: &'a [u8],
}

/// Publishes `outputs`, then `manifest`, then removes `stale` files.
pub(super) fn publish(
    console: &mut Console<'_>,
    outputs: &[Output<'_>],
    stale: &[PathBuf],
    manifest: Option<(&Path, &[u8])>,
) -> Status {
    let mut publication = Publication {
        console,
        staged: Vec::new(),
        replaced: Vec::new(),
    };
    let result = publication.run(outputs, stale, manifest);
    match result {
        Ok(()) => Status::Success,
        Err((what, error)) => {
            publication.undo();
            console.report_io(&what, &error)
        }
    }
}

struct Publication<'c, 'a> {
    console: &'c mut Console<'a>,
    /// Temporary files with their targets.
    staged: Vec<(PathBuf, PathBuf)>,
    /// Targets with what stood there before.
    replaced: Vec<(PathBuf, Option<Vec<u8>>)>,
}

type Step<T> = Result<T, (String, io::Error)>;

impl Publication<'_, '_> {
    fn run(
        &mut self,
        outputs: &[Output<'_>],
        stale: &[PathBuf],
        manifest: Option<(&Path, &[u8])>,
    ) -> Step<()> {
        for output in outputs {
            self.make_directory(&output.path)?;
            self.stage(&output.path, output.bytes)?;
        }
        let is_file = |path: &Path| {
            let stat = self.console.system.stat(&self.console.cwd.join(path));
            !stat.is_ok_and(|it| it.kind == Kind::Other)
        };
        let to_stage = manifest.filter(|(path, _)| is_file(path));
        if let Some((path, bytes)) = to_stage {
            self.stage(path, bytes)?;
        }
        while let Some((temporary, target)) = self.staged.first() {
            let system = &self.console.system;
            let before = system.read(target).ok();
            let renamed = system.rename(temporary, target);
            renamed.map_err(|error| (format!("cannot write '{}'", target.display()), error))?;
            self.replaced.push((target.clone(), before));
            self.staged.remove(0);
        }
        if let (Some((path, bytes)), None) = (manifest, to_stage) {
            // A device or fifo is written into.
            let written = self
                .console
                .system
                .write_into(&self.console.cwd.join(path), bytes);
            written.map_err(|error| (format!("cannot write '{}'", path.display()), error))?;
        }
        for path in stale {
            // The product is complete; a file that cannot go does no harm.
            let _ = self.console.system.remove_file(&self.console.cwd.join(path));
        }
        Ok(())
    }

    fn make_directory(&self, file: &Path) -> Step<()> {
        let Some(directory) = file.parent() else {
            return Ok(());
        };
        let made = self
            .console
            .system
            .create_dir_all(&self.console.cwd.join(directory));
        made.map_err(|error| (format!("cannot make directory '{}'", directory.display()), error))
    }

    fn stage(&mut self, file: &Path, bytes: &[u8]) -> Step<()> {
        let system = &self.console.system;
        let target = self.console.cwd.join(file);
        let former = system.canonical(&target).ok();
        let target = former.clone().unwrap_or(target);
        let temporary = target.with_file_name(format!(".{}.tmp", system.fresh_name()));
        let written = system
            .write_new(&temporary, bytes)
            .and_then(|()| former.map_or(Ok(()), |former| system.copy_permissions(&former, &temporary)));
        self.staged.push((temporary, target));
        written.map_err(|error| (format!("cannot write '{}'", file.display()), error))
    }

    /// Removes what is staged, and puts back what was there. The first error is the one worth reporting.
    fn undo(&mut self) {
        let system = &self.console.system;
        for (temporary, _) in &self.staged {
            let _ = system.remove_file(temporary);
        }
        for (target, before) in self.replaced.iter().rev() {
            let _ = match before {
                Some(bytes) => system.publish(target, bytes),
                None => system.remove_file(target),
            };
        }
    }
}

/// The files of the former manifest at `manifest`, seen from the directories of programs and of requests, that are
/// not among `outputs`. Files that no manifest lists are the user's own.
pub(super) fn stale_files(
    console: &Console<'_>,
    manifest: &Path,
    (programs, requests): (Option<&Path>, Option<&Path>),
    outputs: &[Output<'_>],
) -> Vec<PathBuf> {
    let former = console.system.read(&console.cwd.join(manifest));
    let former = former
        .ok()
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    let Some(former) = former.filter(|it| it["format"] == "loom-command-set") else {
        return Vec::new();
    };
    let listed = |rows: &str, member: &str, directory: Option<&Path>| {
        let names = former[rows].as_array().into_iter().flatten();
        let names = names.filter_map(|row| row[member].as_str());
        let own = names.filter(|name| Path::new(name).file_name().is_some_and(|it| it == *name));
        let paths = own.filter_map(|name| Some(directory?.join(name)));
        paths.collect::<Vec<_>>()
    };
    let mut files = listed("programs", "artifact", programs);
    files.extend(listed("entries", "source_request", requests));
    files.retain(|path| outputs.iter().all(|output| output.path != *path));
    files
}
