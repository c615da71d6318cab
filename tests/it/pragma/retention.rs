//! Internal and inline definitions stay in the payload for their hints, and the object is that of the twin.

use std::collections::BTreeSet;

use super::cases::{hints, payload_text, twin};
use crate::driver::{Compiler, Sandbox};

/// Writes `name` and its twin and compiles both with `options` to objects.
fn compile(sandbox: &Sandbox, name: &str, source: &str, options: &str) {
    let compiler = if name.ends_with(".c") { "$CC" } else { "$CXX" };
    sandbox.succeed(Compiler::Loom, "mkdir -p hinted twin");
    sandbox.write(&format!("hinted/{name}"), source);
    sandbox.write(&format!("twin/{name}"), &twin(source));
    sandbox.succeed(
        Compiler::Loom,
        &format!("for d in hinted twin; do (cd $d; {compiler} {options} -w -c {name} -o made.o); done"),
    );
}

/// Name, kind and value of every symbol of an object, or of a module for link-time optimization.
fn symbols(sandbox: &Sandbox, directory: &str) -> Vec<String> {
    let output = sandbox.succeed(Compiler::Loom, &format!("llvm-nm-22 {directory}/made.o"));
    let mut lines: Vec<_> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect();
    lines.sort();
    lines
}

fn code(sandbox: &Sandbox, directory: &str) -> String {
    let output = sandbox.succeed(
        Compiler::Loom,
        &format!("cd {directory} && llvm-objdump-22 -dr --no-show-raw-insn --no-addresses made.o"),
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const C: &str = "int printf(const char *, ...);
int g(int);
static int table[4] = {1, 2, 3, 4};
static int helper(int n) { return printf(\"helper %d\\n\", n + table[n & 3]); }
#pragma loom candidate
static int unused(int n) { return helper(n) + g(n); }
#pragma loom candidate
static int once(int n) {
  int s = 0;
#pragma loom candidate
  for (int i = 0; i < n; i++) { s += g(i); s ^= s << 3; if (s == 7) printf(\"seven\\n\"); s *= g(s); s += g(s + 1); }
  return s;
}
#pragma loom candidate
static int twice(int n) {
#pragma loom candidate
  while (n > 5) { n -= g(n); printf(\"%d %d\\n\", n, g(n)); n -= g(n + 3); n -= g(n + 4); n -= g(n + 5); }
  return n;
}
#pragma loom candidate
__attribute__((annotate(\"mine\"))) static int annotated(int n) { return n + 1; }
#pragma loom candidate
__attribute__((used)) static int kept(int n) { return n; }
int use(int n) { return once(n) + twice(n) + annotated(n); }
int use_again(int n) { return twice(n * 3); }
int (*address(void))(int) { return twice; }
";

const CXX: &str = "int g(int);
struct item { int n; item(int n); virtual ~item() { g(n); } };
static inline int helper(int n) { return g(n); }
#pragma loom candidate
inline int unused(int n) { item it(n); static int count; return helper(n) + count++; }
#pragma loom candidate
inline int used(int n) {
#pragma loom candidate
  for (int i = 0; i < n; i++) g(i);
  return n;
}
#pragma loom candidate
static int thrown(int n) { if (n) throw n; return n; }
#pragma loom candidate
constexpr int folded(int n) { return n * 2; }
int use(int n) { return used(n) + thrown(n) + folded(3); }
";

const OPTIONS: [&str; 8] = [
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-Os",
    "-Oz",
    "-O2 -fPIC -g",
    "-O2 -ffunction-sections",
];

/// What the hints keep is in the payload, nothing of it in the object.
#[test]
fn objects_are_those_of_the_twin() {
    for (name, source) in [("unit.c", C), ("unit.cc", CXX)] {
        let sandbox = Sandbox::new();
        for options in OPTIONS {
            compile(&sandbox, name, source, options);
            assert_eq!(
                symbols(&sandbox, "hinted"),
                symbols(&sandbox, "twin"),
                "{name} {options}"
            );
            assert!(
                code(&sandbox, "hinted") == code(&sandbox, "twin"),
                "{name} {options}: other code"
            );
            let text = payload_text(&sandbox, "hinted/made.o");
            let found = hints(&text).len();
            assert_eq!(
                found,
                source.matches(super::cases::PRAGMA).count(),
                "{name} {options}"
            );
        }
    }
}

/// Also the modules that are objects for link-time optimization.
#[test]
fn modules_for_links_are_those_of_the_twin() {
    for (name, source) in [("unit.c", C), ("unit.cc", CXX)] {
        let sandbox = Sandbox::new();
        for options in ["-flto", "-O2 -flto=thin", "-O2 -flto -ffat-lto-objects"] {
            compile(&sandbox, name, source, options);
            let names = |directory| {
                let symbols = symbols(&sandbox, directory);
                symbols
                    .iter()
                    .map(|it| it[17..].to_owned())
                    .collect::<BTreeSet<_>>()
            };
            assert_eq!(names("hinted"), names("twin"), "{name} {options}");
            let text = payload_text(&sandbox, "hinted/made.o");
            assert!(
                text.contains("!loom.candidate.temporary_retention"),
                "{name} {options}"
            );
        }
    }
}

/// The payload says which definitions the source would have had code generated for.
#[test]
fn the_payload_tells_temporaries_apart() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "unit.c", C, "-O2");
    let text = payload_text(&sandbox, "hinted/made.o");
    let required = |name: &str| {
        let definition = text
            .lines()
            .find(|it| it.starts_with("define") && it.contains(&format!("@{name}(")));
        let definition = definition.unwrap_or_else(|| panic!("no {name} in\n{text}"));
        let node = definition
            .split("!loom.candidate.temporary_retention ")
            .nth(1)?
            .split(' ')
            .next()?;
        let line = text.lines().find(|it| it.starts_with(&format!("{node} = ")))?;
        Some(line.contains("i1 true"))
    };
    assert_eq!(required("unused"), Some(false));
    assert_eq!(required("once"), Some(true));
    assert_eq!(required("twice"), Some(true));
    assert_eq!(required("kept"), None);
    assert_eq!(required("use"), None);
    let used = text
        .lines()
        .find(|it| it.starts_with("@llvm.compiler.used"))
        .unwrap_or_default();
    for name in ["unused", "once", "twice", "annotated", "kept"] {
        assert!(used.contains(&format!("@{name}")), "{used}");
    }
}

/// Assembly is not an object with a payload, so nothing stays for it; a module as text keeps all.
#[test]
fn assembly_keeps_nothing() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "unit.c", C, "-O1");
    sandbox.succeed(
        Compiler::Loom,
        "for d in hinted twin; do (cd $d; $CC -w -O2 -S unit.c -o out.s; $CC -w -O2 -S -emit-llvm unit.c -o out.ll); done",
    );
    assert!(sandbox.read("hinted/out.s") == sandbox.read("twin/out.s"));
    let text = String::from_utf8(sandbox.read("hinted/out.ll")).expect("it is text");
    assert!(
        text.contains("define internal") && text.contains("@unused("),
        "{text}"
    );
    // An external assembler makes an object of it, with the payload.
    sandbox.succeed(
        Compiler::Loom,
        "cd hinted && $CC -w -O2 -fno-integrated-as -c unit.c -o made.o",
    );
    let text = payload_text(&sandbox, "hinted/made.o");
    assert!(text.contains("@unused("), "{text}");
}

/// Inlining copies code, not the function's hint; the copies keep the chain of places they come from.
#[test]
fn inline_copies_have_no_function_hint() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "unit.c", C, "-O2 -g");
    let text = payload_text(&sandbox, "hinted/made.o");
    let carriers = text
        .lines()
        .filter(|it| it.contains(" !loom.candidate.function "));
    assert_eq!(
        carriers.count(),
        C.matches("candidate\nstatic").count() + 2,
        "{text}"
    );
    assert!(text.contains("inlinedAt: "), "{text}");
}

/// Without optimization and with it, equal bytes from run to run, and from a worker.
#[test]
fn payloads_are_reproducible() {
    let sandbox = Sandbox::new();
    for options in ["-O0", "-O2 -g"] {
        compile(&sandbox, "unit.c", C, options);
        let first = sandbox.read("hinted/made.o");
        compile(&sandbox, "unit.c", C, options);
        assert!(first == sandbox.read("hinted/made.o"), "{options}");
        let worker = crate::driver::Worker::start();
        let reply = worker.compile(
            &sandbox.path("hinted"),
            &format!("{options} -w -c unit.c -o made.o"),
        );
        assert_eq!(reply.exit_status, 0, "{}", reply.rendered);
        let object = reply.object.expect("there is an object");
        assert!(
            object.bytes() == &first[..],
            "{options}: the worker's object differs"
        );
    }
}
