//! `loom cache`, modes, and the size.

use std::fs;

use super::place::Answer::{Hit, Miss};
use super::place::{Place, Use};

#[test]
fn off_and_read_only_leave_the_cache_alone() {
    let place = Place::new(&[("a.c", "int a;\n")]);
    place.succeed(Use::Off, "$CC -c a.c -o out/a.o");
    place.succeed(Use::On, "LOOM_CACHE=ro $CC -c a.c -o out/a.o");
    assert!(place.cache_files().is_empty(), "{:?}", place.cache_files());
    assert_eq!(place.compile("$CC -c a.c -o out/a.o"), Miss);
    let files = place.cache_files();
    place.succeed(
        Use::On,
        "rm out/a.o; LOOM_CACHE=ro $CC -c a.c -o out/a.o && test -s out/a.o",
    );
    assert_eq!(place.cache_files(), files);
    assert_eq!(place.counts()["hits"], 0, "read-only counts nothing");

    let output = place.run(Use::On, "LOOM_CACHE=yes $CC -c a.c -o out/a.o");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("LOOM_CACHE is 'yes'"), "{message}");
}

#[test]
fn a_cache_that_cannot_be_written_is_no_failure() {
    let place = Place::new(&[("a.c", "int a;\n"), ("file", "")]);
    for directory in ["$PWD/file", "/proc/nowhere"] {
        place.succeed(
            Use::On,
            &format!("rm -f out/a.o; LOOM_CACHE_DIR={directory} $CC -c a.c -o out/a.o && test -s out/a.o"),
        );
    }
}

#[test]
fn the_size_is_kept_and_the_cache_can_be_emptied() {
    let place = Place::new(&[("a.c", "int a = N;\n")]);
    for n in 0..6 {
        place.compile(&format!("$CC -DN={n} -c a.c -o out/a.o"));
    }
    assert_eq!(place.counts()["commands"], 6);
    let report = place.succeed(Use::On, "$LOOM cache gc --size=16K");
    assert!(report.starts_with("removed "), "{report}");
    let left = place.counts()["commands"];
    assert!((1..6).contains(&left), "{left}");
    assert_eq!(
        place.compile("$CC -DN=5 -c a.c -o out/a.o"),
        Hit,
        "the newest stays"
    );
    assert_eq!(
        place.compile("$CC -DN=0 -c a.c -o out/a.o"),
        Miss,
        "the oldest goes"
    );
    let report = place.succeed(Use::On, "$LOOM cache clear");
    assert!(report.starts_with("removed "), "{report}");
    assert!(place.cache_files().is_empty(), "{:?}", place.cache_files());
}

#[test]
fn damage_is_found_and_harmless() {
    let place = Place::new(&[("a.c", "int a;\n")]);
    let command = "$CC -c a.c -o out/a.o";
    place.compile(command);
    assert!(
        place
            .succeed(Use::On, "$LOOM cache verify")
            .contains("1 commands and 1 outputs are sound")
    );
    let files = place.cache_files();
    for file in files
        .iter()
        .filter(|it| it.starts_with(place.cache().join("contents")))
    {
        let mut content = fs::read(file).expect("it is there");
        *content.last_mut().expect("it is not empty") ^= 1;
        fs::write(file, content).expect("it can be written");
    }
    let output = place.run(Use::On, "$LOOM cache verify");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cache_entry_damaged"));
    assert_eq!(place.compile(command), Miss);
    assert_eq!(place.compile(command), Hit);
}

/// A wrong answer, made by putting one command's record below another's key, is what verification is for.
#[test]
fn verification_fails_loudly_on_a_wrong_answer() {
    let place = Place::new(&[("a.c", "int a = N;\n")]);
    let records = |place: &Place| -> Vec<_> {
        let directory = place.cache().join("records");
        place
            .cache_files()
            .into_iter()
            .filter(|it| it.starts_with(&directory))
            .collect()
    };
    place.compile("$CC -DN=1 -c a.c -o out/a.o");
    let first = records(&place)[0].clone();
    place.compile("$CC -DN=2 -c a.c -o out/a.o");
    let second = records(&place)
        .into_iter()
        .find(|it| *it != first)
        .expect("there are two");
    let verified = |place: &Place| place.run(Use::Verify, "$CC -DN=2 -c a.c -o out/a.o");
    assert!(verified(&place).status.success());
    assert_eq!(place.counts()["verified"], 1);

    fs::copy(&first, &second).expect("it can be copied");
    let output = verified(&place);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("would have answered wrongly: another '"),
        "{message}"
    );
    assert_eq!(place.counts()["wrong"], 1);
}

#[test]
fn show_tells_what_an_object_was_made_from() {
    let place = Place::new(&[("a.c", "#include \"a.h\"\n"), ("a.h", "int a;\n")]);
    place.compile("$CC -Imissing -c a.c -o out/a.o");
    let text = place.succeed(Use::On, "$LOOM cache show out/a.o");
    let digest = loom_base::Digest::of(b"int a;\n");
    for line in [
        format!("  read      {digest}  ./a.h"),
        "  unset     SOURCE_DATE_EPOCH".to_owned(),
    ] {
        assert!(text.lines().any(|it| it == line), "{line} is not in\n{text}");
    }
    let output = place.run(Use::On, "echo >out/b.o; $LOOM cache show out/b.o");
    assert_eq!(output.status.code(), Some(1));
}
