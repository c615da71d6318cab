//! Command lines of loom cache.

use std::sync::Arc;

use expect_test::{Expect, expect};
use loom_driver::System;
use loom_driver::base::{Blob, Digest};
use loom_driver::cache::{
    ActionResult, Cache, Effect, Entry, Input, Mode, Output, Said, Settings, Shelf, State,
};

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
            said: Said::default(),
            outputs: vec![Output {
                path: b"a.o".to_vec(),
                effect: Effect::Replaced(object.digest()),
            }],
            program: None,
        },
    };
    cache
        .insert(Shelf::Commands, Digest::of(b"command"), &entry, &[object])
        .unwrap();
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
    check(
        &world(),
        &["stats"],
        expect![[r#"
            Success
            --- stdout
            directory   /cache/v1
            size        203 bytes of 5.0 GiB
            commands    1
            steps       0
            outputs     1
            hits        2
            misses      1
            uncached    1
              1         reads the clock
            --- stderr
        "#]],
    );
}

#[test]
fn show_knows_an_object_by_its_content() {
    let world = world();
    check(
        &world,
        &["show", "a.o"],
        expect![[r#"
        Success
        --- stdout
        command 5d347fd948b66308f502c3f65c8f7e12ff1c5cf8c760bcdfb188ae1ec7b8b618, exit status 0
          left      2958d416d08aa5a472d7b509036cb7eafd542add84527e66a145ea64cb4cdc75  a.o
          absent    b.h
          unset     CPATH
          variable  PWD=/p
        --- stderr
    "#]],
    );
    world.system.write("/p/b.o", "other");
    check(
        &world,
        &["show", "b.o"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[cache_entry_absent]: the cache knows no compile that left 'b.o'
         |
         = help: a link, a compile without cache, or one whose result could not be kept; `loom cache stats` counts why
    "#]],
    );
    check(
        &world,
        &["show", "c.o"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/003]: cannot read 'c.o': entity not found
    "#]],
    );
}

#[test]
fn gc_verify_and_clear_say_what_they_did() {
    let world = world();
    check(
        &world,
        &["verify"],
        expect![[r#"
            Success
            --- stdout
            1 commands and 1 outputs are sound, 203 bytes
            --- stderr
        "#]],
    );
    world.system.write("/cache/v1/contents/ab/cd", "scrap");
    check(
        &world,
        &["verify"],
        expect![[r#"
            Diagnostics
            --- stdout
            1 commands and 1 outputs are sound, 203 bytes
            --- stderr
            error[cache_entry_damaged]: '/cache/v1/contents/ab/cd' was damaged and is removed
        "#]],
    );
    check(
        &world,
        &["gc"],
        expect![[r#"
            Success
            --- stdout
            removed 0 commands and 0 outputs, 0 bytes
            left 1 commands and 1 outputs, 203 bytes
            --- stderr
        "#]],
    );
    check(
        &world,
        &["gc", "--size=0"],
        expect![[r#"
            Success
            --- stdout
            removed 1 commands and 1 outputs, 203 bytes
            left 0 commands and 0 outputs, 0 bytes
            --- stderr
        "#]],
    );
    check(
        &world,
        &["gc", "--size=lots"],
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error: invalid value 'lots' for '--size <SIZE>': a size is a number, or one with K, M or G

        For more information, try '--help'.
    "#]],
    );
    check(
        &world,
        &["clear"],
        expect![[r#"
        Success
        --- stdout
        removed 0 commands and 0 outputs, 0 bytes
        --- stderr
    "#]],
    );
}

#[test]
fn a_cache_without_a_place_is_an_environment_failure() {
    let world = world();
    world.system.set_variable("LOOM_CACHE_DIR", None);
    check(
        &world,
        &["stats"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/003]: there is no directory for the cache
         |
         = help: set LOOM_CACHE_DIR, XDG_CACHE_HOME or HOME to an absolute path
    "#]],
    );
    world.system.set_variable("LOOM_CACHE", Some("maybe"));
    check(
        &world,
        &["stats"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/003]: the environment variable LOOM_CACHE is 'maybe' instead of 'off', 'ro' or 'rw'
    "#]],
    );
}
