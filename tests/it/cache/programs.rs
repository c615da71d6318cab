//! Real programs, built again from a full cache: no engine is started, and the products are the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use loom_tests::shim;
use tempfile::TempDir;

use crate::driver::Compiler;
use crate::programs::Tree;

#[test]
fn zlib_is_built_again_without_the_engine() {
    rebuild(&["zlib"], "zlib", "./configure", "make clean", "make -j2");
}

#[test]
#[ignore = "test-full: builds Lua three times"]
fn lua_is_built_again_without_the_engine() {
    rebuild(
        &["lua5.4"],
        "lua5.4",
        "true",
        "make clean",
        "make -j2 linux CC=\"$CC -std=gnu99\"",
    );
}

#[test]
#[ignore = "test-full: builds SQLite, minutes"]
fn sqlite_is_built_again_without_the_engine() {
    rebuild(
        &["sqlite3"],
        "sqlite3",
        "./configure --disable-shared --disable-tcl",
        "make clean",
        "make -j2 sqlite3.c && $CC -O1 -c sqlite3.c -o all.o && $CC -O1 -c shell.c -o shell.o && \
         $CC shell.o all.o -o sqlite3 -lm",
    );
}

fn rebuild(packages: &[&str], directory: &str, configure: &str, clean: &str, build: &str) {
    let tree = Tree::of_packages(Compiler::Loom, packages);
    let cache = TempDir::new().expect("a temporary directory");
    let with_cache = |script: &str| {
        tree.run(
            directory,
            &format!(
                "export LOOM_CACHE=rw LOOM_CACHE_DIR={}; {script}",
                cache.path().display()
            ),
        )
    };
    tree.run(directory, configure);
    with_cache(build);
    let products = products(&tree.path(directory));
    assert!(products.len() > 2, "{:?}", products.keys());

    // `clock` moves the clock of all that is run.
    let again = |before: &str, clock: &str| {
        tree.run(directory, clean);
        tree.run(directory, before);
        with_cache(&format!(
            "strace -f -qq -e trace=execve -e signal=none -o starts sh -c '{clock}{build}'"
        ));
        let starts = fs::read_to_string(tree.path(directory).join("starts")).expect("strace writes its log");
        let started = |tool: &str| {
            let name = format!("/{tool}\"");
            starts
                .lines()
                .filter(|it| it.contains(&name) && it.ends_with("= 0"))
                .count()
        };
        assert!(started("loom-cc") > 2, "{starts}");
        let engines: Vec<_> = starts
            .lines()
            .filter(|it| it.contains("/loom-engine\""))
            .collect();
        assert!(engines.is_empty(), "{engines:#?}");
        assert!(
            self::products(&tree.path(directory)) == products,
            "other products"
        );
    };
    again("true", "");
    // Every file another time, older and newer than all that was built; then the clock too, there and back.
    let touch = "find . -type f -name '*.[ch]' -exec touch";
    again(&format!("{touch} {{}} +"), "");
    let shim = shim::build("moved_clock", cache.path());
    for (seconds, date) in [(-900_000_000, "1 Jan 2001"), (900_000_000, "1 Jan 2031")] {
        let clock = format!("export MOVED_CLOCK={seconds} LD_PRELOAD={}; ", shim.display());
        again(&format!("{touch} -d '{date}' {{}} +"), &clock);
    }
}

/// Objects, archives and linked files below a directory.
fn products(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut products = BTreeMap::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).expect("a directory can be read") {
            let entry = entry.expect("a directory can be read");
            let kind = entry.file_type().expect("a file has a type");
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_file() {
                let content = fs::read(entry.path()).expect("a file can be read");
                if content.starts_with(b"\x7fELF") {
                    products.insert(entry.path().display().to_string(), content);
                }
            }
        }
    }
    products
}
