//! What a link answers (decision 26), and that a failed one leaves nothing new and removes nothing.

use loom_frontend::payload::decode_root;

use super::{members, program, report};
use crate::driver::{Compiler, Sandbox};

/// Runs a link that must fail with `code` in its message; nothing in the directory may change.
#[track_caller]
fn refused(sandbox: &Sandbox, arguments: &str, said: &[&str]) {
    let before = sandbox.files();
    let output = sandbox.run(Compiler::Loom, &format!("$CC -fuse-ld=lld {arguments}"));
    let stderr = String::from_utf8(output.stderr).expect("messages are text");
    assert_eq!(output.status.code(), Some(1), "{arguments}: {stderr}");
    for words in said {
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
    let after = sandbox.files();
    let names = |files: &std::collections::BTreeMap<String, _>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&before), names(&after), "{arguments}");
    assert!(before == after, "{arguments}");
}

#[test]
fn without_options_a_link_is_clangs() {
    let sandbox = program("");
    sandbox.succeed(Compiler::Loom, "$CC -fuse-ld=lld main.o lib.a -o ours");
    sandbox.succeed(Compiler::Clang, "$CC -fuse-ld=lld main.o lib.a -o theirs");
    assert!(sandbox.read("ours") == sandbox.read("theirs"));
    // Nor do the options change the product.
    sandbox.succeed(
        Compiler::Loom,
        "$CC -fuse-ld=lld main.o lib.a -o watched --loom-module=linked.bc --loom-require --loom-link-report=report.json",
    );
    assert!(sandbox.read("watched") == sandbox.read("theirs"));
}

#[test]
fn a_failed_link_leaves_everything() {
    let sandbox = program("");
    sandbox.succeed(
        Compiler::Loom,
        "$CC -fuse-ld=lld main.o lib.a -o prog --loom-module=linked.bc --loom-link-report=report.json",
    );
    let outputs = "-o prog --loom-module=linked.bc --loom-link-report=report.json";
    refused(
        &sandbox,
        &format!("main.o {outputs}"),
        &["undefined symbol: sel", "linker command failed with exit code 1"],
    );
    refused(
        &sandbox,
        "main.o lib.a -o prog --loom-module=nowhere/linked.bc --loom-link-report=report.json",
        &["loom_final_link_publication_failed: nowhere/linked.bc"],
    );
}

/// A payload that is damaged, in the one member that was selected.
#[test]
fn a_damaged_payload_is_named_by_its_member() {
    let sandbox = program("");
    damage(&sandbox, "sel.o");
    sandbox.succeed(
        Compiler::Loom,
        "rm lib.a && ar qcs lib.a sel.o off.o d1/twin.o && rm -f prog linked.bc report.json",
    );
    let said = ["selected_payload_rejected: lib.a(sel.o): ", "artifact_identity"];
    refused(&sandbox, "main.o lib.a -o prog --loom-module=linked.bc", &said);
    refused(&sandbox, "main.o lib.a -o prog --loom-require", &said);
    // The report alone only warns.
    let output = sandbox.run(
        Compiler::Loom,
        "$CC -fuse-ld=lld main.o lib.a -o prog --loom-link-report=report.json && ./prog",
    );
    assert!(output.status.success());
    let output = String::from_utf8(output.stderr).expect("messages are text");
    assert!(
        output.contains("warning: selected_payload_rejected: lib.a(sel.o)"),
        "{output}"
    );
    assert_eq!(report(&sandbox)["module"], serde_json::Value::Null);
    // A damaged payload that nobody selects is never read.
    damage(&sandbox, "off.o");
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -c sel.c -o sel.o && rm lib.a && ar qcs lib.a sel.o off.o d1/twin.o && \
         $CC -fuse-ld=lld main.o lib.a -o prog --loom-module=linked.bc --loom-require",
    );
}

/// Flips a bit near the end of the payload of an object.
fn damage(sandbox: &Sandbox, name: &str) {
    use object::{Object as _, ObjectSection as _};
    let mut bytes = sandbox.read(name);
    let (offset, size) = {
        let file = object::File::parse(&*bytes).expect("it is ELF");
        let section = file.section_by_name(loom_frontend::carrier::PAYLOAD_SECTION);
        section.and_then(|it| it.file_range()).expect("it has a payload")
    };
    bytes[(offset + size - 9) as usize] ^= 1;
    std::fs::write(sandbox.path(name), bytes).expect("a file can be written");
}

#[test]
fn no_payload() {
    let sandbox = program("-fno-loom-payload");
    sandbox.write("linked.bc", "a former module");
    let outputs = "-o prog --loom-module=linked.bc --loom-link-report=report.json";
    refused(
        &sandbox,
        &format!("main.o lib.a {outputs} --loom-require"),
        &["selected_payload_absent: no selected member holds a payload"],
    );
    sandbox.succeed(
        Compiler::Loom,
        &format!("$CC -fuse-ld=lld main.o lib.a {outputs} && ./prog"),
    );
    assert!(!sandbox.path("linked.bc").exists());
    let report = report(&sandbox);
    assert_eq!(report["module"], serde_json::Value::Null);
    assert!(members(&report).is_empty());
    let native = report["native"].to_string();
    assert!(native.contains("sel.o") && native.contains("crt1.o"), "{native}");
}

/// Members that need different things of LLVM: another triple is refused by the linker or by the preflight.
#[test]
fn another_triple_names_field_values_and_members() {
    let sandbox = program("");
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 --target=x86_64-unknown-linux-gnu -c sel.c -o sel.o && rm lib.a && ar qcs lib.a sel.o d1/twin.o",
    );
    refused(
        &sandbox,
        "main.o lib.a -o prog --loom-module=linked.bc",
        &[
            "selected_payload_incompatible: lib.a(sel.o) and main.o: `target_triple` is `x86_64-unknown-linux-gnu` in the \
             first and `x86_64-pc-linux-gnu` in the second",
        ],
    );
}

#[test]
fn records_can_be_taken_out() {
    let sandbox = program("");
    for options in ["", "--loom-module=linked.bc"] {
        sandbox.succeed(
            Compiler::Loom,
            &format!("$CC -fuse-ld=lld main.o lib.a -o prog --loom-strip-records {options} && ./prog"),
        );
        let bytes = sandbox.read("prog");
        assert!(!bytes.windows(8).any(|it| it == b"LOOMREC1"));
    }
}

#[test]
fn malformed_options_are_refused() {
    let sandbox = program("");
    for (option, said) in [
        ("--loom-module", "loom_driver_option_invalid"),
        ("--loom-module=", "loom_driver_option_invalid"),
        (
            "--loom-link-report-format=pdf",
            "the formats are json, dot and html",
        ),
        ("--loom-lto-O4", "the levels are 0, 1, 2 and 3"),
        ("--loom-lto", "unknown argument"),
    ] {
        refused(&sandbox, &format!("main.o lib.a -o prog {option}"), &[said]);
    }
}

#[test]
fn pictures() {
    let sandbox = program("");
    let link = "$CC -fuse-ld=lld main.o lib.a -o prog --loom-link-report=report";
    sandbox.succeed(Compiler::Loom, &format!("{link} --loom-link-report-format=dot"));
    let dot = String::from_utf8(sandbox.read("report")).expect("it is text");
    assert!(
        dot.contains("lib.a(sel.o)") && dot.contains("lib.a(off.o)\\nthe linker needed no symbol of it"),
        "{dot}"
    );
    sandbox.succeed(Compiler::Loom, &format!("{link} --loom-link-report-format=html"));
    let html = String::from_utf8(sandbox.read("report")).expect("it is text");
    assert!(
        html.starts_with("<!doctype html>") && html.contains("lib.a(sel.o)"),
        "{html}"
    );
}

/// Compiling and linking in one command: members are called by their sources, not by temporary files.
#[test]
fn sources_are_named() {
    let sandbox = program("");
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -fuse-ld=lld main.c sel.c twin.c -o prog --loom-module=linked.bc --loom-link-report=report.json && ./prog",
    );
    let report = report(&sandbox);
    assert_eq!(members(&report), ["main.c", "sel.c", "twin.c"]);
    assert_eq!(
        report["module_digest"],
        loom_base::Digest::of(&sandbox.read("linked.bc")).to_string()
    );
    assert!(
        report["linker"].as_str().is_some_and(|it| it.contains("LLD")),
        "{report}"
    );
}

/// The identity in the report is that of the payload in the object.
#[test]
fn identities_are_those_of_the_objects() {
    let sandbox = program("");
    sandbox.succeed(
        Compiler::Loom,
        "$CC -fuse-ld=lld main.o sel.o d1/twin.o -o prog --loom-link-report=report.json",
    );
    let report = report(&sandbox);
    for (at, object) in ["main.o", "sel.o", "d1/twin.o"].iter().enumerate() {
        let identity = crate::payload::identities(&sandbox, object).remove(0);
        assert_eq!(report["members"][at]["identity"], identity);
        crate::payload::succeed(&sandbox, &format!("payload extract {object} -o root"));
        decode_root(&sandbox.read("root")).expect("it is a root");
    }
}
