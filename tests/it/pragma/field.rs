//! Faults that other compilers shipped with their pragmas, each as a test that Loom is free of it.

use super::cases::{compile, hints, payload_text};
use crate::driver::{Compiler, Sandbox};

/// Crashes on pragmas in odd places: each is a refusal here.
#[test]
fn odd_places_are_refused() {
    let pragma = "#pragma loom candidate\n";
    for (language, source) in [
        ("c", format!("{pragma}{pragma}")),
        ("c", format!("int f(void) {{ return 0;\n{pragma}}}")),
        ("c", format!("int f(void) {{\n{pragma}  int x; return 0; }}")),
        ("c++", format!("class c {{\n{pragma}}};")),
        ("c++", format!("class c {{ public:\n{pragma}  c() = default; }};")),
        ("c", format!("int x;\n{pragma}")),
        ("c", pragma.trim_end().to_owned()),
        (
            "c",
            "#define P _Pragma(\"loom candidate\")\nP int x;\n".to_owned(),
        ),
        (
            "c",
            format!("int f(int n) {{\n{pragma}{pragma}{pragma}while (n) n--;\nreturn n; }}"),
        ),
        (
            "c",
            format!("int f(int n) {{ int a[3] = {{\n{pragma}1, 2, 3}}; return a[n]; }}"),
        ),
        (
            "c++",
            format!("template <class T\n{pragma}> T f(T x) {{ return x; }}"),
        ),
        (
            "c++",
            format!("int f(int n) try {{ return n; }}\n{pragma}catch (...) {{ return 0; }}"),
        ),
    ] {
        let outcome = compile(language, "-w", &source);
        assert_eq!(outcome.status, Some(1), "{source}");
        assert!(
            outcome.messages[0].contains("candidate_hint_"),
            "{source}: {:?}",
            outcome.messages
        );
        assert!(outcome.left.is_empty(), "{source}: {:?}", outcome.left);
    }
}

/// Other compilers took a pragma in one step and lost it in two.
#[test]
fn nothing_is_lost_in_two_steps() {
    let sandbox = Sandbox::new();
    sandbox.write("unit.c", "#pragma loom candidate\nint f(int n) { return n; }\n");
    for script in ["$CC -E unit.c", "$CC -E unit.c | $CC -x cpp-output -c - -o two.o"] {
        let output = sandbox.run(Compiler::Loom, script);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.contains("candidate_hint_unsupported_construct"),
            "{stderr}"
        );
    }
    // What another tool has preprocessed keeps its pragma, and its presumed places.
    sandbox.succeed(Compiler::Clang, "$CC -E -Wno-unknown-pragmas unit.c -o unit.i");
    sandbox.succeed(Compiler::Loom, "$CC -c unit.i -o two.o && $CC -c unit.c -o one.o");
    let hints_of = |name: &str| hints(&payload_text(&sandbox, name));
    assert_eq!(hints_of("two.o"), hints_of("one.o"));
}

/// A conditional around the pragma or behind it decides as ever.
#[test]
fn conditions_decide() {
    let source = "#ifdef HINT\n#pragma loom candidate\n#endif\n#if 0\nint g(void);\n#endif\nint f(int n) { return n; }\n";
    assert_eq!(compile("c", "", source).hints.len(), 0);
    assert_eq!(compile("c", "-DHINT", source).hints.len(), 1);
}

/// Pragmas of others between the hint and the loop are expanded as ever.
#[test]
fn macros_in_other_pragmas_are_expanded() {
    let source = "#define COUNT 4
#define HEADER \"hinted.h\"
int f(int n) {
#pragma loom candidate
#pragma clang loop unroll_count(COUNT)
  while (n) n--;
  return n;
}
#pragma loom candidate
#include HEADER
";
    let outcome = compile(
        "c",
        "-w",
        &source.replace("#pragma loom candidate\n#include", "#include"),
    );
    assert_eq!(outcome.status, Some(0), "{:?}", outcome.messages);
    assert_eq!(outcome.hints.len(), 3);
    // The hint before the include would be for what the header begins with: two for one function.
    let outcome = compile("c", "-w", source);
    assert_eq!(outcome.status, Some(1));
    assert!(
        outcome.messages[0].contains("candidate_hint_invalid_placement"),
        "{:?}",
        outcome.messages
    );
}

/// A pragma that somebody else owns stays theirs.
#[test]
fn other_pragmas_are_not_ours() {
    let outcome = compile(
        "c",
        "-Wall",
        "#pragma weave candidate\n#pragma loomed candidate\nint f(int n) { return n; }\n",
    );
    assert_eq!(outcome.status, Some(0));
    assert_eq!(
        outcome
            .messages
            .iter()
            .filter(|it| it.contains("-Wunknown-pragmas"))
            .count(),
        2
    );
    // Without the hints the pragma is an unknown one.
    let source = "#pragma loom candidate\nint f(int n) { return n; }\n";
    let outcome = compile("c", "-Wall -fno-loom-candidates", source);
    assert_eq!((outcome.status, outcome.hints.len()), (Some(0), 0));
    assert!(
        outcome.messages[0].contains("-Wunknown-pragmas"),
        "{:?}",
        outcome.messages
    );
}
