//! One fixture per rule of the output. Every fixture is linked from text and from bytecode, and what comes out is
//! canonical and verifies.

use expect_test::{Expect, expect};

use super::*;
use crate::config::Literal;
use crate::plan::tests::options;
use crate::testing::{indexes, parts, placeless, render};

mod compose;
mod config;
mod contracts;
mod names;
mod output;
pub(crate) mod poison;

/// Options of [`options`], and `name=value` for configuration and `resolved` for all of it.
fn link_options(words: &str) -> (PlanOptions, bool) {
    let is_config = |word: &&str| word.contains('=') || *word == "resolved";
    let (config, rest): (Vec<&str>, Vec<&str>) = words.split_whitespace().partition(is_config);
    let mut options = options(&rest.join(" "));
    for word in &config {
        if let Some((name, value)) = word.split_once('=') {
            assert!(
                options
                    .config
                    .bind(name, Literal::parse(value).expect("a literal"))
            );
        }
    }
    (options, config.contains(&"resolved"))
}

/// Links `fixture` and compares the module's text, or the diagnostics, with `expected`.
#[track_caller]
fn check(words: &str, fixture: &str, expected: Expect) {
    expected.assert_eq(&linked(words, fixture));
}

#[track_caller]
fn linked(words: &str, fixture: &str) -> String {
    let [text, bytecode] = indexes(fixture);
    let (options, resolved) = link_options(words);
    let (from_text, from_bytecode) = (
        link(&text, &options, resolved),
        link(&bytecode, &options, resolved),
    );
    // How the arenas of an item are numbered depends on where it was read; what it says does not.
    let origins = |outcome: &Outcome<Linked>| {
        let items = outcome.value.as_ref().map(|linked| &linked.items)?;
        Some(items.iter().map(|item| item.origins.clone()).collect::<Vec<_>>())
    };
    assert_eq!(origins(&from_text), origins(&from_bytecode));
    let encoded = |outcome: &Outcome<Linked>| outcome.value.as_ref().map(|it| loom_ir::encode(&it.module()));
    assert_eq!(encoded(&from_text), encoded(&from_bytecode));
    assert_eq!(
        placeless(&from_text.diagnostics),
        placeless(&from_bytecode.diagnostics)
    );
    let out = render(&parts(fixture), &from_text.diagnostics);
    match &from_text.value {
        Some(linked) => out + &canonical(&linked.module()),
        None => out,
    }
}

/// The text of a linked module, which parses to itself, verifies, and survives bytecode.
#[track_caller]
fn canonical(module: &Module) -> String {
    let (text, name) = (loom_ir::print(module), "linked".into());
    let parsed = loom_ir::parse(&text, &name);
    assert_eq!(parsed.diagnostics, [], "{text}");
    assert_eq!(loom_ir::print(&parsed.module), text);
    assert_eq!(loom_ir::verify(&parsed.module, &name), [], "{text}");
    let bytes = loom_ir::encode(module);
    assert_eq!(bytes, loom_ir::encode(&parsed.module), "{text}");
    assert_eq!(
        loom_ir::print(&loom_ir::decode(&bytes, &name).expect("just encoded")),
        text
    );
    text
}
