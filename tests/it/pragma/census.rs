//! What the optimizer does to hinted loops: kept, cloned or erased, and by which pass. Nothing is repaired, and the
//! manifest of every function names all its candidates whatever became of their loops.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use expect_test::{ExpectFile, expect_file};

use super::cases::{loops_with, payload_text};
use super::corpus::{Kind, source};
use crate::driver::{Compiler, Sandbox};

const LEVELS: [&str; 7] = ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-O2 -flto"];

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
    /// How often each pass made the number of loops with a hint larger, or zero.
    by: BTreeMap<String, (usize, usize)>,
}

/// Reads the modules that LLVM prints after each pass that changed one.
fn trace(row: &mut Row, dumps: &str, all: &BTreeSet<String>) {
    let mut before: BTreeMap<String, usize> = all.iter().map(|it| (it.clone(), 1)).collect();
    for dump in dumps.split("*** IR Dump ") {
        let Some(pass) = dump
            .strip_prefix("After ")
            .and_then(|it| it.split([' ', '<']).next())
        else {
            continue;
        };
        let now = counts(dump);
        for (hint, count) in &mut before {
            let new = now.get(hint).copied().unwrap_or(0);
            let by = row.by.entry(pass.to_owned()).or_default();
            if new > *count {
                by.0 += 1;
            } else if new == 0 && *count > 0 {
                by.1 += 1;
            }
            *count = new;
        }
    }
    row.by.retain(|_, (cloned, erased)| *cloned + *erased > 0);
}

fn census(files: u64, expected: ExpectFile) {
    let sandbox = Sandbox::new();
    let mut table = String::new();
    for level in LEVELS {
        let mut row = Row::default();
        for seed in 100..100 + files {
            sandbox.write("unit.c", &source(Kind::C, seed, 5));
            sandbox.succeed(Compiler::Loom, &format!("$CC {level} -w -c unit.c -o made.o"));
            let module = payload_text(&sandbox, "made.o");
            let all = manifest(&module);
            let markers = module.matches("!\"loom.candidate.loop.1.0|").count();
            assert!(all.len() > 3 && markers >= all.len(), "{level} {seed}");
            let now = counts(&module);
            for hint in &all {
                match now.get(hint).copied().unwrap_or(0) {
                    0 => row.erased += 1,
                    1 => row.kept += 1,
                    _ => row.cloned += 1,
                }
            }
            // Every property is of a candidate that a manifest names: all definitions with one stay.
            assert!(now.keys().all(|it| all.contains(it)), "{level} {seed}");
            if level != "-O0" {
                let output = sandbox.succeed(
                    Compiler::Loom,
                    &format!(
                        "$CC {level} -w -emit-llvm -S unit.c -o made.ll -mllvm -print-changed=quiet -mllvm -print-module-scope"
                    ),
                );
                trace(&mut row, &String::from_utf8_lossy(&output.stderr), &all);
            }
        }
        let total = row.kept + row.cloned + row.erased;
        let _ = writeln!(
            table,
            "{level}: {total} candidate loops, {} kept, {} cloned, {} erased",
            row.kept, row.cloned, row.erased
        );
        for (pass, (cloned, erased)) in &row.by {
            let _ = writeln!(table, "    {pass}: cloned {cloned}, erased {erased}");
        }
    }
    println!("{table}");
    expected.assert_eq(&table);
}

#[test]
fn after_every_pipeline() {
    census(3, expect_file!["../../../testdata/pragma/census.golden"]);
}
