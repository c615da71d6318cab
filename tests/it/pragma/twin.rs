//! A hint binds nothing: code and results are those of the unhinted twin.

use super::cases::{PRAGMA, compile, twin};
use super::corpus::{Kind, source};
use crate::driver::{Compiler, Sandbox};

const LEVELS: [&str; 7] = ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-O0 -g"];

/// Puts `source` and its twin under one name into two directories, so that no path tells them apart.
fn write(sandbox: &Sandbox, name: &str, source: &str) {
    sandbox.succeed(Compiler::Loom, "mkdir -p hinted twin");
    sandbox.write(&format!("hinted/{name}"), source);
    sandbox.write(&format!("twin/{name}"), &twin(source));
}

/// Compiles both to assembly at `level` and returns where they differ first.
fn difference(sandbox: &Sandbox, name: &str, level: &str) -> Option<String> {
    let compiler = if name.ends_with(".c") { "$CC" } else { "$CXX" };
    sandbox.succeed(
        Compiler::Loom,
        &format!(
            "for d in hinted twin; do (cd $d; {compiler} {level} -S {name} -o out.s -fdebug-prefix-map=$PWD=here); done"
        ),
    );
    let lines = |directory: &str| {
        let text = String::from_utf8(sandbox.read(&format!("{directory}/out.s"))).expect("assembly is text");
        // DWARF names a source by its digest, too.
        let lines = text.lines().filter(|line| !line.contains("\t.file\t"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let (hinted, plain) = (lines("hinted"), lines("twin"));
    if hinted == plain {
        return None;
    }
    let at = hinted.iter().zip(&plain).position(|(left, right)| left != right);
    let at = at.unwrap_or_else(|| hinted.len().min(plain.len()));
    Some(format!(
        "{level}, line {at}: {:?} instead of {:?}",
        hinted.get(at),
        plain.get(at)
    ))
}

/// The same assembly at all `levels` from `files` sources of 20 programs each.
fn same_assembly(kind: Kind, levels: &[&str], files: u64) {
    let sandbox = Sandbox::new();
    let name = if kind == Kind::Cxx { "unit.cc" } else { "unit.c" };
    let mut hints = 0;
    for seed in 0..files {
        let source = source(kind, seed, 20);
        hints += source.matches(PRAGMA).count();
        write(&sandbox, name, &source);
        for level in levels {
            let difference = difference(&sandbox, name, level);
            assert!(difference.is_none(), "{kind:?} {seed}: {difference:?}\n{source}");
        }
    }
    println!(
        "{kind:?}: {} programs with {hints} hints, the same assembly at {levels:?}",
        files * 20
    );
    assert!(hints as u64 > files * 20);
}

/// What the program prints, compiled at `level`.
fn results(sandbox: &Sandbox, directory: &str, level: &str) -> Vec<u8> {
    sandbox
        .succeed(
            Compiler::Loom,
            &format!("cd {directory}; $CC {level} -w unit.c -o program && ./program"),
        )
        .stdout
}

fn same_results(kind: Kind, files: u64) {
    let sandbox = Sandbox::new();
    for seed in 0..files {
        let source = source(kind, seed, 20);
        write(&sandbox, "unit.c", &source);
        let expected = results(&sandbox, "twin", "-O0");
        assert!(
            expected.iter().filter(|it| **it == b'\n').count() == 21,
            "{source}"
        );
        for level in ["-O0", "-O2"] {
            let hinted = results(&sandbox, "hinted", level);
            assert!(hinted == expected, "{kind:?} {seed} {level}\n{source}");
        }
    }
    println!(
        "{kind:?}: {} programs with the same results at -O0 and -O2",
        files * 20
    );
}

#[test]
fn assembly_of_c() {
    same_assembly(Kind::C, &LEVELS, 6);
}

#[test]
fn assembly_of_cxx() {
    same_assembly(Kind::Cxx, &LEVELS, 3);
}

/// Loops without a node of clang's own: always without optimization.
#[test]
fn assembly_of_bare_loops() {
    same_assembly(Kind::BareC, &["-O0", "-O0 -g"], 3);
}

#[test]
#[ignore = "test-full: 14,000 compiles"]
fn assembly_of_2000_programs() {
    same_assembly(Kind::C, &LEVELS, 70);
    same_assembly(Kind::Cxx, &LEVELS, 20);
    same_assembly(Kind::BareC, &["-O0", "-O0 -g"], 10);
}

#[test]
fn results_of_programs() {
    same_results(Kind::C, 6);
    same_results(Kind::BareC, 4);
}

#[test]
#[ignore = "test-full: 2,000 programs run at two levels"]
fn results_of_2000_programs() {
    same_results(Kind::C, 70);
    same_results(Kind::BareC, 30);
}

/// A known limit (decision 14): where clang gives a loop no node of its own, LLVM's SimplifyCFG reacts to the mere
/// presence of one.
#[test]
fn a_bare_loop_is_the_known_limit() {
    let source = "int g(int);
void f(int n) {
#pragma loom candidate
  for (;;) {
    if (g(n)) { if (g(n + 1)) continue_here(n); }
  }
}
";
    let source = source.replace("continue_here(n)", "g(3)");
    assert_eq!(compile("c", "-O2", &source).status, Some(0));
    let sandbox = Sandbox::new();
    write(&sandbox, "unit.c", &source);
    assert_eq!(difference(&sandbox, "unit.c", "-O0"), None);
}

/// Names that LLVM numbers are numbered as without the hint's own strings.
#[test]
fn names_are_those_of_the_twin() {
    let sandbox = Sandbox::new();
    let source = "int printf(const char *, ...);
__attribute__((annotate(\"mine\"))) int annotated(int n) { return n; }
#pragma loom candidate
int f(int n) {
  static int seen;
  printf(\"first\\n\");
#pragma loom candidate
  while (n--) { static int seen = 3; printf(\"second %d\\n\", seen += n); printf(\"third\\n\"); }
  printf(\"fourth\\n\");
  return seen += printf(\"fifth %d\\n\", n);
}
";
    write(&sandbox, "unit.c", source);
    for level in LEVELS {
        assert_eq!(difference(&sandbox, "unit.c", level), None);
    }
}
