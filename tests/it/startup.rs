//! What the tools do before they do anything: a front and a pure tool start like a hello world.
//!
//! Times belong to `make bench` (benches/startup.rs). Here is what can be counted, and what a time that grew would
//! come from: system calls, libraries and other files, children, instructions.

use std::process::Command;

use loom_tests::built;
use loom_tests::stage::Stage;

/// System calls that a front may make beyond those of a hello world. Of the 41 that `loom-format --help` makes, 15 are
/// its allocator's and 20 write the help.
const MORE_CALLS: usize = 48;

/// Instructions that `loom-format --help` may take beyond those of a hello world: about a millisecond.
const MORE_INSTRUCTIONS: u64 = 4_000_000;

#[test]
fn loom_cc_becomes_the_engine_at_once() {
    let stage = Stage::new();
    let hello = traced(&Command::new(stage.hello()));
    let mut calls = traced(&stage.front());

    let handed_over = calls.iter().skip(1).position(|call| call.starts_with("execve("));
    let handed_over = handed_over.expect("the front executes loom-engine") + 1;
    assert!(
        calls[handed_over].contains("/loom-engine\""),
        "{}",
        calls[handed_over]
    );
    assert!(calls[handed_over].ends_with("= 0"), "{}", calls[handed_over]);
    calls.truncate(handed_over);
    assert_like_hello(&calls, &hello);
}

#[test]
fn the_engine_sees_the_arguments_of_the_front() {
    let stage = Stage::new();
    let calls = traced(&stage.front());
    let engine = calls
        .iter()
        .find(|call| call.starts_with("execve(") && call.contains("/loom-engine\""));
    let engine = engine.expect("the front executes loom-engine");
    assert!(engine.contains(r#""-c", "empty.c", "-o", "empty.o""#), "{engine}");
    let output = stage.front().output().expect("the front runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "Hello, world!\n",
        "the engine has the front's streams"
    );
}

#[test]
fn loom_format_starts_like_a_hello_world() {
    let stage = Stage::new();
    let mut help = Command::new(built::tool("loom-format"));
    help.arg("--help");
    assert_like_hello(&traced(&help), &traced(&Command::new(stage.hello())));
}

#[test]
#[ignore = "test-full: needs valgrind, which only its set-up installs"]
fn loom_format_takes_few_instructions_to_start() {
    let stage = Stage::new();
    let mut help = Command::new(built::tool("loom-format"));
    help.arg("--help");
    let (tool, hello) = (instructions(&help), instructions(&Command::new(stage.hello())));
    assert!(
        tool <= hello + MORE_INSTRUCTIONS,
        "{tool} instructions, a hello world takes {hello}"
    );
}

#[test]
fn a_child_and_a_thread_are_noticed() {
    let mut command = Command::new("sh");
    command.args(["-c", "(true); true"]);
    assert!(traced(&command).iter().any(|call| starts_something(call)));
}

#[track_caller]
fn assert_like_hello(calls: &[String], hello: &[String]) {
    assert!(
        calls.len() <= hello.len() + MORE_CALLS,
        "{} system calls, a hello world makes {}:\n{}",
        calls.len(),
        hello.len(),
        calls.join("\n")
    );
    let child = calls.iter().find(|call| starts_something(call));
    assert!(child.is_none(), "a child or thread: {child:?}");
}

fn starts_something(call: &str) -> bool {
    ["clone(", "clone3(", "fork(", "vfork("]
        .iter()
        .any(|name| call.starts_with(name))
}

/// The system calls of `command` in order, its own execve first.
fn traced(command: &Command) -> Vec<String> {
    let log = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut strace = Command::new("strace");
    strace
        .arg("-qq")
        .arg("-s256")
        .arg("-esignal=none")
        .arg("-o")
        .arg(log.path());
    under(&mut strace, command);
    let calls = std::fs::read_to_string(log.path()).expect("strace writes its log");
    let calls: Vec<_> = calls.lines().map(str::to_owned).collect();
    assert!(
        calls.first().is_some_and(|call| call.starts_with("execve(")),
        "strace saw no start"
    );
    calls
}

fn instructions(command: &Command) -> u64 {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let report = under(&mut valgrind, command);
    let collected = report.lines().find_map(|line| line.split_once("Collected : "));
    let (_, count) = collected.unwrap_or_else(|| panic!("valgrind counted nothing:\n{report}"));
    count.trim().parse().expect("valgrind prints a number")
}

/// Runs `command` under `watcher` and returns what both wrote to the error stream. Both must succeed.
fn under(watcher: &mut Command, command: &Command) -> String {
    watcher.arg(command.get_program()).args(command.get_args());
    if let Some(directory) = command.get_current_dir() {
        watcher.current_dir(directory);
    }
    for (name, value) in command.get_envs() {
        watcher.env(name, value.unwrap_or_default());
    }
    let name = watcher.get_program().display().to_string();
    let output = watcher
        .output()
        .unwrap_or_else(|error| panic!("{name} (installed by `make test`): {error}"));
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{name}: {}\n{report}", output.status);
    report
}
