//! The same module gives the same bytes.

use super::raise;
use crate::driver::{Compiler, Sandbox};

#[test]
fn text_does_not_depend_on_run_or_threads() {
    let sandbox = Sandbox::new();
    sandbox.write("features.c", include_str!("../../../testdata/raise/features.c"));
    sandbox.succeed(
        Compiler::Clang,
        "clang-22 -O1 -g -emit-llvm -c features.c -o linked.bc",
    );
    raise(&sandbox, "linked.bc", "");
    let (first, report) = (sandbox.read("s0.mlir"), sandbox.read("report.json"));
    for run in 0..20 {
        let threads = if run % 2 == 0 { "" } else { "--threads" };
        raise(&sandbox, "linked.bc", threads);
        assert!(sandbox.read("s0.mlir") == first, "run {run} {threads}");
        assert!(sandbox.read("report.json") == report, "run {run} {threads}");
    }
}

/// Bytecode is the same module.
#[test]
fn bytecode_reads_back_as_the_text() {
    let sandbox = Sandbox::new();
    sandbox.write("features.c", include_str!("../../../testdata/raise/features.c"));
    sandbox.succeed(
        Compiler::Clang,
        "clang-22 -O1 -emit-llvm -c features.c -o linked.bc",
    );
    raise(&sandbox, "linked.bc", "--no-locations");
    sandbox.succeed(
        Compiler::Clang,
        "/usr/lib/llvm-22/bin/mlir-opt s0.mlir -o from-text.mlir",
    );
    raise(&sandbox, "linked.bc", "--no-locations --to=bytecode");
    assert!(sandbox.read("s0.mlir").starts_with(b"ML\xefR"));
    sandbox.succeed(
        Compiler::Clang,
        "/usr/lib/llvm-22/bin/mlir-opt s0.mlir -o from-bytecode.mlir",
    );
    assert!(sandbox.read("from-text.mlir") == sandbox.read("from-bytecode.mlir"));
}
