//! What users and programs see.

use expect_test::{Expect, expect};

use super::*;
use crate::schema::diagnostic_errors;

const TEXT: &str = "func.def @f() {\n  µ = call @g()\n}\n";

fn sources(name: &FileName) -> Option<SourceText> {
    (name.as_str() == "a.loom").then(|| SourceText::new(name.clone(), TEXT))
}

fn full() -> Diagnostic {
    let (here, elsewhere) = ("a.loom".into(), "b.loom".into());
    let at = TEXT.find("@g").unwrap() as u32;
    Diagnostic::error("SYMBOL/002", "symbol '@g' is referenced but not defined")
        .at(&here, at..at + 2)
        .related("in this function", &here, 9..11)
        .related("a similar name", &elsewhere, 3..5)
        .note("symbols of other modules need a declaration")
        .help("declare it with `func.decl @g`")
}

#[track_caller]
fn check(diagnostic: &Diagnostic, text: Expect, json: Expect) {
    text.assert_eq(&render_text(diagnostic, &sources, false));
    json.assert_eq(&render_json(diagnostic, &sources));
}

#[test]
fn everything_at_once() {
    check(
        &full(),
        expect![[r#"
            error[SYMBOL/002]: symbol '@g' is referenced but not defined
             --> a.loom:2:12
              |
            1 | func.def @f() {
              |          -- in this function
            2 |   µ = call @g()
              |            ^^
              |
              = note: a similar name: in b.loom
              = note: symbols of other modules need a declaration
              = help: declare it with `func.decl @g`
        "#]],
        expect![[r#"
        {"severity":"error","code":"SYMBOL/002","message":"symbol '@g' is referenced but not defined","place":{"file":"a.loom","start":{"line":2,"column":12,"offset":28},"end":{"line":2,"column":14,"offset":30}},"related":[{"label":"in this function","place":{"file":"a.loom","start":{"line":1,"column":10,"offset":9},"end":{"line":1,"column":12,"offset":11}}},{"label":"a similar name","place":{"file":"b.loom","start":null,"end":null}}],"notes":["symbols of other modules need a declaration"],"help":"declare it with `func.decl @g`"}
    "#]],
    );
}

#[test]
fn without_a_place() {
    check(
        &Diagnostic::warning("LINK/001", "root symbol '@x' was not found"),
        expect![[r#"
            warning[LINK/001]: root symbol '@x' was not found
        "#]],
        expect![[r#"
            {"severity":"warning","code":"LINK/001","message":"root symbol '@x' was not found","place":null,"related":[],"notes":[],"help":null}
        "#]],
    );
}

#[test]
fn places_outside_the_text_are_clamped() {
    check(
        &Diagnostic::error("X/1", "cut off").at(&"a.loom".into(), 500..600),
        expect![[r#"
            error[X/1]: cut off
             --> a.loom:3:3
              |
            3 | }
              |  ^
        "#]],
        expect![[r#"
            {"severity":"error","code":"X/1","message":"cut off","place":{"file":"a.loom","start":{"line":4,"column":1,"offset":500},"end":{"line":4,"column":1,"offset":600}},"related":[],"notes":[],"help":null}
        "#]],
    );
    check(
        &Diagnostic::error("X/2", "in a character").at(&"a.loom".into(), 19..19),
        expect![[r#"
            error[X/2]: in a character
             --> a.loom:2:3
              |
            2 |   µ = call @g()
              |   ^
        "#]],
        expect![[r#"
            {"severity":"error","code":"X/2","message":"in a character","place":{"file":"a.loom","start":{"line":2,"column":3,"offset":19},"end":{"line":2,"column":3,"offset":19}},"related":[],"notes":[],"help":null}
        "#]],
    );
}

#[test]
fn colour_only_on_request() {
    assert!(!render_text(&full(), &sources, false).contains('\u{1b}'));
    assert!(render_text(&full(), &sources, true).contains('\u{1b}'));
}

#[test]
fn every_line_follows_the_schema() {
    let clang = loom_frontend::engine::CompilerMessage {
        level: "fatal error".to_owned(),
        message: "no such file".to_owned(),
        file: "x.c".to_owned(),
        line: 1,
        column: 10,
        option: String::new(),
    };
    let clang = serde_json::to_value(DiagnosticLine::of_compiler(&clang)).unwrap();
    let own = [full(), Diagnostic::warning("LINK/001", "no place")];
    let own = own.map(|diagnostic| serde_json::from_str(&render_json(&diagnostic, &sources)).unwrap());
    for line in own.iter().chain([&clang]) {
        assert_eq!(diagnostic_errors(line), [""; 0], "{line}");
    }
    let mut wrong = clang;
    wrong["place"]["start"]["line"] = 0.into();
    assert!(!diagnostic_errors(&wrong).is_empty(), "lines count from 1");
}
