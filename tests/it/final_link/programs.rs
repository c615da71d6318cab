//! Whole programs as one module.

use crate::driver::Compiler;
use crate::programs::Tree;

/// The interpreter's linked module, compiled by clang, passes the tests of the libraries for it.
#[test]
fn lua_as_one_module_passes_the_tests_of_lpeg() {
    let tree = Tree::of_packages(Compiler::Loom, &["lua5.4", "lua-lpeg"]);
    tree.run(
        "lua5.4",
        "make -j2 linux CC=\"$CC -std=gnu99\" && cd src && rm lua && $CC -o lua lua.o liblua.a -Wl,-E -lm -ldl -lreadline \
         --loom-module=lua.bc --loom-require --loom-link-report=lua.json || \
         $CC -o lua lua.o liblua.a -Wl,-E -lm -ldl --loom-module=lua.bc --loom-require --loom-link-report=lua.json",
    );
    tree.run("lua5.4/src", "clang-22 -O2 -c lua.bc -o whole.o && clang-22 -o lua whole.o -Wl,-E -lm -ldl -lreadline || clang-22 -o lua whole.o -Wl,-E -lm -ldl");
    tree.run("lua-lpeg", "make -j2 linux CC=\"$CC\" LUADIR=../lua5.4/src");
    let lpeg = tree.run("lua-lpeg", "../lua5.4/src/lua test.lua");
    assert!(lpeg.ends_with("OK\n"), "{lpeg}");
}
