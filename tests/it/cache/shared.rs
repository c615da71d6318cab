//! Compiles that are answered although nobody ran this very command: what was parsed is what counts.

use super::place::Answer::{Miss, Uncached};
use super::place::{Place, Use};

const SOURCE: &str = "#include <stdio.h>\n#include \"a.h\"\nint f(void) { int unused; return puts(TEXT); }\n";

fn place() -> Place {
    Place::new(&[
        ("a.c", SOURCE),
        ("a.h", "#define TEXT \"one\"\n"),
        ("b.c", "int f(void);\nint main(void) { return f(); }\n"),
    ])
}

fn count(place: &Place, name: &str) -> u64 {
    place.counts().get(name).copied().unwrap_or(0)
}

/// Runs `command` as nobody did before; says how many of its compiles were answered. What comes out must be what it
/// would be without the cache.
#[track_caller]
fn answered(place: &Place, command: &str) -> u64 {
    let before = count(place, "step-hits");
    let answer = place.compile(command);
    assert!(matches!(answer, Miss | Uncached), "{command}: {answer:?}");
    count(place, "step-hits") - before
}

#[test]
fn spellings_of_one_compile_share_it() {
    let place = place();
    assert_eq!(answered(&place, "$CC -O1 -Wall -g -c a.c -o out/a.o"), 0);
    for command in [
        "$CC -g -O1 -Wall -c -o out/a.o a.c",
        "$CC -O2 -O1 -g -Wall -c a.c -o out/b.o",
        "$CC -c a.c -Wall -g -O1 -o out/longer-name.o",
        "$CC -O1 -Wall -g -c a.c -o out/a.o -fcolor-diagnostics",
        "$CC -O1 -Wall -g -c a.c -o out/a.o -fmessage-length=80",
        "$CC -O1 -Wall -g -c a.c -o out/a.o -fmessage-length=300",
        "echo -O1 -Wall >options; $CC @options -g -c a.c -o out/a.o",
        "$CC -O1 -Wall -g -c a.c -o out/a.o -Wl,-O1",
        "$CC -O1 -Wall -g -c $PWD/../work/a.c -o out/a.o || true; $CC -g -Wall -O1 -c a.c -o out/c.o",
    ] {
        if command.contains("$PWD") {
            // Two commands: another name of the source is another compile.
            let before = count(&place, "step-hits");
            place.succeed(Use::On, command);
            assert_eq!(count(&place, "step-hits"), before + 1, "{command}");
        } else {
            assert_eq!(answered(&place, command), 1, "{command}");
        }
    }
    for command in [
        "$CC -O2 -Wall -g -c a.c -o out/a.o",
        "$CC -O1 -Wall -c a.c -o out/a.o",
        "$CC -O1 -g -c a.c -o out/a.o",
        "$CC -O1 -Wall -g -DX -c a.c -o out/a.o",
        "$CC -O1 -Wall -g -I. -c a.c -o out/a.o",
        "$CC -O1 -Wall -g -fno-loom-payload -c a.c -o out/a.o",
        "$CC -O1 -Wall -g -S a.c -o out/a.s",
        "$CC -O1 -Wall -g -gsplit-dwarf -c a.c -o out/a.o",
        "$CXX -x c++ -O1 -Wall -g -c a.c -o out/a.o",
    ] {
        assert_eq!(answered(&place, command), 0, "{command}");
    }
}

#[test]
fn dependency_files_are_written_for_who_asks() {
    let place = place();
    assert_eq!(answered(&place, "$CC -MD -c a.c -o out/a.o"), 0);
    for command in [
        "$CC -MD -c a.c -o out/a-very-long-name-of-an-object-so-that-lines-break-elsewhere-than-before.o",
        "$CC -MD -MF out/deps -c a.c -o out/a.o",
        "$CC -MD -MT 'one two' -MQ '$three' -c a.c -o out/a.o",
        "$CC -MD -MP -c a.c -o out/a.o",
        "$CC -MP -MT t -MD -MF out/d -c a.c -o out/b.o",
        "$CC -MD -MV -c a.c -o out/a.o",
    ] {
        assert_eq!(answered(&place, command), 1, "{command}");
    }
    for command in [
        "$CC -c a.c -o out/a.o",
        "$CC -MMD -c a.c -o out/a.o",
        "$CC -MD -H -c a.c -o out/a.o",
    ] {
        assert_eq!(answered(&place, command), 0, "{command}");
    }
}

/// An answer to another spelling depends on all that the compile did.
#[test]
fn an_edit_is_an_edit_for_every_spelling() {
    let place = place();
    assert_eq!(answered(&place, "$CC -MD -Inew -c a.c -o out/1.o"), 0);
    for (index, edit) in [
        "sed -i s/one/two/ a.h",
        "mkdir new; echo '#error not on the path of quotes' >new/a.h; echo >new/stdio.h",
        "rm -r new",
        "echo >>a.c",
        "rm a.h",
    ]
    .iter()
    .enumerate()
    {
        place.succeed(Use::Off, edit);
        let known = u64::from(edit.starts_with("rm -r"));
        let command = |name: &str| format!("$CC -MD -Inew -c a.c -o out/{name}{index}.o");
        assert_eq!(answered(&place, &command("x")), known, "{edit}");
        let failed = u64::from(*edit != "rm a.h" && !edit.starts_with("mkdir"));
        assert_eq!(answered(&place, &command("y")), failed.max(known), "{edit} again");
    }
}

#[test]
fn a_compile_that_also_links_shares_its_compiles() {
    let place = place();
    assert_eq!(answered(&place, "$CC a.c b.c -o out/program && out/program"), 0);
    assert_eq!(answered(&place, "$CC a.c b.c -o out/program && out/program"), 2);
    assert_eq!(answered(&place, "$CC -o out/other b.c a.c && out/other"), 2);
    assert_eq!(answered(&place, "$CC -c a.c -o out/a.o"), 1);
    assert_eq!(count(&place, "runs other programs"), 3);
    place.succeed(Use::Off, "sed -i s/one/two/ a.h");
    let text = place.outcome(Use::On, "$CC a.c b.c -o out/program && out/program");
    assert_eq!(text.stdout, "two\n");
}

#[test]
fn several_sources_of_one_command_are_several_compiles() {
    let place = place();
    assert_eq!(answered(&place, "cd out && $CC -c -I.. ../a.c ../b.c"), 0);
    assert_eq!(answered(&place, "cd out && $CC -c -I.. ../b.c ../a.c"), 2);
    place.succeed(Use::Off, "sed -i s/one/two/ a.h");
    assert_eq!(answered(&place, "cd out && $CC -c ../b.c -I.. ../a.c"), 1);
}

#[test]
fn verification_compiles_what_is_shared_too() {
    let place = place();
    place.succeed(Use::On, "$CC -Wall -MD -c a.c -o out/a.o");
    let hits = count(&place, "step-hits");
    place.succeed(Use::Verify, "$CC -Wall -MD -c a.c -o out/b.o");
    assert_eq!((count(&place, "step-hits"), count(&place, "wrong")), (hits, 0));
}
