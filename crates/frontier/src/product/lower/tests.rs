//! Artifacts of small programs.

use expect_test::{Expect, expect};

use super::*;
use crate::product::decode_artifact;
use crate::product::testing::{dump, failed, place, program};

fn encoded(text: &str) -> Outcome<EncodedProgram> {
    encode_program(&program(text), &|_| None, &place)
}

/// The artifact of a program as text, with its size.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let outcome = encoded(text);
    let Some(encoded) = &outcome.value else {
        return expected.assert_eq(&failed(&outcome));
    };
    let artifact = decode_artifact(&encoded.bytes, &"p.loomcmd".into()).expect("an artifact");
    let entries: Vec<&str> = encoded.entries.iter().map(|entry| &*entry.callee.name).collect();
    let size = encoded.bytes.len();
    expected.assert_eq(&format!("{size} bytes, entries {entries:?}\n{}", dump(&artifact)));
}

#[test]
fn a_program_without_commands_is_a_header() {
    check(
        "body",
        expect![[r#"
            144 bytes, entries []
            0 fixed, 0 rebindable, 0 executables, 0 entries
        "#]],
    );
}

#[test]
fn counts_are_exact_and_missing_ones_are_1() {
    check(
        "body a() b@7() c@0,4294967295() d@2,3,4()",
        expect![[r#"
        336 bytes, entries ["a", "b", "c", "d"]
        0 fixed, 0 rebindable, 4 executables, 4 entries
        entry 0: []
        entry 1: []
        entry 2: []
        entry 3: []
        dispatch 0 [1, 1, 1] ()
        | dispatch 1 [7, 1, 1] ()
        | dispatch 2 [0, 4294967295, 1] ()
        | dispatch 3 [2, 3, 4] ()
    "#]],
    );
}

#[test]
fn scalars_have_the_kind_of_their_type() {
    check(
        "body k(1:i1, -2:i8, -3:i16, -4:i32, -5:i64, 1.5:f8E4M3, 1.5:f16, 1.5:bf16, 1.5:f32, 1.5:f64, -6, 7:offset)",
        expect![[r#"
            253 bytes, entries ["k"]
            0 fixed, 0 rebindable, 1 executables, 1 entries
            entry 0: [B8, B8, B16, B32, B64, B8, B16, B16, B32, B64, Index, Offset]
            dispatch 0 [1, 1, 1] (B8 0x1, B8 0xfe, B16 0xfffd, B32 0xfffffffc, B64 0xfffffffffffffffb, B8 0x3c, B16 0x3e00, B16 0x3fc0, B32 0x3fc00000, B64 0x3ff8000000000000, Index 0xfffffffffffffffa, Offset 0x7)
        "#]],
    );
}

#[test]
fn buffers_are_ranges_of_their_roots() {
    check(
        r#"bind x y
           param y "k" 64
           param y "l" 32
           alloc t 16 16
           alloc u 64 64
           body !t !u k(x, x+8, x+8:4, y, "k", "l", "l"+4, "l"+4:8, t, u, u+16, u+16:16, x+9:0)"#,
        expect![[r#"
            623 bytes, entries ["k"]
            1 fixed, 2 rebindable, 1 executables, 1 entries
            root: slot 0, 288 bytes, align 256
            parameter "k": fixed0+0:64 align 256
            parameter "l": fixed0+256:32 align 256
            transient: slot 1, 128 bytes, align 64
            entry 0: [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
            dispatch 0 [1, 1, 1] (bind0+0.., bind0+8.., bind0+8:4, fixed0+0.., fixed0+0:64, fixed0+256:32, fixed0+260:28, fixed0+260:8, bind1+0:16, bind1+64:64, bind1+80:48, bind1+80:16, bind0+9:0)
        "#]],
    );
}

#[test]
fn entries_have_one_schema_however_often_they_are_used() {
    check(
        "bind x\nbody a(x, 1) b() a(x, 2) ?e(x) b() ?e(x)",
        expect![[r#"
            499 bytes, entries ["a", "b", "e"]
            0 fixed, 1 rebindable, 3 executables, 3 entries
            entry 0: [Buffer, Index]
            entry 1: []
            entry 2: [Buffer]
            dispatch 0 [1, 1, 1] (bind0+0.., Index 0x1)
            | dispatch 1 [1, 1, 1] ()
            | dispatch 0 [1, 1, 1] (bind0+0.., Index 0x2)
            | dispatch 2 [1, 1, 1] (bind0+0..)
            | dispatch 1 [1, 1, 1] ()
            | dispatch 2 [1, 1, 1] (bind0+0..)
        "#]],
    );
}

#[test]
fn barriers_stand_before_the_first_command_of_each_later_wave() {
    check(
        "body a() { [ b() d() ] c() } e()",
        expect![[r#"
        384 bytes, entries ["a", "b", "c", "d", "e"]
        0 fixed, 0 rebindable, 5 executables, 5 entries
        entry 0: []
        entry 1: []
        entry 2: []
        entry 3: []
        entry 4: []
        dispatch 0 [1, 1, 1] ()
        | dispatch 1 [1, 1, 1] ()
        dispatch 2 [1, 1, 1] ()
        | dispatch 3 [1, 1, 1] ()
        | dispatch 4 [1, 1, 1] ()
    "#]],
    );
}

#[test]
fn counts_in_storage() {
    // One range for equal views, and exactly three words of it.
    check(
        r#"bind x y
           param y "counts" 12
           alloc t 64 4
           body a@x+4:12() b@x+4() c@"counts"() !t w(t) d@t+16:12() { e@t+16() f@x+4:12(t) }"#,
        expect![[r#"
            672 bytes, entries ["a", "b", "c", "w", "d", "e", "f"]
            1 fixed, 2 rebindable, 7 executables, 7 entries
            root: slot 0, 12 bytes, align 256
            parameter "counts": fixed0+0:12 align 256
            transient: slot 1, 64 bytes, align 4
            entry 0: []
            entry 1: []
            entry 2: []
            entry 3: [Buffer]
            entry 4: []
            entry 5: []
            entry 6: [Buffer]
            dispatch 0 static bind0+4:12 ()
            | dispatch 1 static bind0+4:12 ()
            | dispatch 2 static fixed0+0:12 ()
            | dispatch 3 [1, 1, 1] (bind1+0:64)
            | dispatch 4 dynamic bind1+16:12 ()
            | dispatch 5 dynamic bind1+16:12 ()
            dispatch 6 static bind0+4:12 (bind1+0:64)
        "#]],
    );
}

#[test]
fn dynamic_counts_need_an_earlier_wave() {
    check(
        "alloc t 12 4\nbody !t a@t()",
        expect![[r#"
        1: LOWERING/053: cannot dispatch @a from dynamic workgroup counts without a preceding execution wave
          help: let a kernel that runs before this dispatch write the counts: put it ahead of the dispatch in serial order, not beside it in a concurrent group
    "#]],
    );
    check(
        "alloc t 12 4\nbody { !t w(t) a@t() }",
        expect![[r#"
        2: LOWERING/053: cannot dispatch @a from dynamic workgroup counts without a preceding execution wave
          help: let a kernel that runs before this dispatch write the counts: put it ahead of the dispatch in serial order, not beside it in a concurrent group
    "#]],
    );
    check(
        "alloc t 12 4\nbody !t a() b() c@t()",
        expect![[r#"
        3: LOWERING/053: cannot dispatch @c from dynamic workgroup counts without a preceding execution wave
          help: let a kernel that runs before this dispatch write the counts: put it ahead of the dispatch in serial order, not beside it in a concurrent group
    "#]],
    );
}

#[test]
fn counts_need_a_place() {
    check(
        "bind x\nbody a@x+2:12()",
        expect![[r#"
        1: LOWERING/054: cannot place the workgroup-count view for @a; it requires an offset that is a multiple of 4
          help: begin the view at a byte offset that is a multiple of 4
    "#]],
    );
    check(
        "bind x\nbody a@x+4:8()",
        expect![[r#"
        1: LOWERING/054: cannot place the workgroup-count view for @a; it requires three 32-bit words
          help: view the counts as `view<3xi32>`
    "#]],
    );
    check(
        "bind x\nparam x \"k\" 8\nbody a@\"k\"()",
        expect![[r#"
        1: PRODUCT/009: a view reaches beyond its parameter of 8 bytes
          help: make the view smaller, or what it views larger
    "#]],
    );
}

#[test]
fn views_stay_in_their_storage() {
    check(
        "alloc t 16 4\nbody !t a(t+8:9)",
        expect![[r#"
        1: PRODUCT/009: a view reaches beyond its allocation of 16 bytes
          help: make the view smaller, or what it views larger
    "#]],
    );
    check(
        "alloc t 16 4\nbody !t a(t+17)",
        expect![[r#"
        1: PRODUCT/009: a view reaches beyond its allocation of 16 bytes
          help: make the view smaller, or what it views larger
    "#]],
    );
    check(
        "bind x\nparam x \"k\" 16\nbody a(\"k\"+16:1)",
        expect![[r#"
        1: PRODUCT/009: a view reaches beyond its parameter of 16 bytes
          help: make the view smaller, or what it views larger
    "#]],
    );
    check(
        "bind x\nbody a(x+18446744073709551615:2)",
        expect![[r#"
        1: PRODUCT/009: a view leaves the range of 64 bits
          help: make the view smaller, or what it views larger
    "#]],
    );
}

#[test]
fn dispatches_of_one_entry_agree() {
    check(
        "bind x\nbody a(x) a(1)",
        expect![[r#"
        2: PRODUCT/010: @a is dispatched with arguments of different kinds
          help: pass arguments of the types that the kernel declares in every dispatch of it
    "#]],
    );
}

#[test]
fn classes_of_a_kernel_are_entries_of_their_own() {
    let program = program("bind x\nbody a(1) { a(2) ?e(x) } a(3)");
    let classes = [Some(0), Some(1), None, Some(0)];
    let outcome = encode_program(&program, &|position| classes[position], &place);
    let encoded = outcome.value.expect("an artifact");
    let entries: Vec<_> = encoded
        .entries
        .iter()
        .map(|entry| (&*entry.callee.name, entry.class))
        .collect();
    assert_eq!(entries, [("a", Some(0)), ("a", Some(1)), ("e", None)]);
}

/// The example of the specification has these commands.
pub(crate) const EXAMPLE: &str =
    "bind storage\nbody local(storage) classified(64, storage) classified(256, storage) ?external(storage)";

#[test]
fn the_example() {
    let program = program(EXAMPLE);
    let classes = [Some(0), Some(0), Some(1), None];
    let classified = encode_program(&program, &|position| classes[position], &place)
        .value
        .expect("bytes");
    assert_eq!((classified.bytes.len(), classified.entries.len()), (454, 4));
    let blind = encode_program(&program, &|_| None, &place).value.expect("bytes");
    assert_eq!((blind.bytes.len(), blind.entries.len()), (436, 3));
}
