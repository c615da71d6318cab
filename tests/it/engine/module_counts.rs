//! What an edit of a module runs, for text and bytecode, through both faces of a session: names of the queries, in
//! order.

use expect_test::{Expect, expect};

use super::face::{Edit, Face, InProcess, Protocol, Question, Start};
use super::world::Project;

mod products;

const APP: &str = "\
func.decl @far(%n: index)

func.def public @main(%n: index) {
  func.call @far(%n) : (index)
  func.return
}

func.def public @other(%n: index) {
  func.call @far(%n) : (index)
  func.return
}
";

const LIB: &str = "\
template.decl @family(%n: index)

template.def<@family> priority(1) @large(%n: index) where [ge(%n, 128)] {
  template.return
}

template.def<@family> @small(%n: index) {
  template.return
}

// Far away.
func.def public @far(%n: index) where [le(%n, 64)] {
  %one = index.constant 1 : index
  template.apply<@family>(%n) : (index)
  func.return
}

func.def public @unmet(%n: index) {
  func.return
}
";

/// The module in the file `lib`, and what is asked about it.
const FAR: [Question<'_>; 2] = [Question::Text("lib", "@far"), Question::Meaning("lib", "@far")];
const UNMET: [Question<'_>; 2] = [
    Question::Text("lib", "@unmet"),
    Question::Meaning("lib", "@unmet"),
];
const PLAN: [Question<'_>; 1] = [Question::Plan(&["app"], &["lib"], "@main")];
const LINKED: [Question<'_>; 1] = [Question::Linked(&["app"], &["lib"], "@main")];

/// Asks `questions` about the sources as text and as bytecode, makes the edit of the library, asks again, through
/// both faces; the names must be as expected, the answers those of a session that saw only the edited sources.
#[track_caller]
fn check(questions: &[Question<'_>], from: &str, to: &str, expected: [Expect; 2]) {
    check_sources([APP, LIB], questions, from, to, expected);
}

#[track_caller]
fn check_sources(
    [app, lib]: [&str; 2],
    questions: &[Question<'_>],
    from: &str,
    to: &str,
    expected: [Expect; 2],
) {
    let faces: [Start; 2] = [
        |project| Box::new(InProcess::new(project)),
        |project| Box::new(Protocol::new(project)),
    ];
    assert!(lib.contains(from));
    let edited = lib.replacen(from, to, 1);
    for (form, expected) in [text, bytecode].into_iter().zip(expected) {
        for face in faces {
            let project = Project::new(&[]);
            project.write_bytes("app", &form(app));
            project.write_bytes("lib", &form(lib));
            let mut warm = face(&project);
            ask(&mut *warm, &project, questions);
            assert_eq!(ask(&mut *warm, &project, questions).1, "", "nothing changed");
            warm.apply(&project, &Edit::WriteBytes("lib", &form(&edited)));
            let (answers, executed) = ask(&mut *warm, &project, questions);
            expected.assert_eq(&executed);
            assert_eq!(answers, ask(&mut *face(&project), &project, questions).0, "cold");
        }
    }
}

fn ask(face: &mut dyn Face, project: &Project, questions: &[Question<'_>]) -> (Vec<String>, String) {
    let mut executed = Vec::new();
    let answers = questions.iter().map(|question| {
        let (answer, names) = face.question(project, question);
        executed.extend(names);
        answer
    });
    (answers.collect(), executed.join(" "))
}

fn text(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn bytecode(text: &str) -> Vec<u8> {
    let parsed = loom_ir::parse(text, &"x".into());
    assert_eq!(parsed.diagnostics, []);
    loom_ir::encode(&parsed.module)
}

const COMMENT: [&str; 2] = ["Far away.", "Far, far away."];
const BODY: [&str; 2] = ["constant 1 :", "constant 2 :"];
const SIGNATURE: [&str; 2] = ["le(%n, 64)", "le(%n, 256)"];
const UNMET_SIGNATURE: [&str; 2] = ["@unmet(%n: index)", "@unmet(%n: i32)"];

#[test]
fn symbols_after_a_comment_edited() {
    let [from, to] = COMMENT;
    check(
        &FAR,
        from,
        to,
        [
            expect!["parsed_module module_summary symbol_text"],
            expect!["parsed_module module_summary symbol_text"],
        ],
    );
    check(
        &UNMET,
        from,
        to,
        [
            expect!["parsed_module module_summary"],
            expect!["parsed_module module_summary"],
        ],
    );
}

#[test]
fn symbols_after_a_body_edited() {
    let [from, to] = BODY;
    check(
        &FAR,
        from,
        to,
        [
            expect!["parsed_module module_summary symbol_text symbol_body"],
            expect!["parsed_module module_summary symbol_text symbol_body"],
        ],
    );
    check(
        &UNMET,
        from,
        to,
        [
            expect!["parsed_module module_summary"],
            expect!["parsed_module module_summary"],
        ],
    );
    check(
        &[Question::Symbols("lib")],
        from,
        to,
        [
            expect!["parsed_module module_summary"],
            expect!["parsed_module module_summary"],
        ],
    );
}

#[test]
fn links_after_a_comment_edited() {
    let [from, to] = COMMENT;
    check(
        &PLAN,
        from,
        to,
        [
            expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
            expect!["parsed_module link_diagnostics module_summary"],
        ],
    );
    check(
        &LINKED,
        from,
        to,
        [
            expect![
                "parsed_module link_diagnostics module_diagnostics module_summary symbol_item linked_product linked_diagnostics linked_text"
            ],
            expect![
                "parsed_module link_diagnostics module_summary symbol_item linked_product linked_diagnostics linked_text"
            ],
        ],
    );
}

#[test]
fn links_after_a_body_edited() {
    let [from, to] = BODY;
    check(
        &PLAN,
        from,
        to,
        [
            expect![
                "parsed_module link_diagnostics module_diagnostics module_summary symbol_body symbol_demands"
            ],
            expect!["parsed_module link_diagnostics module_summary symbol_body symbol_demands"],
        ],
    );
    check(
        &LINKED,
        from,
        to,
        [
            expect![
                "parsed_module link_diagnostics module_diagnostics module_summary symbol_body symbol_demands symbol_item linked_product linked_diagnostics linked_text"
            ],
            expect![
                "parsed_module link_diagnostics module_summary symbol_body symbol_demands symbol_item linked_product linked_diagnostics linked_text"
            ],
        ],
    );
}

#[test]
fn links_after_a_signature_edited() {
    let [from, to] = SIGNATURE;
    check(
        &PLAN,
        from,
        to,
        [
            expect![
                "parsed_module link_diagnostics module_diagnostics module_summary symbol_body symbol_demands link_plan"
            ],
            expect!["parsed_module link_diagnostics module_summary symbol_body symbol_demands link_plan"],
        ],
    );
    let [from, to] = UNMET_SIGNATURE;
    check(
        &PLAN,
        from,
        to,
        [
            expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
            expect!["parsed_module link_diagnostics module_summary"],
        ],
    );
    check(
        &LINKED,
        from,
        to,
        [
            expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
            expect!["parsed_module link_diagnostics module_summary"],
        ],
    );
}
