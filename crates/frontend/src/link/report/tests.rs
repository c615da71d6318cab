//! The three forms of one report.

use expect_test::expect;

use super::*;

fn report() -> LinkReport {
    LinkReport {
        output: "prog".to_owned(),
        module: Some("linked.bc".to_owned()),
        level: 1,
        members: vec![ReportedMember {
            input: "lib<1>.a".to_owned(),
            member: Some("x\".o".to_owned()),
            identity: "ab".repeat(32),
            verdict: "linked".to_owned(),
            ambiguous: false,
        }],
        unselected: vec![UnselectedMember {
            input: "lib<1>.a".to_owned(),
            member: "y.o".to_owned(),
            reason: "nothing needed it".to_owned(),
        }],
        ..LinkReport::default()
    }
}

#[test]
fn names_are_split_at_the_last_parenthesis() {
    let split = |name| {
        let it = split_name(name);
        format!("{} {:?}", it.input, it.member)
    };
    expect![[r#"a.o None"#]].assert_eq(&split("a.o"));
    expect![[r#"d(1)/lib.a Some("b.o")"#]].assert_eq(&split("d(1)/lib.a(b.o)"));
}

#[test]
fn json_has_fixed_keys() {
    let json = report().render(ReportForm::Json);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    expect![[r#"{"identity":"abababababababababababababababababababababababababababababababab","input":"lib<1>.a","member":"x\".o","verdict":"linked"}"#]]
        .assert_eq(&value["members"][0].to_string());
    assert_eq!(value["module"], "linked.bc");
}

#[test]
fn dot_shows_what_was_not_selected() {
    expect![[r#"
        digraph link {
          rankdir=LR;
          node [shape=box, fontname="monospace"];
          "prog" [style=bold];
          "linked.bc" [style=bold];
          m0 [label="lib<1>.a(x\".o)\nabababababab\nlinked"];
          m0 -> "prog";
          m0 -> "linked.bc";
          u0 [label="lib<1>.a(y.o)\nnothing needed it", style=dashed];
        }
    "#]]
    .assert_eq(&report().render(ReportForm::Dot));
}

#[test]
fn html_escapes_names() {
    let html = report().render(ReportForm::Html);
    assert!(html.contains("lib&lt;1&gt;.a(x&quot;.o)"), "{html}");
    assert!(!html.contains("lib<1>"), "{html}");
}
