//! One function for each reason not to lift or not to import: the typed report, and bodies that stay the owner's.

use expect_test::{Expect, expect};

use super::{raise, run_both, unlifted};
use crate::driver::{Compiler, Sandbox};
use crate::payload::loom;

const SOURCE: &str = include_str!("../../../testdata/raise/refusals.ll");

fn check(lines: &[String], expected: Expect) {
    expected.assert_eq(&lines.iter().map(|it| format!("{it}\n")).collect::<String>());
}

#[test]
fn each_reason_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("refusals.ll", SOURCE);
    let report = raise(&sandbox, "refusals.ll", "");
    check(
        &unlifted(&report),
        expect![[r#"
            asm_goto: isolated (asm_goto)
            asm_goto_label: isolated (block_address)
            computed_goto: unstructured (computed_goto)
            constrained_cast: unstructured (constrained_fp)
            constrained_fp: isolated (constrained_fp)
            convergence: unstructured (convergence)
            invoke: unstructured (invoke)
            metadata_argument: isolated (metadata_argument)
            musttail: unstructured (musttail)
            naked: straight (naked)
            no_cfi: isolated (no_cfi)
            operand_bundles: unstructured (operand_bundles)
            returns_twice: unstructured (returns_twice)
            type_test: isolated (metadata_argument)
        "#]],
    );
    let globals = report["globals"].as_object().expect("globals are an object");
    check(
        &globals
            .iter()
            .map(|(name, why)| format!("{name}: {why}"))
            .collect::<Vec<_>>(),
        expect![[r#"
            asm_labels: "block_address"
            handlers: "no_cfi"
            patched: "externally_initialized"
        "#]],
    );
    let losses = report["losses"].as_object().expect("losses are an object");
    check(
        &losses
            .iter()
            .map(|(kind, count)| format!("{kind}: {count}"))
            .collect::<Vec<_>>(),
        expect![[r#"
            call_returns_twice: 1
            call_strictfp: 1
            function_prefix: 1
            function_prologue: 1
            value_names: 59
        "#]],
    );
    assert!(loom(&sandbox, "raise refusals.ll -o again.mlir").status == 0);
    sandbox.succeed(
        Compiler::Clang,
        "/usr/lib/llvm-22/bin/mlir-opt s0.mlir -o parsed.mlir",
    );
}

/// What is not lifted comes back word for word; of what is, only the body changes.
#[test]
fn the_linked_module_stays_the_owner() {
    let sandbox = Sandbox::new();
    sandbox.write("refusals.ll", SOURCE);
    assert_eq!(
        loom(&sandbox, "raise refusals.ll --lower -o lowered.bc").status,
        0
    );
    sandbox.succeed(
        Compiler::Clang,
        "llvm-as-22 refusals.ll -o - | llvm-dis-22 -o before.ll - && llvm-dis-22 lowered.bc -o after.ll",
    );
    let read = |name: &str| String::from_utf8(sandbox.read(name)).expect("LLVM prints text");
    let (before, after) = (read("before.ll"), read("after.ll"));
    let body = |text: &str, name: &str| -> String {
        let from = text
            .lines()
            .skip_while(|it| !(it.starts_with("define") && it.contains(&format!("@{name}("))));
        from.take_while(|it| *it != "}")
            .map(|it| format!("{it}\n"))
            .collect()
    };
    for name in [
        "invoke",
        "computed_goto",
        "asm_goto",
        "asm_goto_label",
        "musttail",
        "returns_twice",
        "operand_bundles",
        "convergence",
        "constrained_fp",
        "constrained_cast",
        "metadata_argument",
        "type_test",
        "no_cfi",
        "naked",
    ] {
        assert!(body(&before, name).lines().count() > 1, "{name}");
        assert_eq!(body(&before, name), body(&after, name), "{name}");
    }
    let globals = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|it| it.starts_with('@') || it.starts_with("define"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(globals(&before), globals(&after));
    assert!(body(&after, "prefixed").contains("prefix i32 123 prologue i8 -112"));
}

/// Constructs whose round trip through MLIR is wrong upstream, run before and after.
#[test]
fn what_upstream_gets_wrong_runs_as_before() {
    let sandbox = Sandbox::new();
    sandbox.write("runs.ll", include_str!("../../../testdata/raise/runs.ll"));
    sandbox.write("main.c", include_str!("../../../testdata/raise/runs.c"));
    let script = "clang-22 -O0 -emit-llvm -c main.c -o main.bc && llvm-link-22 runs.ll main.bc -o linked.bc";
    sandbox.succeed(Compiler::Clang, script);
    for level in ["-O0", "-O2"] {
        let [before, after] = run_both(&sandbox, "linked.bc", level).map(|it| String::from_utf8(it).unwrap());
        assert_eq!(before, after, "{level}");
        check(
            &before.lines().map(str::to_owned).collect::<Vec<_>>(),
            expect![[r#"
                wide switch 10 70 10 0 0
                narrow switches 1 2 3 0 1 2 3 0
                switches modulo 2^32: 1 2 3 4 0 0
                wide integer 144 0
                calls 1 4 3 6
                patched 9
                floats 2.5 2.5
                labels 11 22
                status 0
            "#]],
        );
    }
}
