//! What a report looks like, and which diagnostics follow from it.

use expect_test::{Expect, expect};
use loom_base::Digest;

use super::{RaiseReport, RaisedFunction, RaisedHint, render_hints, render_html};
use crate::hint::{Hint, HintPlace, Position, encode_hint};

fn report() -> RaiseReport {
    let at = |line, column| Position { line, column };
    let place = HintPlace {
        file: b"a<b>.c".to_vec(),
        carrier: at(2, 5),
        pragma: at(3, 1),
        begin: at(4, 3),
        end: at(6, 4),
    };
    let text = encode_hint(&Hint::Loop { marker: 7, place });
    let hint = |state: &str, category: &str, message: &str| RaisedHint {
        payload: text.iter().map(|byte| format!("{byte:02x}")).collect(),
        function: "f".to_owned(),
        is_loop: true,
        state: state.to_owned(),
        category: category.to_owned(),
        fatal: category == "candidate_hint_invalid_placement",
        message: message.to_owned(),
    };
    RaiseReport {
        module: Some(Digest::of(b"module")),
        functions: vec![RaisedFunction {
            name: "f".to_owned(),
            state: "unstructured".to_owned(),
            reason: "computed_goto".to_owned(),
            for_loops: 0,
            while_loops: 0,
            conditionals: 0,
            switches: 0,
            scalars: 3,
        }],
        hints: vec![
            hint("found", "", ""),
            hint(
                "erased",
                "candidate_hint_projection_proof_not_established",
                "the optimizer erased or rewrote the loop",
            ),
            hint("malformed", "candidate_hint_invalid_placement", "listed twice"),
        ],
        ..RaiseReport::default()
    }
}

fn check(actual: &str, expected: Expect) {
    expected.assert_eq(actual);
}

#[test]
fn only_what_is_not_found_is_worth_a_diagnostic() {
    let lines: Vec<_> = report()
        .diagnostics()
        .iter()
        .map(|it| format!("{} {}: {}\n", it.severity, it.code, it.message))
        .collect();
    check(
        &lines.concat(),
        expect![[r#"
            warning candidate_hint_projection_proof_not_established: a candidate loop of 'f' at a<b>.c:3:1: the optimizer erased or rewrote the loop
            error candidate_hint_invalid_placement: a candidate loop of 'f' at a<b>.c:3:1: listed twice
        "#]],
    );
}

#[test]
fn hints_name_function_place_and_state() {
    let hints: serde_json::Value = serde_json::from_str(&render_hints(&report())).unwrap();
    check(
        &format!(
            "{} {} {} {}",
            hints[1]["file"], hints[1]["pragma"], hints[1]["state"], hints[0]["state"]
        ),
        expect![[r#""a<b>.c" {"column":1,"line":3} "erased" "found""#]],
    );
}

#[test]
fn the_page_escapes_names() {
    let page = render_html(&report());
    assert!(
        page.contains("a&lt;b&gt;.c:3:1") && !page.contains("a<b>"),
        "{page}"
    );
    assert!(page.contains("<td>computed_goto</td>"), "{page}");
}

#[test]
fn a_payload_that_is_no_hint_has_no_place() {
    let mut hint = report().hints.remove(0);
    for payload in ["", "zz", "6", "616263"] {
        hint.payload = payload.to_owned();
        assert_eq!(hint.place(), None);
    }
}
