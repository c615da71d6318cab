//! SQLite and its own tests, as an ordinary user.

use std::sync::LazyLock;

use regex_lite::Regex;

use super::Tree;
use super::tree::text;
use crate::driver::Compiler;

/// Test files for every day, one or more for each part of SQLite.
const SHORT: [&str; 26] = [
    "select1",
    "select4",
    "insert",
    "update",
    "delete",
    "join",
    "index",
    "where",
    "expr",
    "func",
    "types",
    "sort",
    "trigger1",
    "view",
    "collate1",
    "alter",
    "vacuum",
    "printf",
    "date",
    "window1",
    "with1",
    "json101",
    "json102",
    "upsert1",
    "savepoint",
    "trans",
];

/// From the separate sources, so that there are objects to look at.
#[test]
fn sqlite_passes_a_choice_of_its_tests() {
    let tree = build(Compiler::Loom, "-O1", "--disable-amalgamation");
    let objects = tree.assert_payloads("sqlite3");
    assert!(objects >= 80, "only {objects} objects");
    for test in SHORT {
        let script = as_ordinary_user(&format!("./testfixture test/{test}.test"));
        let output = text(&tree.try_run("sqlite3", &script));
        let (errors, count) = summary(&output).unwrap_or_else(|| panic!("{test} did not end:\n{output}"));
        assert_eq!(errors, 0, "{test}:\n{output}");
        assert!(count > 10, "{test}: only {count} tests");
    }
}

/// As it is usually built, from one file. clang's build fails some of the tests too, so results are compared.
#[test]
#[ignore = "test-full: builds SQLite twice and runs its extraquick suite, about 15 minutes"]
fn sqlite_passes_extraquick_as_with_clang() {
    let [clang, loom] = [Compiler::Clang, Compiler::Loom].map(|compiler| {
        let tree = build(compiler, "-O2", "");
        let script = as_ordinary_user("./testfixture test/extraquick.test");
        text(&tree.try_run("sqlite3", &script))
    });
    let (clang_results, loom_results) = (results(&clang), results(&loom));
    assert!(
        loom_results.len() > 100_000,
        "only {} results",
        loom_results.len()
    );
    let difference = clang_results
        .iter()
        .zip(&loom_results)
        .find(|(clang, loom)| clang != loom);
    assert_eq!(difference, None);
    assert_eq!(clang_results.len(), loom_results.len());
    assert_eq!(summary(&loom), summary(&clang));
}

fn build(compiler: Compiler, flags: &str, options: &str) -> Tree {
    let tree = Tree::of_packages(compiler, &["sqlite3"]);
    let tcl = "$(dirname $(find /usr/lib -path '*/tcl8.6/tclConfig.sh' | head -n1))";
    tree.run(
        "sqlite3",
        &format!("CFLAGS={flags} ./configure --disable-shared {options} --with-tcl={tcl}"),
    );
    tree.run("sqlite3", "make -j2 sqlite3 testfixture");
    tree
}

/// SQLite tests what happens without permissions, which root always has.
fn as_ordinary_user(command: &str) -> String {
    let other = "setpriv --reuid=nobody --regid=nogroup --clear-groups";
    format!("if [ $(id -u) = 0 ]; then chown -R nobody . && exec {other} {command}; else exec {command}; fi")
}

/// Errors and tests, from the last line of a run.
fn summary(output: &str) -> Option<(u64, u64)> {
    let line = output
        .lines()
        .rev()
        .find(|line| line.contains(" errors out of "))?;
    let mut numbers = line.split(' ').filter_map(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// The line of each single test without the time it took, sorted; names of temporary files are in other lines.
fn results(output: &str) -> Vec<String> {
    static TIME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\([0-9.]+ ?m?s( - want less than [0-9.]+)?\)").expect("the pattern is valid")
    });
    let lines = output
        .lines()
        .filter(|line| line.contains("... ") || line.starts_with("! "));
    let mut results: Vec<_> = lines
        .map(|line| TIME.replace_all(line, "").into_owned())
        .collect();
    results.sort();
    results
}
