//! Contents by digest, on disk, shared by processes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loom_base::{Blob, Digest};

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
        self.write(&path, blob)
            .map_err(|source| StoreError { path, source })
    }

    fn write(&self, path: &Path, blob: &Blob) -> io::Result<()> {
        if let Some(shard) = path.parent() {
            self.system.create_dir_all(shard)?;
        }
        self.system.publish(path, blob.bytes())
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
mod tests {
    use super::*;
    use crate::{Call, FaultySystem, MemorySystem, OsSystem};

    #[test]
    fn a_damaged_entry_is_absent_and_can_be_replaced() {
        let memory = Arc::new(MemorySystem::default());
        let store = ContentStore::new(memory.clone(), "/cache");
        let blob = Blob::new(*b"content");
        assert_eq!(store.get(blob.digest()), None);
        store.insert(&blob).unwrap();
        assert_eq!(store.get(blob.digest()), Some(blob.clone()));
        for damage in ["conteNt", "cont", ""] {
            memory.write(store.path(blob.digest()), damage);
            assert_eq!(store.get(blob.digest()), None, "{damage:?}");
            store.insert(&blob).unwrap();
            assert_eq!(
                store.get(blob.digest()).unwrap().bytes(),
                b"content",
                "{damage:?}"
            );
        }
    }

    #[test]
    fn a_fault_at_any_step_leaves_the_store_usable() {
        let calls = [
            Call::Stat,
            Call::CreateDir,
            Call::Canonical,
            Call::Write,
            Call::Rename,
            Call::Read,
        ];
        for call in calls {
            let system = Arc::new(FaultySystem::new(Arc::new(MemorySystem::default())));
            let store = ContentStore::new(system.clone(), "/cache");
            let blob = Blob::new(*b"content");
            system.fail(call, 1, io::ErrorKind::StorageFull);
            let _ = store.insert(&blob);
            let _ = store.get(blob.digest());
            assert!(system.calls(call) > 0, "{call:?} is not part of the path");
            store.insert(&blob).unwrap();
            assert_eq!(store.get(blob.digest()), Some(blob.clone()), "{call:?}");
            let shard = store.path(blob.digest()).parent().unwrap().to_owned();
            assert_eq!(
                system.read_dir(&shard).unwrap().len(),
                1,
                "{call:?} left something behind"
            );
        }
    }

    /// Threads with stores of their own stand for processes: they share nothing but the directory.
    #[test]
    fn concurrent_writers_and_readers_agree() {
        let dir = tempfile::tempdir().unwrap();
        let blobs: Vec<Blob> = (0..20u8).map(|n| Blob::new(vec![n; 10_000])).collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (root, blobs) = (dir.path(), &blobs);
                scope.spawn(move || {
                    let store = ContentStore::new(Arc::new(OsSystem), root);
                    for turn in 0..blobs.len() {
                        let blob = &blobs[(turn + thread) % blobs.len()];
                        store.insert(blob).unwrap();
                        assert_eq!(store.get(blob.digest()).as_ref(), Some(blob));
                    }
                });
            }
        });
        let entries = |path: &Path| OsSystem.read_dir(path).unwrap();
        let shards = entries(dir.path());
        let files = shards
            .iter()
            .flat_map(|shard| entries(&dir.path().join(crate::path_of(&shard.name))));
        assert_eq!(
            files.count(),
            blobs.len(),
            "an entry is missing or a temporary file was left"
        );
    }
}
