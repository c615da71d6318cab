//! Every linker with every way to link: the selected members are those of the linker's own map.

use super::{LINKERS, members, program, report};
use crate::driver::{Compiler, Sandbox};

const ALL: [&str; 4] = LINKERS;
const FOLDING: [&str; 3] = ["gold", "lld", "mold"];

/// Links with `arguments` and each of `linkers`; the report must name `expected`, the same members stand in the map of
/// the same link by clang, the program works, and every linker's module is the same.
#[track_caller]
fn check(sandbox: &Sandbox, linkers: &[&str], arguments: &str, expected: &[&str]) {
    let mut modules = Vec::new();
    for linker in linkers {
        sandbox.succeed(
            Compiler::Loom,
            &format!(
                "rm -f prog report.json linked.bc && $CC -fuse-ld={linker} {arguments} -o prog --loom-module=linked.bc \
                 --loom-link-report=report.json && ./prog"
            ),
        );
        assert_eq!(members(&report(sandbox)), expected, "{linker} {arguments}");
        modules.push(sandbox.read("linked.bc"));
        if !arguments.contains("-flto") {
            check_map(sandbox, linker, arguments, expected);
        }
    }
    assert!(modules.windows(2).all(|it| it[0] == it[1]), "{arguments}");
}

/// Looks for the names in the map, without taking it apart.
#[track_caller]
fn check_map(sandbox: &Sandbox, linker: &str, arguments: &str, expected: &[&str]) {
    sandbox.succeed(
        Compiler::Clang,
        &format!("$CC -fuse-ld={linker} {arguments} -o theirs -Wl,-Map=theirs.map"),
    );
    let map = String::from_utf8(sandbox.read("theirs.map")).expect("a map is text");
    let records: Vec<_> = map.lines().filter(|it| it.contains(".loom.record")).collect();
    for name in expected {
        assert!(
            records.iter().any(|it| it.contains(name)),
            "{linker} {arguments}: {name}\n{map}"
        );
    }
    let pieces = records.iter().filter(|it| it.contains(".o")).count();
    let inputs = expected.iter().collect::<std::collections::BTreeSet<_>>().len();
    assert!(pieces >= inputs, "{linker} {arguments}\n{map}");
}

#[test]
fn objects_and_archives() {
    let sandbox = program("");
    check(
        &sandbox,
        &ALL,
        "main.o sel.o d1/twin.o",
        &["main.o", "sel.o", "d1/twin.o"],
    );
    let from_archive = ["main.o", "lib.a(sel.o)", "lib.a(twin.o)"];
    check(&sandbox, &ALL, "main.o lib.a", &from_archive);
    check(&sandbox, &ALL, "main.o lib.a lib.a", &from_archive);
    check(
        &sandbox,
        &ALL,
        "main.o -Wl,--start-group lib.a -Wl,--end-group",
        &from_archive,
    );
    check(&sandbox, &ALL, "main.o lib.a -L. -static", &from_archive);
    check(
        &sandbox,
        &ALL,
        "main.o -Wl,--whole-archive lib.a -Wl,--no-whole-archive",
        &[
            "main.o",
            "lib.a(sel.o)",
            "lib.a(off.o)",
            "lib.a(twin.o)",
            "lib.a(twin.o)",
        ],
    );
}

#[test]
fn sections_and_symbols_that_go() {
    let sandbox = program("");
    let from_archive = ["main.o", "lib.a(sel.o)", "lib.a(twin.o)"];
    check(&sandbox, &ALL, "main.o lib.a -Wl,--gc-sections", &from_archive);
    check(&sandbox, &ALL, "main.o lib.a -s", &from_archive);
    check(&sandbox, &FOLDING, "main.o lib.a -Wl,--icf=all", &from_archive);
}

/// Members of a thin archive are files; linkers differ in what they call them.
#[test]
fn thin_archives() {
    let sandbox = program("");
    for linker in LINKERS {
        sandbox.succeed(
            Compiler::Loom,
            &format!(
                "$CC -fuse-ld={linker} main.o thin.a -o prog --loom-module=linked.bc --loom-link-report=report.json && ./prog"
            ),
        );
        let names = members(&report(&sandbox)).join(" ");
        assert!(
            names.starts_with("main.o ") && names.contains("sel.o") && names.contains("d1/twin.o"),
            "{linker}: {names}"
        );
        assert!(
            !names.contains("off.o") && !names.contains("d2/"),
            "{linker}: {names}"
        );
    }
}

/// `ld -r` does not merge; the final link sees both payloads.
#[test]
fn relocatable_then_final() {
    let sandbox = program("");
    for linker in LINKERS {
        sandbox.succeed(
            Compiler::Loom,
            &format!(
                "rm -f once.o twice.o && $CC -fuse-ld={linker} -r sel.o off.o -o once.o && \
                 $CC -fuse-ld={linker} -r once.o d1/twin.o -o twice.o"
            ),
        );
        check(
            &sandbox,
            &[linker],
            "main.o twice.o",
            &["main.o", "twice.o", "twice.o", "twice.o"],
        );
    }
}

#[test]
fn shared_libraries() {
    let sandbox = program("-fPIC");
    for linker in LINKERS {
        sandbox.succeed(
            Compiler::Loom,
            &format!(
                "$CC -fuse-ld={linker} -shared sel.o d1/twin.o -o libx.so --loom-module=lib.bc --loom-link-report=report.json"
            ),
        );
        assert_eq!(members(&report(&sandbox)), ["sel.o", "d1/twin.o"], "{linker}");
        let text = super::text_of(&sandbox, "lib.bc");
        let sel = text
            .lines()
            .find(|it| it.starts_with("define") && it.contains("@sel("));
        assert!(sel.is_some_and(|it| !it.contains("internal")), "{text}");
        // A shared library is not merged into what uses it.
        check(&sandbox, &[linker], "main.o libx.so -Wl,-rpath,.", &["main.o"]);
    }
}

/// The linker compiles its inputs itself, and its map names objects that it made of them.
#[test]
fn lto_inputs() {
    for flags in ["-flto=full", "-flto=thin", "-flto=full -ffat-lto-objects"] {
        let sandbox = program(flags);
        let from_archive = ["main.o", "lib.a(sel.o)", "lib.a(twin.o)"];
        check(&sandbox, &ALL, &format!("{flags} main.o lib.a"), &from_archive);
        sandbox.succeed(Compiler::Loom, "$CC -O1 -c main.c -o main.o");
        for linker in LINKERS {
            check(
                &sandbox,
                &[linker],
                &format!("{flags} main.o lib.a"),
                &from_archive,
            );
        }
    }
}

#[test]
fn the_map_of_the_user_is_read_and_left() {
    let sandbox = program("");
    for linker in LINKERS {
        check(
            &sandbox,
            &[linker],
            "main.o sel.o d1/twin.o -Wl,-Map,my.map",
            &["main.o", "sel.o", "d1/twin.o"],
        );
        let map = String::from_utf8(sandbox.read("my.map")).expect("a map is text");
        assert!(map.contains("sel.o"), "{map}");
        sandbox.succeed(Compiler::Loom, "rm my.map");
    }
}

/// A script that discards the records: a typed answer, or the linker's own where it takes no such script.
#[test]
fn discarded_records() {
    let sandbox = program("");
    sandbox.write(
        "discard.ld",
        "SECTIONS { /DISCARD/ : { *(.loom.record) } } INSERT AFTER .comment;\n",
    );
    for linker in LINKERS {
        let output = sandbox.run(
            Compiler::Loom,
            &format!("$CC -fuse-ld={linker} main.o lib.a -Wl,-T,discard.ld -o prog --loom-module=linked.bc"),
        );
        let stderr = String::from_utf8(output.stderr).expect("messages are text");
        let answer = match linker {
            "bfd" | "lld" => "selected_record_discarded: main.o: ",
            _ => "linker command failed",
        };
        assert_eq!(output.status.code(), Some(1), "{linker}: {stderr}");
        assert!(stderr.contains(answer), "{linker}: {stderr}");
        assert!(
            !sandbox.path("prog").exists() && !sandbox.path("linked.bc").exists(),
            "{linker}"
        );
    }
}
