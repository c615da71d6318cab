//! Names of files, and the manifest of nothing; that of the example stands beside the requirements.

use expect_test::expect;

use super::*;
use crate::product::number_requirements;

#[test]
fn names_of_files() {
    assert_eq!(
        (artifact_name(0), request_name(12)),
        ("program-0.loomcmd".into(), "kernel-12.loombc".into())
    );
}

#[test]
fn nothing_makes_an_empty_manifest() {
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[],"entries":[]}
    "#]]
    .assert_eq(&manifest_json(&[], &number_requirements([])));
}
