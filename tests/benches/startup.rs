//! What a start costs: `loom-format --help` and the front of `loom-cc` up to the engine, against a Rust hello world.
//!
//! Method: 21 interleaved pairs of whole runs, from spawning the process to its exit, and the median of the 21
//! differences. For `loom-format` a pair is (the tool, hello world). For `loom-cc` the hello world also plays the
//! engine, so a pair is (front that becomes hello world, hello world): the difference is all that the front adds to
//! the program it becomes, its own loading included, and so an upper bound of what it costs beyond a hello world.
//!
//! Figures are printed, never asserted. U is the time to SHA-256 one MiB in the same run.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark runs real processes and reads the clock"
)]

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use loom_tests::built;
use loom_tests::measure::median;
use loom_tests::stage::Stage;
use sha2::{Digest, Sha256};

const PAIRS: usize = 21;
const GOAL: f64 = 2.0;

fn main() {
    let stage = Stage::new();
    let unit = unit();
    println!("start-up, {PAIRS} interleaved pairs, medians; U = {:.2} ms", unit);
    let hello = || Command::new(stage.hello());
    let help = || {
        let mut command = Command::new(built::tool("loom-format"));
        command.arg("--help");
        command
    };
    report("loom-format --help", unit, pairs(&help, &hello));
    report("loom-cc up to the engine", unit, pairs(&|| stage.front(), &hello));
}

fn report(name: &str, unit: f64, pairs: Vec<(f64, f64)>) {
    let run = median(pairs.iter().map(|pair| pair.0).collect());
    let hello = median(pairs.iter().map(|pair| pair.1).collect());
    let more = median(pairs.iter().map(|pair| pair.0 - pair.1).collect());
    let verdict = if more <= GOAL { "within" } else { "beyond" };
    println!(
        "{name}: {run:.2} ms, hello world {hello:.2} ms, difference {more:.2} ms = {:.2} U ({verdict} the goal of \
         {GOAL} ms)",
        more / unit
    );
}

/// Milliseconds of both commands, run in turn. The first runs only fill the system's caches.
fn pairs(one: &dyn Fn() -> Command, other: &dyn Fn() -> Command) -> Vec<(f64, f64)> {
    for _ in 0..3 {
        run(one());
        run(other());
    }
    (0..PAIRS).map(|_| (run(one()), run(other()))).collect()
}

fn run(mut command: Command) -> f64 {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit());
    let started = Instant::now();
    let status = command.status().expect("the tool can be started");
    let taken = started.elapsed();
    assert!(status.success(), "{command:?}: {status}");
    milliseconds(taken)
}

fn unit() -> f64 {
    let block = vec![0x5a; 1 << 20];
    let hash = || {
        let started = Instant::now();
        black_box(Sha256::digest(black_box(&block)));
        milliseconds(started.elapsed())
    };
    median((0..PAIRS).map(|_| hash()).collect())
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
