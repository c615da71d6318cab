//! What a change reaches, what it reads, and whom it disturbs.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use loom_frontend::engine::{Access, FileState, InputSource};
use loom_store::{Call, FaultySystem, MemorySystem, System};

use crate::testing::{FakeEngine, TestDb};
use crate::{Change, Db, Entries, FileValue, QueryInputs, World, clock, directory, file, variable};

/// A query over two files: one that is edited often and one of the toolchain.
#[salsa::tracked]
fn project_text(db: &dyn Db) -> String {
    let content = file(db, b"/p/x").value(db).content.clone();
    String::from_utf8(content.map(|blob| blob.bytes().to_vec()).unwrap_or_default()).unwrap()
        + toolchain_text(db)
}

#[salsa::tracked]
fn toolchain_text(db: &dyn Db) -> String {
    format!("{:?}", file(db, b"/usr/include/stdio.h").value(db).content)
}

fn content(db: &TestDb, path: &str) -> Option<String> {
    let blob = file(db, path.as_bytes()).value(db).content.clone()?;
    Some(String::from_utf8(blob.bytes().to_vec()).unwrap())
}

fn names(db: &TestDb, path: &str) -> Option<Vec<String>> {
    let entries: Entries = directory(db, path.as_bytes()).entries(db).clone();
    Some(
        entries?
            .iter()
            .map(|(name, _)| String::from_utf8_lossy(name).into_owned())
            .collect(),
    )
}

#[test]
fn every_spelling_of_a_place_is_reached() {
    let mut db = TestDb::new(&[("/p/include/x.h", "1")]);
    db.system().link("/alias", "/p");
    let spellings = [
        "/p/include/x.h",
        "/p/include/../include/x.h",
        "/alias/include/x.h",
        "/alias/include/./x.h",
    ];
    for changed in spellings {
        let before: Vec<_> = spellings.iter().map(|path| content(&db, path)).collect();
        assert!(before.iter().all(|it| it == &before[0]));
        let next = format!("{}, {changed}", before[0].as_deref().unwrap());
        db.system().write("/p/include/x.h", next.as_str());
        assert_eq!(
            db.apply(Change::default().reread(changed.as_bytes())),
            spellings.len()
        );
        assert!(
            spellings
                .iter()
                .all(|path| content(&db, path).as_deref() == Some(&next)),
            "{changed}"
        );
    }
}

#[test]
fn absent_paths_are_reached_when_something_appears_at_or_above_them() {
    let mut db = TestDb::new(&[("/p/a", "")]);
    let missing = ["/p/new/x.h", "/p/new/deep/y.h", "/p/a/../new/x.h", "/p/new/../b"];
    for path in missing {
        assert_eq!(
            file(&db, path.as_bytes()).value(&db),
            &FileValue::ABSENT,
            "{path}"
        );
    }
    db.system().write("/p/new/x.h", "x");
    db.system().write("/p/new/deep/y.h", "y");
    db.system().write("/p/b", "b");
    assert_eq!(
        db.apply(Change::default().reread(b"/p/new")),
        3,
        "`/p/a` is a file, so nothing is behind `a/..`"
    );
    assert_eq!(content(&db, "/p/new/deep/y.h").as_deref(), Some("y"));
    assert_eq!(content(&db, "/p/new/../b").as_deref(), Some("b"));
    db.system().remove("/p/new");
    assert_eq!(db.apply(Change::default().reread(b"/p/new")), 3);
    assert_eq!(content(&db, "/p/new/x.h"), None);
}

#[test]
fn a_link_that_appears_is_followed_from_then_on() {
    let mut db = TestDb::new(&[("/q/x.h", "1")]);
    assert_eq!(content(&db, "/p/inc/x.h"), None);
    assert_eq!(names(&db, "/p/inc"), None);
    db.system().link("/p/inc", "/q");
    assert_eq!(db.apply(Change::default().reread(b"/p/inc")), 2);
    assert_eq!(content(&db, "/p/inc/x.h").as_deref(), Some("1"));
    assert_eq!(db.write("/q/x.h", "2"), 1);
    assert_eq!(content(&db, "/p/inc/x.h").as_deref(), Some("2"));
    assert_eq!(db.write("/q/y.h", ""), 1);
    assert_eq!(names(&db, "/p/inc").unwrap(), ["x.h", "y.h"]);
}

#[test]
fn listings_around_a_change_are_reached() {
    let mut db = TestDb::new(&[("/p/a", ""), ("/p/dir/b", "")]);
    assert_eq!(names(&db, "/p").unwrap(), ["a", "dir"]);
    assert_eq!(names(&db, "/p/none"), None);
    assert_eq!(db.write("/p/c", ""), 1);
    assert_eq!(names(&db, "/p").unwrap(), ["a", "c", "dir"]);
    assert_eq!(
        db.write("/p/dir/d", ""),
        0,
        "a listing of a listing is no listing"
    );
    assert_eq!(db.apply(Change::default().set_file(b"/p/none/x", *b"")), 2);
    assert_eq!(names(&db, "/p/none").unwrap(), ["x"]);
    assert_eq!(db.apply(Change::default().remove_file(b"/p/a")), 1);
    assert_eq!(names(&db, "/p").unwrap(), ["c", "dir", "none"]);
    assert_eq!(
        db.apply(Change::default().reread(b"/p/a").reread(b"/p/none/x")),
        2
    );
}

#[test]
fn what_is_set_hides_the_disk_until_it_is_reread() {
    let mut db = TestDb::new(&[("/p/x", "disk")]);
    assert_eq!(content(&db, "/p/x").as_deref(), Some("disk"));
    db.apply(Change::default().set_file(b"/p/x", *b"session"));
    db.system().write("/p/x", "newer disk");
    assert_eq!(db.apply(Change::default().reread_all()), 0);
    assert_eq!(content(&db, "/p/x").as_deref(), Some("session"));
    db.apply(Change::default().remove_file(b"/p/x"));
    assert_eq!(content(&db, "/p/x"), None);
    db.apply(Change::default().reread(b"/p/x"));
    assert_eq!(content(&db, "/p/x").as_deref(), Some("newer disk"));
}

#[test]
fn a_write_within_one_tick_is_noticed_and_an_old_file_is_not_read_again() {
    let memory = Arc::new(MemorySystem::default());
    memory.write("/p/x", "one");
    let system = Arc::new(FaultySystem::new(memory.clone()));
    let world = World::new(system.clone(), Arc::new(FakeEngine::default()));
    let former = world.observe_file(b"/p/x", None);
    memory.write("/p/x", "two");
    assert_eq!(
        system.stat(Path::new("/p/x")).unwrap(),
        former.1.unwrap().signature,
        "the trap"
    );
    let known = |(value, stamp): (FileValue, _)| {
        let db = TestDb::new(&[]);
        crate::world::KnownFile {
            input: file(&db, b"/p/x"),
            value,
            stamp,
        }
    };
    let (value, stamp) = world.observe_file(b"/p/x", Some(&known(former)));
    assert_eq!(value.content.as_ref().unwrap().bytes(), b"two");
    // Time passes, and a look that is far enough from the last write is trusted from then on.
    memory.advance(60_000_000_000);
    let (value, stamp) = world.observe_file(b"/p/x", Some(&known((value, stamp))));
    let reads = system.calls(Call::Read);
    let (value, _) = world.observe_file(b"/p/x", Some(&known((value, stamp))));
    assert_eq!(value.content.unwrap().bytes(), b"two");
    assert_eq!(system.calls(Call::Read), reads);
}

#[test]
fn a_file_that_cannot_be_read_is_absent_with_a_reason_and_recovers() {
    let memory = Arc::new(MemorySystem::default());
    memory.write("/p/x", "content");
    let system = Arc::new(FaultySystem::new(memory));
    let world = World::new(system.clone(), Arc::new(FakeEngine::default()));
    for call in [Call::Stat, Call::Read] {
        system.fail(call, 1, ErrorKind::PermissionDenied);
        let (value, stamp) = world.observe_file(b"/p/x", None);
        assert_eq!(
            (value.state, value.content, stamp),
            (FileState::Absent, None, None)
        );
        assert!(value.problem.is_some(), "{call:?}");
        let (value, _) = world.observe_file(b"/p/x", None);
        assert_eq!(value.content.unwrap().bytes(), b"content");
    }
}

#[test]
fn equal_values_make_no_revision() {
    let mut db = TestDb::new(&[("/p/x", "1"), ("/usr/include/stdio.h", "")]);
    project_text(&db);
    file(&db, b"/p/none");
    variable(&db, b"LANG");
    let seconds = clock(&db).seconds(&db);
    let before = salsa::plumbing::current_revision(&db);
    let change = Change::default()
        .reread(b"/p/x")
        .set_file(b"/p/x", *b"1")
        .remove_file(b"/p/none")
        .reread_all()
        .set_clock(seconds)
        .set_variable("LANG", None);
    assert_eq!(db.apply(change), 0);
    assert_eq!(salsa::plumbing::current_revision(&db), before);
}

#[test]
fn files_of_the_toolchain_are_not_looked_at_after_an_edit() {
    let mut db = TestDb::new(&[("/p/x", "1"), ("/usr/include/stdio.h", "s")]);
    project_text(&db);
    assert_eq!(db.executed(), ["project_text", "toolchain_text"]);
    db.write("/p/x", "2");
    project_text(&db);
    assert_eq!(db.executed(), ["project_text"]);
    db.write("/usr/include/stdio.h", "t");
    project_text(&db);
    assert_eq!(db.executed(), ["toolchain_text", "project_text"]);
}

#[test]
fn an_engine_sees_what_queries_see() {
    let mut db = TestDb::new(&[("/p/x", "1")]);
    db.system().set_variable("LANG", Some("C"));
    let inputs = &mut QueryInputs::new(&db);
    assert!(matches!(inputs.file(b"/p/x"), FileState::File { length: 1, .. }));
    assert_eq!(
        inputs.file(b"/p"),
        FileState::Directory {
            identity: b"/p".to_vec()
        }
    );
    assert_eq!(inputs.content(b"/p"), None);
    assert_eq!(inputs.directory(b"/p").unwrap(), [(b"x".to_vec(), false)]);
    assert_eq!(inputs.directory(b"/p/x"), None);
    inputs.used(&Access::Clock);
    assert_eq!(db.world().known_files(), [b"/p".to_vec(), b"/p/x".to_vec()]);
    db.write("/p/x", "22");
    let state = db.world().mirrored_file(b"/p/x").unwrap().state;
    assert_eq!(QueryInputs::new(&db).file(b"/p/x"), state, "the mirror follows");
    assert_eq!(db.world().mirrored_file(b"/p/unknown"), None);
}

#[test]
fn the_null_device_is_an_empty_file_and_other_devices_are_absent() {
    let system = Arc::new(loom_store::OsSystem);
    let world = World::new(system, Arc::new(FakeEngine::default()));
    let (null, _) = world.observe_file(b"/dev/null", None);
    assert!(matches!(null.state, FileState::File { length: 0, .. }));
    let (zero, _) = world.observe_file(b"/dev/zero", None);
    assert_eq!(zero.state, FileState::Absent);
    assert_eq!(zero.problem.as_deref(), Some("not a regular file"));
}

/// Readers look at new paths while the owner announces changes to them; nobody may end with a stale value.
#[test]
#[expect(clippy::disallowed_methods, reason = "the race is what is tested")]
fn a_first_look_beside_a_change_is_never_stale() {
    let mut db = TestDb::new(&[]);
    for round in 0..50 {
        let path = format!("/p/{round}");
        db.system().write(&path, "old");
        let reader = db.clone();
        let looked_at = path.clone();
        let looking = std::thread::spawn(move || {
            let _ = salsa::Cancelled::catch(std::panic::AssertUnwindSafe(|| content(&reader, &looked_at)));
        });
        db.system().write(&path, "new");
        db.apply(Change::default().reread(path.as_bytes()));
        looking.join().unwrap();
        assert_eq!(content(&db, &path).as_deref(), Some("new"), "round {round}");
    }
}
