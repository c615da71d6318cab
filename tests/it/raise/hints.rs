//! Candidates of the source on the way to S0: found, or said to be lost and why; never guessed, never published.

use std::collections::BTreeMap;
use std::fmt::Write;

use expect_test::{Expect, expect, expect_file};
use serde_json::Value;

use super::raise;
use crate::driver::{Compiler, Sandbox};
use crate::payload::loom;
use crate::pragma::{Kind, source, twin};

const HINT: &str = "loom.candidate.loop.1.0|1|3|x.c|1|1|2|1|3|1|4|1";

/// Compiles `unit.c` of `directory` and takes the module out of the payload.
fn module(sandbox: &Sandbox, directory: &str, level: &str) {
    let script = format!("cd {directory} && $CC {level} -w -c unit.c -o made.o -fdebug-prefix-map=$PWD=here");
    sandbox.succeed(Compiler::Loom, &script);
    let ran = loom(
        sandbox,
        &format!("payload extract --bitcode {directory}/made.o -o {directory}/linked.bc"),
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
fn census_of_the_corpus() {
    let sandbox = Sandbox::new();
    let mut table = String::new();
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let mut states: BTreeMap<String, usize> = BTreeMap::new();
        for seed in 100..103 {
            sandbox.write("unit.c", &source(Kind::C, seed, 5));
            module(&sandbox, ".", level);
            raise(&sandbox, "linked.bc", "--keep-hints --hint-report=hints.json");
            let hints: Value = serde_json::from_slice(&sandbox.read("hints.json")).expect("it is JSON");
            let hints = hints.as_array().expect("hints are a list");
            let mut found = 0;
            for hint in hints {
                let state = hint["state"].as_str().expect("a state is text");
                let kind = hint["kind"].as_str().expect("a kind is text");
                found += usize::from(state == "found" && kind == "loop");
                *states.entry(format!("{kind} {state}")).or_default() += 1;
            }
            let s0 = String::from_utf8(sandbox.read("s0.mlir")).expect("MLIR prints text");
            assert_eq!(
                s0.matches("loom.candidate_loop_hint").count(),
                found,
                "{level} {seed}"
            );
            raise(&sandbox, "linked.bc", "");
            let s0 = String::from_utf8(sandbox.read("s0.mlir")).expect("MLIR prints text");
            assert!(
                !s0.contains("candidate") && !s0.contains("loom."),
                "{level} {seed}"
            );
        }
        let _ = writeln!(table, "{level}");
        for (state, count) in &states {
            let _ = writeln!(table, "    {state}: {count}");
        }
    }
    println!("{table}");
    expect_file!["../../../testdata/raise/hints.golden"].assert_eq(&table);
}

/// S0 of a hinted source is that of its twin, locations included.
#[test]
fn s0_is_that_of_the_unhinted_twin() {
    let sandbox = Sandbox::new();
    sandbox.succeed(Compiler::Loom, "mkdir -p hinted twin");
    for seed in 200..203 {
        // A static function that is inlined stays for its hint, and only for that.
        let source = source(Kind::C, seed, 10)
            .replace("static inline unsigned program", "unsigned program")
            .replace("static unsigned program", "unsigned program");
        sandbox.write("hinted/unit.c", &source);
        sandbox.write("twin/unit.c", &twin(&source));
        for level in ["-O0", "-O1", "-O2", "-O0 -g", "-O1 -g"] {
            let s0 = ["hinted", "twin"].map(|directory| {
                module(&sandbox, directory, level);
                let report = raise(&sandbox, &format!("{directory}/linked.bc"), "");
                let hints = report["hints"].as_array().expect("hints are a list").len();
                assert_eq!(hints > 0, directory == "hinted", "{level} {seed}");
                sandbox.read("s0.mlir")
            });
            assert!(s0[0] == s0[1], "{level} {seed}\n{source}");
        }
    }
}

fn check(name: &str, functions: &str, options: &str, expected: Expect) {
    let sandbox = Sandbox::new();
    let text = format!("{}{functions}", HEAD.replace("HINT", HINT));
    sandbox.write("linked.ll", &text);
    let ran = loom(&sandbox, &format!("raise linked.ll -o s0.mlir {options}"));
    let written = if sandbox.path("s0.mlir").exists() {
        "S0"
    } else {
        "nothing"
    };
    expected.assert_eq(&format!(
        "{name}: status {}, {written}\n{}",
        ran.status, ran.stderr
    ));
}

const HEAD: &str = "\
target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"
target triple = \"x86_64-unknown-linux-gnu\"
!1 = !{!\"HINT\"}
!2 = distinct !{!2, !3}
!3 = !{!\"llvm.loop.loom.candidate\", !\"HINT\"}
!4 = !{!\"HINT\", !\"HINT\"}
!5 = !{!\"loom.candidate.loop.1.0|01|3|x.c|1|1|2|1|3|1|4|1\"}
";

fn looping(name: &str, manifest: &str, property: &str) -> String {
    format!(
        "define i32 @{name}(i32 %n) {manifest} {{\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n  \
         %next = add i32 %i, 1\n  %done = icmp sge i32 %next, %n\n  br i1 %done, label %exit, label %loop{property}\nexit:\n  \
         ret i32 %next\n}}\n"
    )
}

const MANIFEST: &str = "!loom.candidate.loops !1";
const PROPERTY: &str = ", !llvm.loop !2";

#[test]
fn a_found_candidate_says_nothing() {
    check(
        "found",
        &looping("f", MANIFEST, PROPERTY),
        "--require-hints",
        expect![[r#"
            found: status 0, S0
        "#]],
    );
}

#[test]
fn an_erased_candidate_is_a_warning() {
    check(
        "erased",
        &looping("f", MANIFEST, ""),
        "",
        expect![[r#"
            erased: status 0, S0
            warning[candidate_hint_projection_proof_not_established]: a candidate loop of 'f' at x.c:2:1: the optimizer erased or rewrote the loop
             |
             = help: a lower optimization level keeps more loops; --require-hints makes this an error
        "#]],
    );
}

#[test]
fn a_required_candidate_is_an_error_and_nothing_is_written() {
    check(
        "required",
        &looping("f", MANIFEST, ""),
        "--require-hints",
        expect![[r#"
            required: status 1, nothing
            error[candidate_hint_projection_proof_not_established]: a candidate loop of 'f' at x.c:2:1: the optimizer erased or rewrote the loop
        "#]],
    );
}

#[test]
fn a_cloned_candidate_is_not_guessed() {
    check(
        "cloned",
        &format!(
            "{}{}",
            looping("f", MANIFEST, PROPERTY),
            looping("g", "", PROPERTY)
        ),
        "",
        expect![[r#"
            cloned: status 0, S0
            warning[candidate_hint_projection_proof_not_established]: a candidate loop of 'f' at x.c:2:1: the optimizer made 2 loops of it
             |
             = help: a lower optimization level keeps more loops; --require-hints makes this an error
        "#]],
    );
}

#[test]
fn a_candidate_in_another_function_is_not_guessed() {
    check(
        "moved",
        &format!("{}{}", looping("f", MANIFEST, ""), looping("g", "", PROPERTY)),
        "",
        expect![[r#"
            moved: status 0, S0
            warning[candidate_hint_projection_proof_not_established]: a candidate loop of 'f' at x.c:2:1: the loop is in 'g' now, by inlining
             |
             = help: a lower optimization level keeps more loops; --require-hints makes this an error
        "#]],
    );
}

#[test]
fn a_function_that_is_not_lifted_loses_its_candidates() {
    let function = looping("f", MANIFEST, PROPERTY)
        .replace("entry:\n", "entry:\n  %first = call i32 %p() returns_twice\n")
        .replace("(i32 %n)", "(i32 %n, ptr %p)");
    check(
        "unstructured",
        &function,
        "",
        expect![[r#"
            unstructured: status 0, S0
            warning[candidate_hint_projection_proof_not_established]: a candidate loop of 'f' at x.c:2:1: its function is not lifted: returns_twice
             |
             = help: a lower optimization level keeps more loops; --require-hints makes this an error
        "#]],
    );
}

#[test]
fn a_property_without_manifest_is_an_error() {
    check(
        "unlisted",
        &looping("f", "", PROPERTY),
        "",
        expect![[r#"
            unlisted: status 1, nothing
            error[candidate_hint_invalid_encoding]: a candidate of 'f' at x.c:2:1: a loop carries a candidate that no manifest lists
        "#]],
    );
}

#[test]
fn a_manifest_that_lists_a_loop_twice_is_an_error() {
    check(
        "twice",
        &looping("f", "!loom.candidate.loops !4", PROPERTY),
        "",
        expect![[r#"
            twice: status 1, nothing
            error[candidate_hint_invalid_placement]: a candidate of 'f' at x.c:2:1: manifests list a candidate loop twice
        "#]],
    );
}

#[test]
fn another_spelling_of_a_hint_is_an_error() {
    check(
        "spelling",
        &looping("f", "!loom.candidate.loops !5", ""),
        "",
        expect![[r#"
            spelling: status 1, nothing
            error[candidate_hint_invalid_encoding]: a candidate of 'f': a candidate's hint is malformed
        "#]],
    );
}

#[test]
fn a_raw_annotation_is_an_error() {
    let raw = "@text = private constant [33 x i8] c\"loom.candidate.loop.marker.1.0|7\\00\", section \"llvm.metadata\"\n\
               declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)\n\
               define i32 @f() {\n  %r = call i32 @llvm.annotation.i32.p0(i32 0, ptr @text, ptr @text, i32 1)\n  ret i32 %r\n}\n";
    check(
        "raw",
        raw,
        "",
        expect![[r#"
            raw: status 1, nothing
            error[candidate_hint_unsupported_construct]: a candidate of '': the module holds a raw annotation of Loom: the provider has not projected it
        "#]],
    );
}
