//! What is not kept, by reason.

use super::place::Answer::Uncached;
use super::place::{Place, Use};

#[test]
fn reasons_are_counted() {
    let place = Place::new(&[
        ("a.c", "int a;\n"),
        ("date.c", "char d[] = __DATE__;\n"),
        ("m.h", ""),
    ]);
    for (command, reason) in [
        ("$CC -c date.c -o out/a.o", "reads the clock"),
        (
            "$CC -save-temps=obj -c a.c -o out/a.o",
            "keeps intermediate files",
        ),
        ("$CC -fplugin=./no.so -c a.c -o out/a.o", "loads a plugin"),
        (
            "$CC -march=native -c a.c -o out/a.o",
            "depends on this machine's processor",
        ),
        ("$CC -E a.c", "writes to standard output"),
        ("$CC --version", "writes to standard output"),
        ("$CC -c a.c -o /dev/null", "output is not a regular file"),
        ("$CC -x c -c - -o out/a.o </dev/null", "reads standard input"),
        (
            "cat a.c | $CC -x c -c /dev/stdin -o out/a.o",
            "input is not a regular file",
        ),
        ("$CC -c a.c -o out/none/a.o", "output cannot be written"),
        (
            "$CC -fmodules -c a.c -o out/a.o -fmodules-cache-path=modules",
            "keeps modules in a cache of its own",
        ),
        ("$CC -MJ out/fragment.json -c a.c -o out/a.o", "appends to a file"),
        ("$CC a.c -shared -fPIC -o out/a.so", "runs other programs"),
        ("$CC -fno-integrated-as -c a.c -o out/a.o", "runs other programs"),
    ] {
        let before = place.counts().get(reason).copied().unwrap_or(0);
        for turn in 1..=2 {
            assert_eq!(
                place.compile(command),
                Uncached,
                "{command}: {:?}",
                place.counts()
            );
            assert_eq!(
                place.counts().get(reason),
                Some(&(before + turn)),
                "{command}: {:?}",
                place.counts()
            );
        }
    }
    assert_eq!(place.counts()["hits"], 0);
}

#[test]
fn what_measures_the_compiler_is_measured_again() {
    let place = Place::new(&[("a.c", "int a;\n")]);
    for command in [
        "$CC -ftime-report -c a.c -o out/a.o",
        "$CC -ftime-trace -c a.c -o out/a.o",
        "$CC -mllvm -time-passes -O1 -c a.c -o out/a.o",
        "$CC -Xclang -print-stats -c a.c -o out/a.o",
    ] {
        for _ in 0..2 {
            place.run(Use::On, command);
        }
    }
    assert_eq!(place.counts()["measures the compiler"], 8, "{:?}", place.counts());
}

#[test]
fn crashes_are_not_kept() {
    let place = Place::new(&[("a.c", "#pragma clang __debug crash\n")]);
    for _ in 0..2 {
        let output = place.run(Use::On, "$CC -c a.c -o out/a.o");
        assert!(!output.status.success());
    }
    let counts = place.counts();
    assert_eq!((counts["hits"], counts["misses"]), (0, 0), "{counts:?}");
}
