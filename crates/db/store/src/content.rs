//! Contents by digest, on disk, shared by processes.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use loom_base::{Blob, Digest};

use crate::place::place;
use crate::{Kind, System};

/// A directory of contents named by their SHA-256 digest: `<root>/ab/cdef…`.
///
/// Any number of threads and processes may use one directory at once, without locks: entries appear whole by
/// rename, two writers of one entry write the same bytes, and every read verifies what it got. An entry that
/// is damaged, foreign or gone is an absent entry, never a failure.
#[derive(Clone, Debug)]
pub struct ContentStore {
    system: Arc<dyn System>,
    root: PathBuf,
}

impl ContentStore {
    /// The store in directory `root`, which need not exist yet.
    pub fn new(system: Arc<dyn System>, root: impl Into<PathBuf>) -> Self {
        Self {
            system,
            root: root.into(),
        }
    }

    /// The content with this digest, if the store has it undamaged. A damaged entry is removed, so that the
    /// next [`insert`](Self::insert) can replace it.
    pub fn get(&self, digest: Digest) -> Option<Blob> {
        let path = self.path(digest);
        let blob = Blob::new(self.system.read(&path).ok()?);
        if blob.digest() == digest {
            return Some(blob);
        }
        // Should this fail, or remove a good entry that another process has just published, the price is
        // one more miss.
        let _ = self.system.remove_file(&path);
        None
    }

    /// Adds `blob`. Does nothing if an entry of its digest and length exists.
    pub fn insert(&self, blob: &Blob) -> Result<(), StoreError> {
        let path = self.path(blob.digest());
        let present = self.system.stat(&path);
        if present.is_ok_and(|it| it.kind == Kind::File && it.size == blob.bytes().len() as u64) {
            return Ok(());
        }
        place(&*self.system, &path, blob.bytes()).map_err(|source| StoreError { path, source })
    }

    /// Where the entry of `digest` is.
    pub fn path(&self, digest: Digest) -> PathBuf {
        let name = digest.to_string();
        self.root.join(&name[..2]).join(&name[2..])
    }
}

/// An entry could not be written. The store is as it was.
#[derive(Debug)]
pub struct StoreError {
    /// The entry.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write the store entry {}", self.path.display())
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

#[cfg(test)]
mod tests;
