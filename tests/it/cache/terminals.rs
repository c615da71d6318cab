//! Messages on terminals of any kind and width: what was said to a pipe is said again as clang would say it there.

use std::fmt::Write as _;

use super::place::{Place, Use};

/// Messages of every shape: long and short, with notes, fix-its, macros, includes, tabs, wide characters, trailing and
/// doubled spaces, differences of templates.
const C_SOURCE: &str = "#include \"a.h\"\n\
    #define TWICE(x) ((x) + LONGER_NAME_OF_A_MACRO(x))\n\
    #define LONGER_NAME_OF_A_MACRO(x) (x + undeclared_variable_with_a_long_name)\n\
    int f(int first_parameter, int second_parameter) { int unused; if (first_parameter = 1) return 0; return TWICE(second_parameter); }\n\
    #warning  spaces   in  the\ttext, and so many words that any terminal but the widest has to wrap them somewhere in between\n\
    int g(void) { \t char text[] = \"größe \u{4e2d}\u{6587} text\"; return text + 1.5 + \"a line that is longer than most terminals are wide\" [100]; }\n\
    void h(void) { struct S s; printf(\"%s %d\\n\", 1); }\n";

const CXX_SOURCE: &str = "template <class A, class B> struct Pair {};\n\
    template <class T> struct List {};\n\
    void take(Pair<List<int>, Pair<long, List<char>>>);\n\
    void f() { take(Pair<List<unsigned>, Pair<long, List<signed char>>>()); int unused; }\n";

fn place() -> Place {
    Place::new(&[
        ("a.c", C_SOURCE),
        (
            "a.h",
            "static inline int header(int a) { int unused_in_header; return a == a; }\n",
        ),
        ("a.cc", CXX_SOURCE),
    ])
}

/// What `command` says on a terminal of this width.
fn said(place: &Place, how: Use, name: &str, columns: u32, command: &str) -> String {
    let script = format!(
        "TERM={name} script -qec 'stty rows 24 cols {columns}; {command}; echo status $?' /dev/null </dev/null"
    );
    let output = place.run(how, &script);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs `command` into a pipe, then on each terminal; says on which of them the cache did not know what to say.
#[track_caller]
fn unanswered(place: &Place, command: &str, terminals: &[(&str, u32)]) -> Vec<String> {
    place.run(Use::On, command);
    let hits = |place: &Place| place.counts()["hits"];
    let mut unanswered = Vec::new();
    for (name, columns) in terminals {
        let before = hits(place);
        let cached = said(place, Use::On, name, *columns, command);
        let plain = said(place, Use::Off, name, *columns, command);
        assert!(
            cached == plain,
            "{command} on {name} of {columns}:\n{cached}\ninstead of\n{plain}"
        );
        if hits(place) == before {
            unanswered.push(format!("{name} of {columns}"));
            // From now on it is known.
            assert_eq!(
                said(place, Use::On, name, *columns, command),
                plain,
                "{command} again on {name}"
            );
            assert_eq!(hits(place), before + 1, "{command} again on {name} of {columns}");
        }
    }
    unanswered
}

const COMMANDS: [&str; 7] = [
    "$CC -Wall -c a.c -o out/a.o",
    "$CC -Wall -fcolor-diagnostics -c a.c -o out/a.o",
    "$CC -Wall -fno-color-diagnostics -c a.c -o out/a.o",
    "$CC -Wall -fdiagnostics-format=msvc -fdiagnostics-show-category=name -c a.c -o out/a.o",
    "$CC -Wall -fdiagnostics-print-source-range-info -fdiagnostics-parseable-fixits -c a.c -o out/a.o",
    "$CXX -Wall -fdiagnostics-show-template-tree -c a.cc -o out/a.o",
    "$CXX -Wall -fno-elide-type -fno-caret-diagnostics -c a.cc -o out/a.o",
];

#[test]
fn common_terminals_start_no_engine() {
    let place = place();
    for command in COMMANDS {
        let terminals = [
            ("xterm-256color", 80),
            ("dumb", 80),
            ("xterm", 240),
            ("dumb", 300),
            ("linux", 0),
        ];
        assert_eq!(unanswered(&place, command, &terminals), [""; 0], "{command}");
    }
    // A width that options give leaves only colours to the terminal.
    for command in [
        "$CC -Wall -fmessage-length=33 -c a.c -o out/a.o",
        "$CC -Wall -fmessage-length=0 -c a.c -o out/a.o",
    ] {
        let terminals = [("xterm", 80), ("dumb", 47), ("xterm", 113), ("screen", 20)];
        assert_eq!(unanswered(&place, command, &terminals), [""; 0], "{command}");
    }
}

#[test]
fn other_widths_are_clangs_to_wrap_and_known_then() {
    let place = place();
    for columns in [20, 47, 79, 81, 100, 113, 160] {
        unanswered(&place, COMMANDS[0], &[("xterm", columns)]);
    }
}

#[test]
#[ignore = "test-full: every width of a terminal, minutes"]
fn every_width_is_wrapped_as_clang_does() {
    let place = place();
    for command in COMMANDS {
        for columns in (1..230).step_by(3) {
            let name = if columns % 2 == 0 { "xterm" } else { "dumb" };
            unanswered(&place, command, &[(name, columns)]);
        }
    }
}

/// Terminals have colours or not by their names.
#[test]
fn names_of_terminals_are_understood() {
    let place = place();
    let mut terminals = Vec::new();
    for name in [
        "ansi",
        "ansi-m",
        "cygwin",
        "screen.x",
        "vt100",
        "vt220",
        "rxvt-16",
        "foot",
        "truecolor",
        "xtermcolor2",
        "",
    ] {
        terminals.push((name, 80));
    }
    assert_eq!(unanswered(&place, COMMANDS[0], &terminals), [""; 0]);
    // COLUMNS comes before what the terminal says of itself.
    let mut mismatches = String::new();
    for columns in ["80", " +80x", "0", "-5", "", "wide", "300"] {
        let command = format!("COLUMNS=\"{columns}\" {}", COMMANDS[0]);
        let known = unanswered(&place, &command, &[("xterm", 80)]);
        for it in known {
            let _ = writeln!(mismatches, "{columns}: {it}");
        }
    }
    assert_eq!(mismatches, "");
}

/// What is no message of clang's is for the terminal it was said to.
#[test]
fn other_text_is_for_its_own_terminal() {
    let place = place();
    for command in ["$CC -v -c a.h -o out/a.o", "$CC -H -Wall -c a.c -o out/a.o"] {
        assert_eq!(
            unanswered(&place, command, &[("xterm", 80)]).len(),
            1,
            "{command}"
        );
    }
}
