//! Damage, faults and concurrency.

use std::path::Path;

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
    let calls = [Call::Stat, Call::CreateDir, Call::Write, Call::Rename, Call::Read];
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
#[expect(clippy::disallowed_methods, reason = "concurrency is what is tested")]
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
