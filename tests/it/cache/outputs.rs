//! What a hit leaves: files, messages, status, exactly as a compile does.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};

use super::place::Answer::{Hit, Miss};
use super::place::{Place, Use};

#[test]
fn messages_and_failures_are_replayed() {
    let place = Place::new(&[
        ("warn.c", "int f(void) { int unused; return 0; }\n"),
        ("fail.c", "int f(void) { return x; }\n#error no\n"),
        ("fatal.c", "#include \"missing.h\"\n"),
        ("late.c", "void f(void) { __asm__(\"not an instruction\"); }\n"),
    ]);
    for command in [
        "$CC -Wall -c warn.c -o out/a.o",
        "$CC -Wall -fcolor-diagnostics -c warn.c -o out/a.o",
        "$CC -Wall -fmessage-length=30 -c warn.c -o out/a.o",
        "$CC -Wall -Werror -c warn.c -o out/a.o",
        "$CC -Wall -fdiagnostics-format=sarif -c warn.c -o out/a.o",
        "$CC -Wall --serialize-diagnostics out/a.dia -c warn.c -o out/a.o",
        "$CC -c fail.c -o out/a.o",
        "$CC -MD -c fatal.c -o out/a.o",
        "$CC -c late.c -o out/a.o",
        "$CC -c nowhere.c -o out/a.o",
        "$CC -c warn.c --no-such-flag -o out/a.o",
        "$CC -Wall -fsyntax-only warn.c",
        "$CC -v -c warn.c -o out/a.o",
        "$CC '-###' -c warn.c -o out/a.o",
        // What lies at the output's place goes when a compile fails.
        "echo scrap >out/a.o; $CC -c fail.c -o out/a.o",
    ] {
        assert_eq!(place.compile(command), Miss, "{command}");
        assert_eq!(place.compile(command), Hit, "{command}");
    }
}

#[test]
fn files_in_the_way_are_treated_as_a_compile_does() {
    let place = Place::new(&[("a.c", "int a;\n")]);
    assert_eq!(place.compile("$CC -MD -c a.c -o out/a.o"), Miss);
    for before in [
        "echo scrap >out/a.o; chmod 640 out/a.o",
        "echo scrap >out/a.d; chmod 640 out/a.d",
        "echo scrap >elsewhere; ln -s ../elsewhere out/a.o",
        "echo scrap >elsewhere; ln -s ../elsewhere out/a.d",
        "echo scrap >out/b.o; ln out/b.o out/a.o",
        "umask 077",
        "mkdir out/a.o",
    ] {
        let script = format!(
            "{before}; $CC -MD -c a.c -o out/a.o; s=$?; ls -l out | cut -c1-10; cat elsewhere; exit $s"
        );
        let (cached, plain) = (place.outcome(Use::On, &script), place.outcome(Use::Off, &script));
        assert_eq!(cached.files, plain.files, "{before}");
        assert_eq!(
            (cached.status, cached.stdout),
            (plain.status, plain.stdout),
            "{before}"
        );
    }
    let _ = fs::remove_file(place.path("elsewhere"));
    assert!(place.counts()["hits"] >= 6, "{:?}", place.counts());
}

#[test]
fn what_is_no_file_is_written_and_stays() {
    let place = Place::new(&[("a.c", "int a;\n")]);
    let null = fs::metadata("/dev/null").expect("it is there").ino();
    for _ in 0..2 {
        place.succeed(
            Use::On,
            "$CC -c a.c -o /dev/null && $CC -MD -MF /dev/null -c a.c -o out/a.o",
        );
        place.succeed(Use::On, "$CC -c a.c -o - >out/a.o && test -s out/a.o");
        place.succeed(
            Use::On,
            "mkfifo pipe; cat pipe >out/b.o & $CC -c a.c -o pipe && wait && cmp out/a.o out/b.o",
        );
        place.succeed(Use::On, "rm pipe");
    }
    let found = fs::metadata("/dev/null").expect("it is there");
    assert!(found.file_type().is_char_device() && found.ino() == null);
    assert_eq!(place.counts()["hits"], 0);
}

/// An object that somebody changes in place is not the cache's.
#[test]
fn an_answer_does_not_share_its_file() {
    let place = Place::new(&[("a.c", "int a;\n")]);
    let command = "$CC -c a.c -o out/a.o";
    place.compile(command);
    place.succeed(
        Use::On,
        "$CC -c a.c -o out/a.o; printf XXXX | dd of=out/a.o conv=notrunc status=none",
    );
    assert_eq!(place.compile(command), Hit);
}

#[test]
fn links_start_no_engine_and_follow_their_objects() {
    let place = Place::new(&[
        ("a.c", "int g(void);\nint main(void) { return g(); }\n"),
        ("b.c", "int g(void) { return 7; }\n"),
    ]);
    let link = "$CC a.o b.o -o out/program && out/program; echo $?";
    place.succeed(Use::On, "$CC -c a.c && $CC -c b.c");
    assert_eq!(place.compile(link), Miss);
    assert_eq!(place.compile(link), Hit);
    place.write("b.c", "int g(void) { return 8; }\n");
    place.succeed(Use::On, "$CC -c b.c");
    assert!(place.outcome(Use::On, link).stdout.ends_with("8\n"));
    // A linker that fails is the engine's to report.
    place.write("b.c", "int h(void) { return 8; }\n");
    place.succeed(Use::On, "$CC -c b.c");
    let failed = "$CC a.o b.o -o out/program";
    let (cached, plain) = (place.outcome(Use::On, failed), place.outcome(Use::Off, failed));
    assert_eq!(cached, plain);
    assert!(cached.stderr.contains("undefined reference"), "{}", cached.stderr);
}
