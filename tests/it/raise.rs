//! `loom raise` on real modules: what is lifted, what is left, and that what comes back behaves as before.

mod behaviour;
mod determinism;
mod envelope;
mod generated;
mod hints;
mod programs;
mod refusals;

use serde_json::Value;

use crate::driver::{Compiler, Sandbox};
use crate::payload::loom;

/// Raises `module` of the working directory to `s0.mlir` and returns the report. Fails with the messages if that
/// fails.
#[track_caller]
fn raise(sandbox: &Sandbox, module: &str, options: &str) -> Value {
    let ran = loom(
        sandbox,
        &format!("raise {module} -o s0.mlir --report=json --report-output=report.json {options}"),
    );
    assert_eq!(ran.status, 0, "{module} {options}: {}", ran.stderr);
    serde_json::from_slice(&sandbox.read("report.json")).expect("the report is JSON")
}

/// Lowers `module` again into `lowered.bc`, and returns what the programs made of both print.
#[track_caller]
fn run_both(sandbox: &Sandbox, module: &str, level: &str) -> [Vec<u8>; 2] {
    let ran = loom(sandbox, &format!("raise {module} --lower -o lowered.bc"));
    assert_eq!(ran.status, 0, "{module}: {}", ran.stderr);
    let run = |module: &str| {
        let script = format!(
            "clang++-22 {level} -Wno-override-module {module} -o program -lm && ./program; echo \"status $?\""
        );
        sandbox.succeed(Compiler::Clang, &script).stdout
    };
    [run(module), run("lowered.bc")]
}

/// `text [state reason]` for each function of a report that is not lifted.
fn unlifted(report: &Value) -> Vec<String> {
    let functions = report["functions"].as_array().expect("functions are a list");
    functions
        .iter()
        .filter(|it| it["reason"] != "")
        .map(|it| {
            let text = |field: &str| it[field].as_str().unwrap_or_default().to_owned();
            format!("{}: {} ({})", text("name"), text("state"), text("reason"))
        })
        .collect()
}
