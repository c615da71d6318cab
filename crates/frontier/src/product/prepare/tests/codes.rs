//! Every code has a fixture that raises it, and every code that is raised is listed.

use std::collections::BTreeSet;

use crate::product::codes::preparation::ALL;

const FIXTURES: [&str; 7] = [
    include_str!("calls.rs"),
    include_str!("contracts.rs"),
    include_str!("control.rs"),
    include_str!("geometry.rs"),
    include_str!("limits.rs"),
    include_str!("select.rs"),
    include_str!("storage.rs"),
];

#[test]
fn every_code_has_a_fixture() {
    let raised: BTreeSet<&str> = FIXTURES
        .iter()
        .flat_map(|text| text.split("error [").skip(1))
        .filter_map(|rest| rest.split_once("]: "))
        .map(|(code, _)| code)
        .collect();
    let listed: BTreeSet<&str> = ALL.iter().map(|(code, _)| *code).collect();
    assert_eq!(raised, listed);
}

#[test]
fn codes_are_in_order_and_explained() {
    assert!(ALL.is_sorted_by(|one, other| one.0 < other.0));
    assert!(ALL.iter().all(|(_, meaning)| meaning.contains(' ')));
}
