//! Every code has a fixture that raises it, and every code that is raised is listed.

use std::collections::BTreeSet;

use super::ALL;

/// The expectations of the fixtures.
const FIXTURES: [&str; 7] = [
    include_str!("../artifact/tests.rs"),
    include_str!("../classes/tests.rs"),
    include_str!("../classes/tests/limit.rs"),
    include_str!("../lower/tests.rs"),
    include_str!("../request/tests.rs"),
    include_str!("../request/tests/lies.rs"),
    include_str!("../storage/tests.rs"),
];

#[test]
fn every_code_has_a_fixture() {
    let is_code = |word: &&str| {
        let (family, number) = word.split_once('/').unwrap_or_default();
        let known = ["COMMAND", "LOWERING", "PRODUCT"].contains(&family);
        known && number.len() == 3 && number.bytes().all(|digit| digit.is_ascii_digit())
    };
    let words = FIXTURES.iter().flat_map(|text| text.split([' ', ':', '"', '\n']));
    let raised: BTreeSet<&str> = words.filter(is_code).collect();
    let listed: BTreeSet<&str> = ALL.iter().map(|(code, _)| *code).collect();
    assert_eq!(raised, listed);
}

#[test]
fn codes_are_in_order_and_explained() {
    assert!(ALL.is_sorted_by(|one, other| one.0 < other.0));
    assert!(ALL.iter().all(|(_, meaning)| meaning.contains(' ')));
}
