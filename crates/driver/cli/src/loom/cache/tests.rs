//! Command lines of loom cache.

use std::sync::Arc;

use expect_test::{Expect, expect};
use loom_driver::System;
use loom_driver::base::{Blob, Digest};
use loom_driver::cache::{ActionResult, Cache, Effect, Entry, Input, Mode, Output, Settings, State};

use crate::loom::run;
use crate::testing::World;

/// A world whose cache knows one command, which left `a.o`.
fn world() -> World {
    let world = World::new(&[("a.o", "object")]);
    world.system.set_variable("LOOM_CACHE_DIR", Some("/cache"));
    let settings = Settings {
        mode: Mode::ReadWrite,
        directory: "/cache".into(),
        limit: 1 << 20,
        verify: false,
    };
    let system: Arc<dyn System> = world.system.clone();
    let cache = Cache::new(system, &settings).unwrap();
    let object = Blob::new(*b"object");
    let entry = Entry {
        inputs: vec![Input {
            path: b"b.h".to_vec(),
            state: State::Absent,
        }],
        variables: vec![(b"CPATH".to_vec(), None), (b"PWD".to_vec(), Some(b"/p".to_vec()))],
        times_matter: false,
        result: ActionResult {
            status: 0,
            printed: Vec::new(),
            terminal: None,
            outputs: vec![Output {
                path: b"a.o".to_vec(),
                effect: Effect::Replaced(object.digest()),
            }],
            program: None,
        },
    };
    cache.insert(Digest::of(b"command"), &entry, &[object]).unwrap();
    for event in ["miss", "hit", "hit", "uncached: reads the clock"] {
        cache.count(event);
    }
    world
}

#[track_caller]
fn check(world: &World, args: &[&str], expected: Expect) {
    let args = [&["loom", "cache"], args].concat();
    expected.assert_eq(&world.run(run, &args, b"").render());
}

#[test]
fn stats_count_by_reason() {
    check(&world(), &["stats"], expect![[r#""#]]);
}

#[test]
fn show_knows_an_object_by_its_content() {
    let world = world();
    check(&world, &["show", "a.o"], expect![[r#""#]]);
    world.system.write("/p/b.o", "other");
    check(&world, &["show", "b.o"], expect![[r#""#]]);
    check(&world, &["show", "c.o"], expect![[r#""#]]);
}

#[test]
fn gc_verify_and_clear_say_what_they_did() {
    let world = world();
    check(&world, &["verify"], expect![[r#""#]]);
    world.system.write("/cache/v1/contents/ab/cd", "scrap");
    check(&world, &["verify"], expect![[r#""#]]);
    check(&world, &["gc"], expect![[r#""#]]);
    check(&world, &["gc", "--size=0"], expect![[r#""#]]);
    check(&world, &["gc", "--size=lots"], expect![[r#""#]]);
    check(&world, &["clear"], expect![[r#""#]]);
}

#[test]
fn a_cache_without_a_place_is_an_environment_failure() {
    let world = world();
    world.system.set_variable("LOOM_CACHE_DIR", None);
    check(&world, &["stats"], expect![[r#""#]]);
    world.system.set_variable("LOOM_CACHE", Some("maybe"));
    check(&world, &["stats"], expect![[r#""#]]);
}
