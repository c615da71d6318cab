//! Waves of small programs.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::product::testing::program;

/// The waves of the program with `body`: one line each, commands by their kernels.
#[track_caller]
fn check(body: &str, expected: Expect) {
    let program = program(&format!("bind x\nalloc t 4 4\nalloc u 4 4\nbody {body}"));
    let schedule = schedule(&program);
    let commands = program.commands();
    let mut out = String::new();
    for (position, scheduled) in schedule.commands.iter().enumerate() {
        let waits = schedule.waits(position);
        assert_eq!(
            waits,
            position > 0 && schedule.commands[position - 1].wave != scheduled.wave
        );
        let name = &commands[scheduled.command as usize].dispatch.callee.name;
        let end = if position > 0 && waits { "\n" } else { "" };
        let blank = if position > 0 && !waits { " " } else { "" };
        let _ = write!(out, "{end}{blank}{}{name}", if waits { "| " } else { "" });
    }
    let _ = write!(out, "\n{} waves, born {:?}", schedule.waves(), schedule.born);
    expected.assert_eq(&out);
}

#[test]
fn the_top_level_is_serial() {
    check(
        "a() b() c()",
        expect![[r#"
            a
            | b
            | c
            3 waves, born [0, 0]"#]],
    );
}

#[test]
fn siblings_of_a_concurrent_group_start_together() {
    check(
        "a() { b() c() } d()",
        expect![[r#"
            a
            | b c
            | d
            3 waves, born [0, 0]"#]],
    );
}

#[test]
fn serial_groups_in_a_concurrent_one_advance_wave_by_wave() {
    check(
        "{ [ a() b() ] [ c() d() e() ] }",
        expect![[r#"
            a c
            | b d
            | e
            3 waves, born [0, 0]"#]],
    );
}

#[test]
fn what_follows_a_group_waits_for_its_longest_part() {
    check(
        "{ [ a() b() c() ] d() } e()",
        expect![[r#"
            a d
            | b
            | c
            | e
            4 waves, born [0, 0]"#]],
    );
}

#[test]
fn concurrent_groups_nest() {
    check(
        "{ a() { b() c() } [ d() { e() f() } ] }",
        expect![[r#"
            a b c d
            | e f
            2 waves, born [0, 0]"#]],
    );
}

#[test]
fn empty_groups_take_no_time() {
    check(
        "{ } a() [ ] { [ ] } b()",
        expect![[r#"
            a
            | b
            2 waves, born [0, 0]"#]],
    );
    check(
        "",
        expect![[r#"

        0 waves, born [0, 0]"#]],
    );
}

#[test]
fn allocations_live_from_where_they_stand() {
    check(
        "a() !t { [ b() !u c() ] d() } e()",
        expect![[r#"
            a
            | b d
            | c
            | e
            4 waves, born [1, 2]"#]],
    );
}
