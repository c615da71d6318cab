//! A file without a candidate pays next to nothing for the pragma.

use std::path::Path;
use std::process::Command;

use loom_tests::built;

use super::cases::twin;
use super::corpus::{Kind, source};
use crate::driver::{Compiler, Sandbox};

/// Instructions that the engine executes for `arguments`, counted by callgrind.
fn instructions(sandbox: &Sandbox, arguments: &str) -> u64 {
    let engine = built::tool("loom-engine");
    let engine: &Path = &engine;
    let out = sandbox.path("callgrind.out");
    let status = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(engine)
        .args(["cc", "loom-cc"])
        .args(arguments.split(' '))
        .current_dir(sandbox.path(""))
        .output()
        .expect("valgrind runs (installed by `make test-full`)");
    assert!(
        status.status.success(),
        "{}",
        String::from_utf8_lossy(&status.stderr)
    );
    let text = std::fs::read_to_string(&out).expect("callgrind leaves its counts");
    let total = text.lines().find_map(|it| it.strip_prefix("totals: "));
    total
        .and_then(|it| it.trim().parse().ok())
        .expect("it counts instructions")
}

/// At most 1.01 of the instructions without the pragma's handler.
#[test]
#[ignore = "test-full: needs valgrind"]
fn files_without_candidates_pay_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("unit.c", &twin(&source(Kind::C, 1, 40)));
    sandbox.succeed(Compiler::Loom, "$CC -O1 -w -c unit.c -o made.o");
    for level in ["-O0", "-O2"] {
        let with = instructions(&sandbox, &format!("{level} -w -c unit.c -o made.o"));
        let without = instructions(
            &sandbox,
            &format!("-fno-loom-candidates {level} -w -c unit.c -o made.o"),
        );
        let ratio = with as f64 / without as f64;
        println!("{level}: {with} instructions with the pragma, {without} without, ratio {ratio:.5}");
        assert!(ratio <= 1.01, "{level}: {ratio}");
    }
}

/// The object of such a file is the same to the byte with and without the handler.
#[test]
fn files_without_candidates_have_the_same_objects() {
    let sandbox = Sandbox::new();
    for (name, compiler) in [
        ("plain.c", "$CC"),
        ("unit.cc", "$CXX"),
        ("omp.c", "$CC -fopenmp"),
        ("kernel.cl", "$CC"),
    ] {
        for options in ["-O0 -g", "-O2", "-O2 -flto=thin"] {
            sandbox.succeed(
                Compiler::Loom,
                &format!(
                    "{compiler} {options} -w -c {name} -o with.o && {compiler} -fno-loom-candidates {options} -w -c {name} -o without.o"
                ),
            );
            assert!(
                sandbox.read("with.o") == sandbox.read("without.o"),
                "{name} {options}"
            );
        }
    }
}
