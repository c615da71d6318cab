//! Which queries run after which edit of a module, and that the path to a state does not matter.

use expect_test::{Expect, expect};
use loom_db::testing::TestDb;
use loom_db::{Change, file};

use super::*;

const PATH: &str = "/p/a.loom";

const STAGE: &str = "\
// The stage.
kernel.decl @classified() launch(%size: index, %storage: buffer)

command.program.def public @linked_stage(%size: index) launch(%storage: buffer) {
  // Launches.
  kernel.launch @classified(%size, %storage) : (index, buffer)
  command.return
}
";

/// Asks for everything about the module and renders it.
fn artifacts(db: &TestDb) -> String {
    let file = file(db, PATH.as_bytes());
    let mut rendered = format!("{:?}\n", module_diagnostics(db, file));
    for symbol in &module_summary(db, file).symbols {
        let body = symbol_body(db, *symbol)
            .as_ref()
            .map(|item| loom_ir::print_item(item));
        rendered += &format!("{:?}\n{body:?}{:?}", symbol.record(db), symbol_text(db, *symbol));
    }
    rendered += &format!("{:?} {:?}", module_text(db, file), module_bytecode(db, file));
    rendered
}

/// Replaces `from` by `to` in the warm module and compares what ran with `expected`.
#[track_caller]
fn check_edit(from: &str, to: &str, expected: Expect) {
    let mut db = TestDb::new(&[(PATH, STAGE)]);
    artifacts(&db);
    db.executed();
    assert!(STAGE.contains(from));
    let edited = STAGE.replacen(from, to, 1);
    db.write(PATH, &edited);
    let warm = artifacts(&db);
    let mut executed = db.executed();
    if executed.is_empty() {
        executed.push("nothing".to_owned());
    }
    expected.assert_eq(&executed.join(" "));
    assert_eq!(artifacts(&db), warm);
    assert_eq!(db.executed(), [""; 0]);
    assert_eq!(warm, artifacts(&TestDb::new(&[(PATH, &edited)])), "cold");
}

#[test]
fn cold_run() {
    let db = TestDb::new(&[(PATH, STAGE)]);
    artifacts(&db);
    expect!["module_diagnostics parsed_module module_summary symbol_body symbol_text symbol_body symbol_text module_text module_bytecode"].assert_eq(&db.executed().join(" "));
    assert_eq!(
        module_text(&db, file(&db, PATH.as_bytes())).as_deref(),
        Some(STAGE)
    );
}

#[test]
fn nothing_changed() {
    check_edit("", "", expect!["nothing"]);
}

#[test]
fn white_space_edited() {
    check_edit(
        "command.program",
        "\n\n\ncommand.program",
        expect!["parsed_module module_diagnostics module_summary module_text module_bytecode"],
    );
    check_edit(
        "(%size: index)",
        "( %size : index )",
        expect!["parsed_module module_diagnostics module_summary module_text module_bytecode"],
    );
}

#[test]
fn comment_edited() {
    check_edit(
        "The stage.",
        "A stage.",
        expect!["parsed_module module_diagnostics module_summary symbol_text module_text module_bytecode"],
    );
}

#[test]
fn body_edited() {
    check_edit(
        "  command.return",
        "  kernel.launch @classified(%size, %storage) : (index, buffer)\n  command.return",
        expect![
            "parsed_module module_diagnostics module_summary symbol_body symbol_text module_text module_bytecode"
        ],
    );
}

#[test]
fn signature_edited() {
    check_edit(
        "public ",
        "",
        expect![
            "parsed_module module_diagnostics module_summary symbol_body symbol_text module_text module_bytecode"
        ],
    );
}

#[test]
fn symbol_added_before() {
    check_edit(
        "kernel.decl",
        "kernel.entry.decl @external(%storage: buffer)\n\nkernel.decl",
        expect![
            "parsed_module module_diagnostics module_summary symbol_body symbol_text symbol_text module_text module_bytecode"
        ],
    );
}

#[test]
fn text_and_bytecode_are_one_module() {
    let db = TestDb::new(&[(PATH, STAGE)]);
    let module = file(&db, PATH.as_bytes());
    let bytecode = module_bytecode(&db, module).clone().unwrap();
    let mut other = TestDb::new(&[]);
    assert_eq!(module_text(&other, file(&other, PATH.as_bytes())), &None);
    other.apply(Change::default().set_file(PATH.as_bytes(), bytecode.share()));
    let again = file(&other, PATH.as_bytes());
    assert_eq!(module_text(&other, again).as_deref(), Some(STAGE));
    assert_eq!(module_bytecode(&other, again).as_ref(), Some(&bytecode));
    let records = |db: &TestDb, file| {
        let symbols = module_summary(db, file).symbols.iter();
        symbols
            .map(|symbol| symbol.record(db).clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(records(&other, again), records(&db, module));
}

#[test]
fn what_is_no_module_is_a_diagnostic() {
    let mut db = TestDb::new(&[("/p/dir/x", "")]);
    let mut check = |path: &str, content: Option<&[u8]>, expected: Expect| {
        if let Some(content) = content {
            db.apply(Change::default().set_file(path.as_bytes(), content));
        }
        let diagnostics = module_diagnostics(&db, file(&db, path.as_bytes()));
        let lines = diagnostics
            .iter()
            .map(|it| format!("{} {} {:?}\n", it.code, it.message, it.notes));
        expected.assert_eq(&lines.collect::<String>());
        assert_eq!(module_text(&db, file(&db, path.as_bytes())), &None);
        assert_eq!(module_bytecode(&db, file(&db, path.as_bytes())), &None);
    };
    check(
        "/p/missing",
        None,
        expect![[r#"
        IO/001 cannot read the file: no such file []
    "#]],
    );
    check(
        "/p/dir",
        None,
        expect![[r#"
        IO/001 cannot read the file: it is a directory []
    "#]],
    );
    check(
        "/p/latin1",
        Some(b"// \xe9"),
        expect![[r#"
        IO/002 the file is neither bytecode nor text ["byte 3 is not UTF-8"]
    "#]],
    );
    check(
        "/p/cut.loombc",
        Some(b"LOOMIR\0\n"),
        expect![[r#"
        BYTECODE/003 unexpected end of bytecode []
    "#]],
    );
    check(
        "/p/syntax.loom",
        Some(b"kernel.decl @\n"),
        expect![[r#"
        PARSE/024 expected an identifier after `@` []
    "#]],
    );
    check(
        "/p/verify.loom",
        Some(b"command.program.def @f() launch() {\n  kernel.launch @g() : ()\n  command.return\n}\n"),
        expect![[r#"
        SYMBOL/002 symbol '@g' is referenced but not defined []
    "#]],
    );
}

#[test]
fn a_duplicate_keeps_its_own_identity() {
    let twice = format!("{STAGE}\n{STAGE}");
    let db = TestDb::new(&[(PATH, &twice)]);
    let parsed = parsed_module(&db, file(&db, PATH.as_bytes()));
    let occurrences: Vec<_> = parsed
        .symbols
        .iter()
        .map(|symbol| symbol.occurrence(&db))
        .collect();
    assert_eq!(occurrences, [0, 0, 1, 1]);
}

mod random_edits;
