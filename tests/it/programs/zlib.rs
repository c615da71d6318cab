//! zlib: `./configure`, `make check`.

use super::{Tree, assert_same_objects};
use crate::driver::Compiler;

#[test]
fn zlib_passes_its_tests() {
    let build = |compiler| {
        let tree = Tree::of_packages(compiler, &["zlib"]);
        tree.run("zlib", "./configure");
        tree.run("zlib", "make -j2");
        // One test after another, so that their output is comparable.
        let tests = tree.run("zlib", "make check");
        let results: Vec<_> = tests
            .lines()
            .filter(|line| !line.starts_with("make"))
            .map(str::to_owned)
            .collect();
        (tree, results)
    };
    let (loom, results) = build(Compiler::Loom);
    for test in ["zlib test OK", "zlib shared test OK", "zlib 64-bit test OK"] {
        assert!(results.iter().any(|it| it.contains(test)), "{test}: {results:#?}");
    }
    let objects = loom.assert_payloads("zlib");
    assert!(objects >= 30, "only {objects} objects");

    let (clang, wanted) = build(Compiler::Clang);
    let without_compiler = |lines: &[String], tree: &Tree| {
        let compiler = if std::ptr::eq(tree, &raw const loom) {
            Compiler::Loom
        } else {
            Compiler::Clang
        };
        let name = compiler.c().display().to_string();
        lines.iter().map(|it| it.replace(&name, "CC")).collect::<Vec<_>>()
    };
    assert_eq!(
        without_compiler(&results, &loom),
        without_compiler(&wanted, &clang)
    );
    assert_same_objects(&clang, &loom, "zlib");
}
