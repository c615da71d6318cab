//! zlib and lua, whole, raised and lowered: they behave as before.

use super::{raise, unlifted};
use crate::driver::{Compiler, Sandbox};
use crate::payload::loom;
use crate::programs::Tree;

/// Links `sources` of the package as one module for each set of flags, and runs `workload` with what was lowered and
/// with what was not. Returns what is not lifted.
fn check(package: &str, sources: &str, flags: &str, level: &str, link: &str, workload: &str) -> Vec<String> {
    let tree = Tree::of_packages(Compiler::Clang, &[package]);
    let sandbox = Sandbox::new();
    let from = tree.path(package);
    let script = format!(
        "for s in {sources}; do clang-22 {level} -w {flags} -I. -I'{from}' -I'{from}/src' -emit-llvm -c '{from}'/$s.c \
         -o $(basename $s).bc || exit 1; done; llvm-link-22 $(for s in {sources}; do echo $(basename $s).bc; done) -o linked.bc",
        from = from.display()
    );
    sandbox.write(
        "lua5.4-deb-multiarch.h",
        "#define DEB_HOST_MULTIARCH \"x86_64-linux-gnu\"\n",
    );
    sandbox.succeed(Compiler::Clang, &script);
    let report = raise(&sandbox, "linked.bc", "");
    println!("{package} {level}: {} {:?}", report["totals"], unlifted(&report));
    let ran = loom(&sandbox, "raise linked.bc --lower -o lowered.bc");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    sandbox.write("script.lua", include_str!("../../../testdata/raise/script.lua"));
    let run = |module: &str| {
        let script = format!("clang-22 -O1 -Wno-override-module {module} -o program {link} && {workload}");
        sandbox.succeed(Compiler::Clang, &script).stdout
    };
    assert!(run("linked.bc") == run("lowered.bc"), "{package} {level}");
    unlifted(&report)
}

const ZLIB: &str = "adler32 crc32 deflate infback inffast inflate inftrees trees zutil compress uncompr gzclose gzlib \
                    gzread gzwrite test/minigzip";

fn zlib(level: &str) {
    let workload = "for l in 1 3 6 9; do ./program -$l < linked.bc > packed && sha256sum packed && ./program -d < packed \
                    | cmp - linked.bc || exit 1; done; ./program -f < linked.bc | sha256sum";
    let unlifted = check("zlib", ZLIB, "-DHAVE_UNISTD_H", level, "", workload);
    assert_eq!(unlifted, Vec::<String>::new());
}

const LUA: &str = "src/lapi src/lcode src/lctype src/ldebug src/ldo src/ldump src/lfunc src/lgc src/llex src/lmem \
                   src/lobject src/lopcodes src/lparser src/lstate src/lstring src/ltable src/ltm src/lundump src/lvm \
                   src/lzio src/lauxlib src/lbaselib src/lcorolib src/ldblib src/liolib src/lmathlib src/loadlib \
                   src/loslib src/lstrlib src/ltablib src/lutf8lib src/linit src/lua";

fn lua(level: &str, jump_table: &str) -> Vec<String> {
    let flags = format!("-std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX {jump_table}");
    check(
        "lua5.4",
        LUA,
        &flags,
        level,
        "-lm -ldl -Wl,-E",
        "./program script.lua",
    )
}

#[test]
fn zlib_behaves_the_same() {
    zlib("-O1");
}

/// Only the interpreter's loop of computed gotos stays a graph.
#[test]
fn lua_behaves_the_same() {
    assert_eq!(lua("-O1", ""), ["luaV_execute: unstructured (computed_goto)"]);
}

#[test]
#[ignore = "test-full: whole programs at the other levels, with and without debug information"]
fn programs_behave_the_same_at_all_levels() {
    for level in ["-O0", "-O2", "-O0 -g", "-O1 -g", "-O2 -g"] {
        zlib(level);
        assert_eq!(lua(level, ""), ["luaV_execute: unstructured (computed_goto)"]);
        assert_eq!(lua(level, "-DLUA_USE_JUMPTABLE=0"), Vec::<String>::new());
    }
}
