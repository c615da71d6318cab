//! The outputs of a kept run, put where the run put them.

use std::io;
use std::path::Path;

use super::entry::Effect;
use crate::{Kind, System, path_of};

/// Makes one output in directory `cwd` what it was after the run. An error leaves the former file as it was, and the
/// command has to be run: whoever does it will report what is wrong, if anything is.
pub fn restore(
    system: &dyn System,
    cwd: &Path,
    path: &[u8],
    effect: &Effect,
    content: &[u8],
) -> io::Result<()> {
    let path = &*cwd.join(path_of(path));
    match effect {
        Effect::Replaced(_) => {
            exists_as_file(system, path)?;
            replace(system, path, content, false)
        }
        Effect::Written(_) => {
            if exists_as_file(system, path)? {
                return replace(system, &system.canonical(path)?, content, true);
            }
            // Fails where a link leads nowhere: the compiler would make the file it names.
            system.write_fresh(path, b"")?;
            replace(system, path, content, false)
        }
        Effect::Removed => match system.remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    }
}

/// Whether there is a file, which then can be replaced; an error if there is something else, or one that is protected.
fn exists_as_file(system: &dyn System, path: &Path) -> io::Result<bool> {
    match system.stat(path) {
        Ok(found) if found.kind == Kind::File && system.is_writable(path) => Ok(true),
        Ok(_) => Err(io::ErrorKind::PermissionDenied.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Puts `bytes` at `path` at once: a reader finds the whole old content or the whole new one.
fn replace(system: &dyn System, path: &Path, bytes: &[u8], keeps_mode: bool) -> io::Result<()> {
    let temporary = path.with_file_name(format!(".{}.tmp", system.fresh_name()));
    let placed = system.write_fresh(&temporary, bytes).and_then(|()| {
        if keeps_mode {
            system.copy_permissions(path, &temporary)?;
        }
        system.rename(&temporary, path)
    });
    if placed.is_err() {
        let _ = system.remove_file(&temporary);
    }
    placed
}
