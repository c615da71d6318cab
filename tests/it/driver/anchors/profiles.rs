//! Profile-guided optimization stays LLVM's: weights are in the module, the profile itself is nowhere.

use super::super::{Compiled, Compiler, Sandbox};
use super::survives;

#[test]
fn weights_and_entry_counts_are_in_the_payload() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -g -fdebug-compilation-dir=. -fprofile-sample-use=sample.prof -c plain.c -o used.o",
    );
    let text = Compiled::from_object(&sandbox.path("used.o")).text();
    assert!(text.contains("!{!\"function_entry_count\", i64 "), "{text}");
    assert!(text.contains("!\"branch_weights\""), "{text}");
    assert!(text.contains("!\"ProfileSummary\""), "{text}");
}

#[test]
fn only_the_meaning_of_a_profile_reaches_the_payload() {
    let sandbox = Sandbox::new();
    let options = "-O1 -gline-tables-only -fdebug-compilation-dir=.";
    // The same counts under another name and in another format.
    sandbox.succeed(
        Compiler::Loom,
        &format!(
            "llvm-profdata-22 merge --sample sample.prof -o elsewhere.prof &&
             $CC {options} -fprofile-sample-use=sample.prof -c plain.c -o one.o &&
             $CC {options} -fprofile-sample-use=elsewhere.prof -c plain.c -o two.o"
        ),
    );
    assert_eq!(
        Compiled::from_object(&sandbox.path("one.o")),
        Compiled::from_object(&sandbox.path("two.o"))
    );
}

#[test]
fn instrumentation_is_ordinary_llvm() {
    let source = "int f(int a) { return a ? 3 : 4; }";
    survives(
        "-O1 -fprofile-instr-generate",
        source,
        &["@__profc_f = ", "@__profd_f = "],
    );
    survives(
        "-O1 -fprofile-generate",
        source,
        &["@__profc_f = ", "@__llvm_profile_raw_version = "],
    );
}
