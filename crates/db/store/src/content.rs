//! Contents by digest, on disk, shared by processes.

mod packed;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use loom_base::{Blob, Digest};

pub(crate) use packed::verify as verify_content;

use crate::place::place;
use crate::{Kind, System};

/// A directory of contents named by their SHA-256 digest: `<root>/ab/cdef…`.
///
/// Any number of threads and processes may use one directory at once, without locks: entries appear whole by
/// rename, two writers of one entry write the same bytes, and every read verifies what it got. An entry that
/// is damaged, foreign or gone is an absent entry, never a failure. Contents are compressed where it pays.
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
        let blob = Blob::new(self.read(digest)?);
        (blob.digest() == digest).then_some(blob)
    }

    /// The bytes of [`get`](Self::get), for those who need no blob: what is hashed is what lies on disk, which is less.
    pub fn read(&self, digest: Digest) -> Option<Vec<u8>> {
        let path = self.path(digest);
        let file = self.system.read(&path).ok()?;
        let content = packed::unpack(&file, digest);
        if content.is_none() {
            // Should this fail, or remove a good entry that another process has just published, the price is
            // one more miss.
            let _ = self.system.remove_file(&path);
        }
        content
    }

    /// Adds `blob`, unless there is an entry of its digest already.
    pub fn insert(&self, blob: &Blob) -> Result<(), StoreError> {
        let path = self.path(blob.digest());
        if self.system.stat(&path).is_ok_and(|it| it.kind == Kind::File) {
            return Ok(());
        }
        place(&*self.system, &path, &packed::pack(blob)).map_err(|source| StoreError { path, source })
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
