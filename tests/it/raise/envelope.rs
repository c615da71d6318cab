//! What surrounds a body: attributes, linkage, metadata, locations. In S0 at the same place, or on the list of losses.

use super::raise;
use crate::driver::{Compiler, Sandbox};

/// Everything the importer represents is found unchanged in S0.
#[test]
fn envelopes_are_found_in_s0() {
    let sandbox = Sandbox::new();
    sandbox.write("envelope.ll", include_str!("../../../testdata/raise/envelope.ll"));
    let report = raise(&sandbox, "envelope.ll", "");
    let s0 = String::from_utf8(sandbox.read("s0.mlir")).expect("MLIR prints text");
    let wanted = include_str!("../../../testdata/raise/envelope.txt");
    for want in wanted.lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
        assert!(s0.contains(want), "{want}\n{s0}");
    }
    let losses = report["losses"].as_object().expect("losses are an object");
    expect_test::expect![[r#"
        argument_dead_on_unwind: 1
        argument_initializes: 1
        argument_nofpclass: 1
        argument_writable: 1
        call_cold: 1
        call_string_attribute: 1
        global_code_model: 1
        global_metadata_absolute_symbol: 1
        global_partition: 1
        global_sanitizer: 1
        global_tls_model: 1
        metadata_custom: 1
        metadata_nonnull: 1
        module_named_metadata: 1
        value_names: 25
    "#]]
    .assert_eq(
        &losses
            .iter()
            .map(|(kind, count)| format!("{kind}: {count}\n"))
            .collect::<String>(),
    );
}

/// There and back, everything but bodies is the linked module's own.
#[test]
fn envelopes_survive_the_way_back() {
    let sandbox = Sandbox::new();
    sandbox.write("envelope.ll", include_str!("../../../testdata/raise/envelope.ll"));
    let ran = crate::payload::loom(&sandbox, "raise envelope.ll --lower -o lowered.bc");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    sandbox.succeed(
        Compiler::Clang,
        "llvm-as-22 envelope.ll -o - | llvm-dis-22 - -o before.ll && llvm-dis-22 lowered.bc -o after.ll",
    );
    // The numbers of attribute groups and metadata may differ.
    let numbers = regex_lite::Regex::new("[#!][0-9]+").expect("it is a pattern");
    let envelopes = |name: &str| -> Vec<String> {
        let text = String::from_utf8(sandbox.read(name)).expect("LLVM prints text");
        let lines = text.lines().filter(|it| {
            ["@", "define", "$", "target", "source_filename", "module asm"]
                .iter()
                .any(|start| it.starts_with(start))
        });
        lines
            .map(|it| numbers.replace_all(it, "#").into_owned())
            .collect()
    };
    assert_eq!(envelopes("before.ll"), envelopes("after.ll"));
}
