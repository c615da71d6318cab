//! Every code has a fixture that raises it, and every code that is raised is listed.

use std::collections::BTreeSet;

use super::ALL;

/// The expectations of the fixtures.
const FIXTURES: [&str; 8] = [
    include_str!("../plan/tests/conflicts.rs"),
    include_str!("../plan/tests/checks.rs"),
    include_str!("../plan/tests/order.rs"),
    include_str!("../link/tests/contracts.rs"),
    include_str!("../link/tests/config.rs"),
    include_str!("../link/tests/output.rs"),
    include_str!("../config/file/tests.rs"),
    include_str!("../target/tests.rs"),
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
    assert!(
        ALL.iter()
            .all(|(code, meaning)| code.starts_with("LINK/") && meaning.contains(' '))
    );
}
