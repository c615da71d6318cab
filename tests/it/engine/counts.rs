//! What an edit runs, with the real engine: names of the queries that ran, in order. Each through both faces.

use expect_test::{Expect, expect};

use super::face::{Edit, InProcess, Protocol, Start};
use super::world::Project;

const SOURCE: &str = "#include \"deep.h\"\nint f(int x) { return x + DEEP; }\n";
const ARGUMENTS: &str = "-Wall -Ifirst -Isecond -c f.c -o f.o";

/// Compiles once, then makes each edit and asks again; the names must be as expected.
fn check(steps: &[(Edit<'_>, Expect)]) {
    let faces: [Start; 2] = [
        |project| Box::new(InProcess::new(project)),
        |project| Box::new(Protocol::new(project)),
    ];
    for face in faces {
        let project = Project::new(&[
            ("f.c", SOURCE),
            ("first/empty.h", ""),
            ("second/deep.h", "#define DEEP 3\n"),
            ("second/other.h", "#define OTHER 1\n"),
        ]);
        let mut face = face(&project);
        face.ask(&project, ARGUMENTS);
        for (edit, expected) in steps {
            face.apply(&project, edit);
            expected.assert_eq(&face.ask(&project, ARGUMENTS).join(" "));
        }
    }
}

#[test]
fn nothing_changed() {
    check(&[(Edit::Nothing, expect![""])]);
}

#[test]
fn touched_but_equal() {
    check(&[(Edit::Write("second/deep.h", "#define DEEP 3\n"), expect![""])]);
}

#[test]
fn comment_edited_with_equal_bitcode() {
    check(&[(
        Edit::Write("second/deep.h", "#define DEEP 3 // as ever\n"),
        expect!["compiled_unit"],
    )]);
}

/// The answer is another one, since the warning moved; the module is the same, and so nothing that follows from
/// it runs.
#[test]
fn warning_moved() {
    let warned = "static int unused; int f(int x) { return x; }\n";
    let moved = "/* */ static int unused; int f(int x) { return x; }\n";
    check(&[
        (
            Edit::Write("f.c", warned),
            expect!["compiled_unit normalized_bitcode payload diagnostics object"],
        ),
        (
            Edit::Write("f.c", moved),
            expect!["compiled_unit normalized_bitcode diagnostics object"],
        ),
    ]);
}

#[test]
fn meaning_edited() {
    check(&[(
        Edit::Write("second/deep.h", "#define DEEP 4\n"),
        expect!["compiled_unit normalized_bitcode payload diagnostics object"],
    )]);
}

#[test]
fn newly_shadowing_header() {
    check(&[(
        Edit::Write("first/deep.h", "#define DEEP 5\n"),
        expect!["compiled_unit normalized_bitcode payload diagnostics object"],
    )]);
}

#[test]
fn unrelated_header() {
    check(&[
        (Edit::Write("second/other.h", "#define OTHER 2\n"), expect![""]),
        (Edit::Write("first/unheard.h", "#define UNHEARD 1\n"), expect![""]),
    ]);
}

#[test]
fn environment() {
    check(&[
        (Edit::Variable("LOOM_UNHEARD_OF", "1"), expect![""]),
        (
            Edit::Variable("CPATH", "/nowhere"),
            expect!["compiled_unit normalized_bitcode diagnostics object"],
        ),
    ]);
}

#[test]
fn clock() {
    let dated = "const char *f(void) { return __DATE__; }\n";
    check(&[
        (Edit::Clock(1), expect![""]),
        (
            Edit::Write("f.c", dated),
            expect!["compiled_unit normalized_bitcode payload diagnostics object"],
        ),
        (
            Edit::Clock(86_400 * 400),
            expect!["compiled_unit normalized_bitcode payload diagnostics object"],
        ),
    ]);
}
