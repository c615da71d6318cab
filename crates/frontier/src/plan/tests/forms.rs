//! JSON and pictures.

use super::*;
use crate::testing::text_sources;
use crate::{Index, symbols_json};

fn example() -> (Index, Plan) {
    let [index, _] = indexes(&example::sources(example::LINK));
    let plan = plan_link(&index, &options("@heterogeneous open facets"))
        .value
        .unwrap();
    (index, plan)
}

#[test]
fn json_of_a_plan() {
    let (index, plan) = example();
    let json = plan_json(&index, &plan);
    assert_eq!(json.lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["schema_version"], 1);
    expect![[r#"[{"path":"requester.loom","role":"input"},{"path":"stage.loom","role":"library"},{"path":"providers.loom","role":"library"}]"#]].assert_eq(&value["providers"].to_string());
    let symbols = value["symbols"].as_array().unwrap();
    let lines: Vec<String> = symbols.iter().map(ToString::to_string).collect();
    expect![[r#"
        {"cause":null,"definitions":[],"facets":["contract","implementation"],"flags":["public","export","definition"],"kind":"program","name":"heterogeneous","op":"command.program.def","ordinal":3,"provider":0,"reason":"root"}
        {"cause":0,"definitions":[],"facets":["contract"],"flags":["export","declaration"],"kind":"entry","name":"external","op":"kernel.entry.decl","ordinal":2,"provider":0,"reason":"dependency"}
        {"cause":0,"definitions":[3],"facets":["contract"],"flags":["declaration"],"kind":"program","name":"linked_stage","op":"command.program.decl","ordinal":1,"provider":0,"reason":"dependency"}
        {"cause":2,"definitions":[],"facets":["contract","implementation"],"flags":["public","export","definition"],"kind":"program","name":"linked_stage","op":"command.program.def","ordinal":1,"provider":1,"reason":"dependency"}
        {"cause":0,"definitions":[],"facets":["contract","configuration"],"flags":["export","definition"],"kind":"kernel","name":"local","op":"kernel.def","ordinal":0,"provider":0,"reason":"dependency"}
        {"cause":3,"definitions":[6],"facets":["contract"],"flags":["export","declaration"],"kind":"kernel","name":"classified","op":"kernel.decl","ordinal":0,"provider":1,"reason":"dependency"}
        {"cause":5,"definitions":[],"facets":["contract","configuration"],"flags":["export","definition"],"kind":"kernel","name":"classified","op":"kernel.def","ordinal":3,"provider":2,"reason":"dependency"}"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn json_of_an_index() {
    let (index, _) = example();
    let json = symbols_json(&index);
    assert_eq!(json.lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let symbols = value["symbols"].as_array().unwrap();
    assert_eq!(symbols.len(), 10);
    expect![[r#"{"flags":["export","definition"],"identity":"global","kind":"kernel","name":"local","op":"kernel.def","ordinal":0,"provider":0}"#]].assert_eq(&symbols[0].to_string());
}

#[test]
fn picture_of_a_plan() {
    let (index, plan) = example();
    expect![[r#"
        digraph plan {
          rankdir=LR;
          node [shape=box];
          subgraph cluster_0 {
            label="requester.loom (input)";
            s0 [label="@heterogeneous\ncontract, implementation", peripheries=2];
            s1 [label="@external\ncontract"];
            s2 [label="@linked_stage\ncontract"];
            s4 [label="@local\ncontract, configuration"];
          }
          subgraph cluster_1 {
            label="stage.loom (library)";
            s3 [label="@linked_stage\ncontract, implementation"];
            s5 [label="@classified\ncontract"];
          }
          subgraph cluster_2 {
            label="providers.loom (library)";
            s6 [label="@classified\ncontract, configuration"];
          }
          s0 -> s1;
          s0 -> s2;
          s2 -> s3 [style=dashed];
          s0 -> s4;
          s3 -> s5;
          s5 -> s6 [style=dashed];
        }
    "#]]
    .assert_eq(&plan_dot(&index, &plan));
}

#[test]
fn names_in_pictures_are_quoted() {
    let mut parts = parts("//- input a.loom\nfunc.def @f() {\n  func.return\n}\n");
    parts[0].name = "odd \"name\\of\".loom".to_owned();
    let index = Index::new(text_sources(&parts));
    let plan = plan_link(&index, &options("@f")).value.unwrap();
    expect![[r#"
        digraph plan {
          rankdir=LR;
          node [shape=box];
          subgraph cluster_0 {
            label="odd \"name\\of\".loom (input)";
            s0 [label="@f\ndefinition", peripheries=2];
          }
        }
    "#]]
    .assert_eq(&plan_dot(&index, &plan));
}
