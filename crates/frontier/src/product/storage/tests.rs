//! Slots, places and the slab of small programs.

use std::fmt::Write;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::product::schedule::schedule;
use crate::product::testing::{place, program};

/// The storage of a program as JSON lines, and the places of its allocations.
#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&laid_out(text));
}

fn laid_out(text: &str) -> String {
    let program = program(text);
    let layout = match lay_out(&program, &program.commands(), &schedule(&program), &place) {
        Ok(layout) => layout,
        Err(diagnostic) => return format!("{}: {}", diagnostic.code, diagnostic.message),
    };
    let mut out = String::new();
    for binding in &layout.resources.bindings {
        let _ = writeln!(out, "%{}: {:?}", binding.name, binding.resource);
    }
    for root in &layout.resources.parameter_roots {
        let _ = writeln!(out, "root {}: {} align {}", root.slot, root.length, root.align);
    }
    for parameter in &layout.resources.parameters {
        let PlacedParameter {
            key,
            slot,
            offset,
            length,
            ..
        } = parameter;
        let _ = writeln!(out, "{key}: {slot} {offset} + {length}");
    }
    for (allocation, place) in program.allocations.iter().zip(&layout.allocations) {
        let place = place.map_or("unused".to_owned(), |place| place.to_string());
        let _ = writeln!(out, "{}: {place}", allocation.name);
    }
    if let Some(slab) = layout.resources.transient {
        let _ = writeln!(out, "slab in {}: {} align {}", slab.slot, slab.length, slab.align);
    }
    out
}

#[test]
fn bindings_are_rebindable_and_unused_ones_are_kept() {
    check(
        "bind x y z\nbody a(y)",
        expect![[r#"
            %x: Rebindable(0)
            %y: Rebindable(1)
            %z: Rebindable(2)
        "#]],
    );
}

#[test]
fn parameters_fix_their_buffer_and_stand_at_multiples_of_256() {
    check(
        r#"bind x y z
           param y "blk.3.lhs" 12
           param y "shared" 300
           param z "other" 1
           param y "last" 16
           body a("last", x)"#,
        expect![[r#"
            %x: Rebindable(0)
            %y: Fixed(0)
            %z: Fixed(1)
            root 0: 784 align 256
            root 1: 1 align 256
            blk.3.lhs: 0 0 + 12
            shared: 0 256 + 300
            other: 1 0 + 1
            last: 0 768 + 16
        "#]],
    );
}

#[test]
fn a_fixed_buffer_also_holds_what_is_viewed_in_it() {
    check(
        "bind x\nparam x \"k\" 4\nbody a(x+1000:24, \"k\") b(x)",
        expect![[r#"
            %x: Fixed(0)
            root 0: 1024 align 256
            k: 0 0 + 4
        "#]],
    );
}

#[test]
fn allocations_share_a_slab_and_reuse_what_is_over() {
    // The third fits between the first two; the last one begins to live when all others are over.
    check(
        "bind x y
         alloc query 64 64
         alloc key 64 256
         alloc value 64 64
         alloc unused 4096 4096
         alloc post 256 256
         body !query !key !value !unused { copy(x, query) copy(x, key) copy(x, value) }
              sum(query, key, value, y) !post copy(x, post) copy(post, y)",
        expect![[r#"
            %x: Rebindable(0)
            %y: Rebindable(1)
            query: 0
            key: 256
            value: 64
            unused: unused
            post: 0
            slab in 2: 320 align 256
        "#]],
    );
}

#[test]
fn an_allocation_lives_from_its_definition() {
    // `late` is first used when `early` is over, but exists beside it.
    check(
        "bind x
         alloc early 64 4
         alloc late 64 4
         body !early !late a(early) b(x) c(late)",
        expect![[r#"
            %x: Rebindable(0)
            early: 0
            late: 64
            slab in 1: 128 align 4
        "#]],
    );
    check(
        "bind x
         alloc early 64 4
         alloc late 64 4
         body !early a(early) b(x) !late c(late)",
        expect![[r#"
            %x: Rebindable(0)
            early: 0
            late: 0
            slab in 1: 64 align 4
        "#]],
    );
}

#[test]
fn a_larger_one_may_begin_where_smaller_ones_were() {
    check(
        "bind x
         alloc small 64 4
         alloc large 128 4
         body !small a(small) !large b(large)",
        expect![[r#"
            %x: Rebindable(0)
            small: 0
            large: 0
            slab in 1: 128 align 4
        "#]],
    );
}

#[test]
fn counts_are_a_use() {
    check(
        "bind x
         alloc counts 12 4
         alloc other 12 4
         body !counts a(counts) b@counts(x) !other c(other)",
        expect![[r#"
            %x: Rebindable(0)
            counts: 0
            other: 0
            slab in 1: 12 align 4
        "#]],
    );
}

#[test]
fn storage_beyond_64_bits_is_refused() {
    check(
        "alloc a 18446744073709551615 1\nalloc b 1 1\nbody !a !b k(a, b)",
        expect!["PRODUCT/008: the transient storage of the program exceeds 64 bits of address space"],
    );
    check(
        "bind x\nparam x \"a\" 18446744073709551615\nparam x \"b\" 1\nbody k(\"a\", \"b\")",
        expect!["PRODUCT/008: the parameters of '%x' exceed 64 bits of address space"],
    );
}

/// Whoever loads a program may read what it asks for as JSON (decision 32).
#[test]
fn resources_as_json() {
    let program = program("bind x y\nparam x \"k\" 12\nalloc t 8 8\nbody !t a(t, y, \"k\")");
    let layout = lay_out(&program, &program.commands(), &schedule(&program), &place);
    let resources = layout.map(|layout| serde_json::to_string_pretty(&layout.resources));
    let json = resources.expect("storage").expect("JSON");
    expect![[r#"
        {
          "bindings": [
            {
              "name": "x",
              "role": "fixed",
              "slot": 0
            },
            {
              "name": "y",
              "role": "rebindable",
              "slot": 0
            }
          ],
          "parameter_roots": [
            {
              "slot": 0,
              "length": 12,
              "align": 256
            }
          ],
          "parameters": [
            {
              "key": "k",
              "slot": 0,
              "offset": 0,
              "length": 12,
              "align": 256
            }
          ],
          "transient": {
            "slot": 1,
            "length": 8,
            "align": 8
          }
        }"#]]
    .assert_eq(&json);
}

fn lives() -> impl Strategy<Value = Vec<Life>> {
    let life = (0..12u32, 0..6u32, 0..200u64, 0..9u32);
    prop::collection::vec(life, 0..24).prop_map(|lives| {
        let life = |(allocation, (first, more, bytes, align))| Life {
            allocation: allocation as u32,
            first,
            last: first + more,
            bytes,
            align: 1u64 << align,
        };
        lives.into_iter().enumerate().map(life).collect()
    })
}

proptest! {
    #[test]
    fn living_allocations_are_aligned_and_disjoint(lives in lives()) {
        let offsets = pack(&lives).expect("small sizes");
        for (at, one) in lives.iter().enumerate() {
            prop_assert_eq!(offsets[at] % one.align, 0);
            for (other_at, other) in lives.iter().enumerate().take(at) {
                let overlap_in_time = one.first <= other.last && other.first <= one.last;
                let apart = offsets[at] + one.bytes <= offsets[other_at]
                    || offsets[other_at] + other.bytes <= offsets[at];
                prop_assert!(!overlap_in_time || apart, "{one:?} {other:?} {offsets:?}");
            }
        }
        // Never worse than laying everything out one after another.
        let total: u64 = lives.iter().map(|life| life.bytes + life.align).sum();
        let end = lives.iter().zip(&offsets).map(|(life, at)| at + life.bytes).max();
        prop_assert!(end.unwrap_or(0) <= total);
    }
}
