//! What raising costs beside MLIR's own import of the same module.
//!
//! Method: the engine raises the module in one process and measures its own processor time (decision 33): MLIR's import
//! and verification of a clone alone, then a clone raised to verified S0, lowered, and spliced back. Printing and parsing
//! are excluded. The median of seven rounds.
//!
//! Figures are printed, never asserted.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark runs real processes and reads what they cost"
)]

use std::path::Path;
use std::process::{Command, Stdio};

use loom_tests::built;
use loom_tests::measure::{median, run};
use loom_tests::workload::sources;
use tempfile::TempDir;

const ROUNDS: &str = "7";

fn main() {
    let scratch = TempDir::new().expect("a temporary directory");
    for (flags, goal) in [("-O1", 2.5), ("-O1 -g", 3.0)] {
        let module = scratch.path().join("lua.bc");
        link_lua(scratch.path(), flags, &module);
        report(&format!("lua {flags}"), goal, &module);
        let module = scratch.path().join("sqlite3.bc");
        compile_sqlite(scratch.path(), flags, &module);
        report(&format!("sqlite3 {flags}"), goal, &module);
    }
}

/// The figures of one module, as multiples of the import.
fn report(name: &str, goal: f64, module: &Path) {
    let input = std::fs::File::open(module).expect("the module has been made");
    let output = Command::new(built::tool("loom-engine"))
        .args(["measure-raising", ROUNDS])
        .stdin(Stdio::from(input))
        .output()
        .expect("the engine runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("figures are text");
    let rows: Vec<Vec<f64>> = text
        .lines()
        .map(|line| {
            line.split(' ')
                .map(|it| it.parse().expect("figures are numbers"))
                .collect()
        })
        .collect();
    let import = median(rows.iter().map(|row| row[0]).collect());
    println!("{name}: import and verify {:.3} s", import / 1e6);
    for (at, what, goal) in [
        (1, "raise", goal),
        (2, "lower", 0.4),
        (3, "export and splice", 3.0),
    ] {
        let ratio = median(rows.iter().map(|row| row[at] / row[0]).collect());
        let verdict = if ratio <= goal { "within" } else { "beyond" };
        println!("{name}: {what} {ratio:.2}x of import ({verdict} the goal of {goal}x)");
    }
}

fn link_lua(scratch: &Path, flags: &str, module: &Path) {
    let tree = sources(&["lua5.4"]).join("lua5.4/src");
    let header = "#define DEB_HOST_MULTIARCH \"x86_64-linux-gnu\"\n";
    std::fs::write(scratch.join("lua5.4-deb-multiarch.h"), header).expect("a header can be written");
    let script = format!(
        "set -e; for f in '{tree}'/*.c; do b=$(basename $f .c); [ $b = luac ] || clang-22 {flags} -w -std=gnu99 \
         -DLUA_COMPAT_5_3 -DLUA_USE_LINUX -I. -I'{tree}' -emit-llvm -c $f -o part-$b.bc; done; llvm-link-22 part-*.bc -o '{module}'",
        tree = tree.display(),
        module = module.display()
    );
    run(Command::new("sh").args(["-c", &script]).current_dir(scratch));
}

fn compile_sqlite(scratch: &Path, flags: &str, module: &Path) {
    let tree = scratch.join("sqlite3");
    if !tree.is_dir() {
        run(Command::new("cp")
            .arg("-a")
            .arg(sources(&["sqlite3"]).join("sqlite3"))
            .arg(&tree));
        run(Command::new("sh")
            .args(["-c", "./configure --disable-shared && make sqlite3.c"])
            .current_dir(&tree)
            .env("CC", "clang-22"));
    }
    let script = format!(
        "clang-22 {flags} -w -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -emit-llvm -c sqlite3.c -o '{}'",
        module.display()
    );
    run(Command::new("sh").args(["-c", &script]).current_dir(&tree));
}
