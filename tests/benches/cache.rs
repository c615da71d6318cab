//! What the compile cache costs and saves: a hit against a direct-mode hit of ccache, and a miss against no cache.
//!
//! Hits: the same file, file system and compiler options; ccache in its default configuration over clang-22. 40
//! interleaved pairs of whole runs, wall time, median of the ratios; then the instructions of one run of each under
//! callgrind. Misses: workload Z at -O2 (zlib's 15 and Lua's 33 library files with their own flags), user and system
//! time of `loom-cc` with an empty cache against `LOOM_CACHE=off`, 7 interleaved pairs. Figures are printed, never
//! asserted.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark runs real processes and reads the clock"
)]

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use loom_tests::built;
use loom_tests::measure::median;
use loom_tests::workload::Workload;
use tempfile::TempDir;

const HIT_PAIRS: usize = 40;
const MISS_PAIRS: usize = 7;

const C_FILE: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    int main(int argc, char **argv) { char *copy = malloc(strlen(argv[0]) + 1); strcpy(copy, argv[0]); \
    return printf(\"%s %d\\n\", copy, argc) < 0; }\n";

const CXX_FILE: &str = "#include <map>\n#include <string>\n#include <vector>\n#include <algorithm>\n#include <iostream>\n\
    int main(int argc, char **argv) { std::map<std::string, int> seen; std::vector<int> all; \
    for (int i = 0; i < argc; ++i) all.push_back(++seen[argv[i]]); std::sort(all.begin(), all.end()); \
    for (auto &it : seen) std::cout << it.first << it.second << '\\n'; }\n";

fn main() {
    let scratch = TempDir::new().expect("a temporary directory");
    std::fs::write(scratch.path().join("file.c"), C_FILE).expect("a file can be written");
    std::fs::write(scratch.path().join("file.cc"), CXX_FILE).expect("a file can be written");
    // Times of files that were just written prove nothing to either cache.
    std::thread::sleep(std::time::Duration::from_secs(3));
    println!(
        "compile cache; hits: {HIT_PAIRS} interleaved pairs, misses: {MISS_PAIRS}; medians of pair ratios"
    );
    for (file, loom, clang) in [
        ("file.c", "loom-cc", "clang-22"),
        ("file.cc", "loom-c++", "clang++-22"),
    ] {
        let place = scratch.path();
        let ours = || ours(place, loom, &["-c", file, "-o", "ours.o"]);
        let theirs = || theirs(place, clang, &["-c", file, "-o", "theirs.o"]);
        let pairs = pairs(HIT_PAIRS, &|| wall(ours()), &|| wall(theirs()));
        report(&format!("hit, {file}, wall"), 0.8, &pairs, "ms");
        let instructions = [(instructions(ours()), instructions(theirs()))];
        report(
            &format!("hit, {file}, instructions"),
            0.5,
            &instructions,
            "million",
        );
    }
    let workload = Workload::unpack(scratch.path());
    let compile = |mode: &str| {
        if mode != "off" {
            let _ = std::fs::remove_dir_all(scratch.path().join("loom-cache"));
        }
        let directory = scratch.path().join("loom-cache");
        let cache = [
            ("LOOM_CACHE", OsStr::new(mode)),
            ("LOOM_CACHE_DIR", directory.as_os_str()),
        ];
        workload.compile(&built::tool("loom-cc"), "-O2", &[], &cache)
    };
    let pairs = pairs(MISS_PAIRS, &|| compile("rw"), &|| compile("off"));
    report("miss, workload Z -O2, processor time", 1.03, &pairs, "s");
}

fn report(name: &str, goal: f64, pairs: &[(f64, f64)], unit: &str) {
    let mut ratios: Vec<_> = pairs.iter().map(|pair| pair.0 / pair.1).collect();
    ratios.sort_by(f64::total_cmp);
    let ratio = median(ratios);
    let ours = median(pairs.iter().map(|pair| pair.0).collect());
    let theirs = median(pairs.iter().map(|pair| pair.1).collect());
    let verdict = if ratio <= goal { "within" } else { "beyond" };
    println!("{name}: {ratio:.3}x ({verdict} the goal of {goal}x; {ours:.2} against {theirs:.2} {unit})");
}

/// Both figures in turn. The first runs fill the caches.
fn pairs(count: usize, one: &dyn Fn() -> f64, other: &dyn Fn() -> f64) -> Vec<(f64, f64)> {
    for _ in 0..2 {
        one();
        other();
    }
    (0..count).map(|_| (one(), other())).collect()
}

fn ours(place: &Path, tool: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(built::directory().join(tool));
    command
        .args(arguments)
        .current_dir(place)
        // clang asks for it, and a shell between here and there, as valgrind's start script, would set it anew.
        .env("PWD", place)
        .env("LOOM_CACHE", "rw")
        .env("LOOM_CACHE_DIR", place.join("loom-cache"));
    command
}

fn theirs(place: &Path, compiler: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("ccache");
    command
        .arg(compiler)
        .args(arguments)
        .current_dir(place)
        .env("CCACHE_DIR", place.join("ccache"))
        .env_remove("CCACHE_CONFIGPATH");
    command
}

/// Milliseconds.
fn wall(mut command: Command) -> f64 {
    let started = Instant::now();
    let status = command.stdin(Stdio::null()).status().expect("it can be started");
    let taken = started.elapsed();
    assert!(status.success(), "{command:?}: {status}");
    taken.as_secs_f64() * 1e3
}

/// Millions of them.
fn instructions(command: Command) -> f64 {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(directory) = command.get_current_dir() {
        valgrind.current_dir(directory);
    }
    for (name, value) in command.get_envs() {
        valgrind.env(name, value.unwrap_or_default());
    }
    let output = valgrind.output().expect("valgrind is installed by `make bench`");
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = report.lines().find_map(|line| line.split_once("Collected : "));
    let (_, count) = collected.unwrap_or_else(|| panic!("valgrind counted nothing:\n{report}"));
    count.trim().parse::<f64>().expect("valgrind prints a number") / 1e6
}
