//! Rules about the text of the sources.

use std::sync::LazyLock;

use regex_lite::Regex;

use super::assert_none;
use super::workspace::{TextFile, members, rust_files, text_files};

/// Files and directories where `unsafe` may stand, each with its need.
const UNSAFE: &[(&str, &str)] = &[
    ("crates/frontend/engine/src/ffi", "calls the C++ of the engine"),
    (
        "tests/it/engine/oracle.rs",
        "calls libclang, the independent oracle",
    ),
    ("tests/benches/language.rs", "counts what the allocator gives out"),
];

/// Files and directories that may reach the outside world (clippy.toml, `disallowed-methods`), each with its part.
/// Tests of every crate may too.
const WORLD: &[(&str, &str)] = &[
    ("crates/db/store/src/os", "the real System"),
    (
        "crates/driver/",
        "owns threads, engine processes, the command line and the clock",
    ),
    (
        "crates/frontend/engine/",
        "clang reads its world through the host, the engine talks to that host",
    ),
    ("tests/", "looks at Loom from outside"),
];

/// Files that are longer than [`LENGTH`] lines, each with the reason why it is still one idea.
const LONG: &[(&str, &str)] = &[];

/// Lines after which a file most likely holds two ideas.
const LENGTH: usize = 600;

/// What must not be left behind in a source.
const UNFINISHED: &[&str] = &["todo!(", "unimplemented!(", "dbg!(", "#[should_panic"];

#[test]
fn rust_files_say_what_lives_there() {
    assert_none(
        "a file that does not open with //! and a sentence",
        breaches(&rust_files(), no_module_doc),
    );
}

#[test]
fn rust_files_hold_one_idea() {
    assert_none(
        "a file beyond the length for one idea",
        breaches(&rust_files(), too_long),
    );
    let needless = LONG.iter().filter(|(path, _)| {
        !rust_files()
            .iter()
            .any(|it| it.path == *path && lines(it) > LENGTH)
    });
    assert_none(
        "listed as long without need",
        needless.map(|(path, _)| (*path).to_owned()).collect(),
    );
}

#[test]
fn rust_files_are_finished() {
    assert_none("something left behind", breaches(&rust_files(), unfinished));
}

#[test]
fn unsafe_stays_in_its_modules() {
    assert_none(
        "unsafe outside its modules",
        breaches(&rust_files(), unsafe_elsewhere),
    );
    // The lint is what keeps the other files free of it, so every package must take the workspace's lints.
    let manifests = text_files()
        .into_iter()
        .filter(|file| file.path.ends_with("Cargo.toml"));
    let packages = manifests
        .filter(|file| file.text.contains("[package]"))
        .collect::<Vec<_>>();
    assert_eq!(
        packages.len(),
        members().len(),
        "one manifest for each package of the workspace"
    );
    assert_none(
        "a package without the workspace's lints",
        breaches(&packages, own_lints),
    );
}

#[test]
fn the_outside_world_is_reached_in_few_places() {
    assert_none(
        "a file, process, clock or thread in a pure crate",
        breaches(&rust_files(), world_elsewhere),
    );
}

#[test]
fn tests_are_left_out_only_for_make_test_full() {
    assert_none(
        "#[ignore] without its reason",
        breaches(&rust_files(), ignored_without_reason),
    );
}

#[test]
fn lines_end_where_their_text_ends() {
    // Test data may hold anything on purpose, and so may the inputs of fuzz targets.
    let files: Vec<_> = text_files()
        .into_iter()
        .filter(|it| !it.path.starts_with("testdata/") && !it.path.contains("/__fuzz__/"))
        .collect();
    assert_none(
        "whitespace at the end of a line",
        breaches(&files, trailing_whitespace),
    );
}

#[test]
fn no_path_belongs_to_a_machine() {
    let files: Vec<_> = text_files()
        .into_iter()
        .filter(|it| it.path != "Cargo.lock")
        .collect();
    assert_none("a path of one machine", breaches(&files, machine_path));
}

#[test]
fn breaches_are_noticed() {
    let count = |rule: Rule, path: &str, text: &str| {
        breaches(
            &[TextFile {
                path: path.to_owned(),
                text: text.to_owned(),
            }],
            rule,
        )
        .len()
    };
    assert_eq!(count(no_module_doc, "a.rs", "use std::fs;\n"), 1);
    assert_eq!(count(no_module_doc, "a.rs", "//!\n"), 1);
    assert_eq!(count(no_module_doc, "a.rs", "//! Reads files.\n"), 0);

    assert_eq!(count(too_long, "a.rs", &"x\n".repeat(LENGTH + 1)), 1);
    assert_eq!(count(too_long, "a.rs", &"x\n".repeat(LENGTH)), 0);

    assert_eq!(count(unfinished, "a.rs", concat!("fn f() { to", "do!() }\n")), 1);
    assert_eq!(count(unfinished, "a.rs", "// The list of what is to do.\n"), 0);

    let allowance = concat!("#![allow(unsafe", "_code)]\n");
    assert_eq!(count(unsafe_elsewhere, "crates/ir/src/lib.rs", allowance), 1);
    assert_eq!(
        count(unsafe_elsewhere, "crates/frontend/engine/src/ffi.rs", allowance),
        0
    );
    let allowance = concat!(
        "#[expect(clippy::disallowed",
        "_methods, reason = \"reads a file\")]\n"
    );
    assert_eq!(count(world_elsewhere, "crates/queries/src/unit.rs", allowance), 1);
    assert_eq!(
        count(world_elsewhere, "crates/queries/src/unit/tests.rs", allowance),
        0
    );
    assert_eq!(count(world_elsewhere, "crates/driver/src/host.rs", allowance), 0);
    let long = concat!(
        "#[expect(\n    clippy::disallowed",
        "_methods,\n    reason = \"reads\"\n)]\n"
    );
    assert_eq!(count(world_elsewhere, "crates/queries/src/unit.rs", long), 1);
    assert_eq!(count(own_lints, "Cargo.toml", "[package]\n[lints.rust]\n"), 1);
    assert_eq!(
        count(own_lints, "Cargo.toml", "[package]\n[lints]\nworkspace = true\n"),
        0
    );

    assert_eq!(
        count(
            ignored_without_reason,
            "a.rs",
            concat!("#[ign", "ore]\nfn f() {}\n")
        ),
        1
    );
    assert_eq!(
        count(
            ignored_without_reason,
            "a.rs",
            concat!("#[ign", "ore = \"slow\"]\n")
        ),
        1
    );
    assert_eq!(
        count(
            ignored_without_reason,
            "a.rs",
            concat!("#[ign", "ore = \"test-full: 9 minutes\"]\n")
        ),
        0
    );

    assert_eq!(count(trailing_whitespace, "a.md", "a \nb\t\nc\n"), 2);
    assert_eq!(count(trailing_whitespace, "a.md", "a\r\n"), 1);

    assert_eq!(count(machine_path, "a.md", concat!("see /wo", "rk/main\n")), 1);
    assert_eq!(count(machine_path, "a.md", concat!("\"/t", "mp/x\"\n")), 1);
    assert_eq!(count(machine_path, "a.md", "frame/work/x and ./root/y\n"), 0);
}

/// Says what is wrong with a file, each time with a line number (from 1).
type Rule = fn(&TextFile) -> Vec<(usize, String)>;

fn breaches(files: &[TextFile], rule: Rule) -> Vec<String> {
    let place =
        |file: &TextFile, (line, text): (usize, String)| format!("{}:{line}: {}", file.path, text.trim());
    files
        .iter()
        .flat_map(|file| {
            rule(file)
                .into_iter()
                .map(|it| place(file, it))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn no_module_doc(file: &TextFile) -> Vec<(usize, String)> {
    let first = file.text.lines().next().unwrap_or_default();
    let says = first
        .strip_prefix("//!")
        .is_some_and(|text| text.split_whitespace().count() >= 2);
    if says {
        Vec::new()
    } else {
        vec![(1, first.to_owned())]
    }
}

fn too_long(file: &TextFile) -> Vec<(usize, String)> {
    let listed = LONG.iter().any(|(path, _)| *path == file.path);
    if listed || lines(file) <= LENGTH {
        Vec::new()
    } else {
        vec![(lines(file), "end of file".to_owned())]
    }
}

fn unfinished(file: &TextFile) -> Vec<(usize, String)> {
    let here = "tests/it/tidy/sources.rs";
    matching(file, |line| {
        file.path != here && UNFINISHED.iter().any(|it| line.contains(it))
    })
}

/// The lint `unsafe_code` is denied for all, so a module with `unsafe` must lift it.
fn unsafe_elsewhere(file: &TextFile) -> Vec<(usize, String)> {
    if is_listed(UNSAFE, file) {
        Vec::new()
    } else {
        matching(file, |line| lifts(line, "unsafe_code"))
    }
}

fn world_elsewhere(file: &TextFile) -> Vec<(usize, String)> {
    let test = ["/tests.rs", "/fuzz.rs"]
        .iter()
        .any(|end| file.path.ends_with(end))
        || file.path.contains("/tests/")
        || file.path.contains("/testing");
    if test || is_listed(WORLD, file) {
        Vec::new()
    } else {
        matching(file, |line| lifts(line, "disallowed_methods"))
    }
}

/// Whether a line is an attribute that lifts `lint`, or the line for it in a longer one.
fn lifts(line: &str, lint: &str) -> bool {
    static ATTRIBUTE: LazyLock<Regex> =
        LazyLock::new(|| regex(r"^\s*#!?\[(cfg_attr\(.*)?(allow|expect|warn)\((.*)"));
    let own_line = line.trim().trim_end_matches(',').trim_start_matches("clippy::") == lint;
    own_line
        || ATTRIBUTE
            .captures(line)
            .is_some_and(|parts| parts[3].split(['(', ',', ' ', ')', ':']).any(|it| it == lint))
}

fn is_listed(list: &[(&str, &str)], file: &TextFile) -> bool {
    list.iter().any(|(path, _)| file.path.starts_with(path))
}

fn own_lints(file: &TextFile) -> Vec<(usize, String)> {
    let inherits = file.text.contains("[lints]\nworkspace = true\n");
    if inherits {
        Vec::new()
    } else {
        vec![(1, "no `[lints] workspace = true`".to_owned())]
    }
}

fn ignored_without_reason(file: &TextFile) -> Vec<(usize, String)> {
    static IGNORED: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*#\[(cfg_attr\(.*)?ignore\b"));
    static REASON: LazyLock<Regex> = LazyLock::new(|| regex(r#"\bignore = "test-full: \w+"#));
    matching(file, |line| IGNORED.is_match(line) && !REASON.is_match(line))
}

fn trailing_whitespace(file: &TextFile) -> Vec<(usize, String)> {
    let lines = file.text.split_terminator('\n').enumerate();
    let ragged = lines.filter(|(_, line)| line.ends_with(char::is_whitespace));
    ragged.map(|(index, line)| (index + 1, line.to_owned())).collect()
}

/// Directories of the place Loom was written in; temporary files are made by tempfile or mktemp.
fn machine_path(file: &TextFile) -> Vec<(usize, String)> {
    static PATH: LazyLock<Regex> = LazyLock::new(|| regex("(^|[^A-Za-z0-9_.])/(work|farm|root|tmp)/"));
    matching(file, |line| PATH.is_match(line))
}

fn matching(file: &TextFile, breaks: impl Fn(&str) -> bool) -> Vec<(usize, String)> {
    let lines = file.text.lines().enumerate().filter(|(_, line)| breaks(line));
    lines.map(|(index, line)| (index + 1, line.to_owned())).collect()
}

fn lines(file: &TextFile) -> usize {
    file.text.lines().count()
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are valid")
}
