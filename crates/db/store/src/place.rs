//! How files of a store or cache come into being.

use std::io;
use std::path::Path;

use crate::System;

/// Puts a file of a cache in its place, whole or not at all, and makes the directories on the way. Nobody waits for the
/// disk: what a failing machine loses or cuts short, its readers notice, since they verify.
pub(crate) fn place(system: &dyn System, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_file_name(format!(".{}{TEMPORARY}", system.fresh_name()));
    let write = || system.write_fresh(&temporary, bytes);
    let written = write().or_else(|error| match (error.kind(), path.parent()) {
        (io::ErrorKind::NotFound, Some(directory)) => {
            system.create_dir_all(directory)?;
            write()
        }
        _ => Err(error),
    });
    let placed = written.and_then(|()| system.rename(&temporary, path));
    if placed.is_err() {
        let _ = system.remove_file(&temporary);
    }
    placed
}

/// How the names of files end that are not in their place yet.
pub(crate) const TEMPORARY: &str = ".tmp";
