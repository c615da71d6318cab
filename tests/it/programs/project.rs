//! A project of CMake's and Ninja's: what must be rebuilt after an edit is, and nothing else.

use std::fs;
use std::time::{Duration, SystemTime};

use super::Tree;
use crate::driver::Compiler;

#[test]
fn a_project_is_rebuilt_after_an_edit() {
    let tree = Tree::of_testdata(Compiler::Loom, "driver/project");
    tree.run("", "cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release");
    let identification = tree.run(
        "",
        "grep -h 'COMPILER_ID ' build/CMakeFiles/*/CMake*Compiler.cmake",
    );
    assert_eq!(identification.matches("\"Clang\"").count(), 2, "{identification}");

    let built = tree.run("build", "ninja -v");
    assert!(built.contains("[7/7]") || built.contains("[8/8]"), "{built}");
    assert_eq!(tree.run("build", "./counter"), "7 10\n");
    assert_eq!(tree.assert_payloads("build/CMakeFiles"), 4);
    assert!(tree.run("build", "ninja").contains("no work to do"));

    edit(&tree, "include/step.h", "#pragma once\n#define STEP 3\n");
    assert_eq!(rebuilt(&tree), ["tally.c.o"]);
    assert_eq!(tree.run("build", "./counter"), "21 20\n");

    let round = fs::read_to_string(tree.path("src/round.cc")).expect("it is there");
    edit(&tree, "src/round.cc", &round.replace("nearest<10>", "nearest<7>"));
    assert_eq!(rebuilt(&tree), ["round.cc.o"]);
    assert_eq!(tree.run("build", "./counter"), "21 21\n");

    let header = fs::read_to_string(tree.path("include/tally.h")).expect("it is there");
    edit(&tree, "include/tally.h", &format!("{header}// a remark\n"));
    assert_eq!(rebuilt(&tree), ["main.c.o", "round.cc.o", "tally.c.o"]);
    assert!(tree.run("build", "ninja").contains("no work to do"));

    // A header that was included is gone: an error once, and right again when it is back.
    fs::rename(tree.path("include/step.h"), tree.path("step.h")).expect("a file can be renamed");
    assert!(!tree.try_run("build", "ninja").status.success());
    fs::rename(tree.path("step.h"), tree.path("include/step.h")).expect("a file can be renamed");
    tree.run("build", "ninja");
    assert_eq!(tree.run("build", "./counter"), "21 21\n");
}

/// The objects that the next build makes anew, sorted.
fn rebuilt(tree: &Tree) -> Vec<String> {
    let output = tree.run("build", "ninja -v");
    let words = output
        .lines()
        .filter_map(|line| line.split(" -o ").nth(1)?.split(' ').next());
    let mut objects: Vec<_> = words
        .filter(|it| it.ends_with(".o"))
        .filter_map(|it| it.rsplit('/').next().map(str::to_owned))
        .collect();
    objects.sort();
    objects
}

/// Writes a file so that it is newer than all that was built, however coarse the clock of the file system.
fn edit(tree: &Tree, name: &str, text: &str) {
    std::thread::sleep(Duration::from_millis(20));
    fs::write(tree.path(name), text).expect("a file can be written");
    let file = fs::File::options()
        .append(true)
        .open(tree.path(name))
        .expect("it is there");
    file.set_modified(SystemTime::now())
        .expect("a file can be given a time");
}
