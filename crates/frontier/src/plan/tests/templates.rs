//! Template providers: who is taken, and what is never read.

use super::*;

/// A kernel that applies the family to what `argument` defines as `%size`, and these providers.
fn applied(argument: &str, providers: &str) -> String {
    format!(
        "\
//- input a.loom
template.decl @family(%n: index)
func.def public @root(%a: index) where [range(%a, 64, 256), mul(%a, 16)] {{
  {argument}
  template.apply<@family>(%size) : (index)
  func.return
}}
//- library lib.loom
template.decl @family(%n: index)
{providers}"
    )
}

fn provider(head: &str, tail: &str) -> String {
    format!("template.def<@family> {head}(%n: index) {tail} {{\n  template.return\n}}\n")
}

/// The names of the providers that the plan takes.
#[track_caller]
fn check_taken(argument: &str, providers: &[String], expected: &[&str]) {
    let fixture = applied(argument, &providers.concat());
    let [text, bytecode] = indexes(&fixture);
    for index in [text, bytecode] {
        let outcome = plan_link(&index, &options("@root"));
        assert_eq!(*outcome.diagnostics, []);
        let plan = outcome.value.unwrap();
        let providers = plan
            .symbols
            .iter()
            .filter(|planned| planned.reason == Reason::Provider);
        let names: Vec<_> = providers.map(|planned| &*index.record(planned.id).name).collect();
        assert_eq!(names, expected);
    }
}

const EXACT: &str = "%size = index.constant 64 : index";
const RANGED: &str = "%size = index.max %a, %a : index";

fn schedule() -> Vec<String> {
    vec![
        provider("priority(10) @large", "where [ge(%n, 128)]"),
        provider("priority(1) @small", ""),
    ]
}

#[test]
fn the_spec_example_keeps_what_may_win() {
    check(
        "@heterogeneous open",
        &example::sources(example::LINK),
        expect![[r#"
            plan mode=link symbols=10
            [0] root @heterogeneous provider=requester.loom module= cause=- flags=public,export,definition
            [1] provider @large provider=providers.loom module= cause=- flags=definition
            [2] provider @small provider=providers.loom module= cause=- flags=definition
            [3] dependency @external provider=requester.loom module= cause=0 flags=export,declaration
            [4] dependency @linked_stage provider=requester.loom module= cause=0 flags=declaration
            [5] dependency @linked_stage provider=stage.loom module= cause=4 flags=public,export,definition
            [6] dependency @local provider=requester.loom module= cause=0 flags=export,definition
            [7] dependency @frontier.schedule provider=providers.loom module= cause=1 flags=declaration
            [8] dependency @classified provider=stage.loom module= cause=5 flags=export,declaration
            [9] dependency @classified provider=providers.loom module= cause=8 flags=export,definition
        "#]],
    );
}

#[test]
fn an_exact_argument_decides() {
    check_taken(EXACT, &schedule(), &["small"]);
    check_taken("%size = index.constant 128 : index", &schedule(), &["large"]);
}

#[test]
fn an_open_question_keeps_all_that_live() {
    check_taken(RANGED, &schedule(), &["large", "small"]);
}

#[test]
fn an_open_question_below_the_best_is_none() {
    let providers = [
        provider("priority(1) @open", "where [ge(%n, 128)]"),
        provider("priority(2) @sure", ""),
    ];
    check_taken(RANGED, &providers, &["sure"]);
}

#[test]
fn promises_of_the_user_decide() {
    let providers = [
        provider("priority(3) @too_large", "where [gt(%n, 256)]"),
        provider("priority(2) @fits", "where [range(%n, 64, 256)]"),
        provider("priority(1) @rest", ""),
    ];
    check_taken(RANGED, &providers, &["fits"]);
}

#[test]
fn two_proven_providers_are_left_to_the_later_stage() {
    check_taken(
        EXACT,
        &[provider("@one", ""), provider("@two", "")],
        &["one", "two"],
    );
}

#[test]
fn negative_priority_comes_after_none() {
    check_taken(
        EXACT,
        &[provider("priority(-1) @low", ""), provider("@none", "")],
        &["none"],
    );
}

#[test]
fn requirements_and_targets_stay_open() {
    let providers = [
        provider("requires [#target.subgroup.size<32>] priority(1) @wide", ""),
        provider("@any", ""),
    ];
    check_taken(EXACT, &providers, &["wide", "any"]);
    let fixture = |target: &str| {
        format!(
            "\
//- input a.loom
target.decl @gpu
template.decl @family()
func.def public {target} @root() {{
  template.apply<@family>() : ()
  func.return
}}
template.def<@family> target(@gpu) priority(1) @for_gpu() {{
  template.return
}}
template.def<@family> @for_all() {{
  template.return
}}
"
        )
    };
    check(
        "@root",
        &fixture("target(@gpu)"),
        expect![[r#"
        plan mode=link symbols=4
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] provider @for_gpu provider=a.loom module= cause=- flags=definition
        [2] dependency @family provider=a.loom module= cause=0 flags=declaration
        [3] dependency @gpu provider=a.loom module= cause=0 flags=declaration
    "#]],
    );
    check(
        "@root",
        &fixture(""),
        expect![[r#"
        plan mode=link symbols=5
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] provider @for_gpu provider=a.loom module= cause=- flags=definition
        [2] provider @for_all provider=a.loom module= cause=- flags=definition
        [3] dependency @family provider=a.loom module= cause=0 flags=declaration
        [4] dependency @gpu provider=a.loom module= cause=1 flags=declaration
    "#]],
    );
    let other = fixture("target(@other)").replace("target.decl @gpu", "target.decl @gpu\ntarget.decl @other");
    check(
        "@root",
        &other,
        expect![[r#"
        plan mode=link symbols=4
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] provider @for_all provider=a.loom module= cause=- flags=definition
        [2] dependency @family provider=a.loom module= cause=0 flags=declaration
        [3] dependency @other provider=a.loom module= cause=0 flags=declaration
    "#]],
    );
}

#[test]
fn an_impossible_family_takes_nobody() {
    let fixture = applied(EXACT, &provider("@any", "")).replacen(
        "@family(%n: index)",
        "@family(%n: index) where [ge(%n, 128)]",
        1,
    );
    check(
        "@root",
        &fixture,
        expect![[r#"
        plan mode=link symbols=2
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @family provider=a.loom module= cause=0 flags=declaration
    "#]],
    );
}

#[test]
fn configuration_decides() {
    let fixture = "\
//- input a.loom
config.decl @size : index
template.decl @family(%n: index)
func.def public @root() {
  %size = config.get @size : index
  template.apply<@family>(%size) : (index)
  func.return
}
template.def<@family> priority(1) @large(%n: index) where [ge(%n, 128)] {
  template.return
}
template.def<@family> @small(%n: index) {
  template.return
}
";
    let taken = |words: &str, fixture: &str, config: &[(&str, i64)]| {
        let [text, _] = indexes(fixture);
        let mut options = options(words);
        for &(name, value) in config {
            options.config.bind(name, crate::Literal::Int(value));
        }
        let plan = plan_link(&text, &options).value.unwrap();
        let providers = plan
            .symbols
            .iter()
            .filter(|planned| planned.reason == Reason::Provider);
        let names: Vec<_> = providers
            .map(|planned| text.record(planned.id).name.to_string())
            .collect();
        names.join(" ")
    };
    assert_eq!(taken("@root", fixture, &[]), "large small");
    assert_eq!(taken("@root", fixture, &[("size", 64)]), "small");
    assert_eq!(taken("@root", fixture, &[("size", 256)]), "large");
    let defined = fixture.replace("config.decl @size", "config.def @size = 64");
    assert_eq!(taken("@root", &defined, &[]), "small");
    assert_eq!(taken("@root", &defined, &[("size", 256)]), "large");
    let elsewhere = format!("{fixture}//- library lib.loom\nconfig.def @size = 128 : index\n");
    assert_eq!(taken("@root", &elsewhere, &[]), "large");
}

#[test]
fn providers_apply_further_families() {
    check(
        "@root",
        "\
//- input a.loom
template.decl @outer()
func.def public @root() {
  template.apply<@outer>() : ()
  func.return
}
//- library lib.loom
template.decl @outer()
template.decl @inner()
func.def @helper() {
  func.return
}
template.def<@outer> @first() {
  template.apply<@inner>() : ()
  template.return
}
template.def<@inner> @second() {
  func.call @helper() : ()
  template.return
}
",
        expect![[r#"
            plan mode=link symbols=7
            [0] root @root provider=a.loom module= cause=- flags=public,export,definition
            [1] provider @first provider=lib.loom module= cause=- flags=definition
            [2] provider @second provider=lib.loom module= cause=- flags=definition
            [3] dependency @outer provider=a.loom module= cause=0 flags=declaration
            [4] dependency @inner provider=lib.loom module= cause=1 flags=declaration
            [5] dependency @outer provider=lib.loom module= cause=1 flags=declaration
            [6] dependency @helper provider=lib.loom module= cause=2 flags=definition
        "#]],
    );
}

#[test]
fn a_merge_ranks_nothing() {
    check(
        "merge",
        &applied(EXACT, &schedule().concat()),
        expect![[r#"
        plan mode=merge symbols=2
        [0] merge @family provider=a.loom module= cause=- flags=declaration
        [1] merge @root provider=a.loom module= cause=- flags=public,export,definition
    "#]],
    );
}

#[test]
fn a_named_call_needs_no_ranking() {
    let fixture = applied(EXACT, &schedule().concat())
        .replace("template.apply<@family>", "template.call @mine")
        .replace(
            "func.def public",
            "template.def<@family> @mine(%n: index) {\n  template.return\n}\nfunc.def public",
        );
    check(
        "@root",
        &fixture,
        expect![[r#"
        plan mode=link symbols=3
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @mine provider=a.loom module= cause=0 flags=definition
        [2] dependency @family provider=a.loom module= cause=1 flags=declaration
    "#]],
    );
}
