//! ARCHITECTURE.md says what each package of ours owns and why each package from outside is there.

use std::collections::BTreeSet;

use super::assert_none;
use super::workspace::{members, root};

#[test]
fn architecture_names_every_package_and_dependency() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there");
    let members = members();
    let ours = members.iter().map(|package| package.name.to_string());
    let outside = members
        .iter()
        .flat_map(|package| &package.dependencies)
        .filter(|it| it.path.is_none());
    let names: BTreeSet<_> = ours.chain(outside.map(|it| it.name.clone())).collect();
    assert_none("ARCHITECTURE.md does not explain", unexplained(&text, &names));
}

#[test]
fn a_bare_name_is_no_explanation() {
    let names = BTreeSet::from(["salsa".to_owned(), "sha2".to_owned(), "rayon".to_owned()]);
    let text =
        "| `salsa` | memoizes what the doors ask for |\nWe use `sha2`.\nrayon runs things side by side.\n";
    assert_eq!(unexplained(text, &names), ["rayon", "sha2"]);
}

/// Those of `names` that no line of `text` shows in backticks together with a reason.
fn unexplained(text: &str, names: &BTreeSet<String>) -> Vec<String> {
    let explained = |name: &String| {
        let mark = format!("`{name}`");
        text.lines()
            .any(|line| line.split_once(&mark).is_some_and(|(_, rest)| words(rest) >= 3))
    };
    names.iter().filter(|name| !explained(name)).cloned().collect()
}

fn words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic))
        .count()
}
