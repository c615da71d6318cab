//! What a payload must keep, and what must not reach it (source integration, sections 5 and 7): one test for each
//! kind of fact, never a matrix.

mod annotations;
mod isolation;
mod normal_form;
mod profiles;
mod survival;

use std::process::Command;

use super::{Compiled, Compiler, Sandbox};

/// Compiles `source` with `options`; the payload holds each of `facts` (in LLVM's text), and it is the module that
/// clang-22 makes of the source, neither more nor less.
#[track_caller]
fn survives(options: &str, source: &str, facts: &[&str]) -> String {
    let payload = Compiled::new(options, source).text();
    for fact in facts {
        assert!(
            payload.contains(fact),
            "`{fact}` is not in the payload:\n{payload}"
        );
    }
    let clang = clang_module(options, source);
    assert_eq!(
        without_triple(&payload),
        without_triple(&clang),
        "the payload is not clang's module"
    );
    payload
}

/// The module clang-22 makes of `source`, as text without its first line, which names the file it was read from.
fn clang_module(options: &str, source: &str) -> String {
    let sandbox = Sandbox::new();
    let name = if options.contains("c++") {
        "unit.cc"
    } else {
        "unit.c"
    };
    sandbox.write(name, source);
    sandbox.succeed(
        Compiler::Clang,
        &format!("$CC {options} -emit-llvm -c {name} -o unit.bc"),
    );
    let output = Command::new("llvm-dis-22")
        .arg("-o=-")
        .arg(sandbox.path("unit.bc"))
        .output()
        .expect("llvm-dis-22 runs (installed by `make test`)");
    let text = String::from_utf8(output.stdout).expect("llvm-dis prints UTF-8");
    text.split_once('\n')
        .map(|(_, rest)| rest.to_owned())
        .unwrap_or_default()
}

/// The payload's triple is the canonical spelling; the remarks on predecessors follow the order of use-lists.
fn without_triple(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("target triple = "));
    let lines = lines.map(|line| line.split("; preds = ").next().unwrap_or_default().trim_end());
    lines.collect::<Vec<_>>().join("\n")
}
