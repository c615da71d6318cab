//! What a final link costs beyond the native one: it follows what was selected, not what the archive holds.
//!
//! Method: an archive of 200, 2,000 and 20,000 members of which a program needs 20; for each size 7 interleaved pairs of
//! whole links with lld, one plain and one with `--loom-link-report`, or with `--loom-module`; medians of the differences.
//! Figures are printed, never asserted.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark runs real processes and reads the clock"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use loom_tests::built;
use loom_tests::measure::{median, run, time};

const NEEDED: usize = 20;
const PAIRS: usize = 7;

fn main() {
    let directory = tempfile::TempDir::new().expect("a temporary directory");
    let directory = directory.path();
    println!("final link, {NEEDED} members needed, {PAIRS} interleaved pairs, medians of differences in ms");
    compile(directory);
    for members in [200, 2_000, 20_000] {
        let archive = archive(directory, members);
        let plain = || time(|| run(&mut link(directory, &archive, &[])));
        let with = |wish: &'static str| {
            let pairs = (0..PAIRS).map(|_| {
                let plain = plain();
                time(|| run(&mut link(directory, &archive, &[wish]))) - plain
            });
            median(pairs.collect())
        };
        plain();
        let native = median((0..PAIRS).map(|_| plain()).collect());
        let report = with("--loom-link-report=report.json");
        let module = with("--loom-module=linked.bc");
        println!(
            "{members:>6} members: native link {native:8.1}  report +{report:8.1}  module +{module:8.1}"
        );
    }
}

fn loom_cc(directory: &Path) -> Command {
    let mut command = Command::new(built::tool("loom-cc"));
    command.current_dir(directory).env("LOOM_CACHE", "off");
    command
}

/// A program, what it needs, and one object that nobody needs.
fn compile(directory: &Path) {
    let mut main = String::new();
    let mut sum = "0".to_owned();
    for at in 0..NEEDED {
        let _ = writeln!(main, "int f{at}(int);");
        let _ = write!(sum, " + f{at}(c)");
        write(
            directory,
            &format!("f{at}.c"),
            &format!("int f{at}(int x) {{ return x * {at} + 1; }}\n"),
        );
    }
    let _ = writeln!(main, "int main(int c, char **v) {{ return ({sum}) == 0; }}");
    write(directory, "main.c", &main);
    write(directory, "filler.c", "int filler(int x) { return x + 1; }\n");
    let mut command = loom_cc(directory);
    command.args(["-O1", "-c", "main.c", "filler.c"]);
    command.args((0..NEEDED).map(|at| format!("f{at}.c")));
    run(&mut command);
}

/// An archive in which the needed members are spread evenly.
fn archive(directory: &Path, members: usize) -> String {
    let name = format!("lib{members}.a");
    let mut list = String::new();
    for at in 0..members {
        let spread = members / NEEDED;
        let object = match at % spread {
            0 => format!("f{}.o", at / spread),
            _ => format!("filler{at}.o"),
        };
        let path = directory.join(&object);
        if !path.exists() {
            std::fs::hard_link(directory.join("filler.o"), &path).expect("a file can be linked");
        }
        let _ = writeln!(list, "{object}");
    }
    write(directory, "list", &list);
    let mut command = Command::new("/usr/lib/llvm-22/bin/llvm-ar");
    run(command.current_dir(directory).args(["qcs", &name, "@list"]));
    name
}

fn link(directory: &Path, archive: &str, wishes: &[&str]) -> Command {
    let mut command = loom_cc(directory);
    command.args(["-fuse-ld=lld", "main.o", archive, "-o", "prog"]);
    command.args(wishes);
    command
}

fn write(directory: &Path, name: &str, text: &str) {
    std::fs::write(directory.join(name), text).expect("a file can be written");
}
