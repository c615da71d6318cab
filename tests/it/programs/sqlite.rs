//! SQLite, built from its separate sources so that there are objects to look at, and its own tests.

use super::Tree;
use super::tree::text;
use crate::driver::Compiler;

/// Test files for every day, one or more for each part of SQLite.
const SHORT: [&str; 24] = [
    "select1", "select4", "insert", "update", "delete", "join", "index", "where", "expr", "func", "types",
    "sort", "trigger1", "view", "collate1", "alter", "vacuum", "printf", "date", "window1", "with1",
    "json101", "fts3aa", "rtree",
];

#[test]
fn sqlite_passes_a_choice_of_its_tests() {
    let tree = build(Compiler::Loom, "-O1");
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

#[test]
#[ignore = "test-full: builds SQLite twice and runs its extraquick suite, about 10 minutes"]
fn sqlite_passes_extraquick_as_with_clang() {
    let [clang, loom] = [Compiler::Clang, Compiler::Loom].map(|compiler| {
        let tree = build(compiler, "-O2");
        let script = as_ordinary_user("./testfixture test/extraquick.test");
        text(&tree.try_run("sqlite3", &script))
    });
    let (clang_summary, loom_summary) = (summary(&clang), summary(&loom));
    assert!(
        loom_summary.is_some_and(|(_, count)| count > 100_000),
        "{loom_summary:?}"
    );
    assert_eq!(loom_summary, clang_summary);
    assert_eq!(failures(&loom), failures(&clang));
}

fn build(compiler: Compiler, flags: &str) -> Tree {
    let tree = Tree::of_packages(compiler, &["sqlite3"]);
    tree.run(
        "sqlite3",
        &format!("CFLAGS={flags} ./configure --disable-amalgamation --disable-shared --enable-fts4 --enable-fts5 --enable-rtree --with-tcl=$(dirname $(find /usr/lib -name tclConfig.sh -path '*tcl8.6*' | head -n1))"),
    );
    tree.run("sqlite3", "make -j2 sqlite3 testfixture");
    tree
}

/// SQLite tests what happens without permissions, which root always has.
fn as_ordinary_user(command: &str) -> String {
    format!(
        "if [ $(id -u) = 0 ]; then chown -R nobody . && exec setpriv --reuid=nobody --regid=nogroup --clear-groups {command}; \
         else {command}; fi"
    )
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

fn failures(output: &str) -> Vec<&str> {
    let lines = output.lines();
    lines
        .filter(|line| line.starts_with("!Failures") || line.starts_with("! "))
        .collect()
}
