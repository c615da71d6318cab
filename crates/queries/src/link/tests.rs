//! Which queries run after which edit of a provider, and that the path to a state does not matter.

use std::sync::Arc;

use expect_test::{Expect, expect};
use loom_db::testing::TestDb;
use loom_db::{Change, Db, file};
use loom_frontier::{Mode, PlanOptions, Role, print_plan};

use super::*;
use crate::module::module_bytecode;

mod random_edits;

const REQUESTER: &str = "\
func.decl @far(%n: index)

func.decl @unlinked()

func.def public @root(%n: index) {
  func.call @far(%n) : (index)
  func.return
}

func.def public @other(%n: index) {
  func.call @unlinked() : ()
  func.return
}
";

const LIBRARY: &str = "\
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

func.def public @unselected(%n: index) {
  func.return
}
";

const PATHS: [&str; 2] = ["/p/a.loom", "/p/lib.loom"];

fn database(requester: &str, library: &str) -> TestDb {
    TestDb::new(&[(PATHS[0], requester), (PATHS[1], library)])
}

fn key<'db>(db: &'db dyn Db, options: PlanOptions) -> LinkKey<'db> {
    let input = |(path, role): (&str, Role)| LinkInput {
        file: file(db, path.as_bytes()),
        name: path[3..].into(),
        role,
    };
    let inputs = PATHS.into_iter().zip([Role::Input, Role::Library]).map(input);
    LinkKey::new(db, Universe::of(db, inputs.collect::<Box<[_]>>()), options, false)
}

fn root(db: &dyn Db) -> LinkKey<'_> {
    key(
        db,
        PlanOptions {
            roots: vec!["@root".to_owned()],
            ..PlanOptions::default()
        },
    )
}

/// Asks for everything about the link and renders it.
fn artifacts(db: &TestDb) -> String {
    let key = root(db);
    let planned = link_plan(db, key);
    let catalog = QueryCatalog::new(db, key.universe(db));
    let plan = planned.value.as_ref().map(|plan| print_plan(&catalog, plan));
    let (text, bytecode) = (linked_text(db, key), linked_bytecode(db, key));
    format!(
        "{plan:?}\n{text:?}\n{bytecode:?}\n{:?}",
        linked_product(db, key).diagnostics
    )
}

/// Replaces `from` by `to` in file `which` of the warm link and compares what ran with `expected`.
#[track_caller]
fn check_edit(which: usize, from: &str, to: &str, expected: Expect) {
    let mut texts = [REQUESTER.to_owned(), LIBRARY.to_owned()];
    let mut db = database(&texts[0], &texts[1]);
    artifacts(&db);
    db.executed();
    assert!(texts[which].contains(from));
    texts[which] = texts[which].replacen(from, to, 1);
    db.write(PATHS[which], &texts[which]);
    let warm = artifacts(&db);
    let executed = db.executed();
    expected.assert_eq(&match executed.is_empty() {
        true => "nothing".to_owned(),
        false => executed.join(" "),
    });
    assert_eq!(artifacts(&db), warm);
    assert_eq!(db.executed(), [""; 0]);
    assert_eq!(warm, artifacts(&database(&texts[0], &texts[1])), "cold");
}

#[test]
fn the_plan_and_the_product() {
    let db = database(REQUESTER, LIBRARY);
    let key = root(&db);
    let plan = link_plan(&db, key).value.as_ref().unwrap();
    expect![[r#"
        plan mode=link symbols=5
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] provider @small provider=lib.loom module= cause=- flags=definition
        [2] dependency @far provider=a.loom module= cause=0 flags=declaration
        [3] dependency @far provider=lib.loom module= cause=2 flags=public,export,definition
        [4] dependency @family provider=lib.loom module= cause=1 flags=declaration
    "#]]
    .assert_eq(&print_plan(&QueryCatalog::new(&db, key.universe(&db)), plan));
    assert!(linked_diagnostics(&db, key).is_empty());
    expect![[r#"
        // Far away.
        func.def @far(%n: index) where [le(%n, 64)] {
          %one = index.constant 1 : index
          template.apply<@family>(%n) : (index)
          func.return
        }

        func.def public retain @root(%n: index) {
          func.call @far(%n) : (index)
          func.return
        }

        template.decl @family(%n: index)

        template.def<@family> @small(%n: index) {
          template.return
        }
    "#]]
    .assert_eq(linked_text(&db, key).as_ref().unwrap());
}

#[test]
fn a_body_edited() {
    check_edit(
        1,
        "index.constant 1",
        "index.constant 2",
        expect![
            "parsed_module link_diagnostics module_diagnostics module_summary symbol_body symbol_demands symbol_item linked_product linked_text linked_bytecode"
        ],
    );
}

#[test]
fn a_comment_edited() {
    check_edit(
        1,
        "Far away.",
        "Far, far away.",
        expect![
            "parsed_module link_diagnostics module_diagnostics module_summary symbol_item linked_product linked_text linked_bytecode"
        ],
    );
}

#[test]
fn white_space_edited() {
    check_edit(
        1,
        "(%n: index)",
        "( %n : index )",
        expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
    );
}

#[test]
fn an_unselected_body_edited() {
    check_edit(
        1,
        "@unselected(%n: index) {",
        "@unselected(%n: index) {\n  %x = index.constant 1 : index",
        expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
    );
}

#[test]
fn an_unselected_signature_edited() {
    check_edit(
        1,
        "@unselected(%n: index)",
        "@unselected(%n: i32)",
        expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
    );
}

#[test]
fn a_selected_signature_edited() {
    check_edit(
        1,
        "le(%n, 64)",
        "le(%n, 256)",
        expect![
            "parsed_module link_diagnostics module_diagnostics module_summary symbol_body symbol_demands link_plan linked_product symbol_item symbol_item linked_text linked_bytecode"
        ],
    );
}

#[test]
fn a_rejected_provider_edited() {
    check_edit(
        1,
        "ge(%n, 128)] {",
        "ge(%n, 128)] {\n  %x = index.constant 1 : index",
        expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
    );
}

#[test]
fn a_rejected_provider_gets_a_chance() {
    check_edit(
        1,
        "ge(%n, 128)",
        "ge(%n, 32)",
        expect![
            "parsed_module link_diagnostics module_diagnostics module_summary symbol_contract link_plan linked_product symbol_item linked_text linked_bytecode"
        ],
    );
}

#[test]
fn an_unrelated_symbol_added() {
    check_edit(
        0,
        "func.decl @unlinked",
        "func.decl @more()\n\nfunc.decl @unlinked",
        expect![
            "parsed_module link_diagnostics module_diagnostics module_summary module_names universe_names candidates link_plan candidates module_families linked_product linked_text linked_bytecode"
        ],
    );
}

#[test]
fn text_and_bytecode_are_one_provider() {
    let mut db = database(REQUESTER, LIBRARY);
    let text = linked_text(&db, root(&db)).clone();
    let bytes = module_bytecode(&db, file(&db, PATHS[1].as_bytes()))
        .clone()
        .unwrap();
    db.apply(Change::default().set_file(PATHS[1].as_bytes(), bytes.share()));
    db.executed();
    assert_eq!(linked_text(&db, root(&db)), &text);
    let executed = db.executed();
    assert!(!executed.contains(&"decoded_module".to_owned()), "{executed:?}");
}

#[test]
fn bodies_that_are_not_needed_may_be_damaged() {
    let mut db = database(REQUESTER, LIBRARY);
    let text = linked_text(&db, root(&db)).clone();
    let bytes = module_bytecode(&db, file(&db, PATHS[1].as_bytes()))
        .clone()
        .unwrap();
    let summary = loom_ir::summarize_bytecode(bytes.bytes(), &"lib".into()).unwrap();
    let damaged = |names: &[&str]| -> Arc<[u8]> {
        let mut bytes = bytes.bytes().to_vec();
        for row in summary.symbols.iter().filter(|row| names.contains(&&*row.name)) {
            let body = &row.facets[2];
            let start = row.semantic.start as usize;
            bytes[start + body.start as usize..start + body.end as usize].fill(0xff);
        }
        bytes.into()
    };
    db.apply(Change::default().set_file(PATHS[1].as_bytes(), damaged(&["unselected", "large"])));
    assert_eq!(linked_text(&db, root(&db)), &text);
    db.apply(Change::default().set_file(PATHS[1].as_bytes(), damaged(&["far"])));
    assert_eq!(linked_text(&db, root(&db)), &None);
    let diagnostics = linked_product(&db, root(&db)).diagnostics.clone();
    assert!(linked_diagnostics(&db, root(&db)).is_empty());
    let codes: Vec<_> = diagnostics
        .iter()
        .chain(&*link_plan(&db, root(&db)).diagnostics)
        .map(|it| &*it.code)
        .collect();
    assert!(
        !codes.is_empty() && codes.iter().all(|code| *code == "BYTECODE/004"),
        "{codes:?}"
    );
}

#[test]
fn errors_of_providers_give_no_plan() {
    let mut db = database("func.decl @", LIBRARY);
    assert_eq!(link_plan(&db, root(&db)).value, None);
    let diagnostic = &link_plan(&db, root(&db)).diagnostics[0];
    assert_eq!(&*diagnostic.code, "PARSE/024");
    assert_eq!(
        diagnostic.place.as_ref().map(|place| place.file.as_str()),
        Some("a.loom")
    );
    db.apply(Change::default().set_file(PATHS[0].as_bytes(), *b"LOOMIR\0\n"));
    assert_eq!(&*link_plan(&db, root(&db)).diagnostics[0].code, "BYTECODE/003");
}

#[test]
fn conflicts_have_places() {
    let db = database(
        &REQUESTER.replace("@far(%n: index)\n", "@far(%n: i32)\n"),
        LIBRARY,
    );
    let linked = linked_product(&db, root(&db));
    let diagnostic = &linked.diagnostics[0];
    assert_eq!(&*diagnostic.code, "TYPE/001", "{diagnostic:?}");
    let db = database(
        &REQUESTER.replace("func.def public @other", "func.def public @root"),
        LIBRARY,
    );
    let merge = key(
        &db,
        PlanOptions {
            mode: Mode::Merge,
            ..PlanOptions::default()
        },
    );
    let diagnostic = &link_plan(&db, merge).diagnostics[0];
    assert_eq!(&*diagnostic.code, "SYMBOL/005");
    let db = database(REQUESTER, &LIBRARY.replace("@far", "@near"));
    let diagnostic = &link_plan(&db, root(&db)).diagnostics[0];
    assert_eq!(&*diagnostic.code, "LINK/003");
    assert_eq!(
        diagnostic.place.as_ref().map(|place| place.range.clone()),
        Some(10..14)
    );
}
