//! What a product does not need is not read: its bytes may be anything.

use std::sync::Arc;

use super::*;
use crate::plan::Facets;
use crate::plan::tests::example;
use crate::testing::{Part, bytecode};
use crate::{Index, Source, read_source};

/// Overwrites the facets in `facets` of `symbol`, a name or `*` for all, in the bytecode of one module.
pub(crate) fn poisoned(part: &Part, bytes: &Arc<[u8]>, symbol: &str, facets: Facets) -> Arc<[u8]> {
    let summary = loom_ir::summarize_bytecode(bytes, &part.name.as_str().into()).unwrap();
    let mut bytes = bytes.to_vec();
    let mut found = false;
    for row in summary
        .symbols
        .iter()
        .filter(|row| symbol == "*" || *row.name == *symbol)
    {
        for (facet, range) in loom_ir::Facet::ALL.into_iter().zip(&row.facets) {
            if facets.contains(facet) {
                let start = row.semantic.start as usize;
                bytes[start + range.start as usize..start + range.end as usize].fill(0xa5);
                found |= !range.is_empty();
            }
        }
    }
    assert!(found, "there is something to damage in '{}'", part.name);
    bytes.into()
}

/// Links with the damage and without; the results are equal, and `needed` damage is noticed.
#[track_caller]
fn check_poison(
    words: &str,
    fixture: &str,
    damage: &[(&str, &str, Facets)],
    needed: &[(&str, &str, Facets)],
) {
    let parts = parts(fixture);
    let (options, resolved) = link_options(words);
    let linked = |damage: &[(&str, &str, Facets)]| {
        let source = |part: &Part| -> Source {
            let mut bytes = bytecode(part);
            for (_, symbol, facets) in damage.iter().filter(|(name, ..)| *name == part.name) {
                bytes = poisoned(part, &bytes, symbol, *facets);
            }
            read_source(part.name.as_str(), part.role, &bytes).expect("the tables are sound")
        };
        let index = Index::new(parts.iter().map(source));
        let outcome = link(&index, &options, resolved);
        (outcome.value.map(|linked| linked.items), outcome.diagnostics)
    };
    let (clean, diagnostics) = linked(&[]);
    assert_eq!(*diagnostics, []);
    let (dirty, diagnostics) = linked(damage);
    assert_eq!(*diagnostics, []);
    assert_eq!(clean, dirty);
    for damage in needed {
        let (none, diagnostics) = linked(std::slice::from_ref(damage));
        assert_eq!(none, None, "{damage:?}");
        assert!(
            diagnostics.iter().all(|it| it.code.starts_with("BYTECODE/")),
            "{diagnostics:?}"
        );
    }
}

#[test]
fn bodies_of_unselected_symbols() {
    let fixture = "\
//- input a.loom
func.decl @f()
func.def public @root() {
  func.call @f() : ()
  func.return
}
func.def public @unselected() {
  func.return
}
//- library lib.loom
func.def public @f() {
  func.return
}
func.def public @other() {
  func.call @f() : ()
  func.return
}
//- library unused.loom
func.def public @unused() {
  func.return
}
";
    check_poison(
        "@root",
        fixture,
        &[
            ("a.loom", "unselected", Facets::ALL),
            ("lib.loom", "other", Facets::ALL),
            ("unused.loom", "*", Facets::ALL),
        ],
        &[
            ("lib.loom", "f", Facets::IMPLEMENTATION),
            ("a.loom", "root", Facets::CONTRACT),
        ],
    );
}

#[test]
fn bodies_of_rejected_providers() {
    let fixture = example::sources(example::LINK).replace(
        "launch(%size: index, %storage: buffer) {\n  template",
        "launch(%size: index, %storage: buffer) where [ge(%size, 512)] {\n  template",
    );
    assert!(fixture.contains("ge(%size, 512)"));
    check_poison(
        "@heterogeneous open",
        &fixture,
        &[("providers.loom", "small", Facets::IMPLEMENTATION)],
        &[
            ("providers.loom", "large", Facets::IMPLEMENTATION),
            ("providers.loom", "small", Facets::CONTRACT),
        ],
    );
}

#[test]
fn facets_that_nobody_asked_for() {
    check_poison(
        "@heterogeneous facets",
        &example::sources(example::LINK),
        &[
            ("requester.loom", "local", Facets::IMPLEMENTATION),
            ("providers.loom", "classified", Facets::IMPLEMENTATION),
            ("providers.loom", "large", Facets::ALL),
            ("providers.loom", "small", Facets::ALL),
            ("providers.loom", "frontier.schedule", Facets::ALL),
        ],
        &[
            ("requester.loom", "local", Facets::CONFIGURATION),
            ("requester.loom", "heterogeneous", Facets::IMPLEMENTATION),
            ("stage.loom", "linked_stage", Facets::IMPLEMENTATION),
        ],
    );
}

#[test]
fn a_merge_does_not_read_libraries() {
    let fixture = example::sources(&[("input", "stage.loom"), ("library", "providers.loom")]);
    check_poison(
        "merge",
        &fixture,
        &[("providers.loom", "*", Facets::ALL)],
        &[("stage.loom", "linked_stage", Facets::IMPLEMENTATION)],
    );
}
