//! The three sources of the specification.

use super::*;

/// The sources as a fixture.
pub(crate) fn sources(roles: &[(&str, &str)]) -> String {
    let read = |&(role, name): &(&str, &str)| {
        let text = match name {
            "requester.loom" => {
                include_str!("../../../../../docs/examples/product-frontiers/requester.loom")
            }
            "stage.loom" => include_str!("../../../../../docs/examples/product-frontiers/stage.loom"),
            "providers.loom" => {
                include_str!("../../../../../docs/examples/product-frontiers/providers.loom")
            }
            _ => panic!("no source {name}"),
        };
        format!("//- {role} {name}\n{text}")
    };
    roles.iter().map(read).collect()
}

pub(crate) const LINK: &[(&str, &str)] = &[
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
fn external_entry_needs_an_open_link() {
    check(
        "@heterogeneous",
        &sources(LINK),
        expect![[r#"
        requester.loom:12:19: error [LINK/003]: unresolved exact declaration '@external'
          note: no provider defines '@external'
          help: add the library that defines it, or leave it open with `--allow-unresolved`
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
