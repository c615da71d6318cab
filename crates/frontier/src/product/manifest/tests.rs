//! The storage that programs ask for, in the manifest.

use expect_test::expect;

use super::*;
use crate::product::testing::{place, program};
use crate::product::{encode_program, number_requirements};

#[test]
fn names_of_files() {
    assert_eq!(
        (artifact_name(0), request_name(12)),
        ("program-0.loomcmd".into(), "kernel-12.loombc".into())
    );
}

#[test]
fn resources_are_listed_on_demand() {
    let text = "bind x y\nparam x \"k\" 12\nalloc t 8 8\nbody !t a(t, x, \"k\")";
    let encoded = encode_program(&program(text), &|_| None, &place)
        .value
        .expect("an artifact");
    let requirements = number_requirements([&encoded]);
    let with = manifest_json_with_resources(&[&encoded], &requirements);
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"p","artifact":"program-0.loomcmd","byte_length":332,"entry_requirements":[0],"resources":{"bindings":[{"name":"x","role":"fixed","slot":0},{"name":"y","role":"rebindable","slot":0}],"parameter_roots":[{"slot":0,"length":12,"align":256}],"parameters":[{"key":"k","slot":0,"offset":0,"length":12,"align":256}],"transient":{"slot":1,"length":8,"align":8}}}],"entries":[{"symbol":"a"}]}
    "#]].assert_eq(&with);
    let without = manifest_json(&[&encoded], &requirements);
    assert!(!without.contains("resources") && without.ends_with("}\n") && without.lines().count() == 1);
}

#[test]
fn nothing_makes_an_empty_manifest() {
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[],"entries":[]}
    "#]]
    .assert_eq(&manifest_json(&[], &number_requirements([])));
}
