//! What runs after an edit of an input of a link.

use expect_test::{Expect, expect};
use loom_base::Blob;
use loom_db::Change;
use loom_db::testing::TestDb;
use loom_frontend::engine::NormalizedModule;
use loom_frontend::link::Visibility;
use loom_frontend::payload::encode_root;
use loom_frontend::provider::Provider;

use super::*;

/// A bare payload root: the simplest thing that brings a payload.
fn root(code: &str) -> Vec<u8> {
    encode_root(
        &Provider::pinned(),
        &NormalizedModule {
            triple: "x86_64-unknown-linux-gnu".to_owned(),
            data_layout: "e".to_owned(),
            bitcode: Blob::new(code.as_bytes()),
        },
    )
}

/// An archive with these members.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in members {
        let name = format!("{name}/");
        let size = content.len();
        bytes.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).bytes());
        bytes.extend(*content);
        bytes.extend(std::iter::repeat_n(b'\n', size % 2));
    }
    bytes
}

fn input(path: &str, member: Option<(&str, Option<usize>)>) -> SelectedInput {
    SelectedInput {
        path: format!("/p/{path}").into_bytes(),
        name: path.to_owned(),
        member: member.map(|(name, number)| SelectedMember {
            name: name.as_bytes().to_vec(),
            number,
        }),
    }
}

fn link(db: &TestDb, inputs: Vec<SelectedInput>) -> String {
    let options = FinalLinkOptions {
        visibility: Visibility::all(),
        level: 1,
    };
    match linked_module(db, FinalLinkKey::new(db, inputs, options)) {
        Ok(linked) => String::from_utf8_lossy(linked.module.bitcode.bytes()).into_owned(),
        Err(error) => format!("{}: {error}", error.code),
    }
}

#[track_caller]
fn check(inputs: Vec<SelectedInput>, expected: Expect) {
    let mut db = TestDb::new(&[]);
    let (same, other) = (root("[same]"), root("[other]"));
    let twice = archive(&[("x.o", &same), ("x.o", &other), ("y.o", b"garbage")]);
    let files = [("/p/a", same), ("/p/b", other), ("/p/lib.a", twice)];
    let change = files
        .into_iter()
        .fold(Change::default(), |change, (path, bytes)| {
            change.set_file(path.as_bytes(), bytes)
        });
    db.apply(change);
    expected.assert_eq(&link(&db, inputs));
}

#[test]
fn inputs_are_merged_in_order() {
    check(vec![input("b", None), input("a", None)], expect!["[other][same]"]);
}

#[test]
fn a_member_of_a_name_that_occurs_twice_needs_a_number() {
    check(
        vec![input("lib.a", Some(("x.o", None)))],
        expect!["selected_input_ambiguous: lib.a(x.o): the archive has 2 members of this name"],
    );
    check(vec![input("lib.a", Some(("x.o", Some(2))))], expect!["[other]"]);
    check(
        vec![input("lib.a", Some(("x.o", Some(3))))],
        expect!["selected_input_unreadable: lib.a(x.o): the archive has 2 members of this name, no number 3"],
    );
}

#[test]
fn missing_inputs_have_a_typed_answer() {
    check(
        vec![input("none", None)],
        expect!["selected_input_unreadable: none: no such file"],
    );
    check(
        vec![input("lib.a", Some(("z.o", None)))],
        expect!["selected_input_unreadable: lib.a(z.o): the archive has no such member"],
    );
    check(
        vec![input("a", Some(("z.o", None)))],
        expect!["selected_input_unreadable: a: is no archive, so it has no members"],
    );
}

/// Only what an edit of an archive can have changed runs: the payloads are collected again, and where they are the same
/// nothing is merged.
#[test]
fn an_equal_payload_in_another_object_does_not_link_again() {
    let mut db = TestDb::new(&[]);
    let payload = root("[same]");
    let inputs = || vec![input("lib.a", Some(("x.o", None)))];
    db.apply(Change::default().set_file(b"/p/lib.a", archive(&[("x.o", &payload)])));
    assert_eq!(link(&db, inputs()), "[same]");
    db.executed();

    let around = archive(&[("new.o", b"something"), ("x.o", &payload)]);
    db.apply(Change::default().set_file(b"/p/lib.a", around));
    assert_eq!(link(&db, inputs()), "[same]");
    expect!["selected_payloads"].assert_eq(&db.executed().join(" "));

    db.apply(Change::default().set_file(b"/p/lib.a", archive(&[("x.o", &root("[new]"))])));
    assert_eq!(link(&db, inputs()), "[new]");
    expect!["selected_payloads linked_module"].assert_eq(&db.executed().join(" "));
}
