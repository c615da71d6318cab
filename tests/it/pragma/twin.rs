//! A hint binds nothing: code and results are those of the unhinted twin.

use super::cases::{PRAGMA, twin};
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

fn name(kind: Kind) -> &'static str {
    if kind == Kind::Cxx { "unit.cc" } else { "unit.c" }
}

/// The same assembly at all `levels` from `files` sources of 20 programs each.
fn same_assembly(kind: Kind, levels: &[&str], files: u64) {
    let sandbox = Sandbox::new();
    let name = name(kind);
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
fn results(sandbox: &Sandbox, directory: &str, name: &str, level: &str) -> Vec<u8> {
    let compiler = if name.ends_with(".c") { "$CC" } else { "$CXX" };
    let script = format!("cd {directory}; {compiler} {level} -w {name} -o program && ./program");
    sandbox.succeed(Compiler::Loom, &script).stdout
}

fn same_results(kind: Kind, files: u64) {
    let sandbox = Sandbox::new();
    let name = name(kind);
    for seed in 0..files {
        let source = source(kind, seed, 20);
        write(&sandbox, name, &source);
        let expected = results(&sandbox, "twin", name, "-O0");
        assert!(
            expected.iter().filter(|it| **it == b'\n').count() == 21,
            "{source}"
        );
        for level in ["-O0", "-O2"] {
            let hinted = results(&sandbox, "hinted", name, level);
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
    same_assembly(Kind::Cxx, &LEVELS, 30);
    same_assembly(Kind::BareC, &["-O0", "-O0 -g"], 20);
}

#[test]
fn results_of_programs() {
    same_results(Kind::C, 4);
    same_results(Kind::Cxx, 2);
    same_results(Kind::BareC, 2);
}

#[test]
#[ignore = "test-full: 2,000 programs run at two levels"]
fn results_of_2000_programs() {
    same_results(Kind::C, 60);
    same_results(Kind::Cxx, 20);
    same_results(Kind::BareC, 20);
}

/// A known limit (decision 14): where clang gives a loop no node of its own, LLVM's SimplifyCFG reacts to the mere
/// presence of one. It keeps the block that closes the outer loop, which it would merge with the end of the inner one.
#[test]
fn a_bare_loop_is_the_known_limit() {
    let sandbox = Sandbox::new();
    let source = "unsigned memory[64];
void f(unsigned n) {
#pragma loom candidate
  for (;;) {
    memory[n % 64]++;
    unsigned k = 1;
    do k += 3; while (k < 14u);
  }
}
";
    write(&sandbox, "unit.c", source);
    for level in ["-O0", "-O0 -g", "-O1"] {
        assert_eq!(difference(&sandbox, "unit.c", level), None);
    }
    assert!(difference(&sandbox, "unit.c", "-O2").is_some());
    // With a node of clang's own the loop is like any other.
    write(
        &sandbox,
        "unit.c",
        &source.replace("  for (;;)", "#pragma clang loop interleave(disable)\n  for (;;)"),
    );
    for level in LEVELS {
        assert_eq!(difference(&sandbox, "unit.c", level), None);
    }
}

/// clang numbers the ways out of scopes that have something to clean up; the hint takes none of the numbers.
#[test]
fn ways_out_of_scopes_are_those_of_the_twin() {
    let sandbox = Sandbox::new();
    let c = "int g(int);
void leave(int *);
int f(int n) {
  for (int i = 0; i < n; i++) {
    __attribute__((cleanup(leave))) int outer = i;
#pragma loom candidate
    for (int j = 0; j < n; j++) {
      int held[j + 1];
      held[j] = g(j);
#pragma loom candidate
      while (held[j] > 3) {
        __attribute__((cleanup(leave))) int inner = j;
        if (g(inner) == 3) break;
        if (g(inner) == 4) return 5;
        if (g(inner) == 5) goto out;
        held[j]--;
      }
      if (g(held[0])) continue;
      if (g(held[j])) break;
      switch (held[j]) { case 3: { int more[j + 2]; if (g(more[0] = j)) break; return 9; } default: n--; }
    }
    if (g(outer)) break;
  }
out:
  return n;
}
";
    let cxx = "struct guard { guard(int); ~guard(); operator bool(); };
int g(int);
int f(int n) {
  guard all(n);
#pragma loom candidate
  for (guard each(n); n > 3; n--) {
    guard one(n);
    try {
#pragma loom candidate
      while (guard two = guard(n)) { if (g(1)) break; if (g(2)) throw n; if (g(3)) return 3; n -= g(guard(n)); }
    } catch (int) { if (g(4)) break; if (g(5)) continue; }
    if (g(6)) continue;
    if (g(7)) return 7;
  }
  int a[] = {1, 2, 3};
#pragma loom candidate
  for (int it : a) { guard held(it); if (g(it)) break; if (g(it + 1)) continue; if (g(it + 2)) return 1; }
  return n;
}
";
    for (name, source) in [("unit.c", c), ("unit.cc", cxx)] {
        write(&sandbox, name, source);
        for level in LEVELS {
            assert_eq!(difference(&sandbox, name, level), None, "{name}");
        }
    }
}

/// What clang evaluates while it generates code it evaluates with the hint, too.
#[test]
fn calls_are_folded_as_in_the_twin() {
    let sandbox = Sandbox::new();
    let source = "constexpr int sum(int n) {
  int s = 0;
#pragma loom candidate
  for (int i = 0; i <= n; i++) s += i;
  return s;
}
static_assert(sum(4) == 10, \"\");
int table[sum(3)], seen = sum(5);
int f(int n) {
  if (sum(2) == 4) return 1;
  switch (sum(3)) { case 6: n++; }
  return __builtin_constant_p(sum(7)) + n * sum(6);
}
";
    write(&sandbox, "unit.cc", source);
    for level in LEVELS {
        assert_eq!(difference(&sandbox, "unit.cc", level), None);
    }
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
