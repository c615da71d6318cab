//! Size, age, counts, verification.

use super::*;

/// Compiles `n` commands with objects of different content, one after the other.
fn fill(toy: &Toy, n: usize) {
    for index in 0..n {
        let key = Digest::of(&index.to_le_bytes());
        toy.memory.set_variable("FLAGS", Some(&format!("{index:04096}")));
        let (entry, contents) = record(&*toy.memory, Path::new("/w"), toy.compile()).unwrap();
        toy.cache()
            .insert(Shelf::Commands, key, &entry, &contents)
            .unwrap();
        toy.memory.advance(SECOND);
    }
}

fn answers(toy: &Toy, index: usize) -> bool {
    toy.memory.set_variable("FLAGS", Some(&format!("{index:04096}")));
    let key = Digest::of(&index.to_le_bytes());
    toy.cache()
        .look_up(Shelf::Commands, key, Path::new("/w"), &toy.memory.environment())
        .is_some()
}

#[test]
fn the_oldest_go_first_and_use_keeps_young() {
    let toy = Toy::new();
    fill(&toy, 10);
    toy.memory.advance(2 * 3600 * SECOND);
    assert!(answers(&toy, 0));
    let before = toy.cache().stored();
    assert_eq!((before.records, before.contents), (10, 10));

    let done = toy.cache().collect(before.bytes / 2);
    assert_eq!(done.left, toy.cache().stored());
    assert!(
        done.left.bytes <= before.bytes / 2 && done.left.records >= 4,
        "{done:?}"
    );
    assert!(answers(&toy, 0) && answers(&toy, 9) && !answers(&toy, 1));
}

#[test]
fn growth_beyond_the_limit_is_collected_by_itself() {
    let mut toy = Toy::new();
    toy.settings.limit = 100 << 10;
    fill(&toy, 200);
    let stored = toy.cache().stored();
    assert!(stored.bytes < 150 << 10, "{stored:?}");
    assert!(answers(&toy, 199));
}

#[test]
fn what_a_killed_process_left_goes_when_it_is_old() {
    let toy = Toy::new();
    toy.check("filled", false);
    toy.memory.write("/cache/v1/contents/ab/.loom-9.tmp", "half");
    toy.memory.write("/cache/v1/records/ab/.loom-8.tmp", "half");
    toy.memory.write("/cache/v1/.loom-7.tmp", "half");
    toy.memory
        .write("/cache/v1/contents/ab/cdef", "whole, but nothing names it");
    toy.cache().collect(1 << 20);
    let left = |path: &str| toy.memory.stat(Path::new(path)).is_ok();
    assert!(
        left("/cache/v1/contents/ab/.loom-9.tmp"),
        "its process may still be there"
    );
    assert!(left("/cache/v1/contents/ab/cdef"));
    toy.memory.advance(3600 * SECOND);
    toy.cache().collect(1 << 20);
    for path in [
        "contents/ab/.loom-9.tmp",
        "records/ab/.loom-8.tmp",
        ".loom-7.tmp",
        "contents/ab/cdef",
    ] {
        assert!(!left(&format!("/cache/v1/{path}")), "{path}");
    }
    toy.check("kept", true);
}

#[test]
fn verification_finds_and_removes_damage() {
    let toy = Toy::new();
    fill(&toy, 3);
    assert_eq!(toy.cache().verify().sound, toy.cache().stored());
    toy.memory.write("/cache/v1/contents/ab/cd", "scrap");
    toy.memory.write("/cache/v1/records/ab/cd", "scrap");
    let verified = toy.cache().verify();
    assert_eq!(
        verified.damaged,
        [
            Path::new("/cache/v1/contents/ab/cd"),
            Path::new("/cache/v1/records/ab/cd")
        ]
    );
    assert_eq!(verified.sound.records, 3);
    assert!(toy.cache().verify().damaged.is_empty());
    assert_eq!(toy.cache().clear().records, 3);
    assert_eq!(toy.cache().stored(), Stored::default());
}

#[test]
fn counts_add_up_and_stay_short() {
    let toy = Toy::new();
    let cache = toy.cache();
    for turn in 0..10_000 {
        cache.count(if turn % 4 == 0 { "miss" } else { "hit" });
    }
    let counts = cache.statistics();
    assert_eq!((counts["hit"], counts["miss"]), (7500, 2500));
    let journal = toy.memory.stat(Path::new("/cache/v1/statistics")).unwrap();
    assert!(journal.size < 70 << 10, "{}", journal.size);
}

#[test]
fn an_object_tells_what_it_was_made_from() {
    let toy = Toy::new();
    toy.check("filled", false);
    let object = Digest::of(&toy.object().unwrap());
    let found = toy.cache().entries_with_output(object);
    assert_eq!(found.len(), 1);
    let read: Vec<_> = found[0]
        .1
        .inputs
        .iter()
        .map(|it| String::from_utf8_lossy(&it.path))
        .collect();
    assert_eq!(read, ["/w/a.c", "/w/one/x.h", "/w/two/x.h"]);
    assert!(toy.cache().entries_with_output(Digest::of(b"?")).is_empty());
}
