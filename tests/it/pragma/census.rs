//! What the optimizer does to hinted loops: kept, cloned or erased, and by which pass. Nothing is repaired, nothing
//! picks among clones, and the manifests name all candidates whatever became of their loops.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use expect_test::expect_file;

use super::cases::{loops_with, payload_text};
use super::corpus::{Kind, source};
use crate::driver::{Compiler, Sandbox};

const LEVELS: [&str; 7] = ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-O2 -flto"];

/// What passes are counted as; all others are counted by their names.
const CAUSES: [(&str, &[&str]); 4] = [
    (
        "inlining",
        &[
            "InlinerPass",
            "ModuleInlinerPass",
            "AlwaysInlinerPass",
            "PartialInlinerPass",
        ],
    ),
    (
        "unrolling",
        &["LoopUnrollPass", "LoopFullUnrollPass", "LoopUnrollAndJamPass"],
    ),
    ("vectorizing", &["LoopVectorizePass"]),
    ("unswitching", &["SimpleLoopUnswitchPass"]),
];

/// How many loops of a module carry each hint.
fn counts(module: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in module.lines().filter(|it| it.starts_with('!')) {
        if let Some(payload) = line.split("!\"llvm.loop.loom.candidate\", !\"").nth(1) {
            let payload = payload.split('"').next().unwrap_or_default();
            *counts.entry(payload.to_owned()).or_default() += loops_with(module, line);
        }
    }
    counts
}

/// The hints in the manifests of a module.
fn manifest(module: &str) -> BTreeSet<String> {
    let nodes: BTreeSet<_> = module
        .lines()
        .filter(|it| it.starts_with("define"))
        .filter_map(|it| it.split("!loom.candidate.loops ").nth(1))
        .filter_map(|it| it.split(' ').next())
        .collect();
    let mut hints = BTreeSet::new();
    for line in module.lines().filter(|it| it.starts_with('!')) {
        if nodes.contains(line.split(' ').next().unwrap_or_default()) {
            hints.extend(
                line.split("!\"")
                    .skip(1)
                    .filter_map(|it| it.split('"').next())
                    .map(str::to_owned),
            );
        }
    }
    hints
}

/// One row of the census.
#[derive(Default)]
struct Row {
    kept: usize,
    cloned: usize,
    erased: usize,
    /// How often each cause made the number of loops with a hint larger.
    cloned_by: BTreeMap<String, usize>,
    /// How often each cause left no loop with a hint.
    erased_by: BTreeMap<String, usize>,
}

impl Row {
    /// Counts what became of the loops of one module.
    fn add(&mut self, all: &BTreeSet<String>, now: &BTreeMap<String, usize>) {
        for hint in all {
            match now.get(hint).copied().unwrap_or(0) {
                0 => self.erased += 1,
                1 => self.kept += 1,
                _ => self.cloned += 1,
            }
        }
    }

    /// Reads what LLVM prints after each pass that changed a module. After a pass that deleted the loop it worked on it
    /// prints only that, and then the same of the managers around it; what the next module shows is put down to the
    /// pass.
    fn trace(&mut self, printed: &str, all: &BTreeSet<String>) {
        let mut before: BTreeMap<String, usize> = all.iter().map(|it| (it.clone(), 1)).collect();
        let mut deleted = None;
        for part in printed.split("*** IR ") {
            let heading = part.lines().next().unwrap_or_default();
            if let Some(rest) = heading.strip_prefix("Pass ") {
                if rest.contains(" invalidated ") && !is_around_others(&pass(rest)) {
                    deleted.get_or_insert(pass(rest));
                }
                continue;
            }
            let Some(rest) = heading.strip_prefix("Dump After ") else {
                continue;
            };
            if rest.contains(" omitted because ") || rest.contains(" filtered out ") {
                continue;
            }
            let cause = cause(&deleted.take().unwrap_or_else(|| pass(rest)));
            let now = counts(part);
            for (hint, count) in &mut before {
                let new = now.get(hint).copied().unwrap_or(0);
                if new > *count {
                    *self.cloned_by.entry(cause.clone()).or_default() += 1;
                } else if new == 0 && *count > 0 {
                    *self.erased_by.entry(cause.clone()).or_default() += 1;
                }
                *count = new;
            }
        }
    }

    fn show(&self, level: &str, table: &mut String) {
        let total = self.kept + self.cloned + self.erased;
        let (kept, cloned, erased) = (self.kept, self.cloned, self.erased);
        let _ = writeln!(
            table,
            "{level}: {total} candidate loops, {kept} kept, {cloned} cloned, {erased} erased"
        );
        let list = |by: &BTreeMap<String, usize>| {
            let known = CAUSES.iter().map(|(cause, _)| (*cause).to_owned());
            let others = by
                .keys()
                .filter(|it| CAUSES.iter().all(|(cause, _)| it != cause))
                .cloned();
            let counts = known
                .chain(others)
                .map(|it| format!("{it} {}", by.get(&it).copied().unwrap_or(0)));
            counts.collect::<Vec<_>>().join(", ")
        };
        let _ = writeln!(table, "    cloned by {}", list(&self.cloned_by));
        let _ = writeln!(table, "    erased by {}", list(&self.erased_by));
    }
}

/// The name at the beginning of a heading.
fn pass(heading: &str) -> String {
    let name = heading.trim_start_matches("(anonymous namespace)::");
    name.split([' ', '<']).next().unwrap_or_default().to_owned()
}

/// Whether a pass only runs others.
fn is_around_others(pass: &str) -> bool {
    ["PassManager", "PassAdaptor"].iter().any(|it| pass.ends_with(it))
}

fn cause(pass: &str) -> String {
    let known = CAUSES.iter().find(|(_, passes)| passes.contains(&pass));
    let own = pass.rsplit("::").next().unwrap_or(pass).trim_end_matches("Pass");
    known.map_or_else(|| own.to_owned(), |(cause, _)| (*cause).to_owned())
}

/// The table of `files` sources of so many programs each.
fn census(files: u64, programs: usize) -> String {
    let sandbox = Sandbox::new();
    let mut table = String::new();
    for level in LEVELS {
        let mut row = Row::default();
        for seed in 100..100 + files {
            let source = source(Kind::C, seed, programs);
            sandbox.write("unit.c", &source);
            sandbox.succeed(Compiler::Loom, &format!("$CC {level} -w -c unit.c -o made.o"));
            let module = payload_text(&sandbox, "made.o");
            // Every candidate loop of the source is in a manifest, whatever became of it, and nothing else is.
            let all = manifest(&module);
            assert_eq!(
                all.len(),
                source.matches("  #pragma loom candidate\n").count(),
                "{level} {seed}"
            );
            let now = counts(&module);
            assert!(now.keys().all(|it| all.contains(it)), "{level} {seed}");
            row.add(&all, &now);
            if level != "-O0" {
                let script = format!(
                    "$CC {level} -w -emit-llvm -S unit.c -o made.ll -mllvm -print-changed -mllvm -print-module-scope"
                );
                let output = sandbox.succeed(Compiler::Loom, &script);
                row.trace(&String::from_utf8_lossy(&output.stderr), &all);
            }
        }
        row.show(level, &mut table);
    }
    println!("{table}");
    table
}

#[test]
fn after_every_pipeline() {
    expect_file!["../../../testdata/pragma/census.golden"].assert_eq(&census(4, 5));
}

#[test]
#[ignore = "test-full: 2,000 programs at seven levels, each pass of each looked at"]
fn of_2000_programs() {
    let table = census(400, 5);
    for (cause, _) in CAUSES {
        let mut clones = table.lines().filter(|it| it.contains(" cloned by "));
        assert!(
            clones.any(|it| !it.contains(&format!("{cause} 0"))),
            "{cause} cloned nothing"
        );
    }
}
