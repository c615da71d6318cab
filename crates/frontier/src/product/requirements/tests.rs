//! Numbers of requirements over several programs.

use expect_test::{Expect, expect};

use super::*;
use crate::product::testing::{place, program};
use crate::product::{EncodedProgram, encode_program, manifest_json};

fn encoded(body: &str, classes: &[Option<u32>]) -> EncodedProgram {
    let class = |position: usize| classes.get(position).copied().flatten();
    let outcome = encode_program(&program(&format!("bind x\nbody {body}")), &class, &place);
    outcome.value.expect("an artifact")
}

#[track_caller]
fn check(programs: &[EncodedProgram], expected: Expect) {
    let requirements = number_requirements(programs);
    let entries = requirements.entries.iter().map(|entry| {
        let class = entry.class.map_or(String::new(), |class| format!(".{class}"));
        format!("{}{class}", entry.callee.name)
    });
    let entries: Vec<String> = entries.collect();
    expected.assert_eq(&format!("{} {:?}", entries.join(" "), requirements.programs));
}

#[test]
fn without_classes_entries_are_numbered_by_first_use() {
    let programs = [encoded("c() a() ?e() c()", &[]), encoded("?f() a() b()", &[])];
    check(&programs, expect!["c a e f b [[0, 1, 2], [3, 1, 4]]"]);
}

#[test]
fn first_use_is_that_of_the_schedule() {
    check(
        &[encoded("{ [ a() b() ] c() }", &[])],
        expect!["a c b [[0, 1, 2]]"],
    );
}

#[test]
fn with_classes_kernels_stand_in_order_before_entries() {
    let programs = [
        encoded("?e() c() b() b() ?d()", &[None, Some(0), Some(1), Some(0), None]),
        encoded("a() c() ?d() c()", &[Some(0), Some(1), None, Some(0)]),
    ];
    check(
        &programs,
        expect!["a.0 b.0 b.1 c.0 c.1 e d [[5, 3, 2, 1, 6], [0, 4, 6, 3]]"],
    );
}

#[test]
fn programs_may_repeat_and_be_empty() {
    let one = encoded("a()", &[]);
    check(&[one.clone(), encoded("", &[]), one], expect!["a [[0], [], [0]]"]);
    check(&[], expect![" []"]);
}

#[test]
fn the_manifest_of_the_example() {
    let classes = [Some(0), Some(0), Some(1), None];
    let body = "a(x) b(64, x) b(256, x) ?external(x)";
    let mut example = encoded(body, &classes);
    example.symbol = "heterogeneous".into();
    for (entry, name) in example
        .entries
        .iter_mut()
        .zip(["local", "classified", "classified", "external"])
    {
        entry.callee.name = name.into();
    }
    let requirements = number_requirements([&example]);
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"heterogeneous","artifact":"program-0.loomcmd","byte_length":454,"entry_requirements":[0,1,2,3]}],"entries":[{"symbol":"local","source_request":"kernel-0.loombc"},{"symbol":"classified","source_request":"kernel-1.loombc"},{"symbol":"classified","source_request":"kernel-2.loombc"},{"symbol":"external"}]}
    "#]].assert_eq(&manifest_json(&[&example], &requirements));
    let blind = encoded(body, &[]);
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"p","artifact":"program-0.loomcmd","byte_length":436,"entry_requirements":[0,1,2]}],"entries":[{"symbol":"a"},{"symbol":"b"},{"symbol":"external"}]}
    "#]].assert_eq(&manifest_json(&[&blind], &number_requirements([&blind])));
}
