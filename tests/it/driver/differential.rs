//! The combinations of testdata/driver/combinations.txt, each run through clang-22 and `loom-cc`: streams, exit
//! status and the files left behind are equal, objects and linked outputs after Loom's sections are removed.

mod difference;
mod table;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Compiler, Sandbox, payloads_of};
use crate::tidy::workspace::root;
use difference::{Run, differences};
use table::{Combination, Payload, combinations};

/// The whole test takes two cores.
const THREADS: usize = 2;

#[test]
fn loom_cc_behaves_as_clang() {
    let combinations = table();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let sandbox = Sandbox::new();
                while let Some(combination) = combinations.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = judge(&sandbox, combination);
                    if !found.is_empty() {
                        let report = format!("{}\n    {}", combination.command, found.join("\n    "));
                        failures
                            .lock()
                            .expect("no thread panicked")
                            .push((combination.line, report));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panicked");
    failures.sort();
    let reports: Vec<_> = failures
        .into_iter()
        .map(|(line, report)| format!("line {line}: {report}"))
        .collect();
    assert!(
        reports.is_empty(),
        "{} of {} combinations differ:\n{}",
        reports.len(),
        combinations.len(),
        reports.join("\n")
    );
}

#[test]
fn the_table_has_what_the_test_promises() {
    let combinations = table();
    assert!(
        combinations.len() >= 200,
        "only {} combinations",
        combinations.len()
    );
    let with_payload = combinations
        .iter()
        .filter(|it| matches!(it.payload, Payload::Expected(_)));
    assert!(
        with_payload.count() >= 60,
        "too few combinations make an object with a payload"
    );
    let mut commands: Vec<_> = combinations.iter().map(|it| &it.command).collect();
    commands.sort();
    commands.dedup();
    assert_eq!(
        commands.len(),
        combinations.len(),
        "a combination stands there twice"
    );
}

fn table() -> Vec<Combination> {
    let path = root().join("testdata/driver/combinations.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    combinations(&text)
}

/// What differs between the two compilers on one combination, and what is wrong with the payloads.
fn judge(sandbox: &Sandbox, combination: &Combination) -> Vec<String> {
    let clang = run(sandbox, Compiler::Clang, combination);
    let loom = run(sandbox, Compiler::Loom, combination);
    let mut found = differences(&clang, &loom);
    // The files of Loom's run are still there.
    found.extend(payload_faults(sandbox, combination));
    found
}

/// Fails unless both compilers do the same on `command`; payloads are not looked at.
#[track_caller]
pub fn same(command: &str) {
    same_in(&Sandbox::new(), command, &[]);
}

/// As [`same`], with these files beside the inputs.
#[track_caller]
pub fn same_in(sandbox: &Sandbox, command: &str, files: &[(&str, &str)]) {
    let [clang, loom] = [Compiler::Clang, Compiler::Loom].map(|compiler| {
        sandbox.fill();
        for (name, text) in files {
            sandbox.write(name, text);
        }
        Run {
            output: sandbox.run(compiler, command),
            files: sandbox.files(),
        }
    });
    let found = differences(&clang, &loom);
    assert!(found.is_empty(), "{command}\n    {}", found.join("\n    "));
}

fn run(sandbox: &Sandbox, compiler: Compiler, combination: &Combination) -> Run {
    sandbox.fill();
    let output = sandbox.run(compiler, &combination.command);
    Run {
        output,
        files: sandbox.files(),
    }
}

fn payload_faults(sandbox: &Sandbox, combination: &Combination) -> Vec<String> {
    let objects = match &combination.payload {
        Payload::Any => return Vec::new(),
        Payload::None => {
            let holding = objects_with_payload(sandbox).into_iter();
            return holding
                .map(|it| format!("{it} has a payload, none was expected"))
                .collect();
        }
        Payload::Expected(objects) => objects,
    };
    let mut faults = Vec::new();
    for object in objects {
        match payloads_of(&sandbox.path(object)) {
            Ok(payloads) if payloads.len() == 1 => {}
            Ok(payloads) => faults.push(format!("{object} has {} payloads", payloads.len())),
            Err(error) => faults.push(format!("{object}: {error}")),
        }
    }
    faults
}

/// The files that hold a payload frame, found by its magic wherever it stands.
fn objects_with_payload(sandbox: &Sandbox) -> Vec<String> {
    let files = sandbox.files().into_iter();
    let holding = files.filter(|(_, entry)| match entry {
        super::sandbox::Entry::File { content, .. } => content.windows(8).any(|it| it == b"LOOMPAY1"),
        _ => false,
    });
    holding.map(|(name, _)| name).collect()
}

#[test]
fn a_difference_is_noticed() {
    let sandbox = Sandbox::new();
    let of = |command: &str, compiler| {
        let line = format!("none | {command}");
        run(&sandbox, compiler, &combinations(&line)[0])
    };
    let clang = of("$CC -c plain.c -o out.o", Compiler::Clang);
    for other in [
        "$CC -O1 -c plain.c -o out.o",
        "$CC -c plain.c -o other.o",
        "$CC -c plain.c -o out.o; echo >&2 noise",
        "$CC -c plain.c -o out.o; echo noise",
        "$CC -c plain.c -o out.o; exit 3",
        "$CC -c plain.c -o out.o; chmod +x out.o",
        "$CC -c plain.c -o out.o; touch $TMPDIR/left",
    ] {
        assert_ne!(
            differences(&clang, &of(other, Compiler::Clang)),
            Vec::<String>::new(),
            "{other}"
        );
    }
    let same = differences(&clang, &of("$CC -c plain.c -o out.o", Compiler::Loom));
    assert_eq!(same, Vec::<String>::new());
    assert!(Path::new(&sandbox.path("out.o")).is_file());
}
