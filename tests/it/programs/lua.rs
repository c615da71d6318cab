//! Lua, and the two libraries for it whose tests stand in for its own (which are not in its package).

use super::{Tree, assert_same_objects};
use crate::driver::Compiler;

const PACKAGES: [&str; 3] = ["lua5.4", "lua-lpeg", "lua-cjson"];

#[test]
fn lua_runs_the_tests_of_lpeg_and_cjson() {
    let build = |compiler| {
        let tree = Tree::of_packages(compiler, &PACKAGES);
        tree.run("lua5.4", "make -j2 linux CC=\"$CC -std=gnu99\"");
        tree.run("lua-lpeg", "make -j2 linux CC=\"$CC\" LUADIR=../lua5.4/src");
        tree.run(
            "lua-cjson",
            "make -j2 CC=\"$CC\" LUA_INCLUDE_DIR=../lua5.4/src && cp -r cjson.so lua/cjson tests",
        );
        let lpeg = tree.run("lua-lpeg", "../lua5.4/src/lua test.lua");
        let cjson = tree.run("lua-cjson/tests", "../../lua5.4/src/lua test.lua");
        (tree, lpeg, cjson)
    };
    let (loom, lpeg, cjson) = build(Compiler::Loom);
    assert!(lpeg.ends_with("OK\n"), "{lpeg}");
    assert!(cjson.contains("all tests succeeded"), "{cjson}");
    let objects: usize = PACKAGES.iter().map(|it| loom.assert_payloads(it)).sum();
    assert!(objects >= 33 + 5 + 3, "only {objects} objects");

    let (clang, lpeg_wanted, cjson_wanted) = build(Compiler::Clang);
    assert_eq!(verdicts(&lpeg), verdicts(&lpeg_wanted));
    assert_eq!(verdicts(&cjson), verdicts(&cjson_wanted));
    for package in PACKAGES {
        assert_same_objects(&clang, &loom, package);
    }
}

/// The lines that say how a test went; others show tables in their random order.
fn verdicts(text: &str) -> Vec<&str> {
    let is_verdict = |line: &&str| line.starts_with("==> ") || *line == "+" || line.ends_with("OK");
    let verdicts: Vec<_> = text.lines().filter(is_verdict).collect();
    assert!(!verdicts.is_empty(), "{text}");
    verdicts
}
