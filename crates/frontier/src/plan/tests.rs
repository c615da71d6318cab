//! One fixture per rule of planning. Every fixture is planned from text and from bytecode.

use expect_test::{Expect, expect};

use super::*;
use crate::testing::{indexes, parts, placeless, render};

mod checks;
mod conflicts;
pub(crate) mod example;
mod forms;
mod order;
mod policy;
mod targets;
mod templates;

/// Options from words: `merge`, `exports`, `open`, `strip`, `facets`, and anything else is a root.
pub(crate) fn options(words: &str) -> PlanOptions {
    let mut options = PlanOptions::default();
    for word in words.split_whitespace() {
        match word {
            "merge" => options.mode = Mode::Merge,
            "exports" => options.include_input_exports = true,
            "open" => options.allow_unresolved = true,
            "strip" => options.strip_tests = true,
            "facets" => options.policy = DependencyPolicy::RequestedFacets,
            root => options.roots.push(root.to_owned()),
        }
    }
    options
}

/// Plans `fixture` and compares plan and diagnostics with `expected`.
#[track_caller]
fn check(words: &str, fixture: &str, expected: Expect) {
    expected.assert_eq(&planned(words, fixture));
}

#[track_caller]
fn planned(words: &str, fixture: &str) -> String {
    let [text, bytecode] = indexes(fixture);
    let options = options(words);
    let (from_text, from_bytecode) = (plan_link(&text, &options), plan_link(&bytecode, &options));
    assert_eq!(from_text.value, from_bytecode.value);
    assert_eq!(
        placeless(&from_text.diagnostics),
        placeless(&from_bytecode.diagnostics)
    );
    let mut out = render(&parts(fixture), &from_text.diagnostics);
    if let Some(plan) = &from_text.value {
        out += &print_plan(&text, plan);
    }
    out
}
