//! Which queries run after which edit, and that no path through the edits changes a result.

use std::panic::{AssertUnwindSafe, catch_unwind};

use expect_test::{Expect, expect};
use loom_db::testing::{Fault, TestDb};
use loom_db::{Change, EngineFailed, Unit};
use salsa::Cancelled;

use super::*;

const SOURCE: (&str, &str) = ("/p/main.c", "#include \"x.h\"\nint main;\n");
const HEADER: (&str, &str) = ("/p/second/x.h", "int x;\n");

/// A project with two include directories, the header in the second one.
fn project() -> TestDb {
    TestDb::new(&[
        SOURCE,
        HEADER,
        ("/p/unrelated.h", "int y;\n"),
        ("/p/first/other.h", ""),
    ])
}

fn key(db: &TestDb) -> CompileKey<'_> {
    let argv = ["cc", "-Ifirst", "-Isecond", "-c", "main.c"].map(|argument| argument.as_bytes().to_vec());
    CompileKey::new(
        db,
        Unit {
            argv: argv.to_vec(),
            cwd: b"/p".to_vec(),
            payload: true,
        },
    )
}

/// Asks for every artifact and renders them.
fn artifacts(db: &TestDb) -> String {
    let key = key(db);
    let code = |blob: &Option<loom_base::Blob>| blob.as_ref().map(|blob| blob.digest());
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{}",
        code(object(db, key)),
        normalized_bitcode(db, key),
        abi_key(db, key),
        code(payload(db, key)),
        frontend_view(db),
        diagnostics(db, key).rendered,
    )
}

/// Lets `edit` happen to a warm project and compares what ran, and the messages, with `expected`.
#[track_caller]
fn check_edit(edit: impl FnOnce(&mut TestDb), expected: Expect) {
    let mut db = project();
    artifacts(&db);
    db.executed();
    edit(&mut db);
    artifacts(&db);
    let mut executed = db.executed();
    if executed.is_empty() {
        executed.push("nothing".to_owned());
    }
    artifacts(&db);
    assert_eq!(db.executed(), [""; 0], "a second request runs nothing");
    expected.assert_eq(&format!(
        "ran: {}\n{}",
        executed.join(" "),
        diagnostics(&db, key(&db)).rendered
    ));
}

#[test]
fn cold_run() {
    let db = project();
    artifacts(&db);
    expect![[r#"
        [
            "object",
            "compiled_unit",
            "normalized_bitcode",
            "abi_key",
            "payload",
            "frontend_view",
            "diagnostics",
        ]
    "#]]
    .assert_debug_eq(&db.executed());
}

#[test]
fn nothing_changed() {
    check_edit(
        |_| {},
        expect![[r#"
        ran: nothing
    "#]],
    );
}

#[test]
fn header_touched_but_equal() {
    let touch = |db: &mut TestDb| {
        db.system().advance(5_000_000_000);
        assert_eq!(db.write(HEADER.0, HEADER.1), 0, "no input changes");
    };
    check_edit(
        touch,
        expect![[r#"
        ran: nothing
    "#]],
    );
}

#[test]
fn unrelated_header_and_unrelated_variable() {
    let write = |db: &mut TestDb| {
        db.write("/p/unrelated.h", "int z;\n");
    };
    check_edit(
        write,
        expect![[r#"
        ran: nothing
    "#]],
    );
    let set = Change::default().set_variable("HOME", Some(b"/h".to_vec()));
    check_edit(
        |db| {
            db.apply(set);
        },
        expect![[r#"
            ran: nothing
        "#]],
    );
}

#[test]
fn comment_edited() {
    check_edit(
        |db| {
            db.write(HEADER.0, "int x; // more\n// and more\n");
        },
        expect![[r#"
            ran: compiled_unit
        "#]],
    );
}

#[test]
fn a_warning_moves() {
    check_edit(
        |db| {
            db.write(HEADER.0, "\n#warning hm\nint x;\n");
        },
        expect![[r#"
            ran: compiled_unit object normalized_bitcode diagnostics
            /p/second/x.h:2:1: warning: hm
        "#]],
    );
}

#[test]
fn code_edited() {
    check_edit(
        |db| {
            db.write(HEADER.0, "long x;\n");
        },
        expect![[r#"
            ran: compiled_unit object normalized_bitcode abi_key payload diagnostics
        "#]],
    );
}

#[test]
fn a_header_appears_before_another_on_the_include_path() {
    check_edit(
        |db| {
            db.write("/p/first/x.h", "short x;\n#warning first\n");
        },
        expect![[r#"
            ran: compiled_unit object normalized_bitcode abi_key payload diagnostics
            /p/first/x.h:2:1: warning: first
        "#]],
    );
}

#[test]
fn a_header_appears_under_another_spelling() {
    check_edit(
        |db| {
            db.system().link("/alias", "/p");
            db.system().write("/p/first/x.h", "#warning first\n");
            db.apply(Change::default().reread(b"/alias/second/../first/x.h"));
        },
        expect![[r#"
            ran: compiled_unit object normalized_bitcode abi_key payload diagnostics
            /p/first/x.h:1:1: warning: first
        "#]],
    );
}

#[test]
fn a_missing_header_is_created_and_goes_again() {
    let mut db = TestDb::new(&[SOURCE]);
    artifacts(&db);
    assert_eq!(object(&db, key(&db)), &None);
    expect![[r#"
        /p/main.c:1:1: fatal error: 'x.h' file not found
    "#]]
    .assert_eq(&diagnostics(&db, key(&db)).rendered);
    assert_eq!(db.write("/p/elsewhere/x.h", "int x;\n"), 0, "nobody looked there");
    db.write(HEADER.0, HEADER.1);
    let fresh = artifacts(&project());
    assert_eq!(artifacts(&db), fresh);
    db.remove("/p/second");
    assert_eq!(object(&db, key(&db)), &None);
}

#[test]
fn a_variable_counts_once_it_is_consulted() {
    let set = |value: &str| Change::default().set_variable("LANG", Some(value.into()));
    let mut db = project();
    db.write(HEADER.0, "#env LANG\n");
    let unset = artifacts(&db);
    db.apply(set("C"));
    db.executed();
    assert_ne!(artifacts(&db), unset);
    assert_eq!(db.executed()[0], "compiled_unit");
    assert_eq!(db.apply(set("C")), 0);
    db.write(HEADER.0, "int x;\n");
    artifacts(&db);
    db.apply(set("POSIX"));
    db.executed();
    artifacts(&db);
    assert_eq!(db.executed(), [""; 0], "no longer consulted");
}

#[test]
fn the_clock_counts_once_it_is_consulted() {
    let mut db = project();
    artifacts(&db);
    db.executed();
    db.apply(Change::default().set_clock(1));
    artifacts(&db);
    assert_eq!(db.executed(), [""; 0]);
    db.write(HEADER.0, "#clock\n");
    let before = artifacts(&db);
    db.apply(Change::default().set_clock(2));
    assert_ne!(artifacts(&db), before);
}

#[test]
fn a_listing_counts_once_it_is_consulted() {
    let mut db = project();
    db.write(HEADER.0, "#listing first\n");
    let before = artifacts(&db);
    db.executed();
    db.write("/p/second/y.h", "");
    assert_eq!(artifacts(&db), before);
    assert_eq!(db.executed(), [""; 0]);
    db.write("/p/first/y.h", "");
    assert_ne!(artifacts(&db), before);
}

#[test]
fn a_rerun_asks_for_nothing_it_knows() {
    let mut db = project();
    artifacts(&db);
    expect![[r#"
        [
            "/p/main.c",
            "/p/x.h",
            "/p/first/x.h",
            "/p/second/x.h",
        ]
    "#]]
    .assert_debug_eq(&db.engine().take_questions());
    db.write(HEADER.0, "#include \"new.h\"\n");
    db.engine().take_requests();
    artifacts(&db);
    let requests = db.engine().take_requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].files.len(), 4);
    expect![[r#"
        [
            "/p/second/new.h",
            "/p/first/new.h",
        ]
    "#]]
    .assert_debug_eq(&db.engine().take_questions());
}

#[test]
fn a_failed_unit_is_remembered_and_poisons_no_other() {
    let mut db = project();
    let good = artifacts(&db);
    db.write(SOURCE.0, "#error no\n");
    artifacts(&db);
    db.executed();
    assert_eq!(object(&db, key(&db)), &None);
    assert_eq!(payload(&db, key(&db)), &None);
    assert_eq!(
        db.executed(),
        [""; 0],
        "a user's mistake is a value like any other"
    );
    let argv = vec![b"cc".to_vec(), b"unrelated.h".to_vec()];
    let other = CompileKey::new(
        &db,
        Unit {
            argv,
            cwd: b"/p".to_vec(),
            payload: false,
        },
    );
    assert!(object(&db, other).is_some());
    db.write(SOURCE.0, SOURCE.1);
    assert_eq!(artifacts(&db), good);
}

#[test]
fn a_broken_engine_is_no_value() {
    let mut db = project();
    db.engine().inject([Fault::Failure("signal 9".into())]);
    let failure = catch_unwind(AssertUnwindSafe(|| artifacts(&db))).unwrap_err();
    let EngineFailed(failure) = *failure.downcast().unwrap();
    assert_eq!(failure.to_string(), "the engine stopped: signal 9");
    let good = artifacts(&db);
    assert_eq!(
        good,
        artifacts(&project()),
        "the next request runs the engine again, in the same revision"
    );
    // The same while an older value exists.
    db.write(HEADER.0, "long x;\n");
    db.engine().inject([Fault::Failure("signal 9".into())]);
    assert!(catch_unwind(AssertUnwindSafe(|| artifacts(&db))).is_err());
    db.write(HEADER.0, HEADER.1);
    assert_eq!(artifacts(&db), good);
}

#[test]
fn a_bug_in_the_engine_leaves_the_database_usable() {
    let db = project();
    db.engine().inject([Fault::Panic("bug".into())]);
    assert!(catch_unwind(AssertUnwindSafe(|| artifacts(&db))).is_err());
    assert_eq!(artifacts(&db), artifacts(&project()));
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a reader to be cancelled has to run beside the writer"
)]
fn a_write_cancels_a_compile_that_runs() {
    let mut db = project();
    db.engine().inject([Fault::Endless]);
    let reader = db.clone();
    let running = std::thread::spawn(move || {
        let result = Cancelled::catch(AssertUnwindSafe(|| artifacts(&reader)));
        drop(reader);
        result
    });
    db.engine().wait_for_endless(1);
    db.write("/p/unrelated.h", "unknown to all inputs, cancels nobody");
    assert!(!running.is_finished());
    db.write(SOURCE.0, "int other;\n");
    assert!(matches!(running.join().unwrap(), Err(Cancelled::PendingWrite)));
    let fresh = TestDb::new(&[(SOURCE.0, "int other;\n")]);
    assert_eq!(artifacts(&db), artifacts(&fresh));
}

mod random_edits;
