//! zlib: `./configure`, `make check`.

use super::{Tree, assert_same_objects};
use crate::driver::Compiler;

#[test]
fn zlib_passes_its_tests() {
    let (loom, results) = build(Compiler::Loom);
    for test in ["zlib test OK", "zlib shared test OK", "zlib 64-bit test OK"] {
        assert!(results.iter().any(|it| it.contains(test)), "{test}: {results:#?}");
    }
    let objects = loom.assert_payloads("zlib");
    assert!(objects >= 30, "only {objects} objects");

    let (clang, wanted) = build(Compiler::Clang);
    assert_eq!(results, wanted);
    assert_same_objects(&clang, &loom, "zlib");
}

/// The built tree, and what its tests print, one after the other so that it is comparable.
fn build(compiler: Compiler) -> (Tree, Vec<String>) {
    let tree = Tree::of_packages(compiler, &["zlib"]);
    tree.run("zlib", "./configure");
    tree.run("zlib", "make -j2");
    let tests = tree.run("zlib", "make check");
    let lines = tests.lines().filter(|line| !line.starts_with("make"));
    let name = compiler.c().display().to_string();
    let lines = lines.map(|line| line.replace(&name, "CC")).collect();
    (tree, lines)
}
