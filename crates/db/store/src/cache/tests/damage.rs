//! Faults at every step, files cut short, and many users at once.

use std::io;

use super::*;
use crate::Call;
use crate::cache::codec;

const CALLS: [Call; 12] = [
    Call::Stat,
    Call::Read,
    Call::Canonical,
    Call::ReadDir,
    Call::CreateDir,
    Call::Write,
    Call::Sync,
    Call::Permissions,
    Call::Rename,
    Call::Remove,
    Call::Append,
    Call::Touch,
];

/// Whatever call of whichever step fails, the object is right, the next compile is answered rightly, and nothing
/// half-made is left.
#[test]
fn a_fault_at_any_step_costs_no_more_than_a_miss() {
    let mut injected = 0;
    for call in CALLS {
        for nth in 1..30 {
            for error in [
                io::ErrorKind::StorageFull,
                io::ErrorKind::NotFound,
                io::ErrorKind::PermissionDenied,
                io::ErrorKind::OutOfMemory,
            ] {
                let toy = Toy::new();
                let before = toy.system.calls(call);
                toy.system.fail(call, nth, error);
                let what = format!("{call:?} {nth} {error:?}");
                for _ in 0..3 {
                    let expected = toy.expected();
                    toy.make();
                    assert_eq!(toy.object(), expected, "{what}");
                    toy.memory.advance(4000 * SECOND);
                }
                // The fault may strike only now, but then not again.
                assert!(toy.make() || toy.make(), "{what}");
                injected += usize::from(toy.system.calls(call) >= before + nth);
                let temporaries = temporaries(&toy);
                // Only a removal that fails can leave one, and only if something else failed before.
                assert!(temporaries.is_empty(), "{what}: {temporaries:?}");
            }
        }
    }
    assert!(injected > 100, "only {injected} faults met a call");
}

fn temporaries(toy: &Toy) -> Vec<String> {
    let mut waiting = vec![PathBuf::from("/cache"), PathBuf::from("/w")];
    let mut found = Vec::new();
    while let Some(directory) = waiting.pop() {
        for entry in toy.memory.read_dir(&directory).unwrap_or_default() {
            let path = directory.join(crate::path_of(&entry.name));
            if entry.is_directory {
                waiting.push(path);
            } else if entry.name.ends_with(b".tmp") {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

/// A record or content that was cut, changed or emptied is a miss, and is replaced.
#[test]
fn damaged_files_are_misses() {
    let toy = Toy::new();
    toy.check("filled", false);
    let files = files(&toy);
    assert_eq!(files.len(), 2);
    for path in files {
        let sound = toy.memory.read(&path).unwrap();
        for at in 0..sound.len() {
            let mut changed = sound.clone();
            changed[at] ^= 0x40;
            for damaged in [&sound[..at], &changed] {
                toy.memory.write(&path, damaged);
                let expected = toy.expected();
                toy.make();
                assert_eq!(toy.object(), expected, "{} at {at}", path.display());
            }
            toy.memory.write(&path, &sound[..]);
        }
        assert!(toy.make());
    }
}

fn files(toy: &Toy) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for kind in ["/cache/v1/records", "/cache/v1/contents"] {
        for shard in toy.memory.read_dir(Path::new(kind)).unwrap() {
            let shard = Path::new(kind).join(crate::path_of(&shard.name));
            for file in toy.memory.read_dir(&shard).unwrap() {
                found.push(shard.join(crate::path_of(&file.name)));
            }
        }
    }
    found
}

#[test]
fn an_entry_is_what_its_bytes_say_and_nothing_less() {
    let toy = Toy::new();
    toy.memory.write("/w/a.o", "former");
    let mut run = toy.compile();
    let listed = Stamp::take(&*toy.memory, Path::new("/w/one")).unwrap();
    run.events
        .insert(0, Event::Listed(b"one".to_vec(), Seen::new(&listed).unwrap()));
    run.events
        .insert(0, Event::Resolved(b"/w/one/../two".to_vec(), b"/w/two".to_vec()));
    run.events.push(Event::Printed(said("warning\n")));
    let (entry, _) = record(&*toy.memory, Path::new("/w"), run).unwrap();
    let bytes = codec::encode(&entry);
    assert_eq!(codec::decode(&bytes).as_ref(), Some(&entry));
    for length in 0..bytes.len() {
        assert_eq!(codec::decode(&bytes[..length]), None, "{length}");
    }
    assert_eq!(codec::decode(&[&bytes[..], b"x"].concat()), None);
}

/// Threads with caches of their own stand for processes.
#[test]
#[expect(clippy::disallowed_methods, reason = "concurrency is what is tested")]
fn many_users_of_one_directory_get_right_answers() {
    let toy = Toy::new();
    let run = toy.compile();
    let (entry, contents) = record(&*toy.memory, Path::new("/w"), run).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let cache = toy.cache();
                for turn in 0..50_u64 {
                    let key = Digest::of(&(turn % 5).to_le_bytes());
                    if let Some(hit) = cache.look_up(Shelf::Commands, key, Path::new("/w"), &[]) {
                        assert_eq!(hit.entry.result, entry.result);
                    }
                    cache.insert(Shelf::Commands, key, &entry, &contents).unwrap();
                    if turn % 17 == 0 {
                        cache.collect(0);
                    }
                    cache.count("turn");
                }
            });
        }
    });
    assert!(temporaries(&toy).is_empty());
}
