//! What `loom-cc` costs beside `clang-22`: real libraries with and without payload, a trivial file, normalization.
//!
//! Method: user and system time of child processes (decision 33), from interleaved pairs, and the median of the pair
//! ratios. Workload Z is the 15 files of zlib's library and 33 of lua's, each with its own flags (decision 34).
//! Normalization and LLVM's parsing, verifying and writing run in turn in one process, which measures itself.
//!
//! Figures are printed, never asserted.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark runs real processes and reads what they cost"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use loom_tests::built;
use loom_tests::measure::{cpu_of, median, run};
use loom_tests::workload::{Unit, Workload, sources};
use tempfile::TempDir;

/// Pairs of a workload that takes seconds, and of one that takes a fraction of one.
const LONG: usize = 7;
const SHORT: usize = 21;

fn main() {
    let scratch = TempDir::new().expect("a temporary directory");
    let workload = Workload::unpack(scratch.path());
    println!(
        "loom-cc against clang-22, processor time, medians of interleaved pairs; workload Z has {} files",
        workload.units.len()
    );
    let plain = ["-fno-loom-payload"];
    for (level, with_payload) in [("-O2", 1.15), ("-O0", 1.4)] {
        let run = |compiler: &Path, flags: &[&str]| workload.compile(compiler, level, flags, &[]);
        let clang = || run(clang(), &[]);
        report(
            &format!("Z {level} without payload"),
            1.05,
            pairs(LONG, &|| run(&loom(), &plain), &clang),
        );
        report(
            &format!("Z {level} with payload"),
            with_payload,
            pairs(LONG, &|| run(&loom(), &[]), &clang),
        );
    }
    let trivial = scratch.path().join("trivial.c");
    std::fs::write(&trivial, "int main(void) { return 0; }\n").expect("a file can be written");
    let compile = |compiler: &Path| {
        let unit = Unit {
            directory: scratch.path().to_owned(),
            source: trivial.clone(),
            flags: Vec::new(),
        };
        cpu_of(|| (0..10).for_each(|_| unit.compile(compiler, "-O0", &[], &[], scratch.path())))
    };
    report(
        "trivial file with payload",
        1.0,
        pairs(SHORT, &|| compile(&loom()), &|| compile(clang())),
    );
    for (name, flags) in [("-O2", &["-O2"][..]), ("-O2 -g", &["-O2", "-g"])] {
        let (bytes, figures) = normalization(scratch.path(), flags);
        let megabytes = bytes as f64 / 1e6;
        report(
            &format!("normalization of sqlite3.c {name}, {megabytes:.1} MB"),
            1.5,
            figures,
        );
    }
}

fn report(name: &str, goal: f64, pairs: Vec<(f64, f64)>) {
    let ours = median(pairs.iter().map(|pair| pair.0).collect());
    let theirs = median(pairs.iter().map(|pair| pair.1).collect());
    let mut ratios: Vec<_> = pairs.iter().map(|pair| pair.0 / pair.1).collect();
    ratios.sort_by(f64::total_cmp);
    let ratio = median(ratios.clone());
    let verdict = if ratio <= goal { "within" } else { "beyond" };
    println!(
        "{name}: {ratio:.3}x ({verdict} the goal of {goal}x; pairs {:.3} to {:.3}; {ours:.2} s against {theirs:.2} s)",
        ratios[0],
        ratios[ratios.len() - 1],
    );
}

/// Both figures, measured in turn. The first runs only fill the system's caches.
fn pairs(count: usize, one: &dyn Fn() -> f64, other: &dyn Fn() -> f64) -> Vec<(f64, f64)> {
    one();
    other();
    (0..count).map(|_| (one(), other())).collect()
}

/// Size of sqlite3.c as bitcode, and seconds of normalization and of LLVM's own part.
fn normalization(scratch: &Path, flags: &[&str]) -> (u64, Vec<(f64, f64)>) {
    let tree = scratch.join("sqlite3");
    if !tree.is_dir() {
        run(Command::new("cp")
            .arg("-a")
            .arg(sources(&["sqlite3"]).join("sqlite3"))
            .arg(&tree));
        let script = "./configure --disable-shared && make sqlite3.c";
        run(Command::new("sh")
            .args(["-c", script])
            .current_dir(&tree)
            .env("CC", clang()));
    }
    let module = scratch.join("sqlite3.bc");
    run(Command::new(clang())
        .args(["-c", "-emit-llvm"])
        .args(flags)
        .arg(tree.join("sqlite3.c"))
        .arg("-o")
        .arg(&module));
    let output = Command::new(built::tool("loom-engine"))
        .args(["measure-normalization", "7"])
        .stdin(std::fs::File::open(&module).expect("clang writes its output"))
        .stderr(Stdio::inherit())
        .output()
        .expect("the engine starts");
    assert!(output.status.success(), "{}", output.status);
    let text = String::from_utf8(output.stdout).expect("figures are text");
    let figures = text.lines().map(|line| {
        let (normalized, rewritten) = line.split_once(' ').expect("two figures a line");
        let seconds = |figure: &str| figure.parse::<f64>().expect("a figure is a number") / 1e6;
        (seconds(normalized), seconds(rewritten))
    });
    let bytes = std::fs::metadata(&module).expect("clang writes its output").len();
    (bytes, figures.collect())
}

fn clang() -> &'static Path {
    Path::new("/usr/bin/clang-22")
}

fn loom() -> PathBuf {
    built::tool("loom-cc")
}
