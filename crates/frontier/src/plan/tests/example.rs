//! The three sources of the specification.

use super::*;

/// The sources as a fixture.
pub(crate) fn sources(roles: &[(&str, &str)]) -> String {
    let root = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/language/product-frontiers"
    );
    let read = |&(role, name): &(&str, &str)| {
        let text = std::fs::read_to_string(format!("{root}/{name}")).unwrap();
        format!("//- {role} {name}\n{text}")
    };
    roles.iter().map(read).collect()
}

const LINK: &[(&str, &str)] = &[
    ("input", "requester.loom"),
    ("library", "stage.loom"),
    ("library", "providers.loom"),
];

#[test]
fn link_plan() {
    check(
        "@heterogeneous open",
        &sources(LINK),
        expect![[r#"
        plan mode=link symbols=8
        [0] root @heterogeneous provider=requester.loom module= cause=- flags=public,export,definition
        [1] dependency @external provider=requester.loom module= cause=0 flags=export,declaration
        [2] dependency @linked_stage provider=requester.loom module= cause=0 flags=declaration
        [3] dependency @linked_stage provider=stage.loom module= cause=2 flags=public,export,definition
        [4] dependency @local provider=requester.loom module= cause=0 flags=export,definition
        [5] dependency @classified provider=stage.loom module= cause=3 flags=export,declaration
        [6] dependency @classified provider=providers.loom module= cause=5 flags=export,definition
        [7] dependency @frontier.schedule provider=providers.loom module= cause=6 flags=declaration
    "#]],
    );
}

#[test]
fn external_entry_needs_an_open_link() {
    check(
        "@heterogeneous",
        &sources(LINK),
        expect![[r#"
        requester.loom:12:19: error [LINK/003]: unresolved exact declaration '@external'
          note: no provider defines '@external'
          help: add the library that defines it, or link partially and resolve it later
    "#]],
    );
}

#[test]
fn command_product_asks_for_facets() {
    check(
        "facets @heterogeneous",
        &sources(LINK),
        expect![[r#"
        plan mode=link symbols=7
        [0] root @heterogeneous provider=requester.loom module= cause=- flags=public,export,definition
        [1] dependency @external provider=requester.loom module= cause=0 flags=export,declaration
        [2] dependency @linked_stage provider=requester.loom module= cause=0 flags=declaration
        [3] dependency @linked_stage provider=stage.loom module= cause=2 flags=public,export,definition
        [4] dependency @local provider=requester.loom module= cause=0 flags=export,definition
        [5] dependency @classified provider=stage.loom module= cause=3 flags=export,declaration
        [6] dependency @classified provider=providers.loom module= cause=5 flags=export,definition
    "#]],
    );
}

#[test]
fn merge_plan() {
    check(
        "merge",
        &sources(&[("input", "providers.loom"), ("library", "stage.loom")]),
        expect![[r#"
            plan mode=merge symbols=4
            [0] merge @frontier.schedule provider=providers.loom module= cause=- flags=declaration
            [1] merge @large provider=providers.loom module= cause=- flags=definition
            [2] merge @small provider=providers.loom module= cause=- flags=definition
            [3] merge @classified provider=providers.loom module= cause=- flags=export,definition
        "#]],
    );
}
