//! Out of every kind of file and back: what is extracted is what was there.

use super::{identities, loom, succeed};
use crate::driver::{Compiler, Sandbox};

/// `main.o`, `part.o` and `plain.o`, and what they become: archives, a relocatable link, a program.
fn objects() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -c main.c part.c plain.c
         mkdir -p one two && cp part.o one/unit.o && cp plain.o two/unit.o
         ar qcD same.a one/unit.o two/unit.o
         ar rcsTD thin.a one/unit.o two/unit.o
         ld -r part.o plain.o -o both.o
         cc main.o part.o plain.o -o program && ./program",
    );
    sandbox
}

/// Takes every payload out of `file`, looks at it again, and compares its identity with that of the objects
/// `origins`.
#[track_caller]
fn check(sandbox: &Sandbox, file: &str, origins: &[&str]) {
    let found = identities(sandbox, file);
    let expected: Vec<_> = origins
        .iter()
        .flat_map(|origin| identities(sandbox, origin))
        .collect();
    assert_eq!(found, expected, "{file}");
    let verified = succeed(sandbox, &format!("payload verify {file}"));
    assert_eq!(verified.matches(" is valid\n").count(), found.len(), "{verified}");
    for (index, origin) in origins.iter().enumerate() {
        succeed(
            sandbox,
            &format!("payload extract {file} --index={index} -o out.root"),
        );
        assert_eq!(identities(sandbox, "out.root"), [&*found[index]]);
        succeed(sandbox, "payload verify out.root");
        assert_eq!(
            succeed(
                sandbox,
                &format!("payload diff {origin} {file} --index-b={index}")
            ),
            ""
        );
        succeed(
            sandbox,
            &format!("payload extract --bitcode {file} --index={index} -o out.bc"),
        );
        succeed(sandbox, "payload extract --bitcode out.root -o again.bc");
        assert!(sandbox.read("out.bc") == sandbox.read("again.bc"), "{file}");
        sandbox.succeed(Compiler::Loom, "llvm-dis-22 out.bc -o /dev/null");
    }
}

#[test]
fn an_object() {
    check(&objects(), "part.o", &["part.o"]);
}

#[test]
fn archives_whose_members_share_a_name() {
    let sandbox = objects();
    check(&sandbox, "same.a", &["part.o", "plain.o"]);
    check(&sandbox, "thin.a", &["part.o", "plain.o"]);
    let [part, plain] = [0, 1].map(|index| {
        succeed(
            &sandbox,
            &format!("payload extract same.a --member=unit.o --index={index} -o unit.root"),
        );
        sandbox.read("unit.root")
    });
    assert!(part != plain, "neither member hides the other");
    let ambiguous = loom(
        &sandbox,
        "--diagnostics=json payload extract same.a --member=unit.o -o no.root",
    );
    assert_eq!(
        (ambiguous.status, ambiguous.codes()),
        (1, vec!["payload_carrier_ambiguous".to_owned()])
    );
    assert!(!sandbox.path("no.root").exists());
    succeed(
        &sandbox,
        "payload extract thin.a --member=two/unit.o -o unit.root",
    );
    assert!(sandbox.read("unit.root") == plain);
}

#[test]
fn a_thin_archive_is_read_from_anywhere() {
    let sandbox = objects();
    sandbox.succeed(
        Compiler::Loom,
        "mkdir -p build/lib && cd build && ar rcsTD lib/thin.a ../part.o ../plain.o",
    );
    check(&sandbox, "build/lib/thin.a", &["part.o", "plain.o"]);
    let absolute = sandbox.path("build/lib/thin.a").display().to_string();
    check(&sandbox, &format!("'{absolute}'"), &["part.o", "plain.o"]);
    sandbox.succeed(Compiler::Loom, "rm part.o");
    let broken = loom(&sandbox, "--diagnostics=json payload identity build/lib/thin.a");
    assert_eq!(
        (broken.status, broken.codes()),
        (1, vec!["payload_carrier_unreadable".to_owned()])
    );
    assert_eq!(
        broken.text().lines().count(),
        1,
        "the other member is read nevertheless"
    );
}

#[test]
fn a_relocatable_link_of_two_objects() {
    let sandbox = objects();
    check(&sandbox, "both.o", &["part.o", "plain.o"]);
    let several = loom(&sandbox, "--diagnostics=json payload extract both.o -o no.root");
    assert_eq!(
        (several.status, several.codes()),
        (1, vec!["payload_carrier_ambiguous".to_owned()])
    );
    let differ = loom(&sandbox, "payload diff both.o both.o --index-a=0 --index-b=1");
    assert_eq!((differ.status, &*differ.stderr), (1, ""));
    assert!(
        differ.text().contains("normalized_llvm_bitcode.bytes\n"),
        "{}",
        differ.text()
    );
}

#[test]
fn a_program_holds_records_only() {
    let sandbox = objects();
    let linked = ["main.o", "part.o", "plain.o"].map(|object| identities(&sandbox, object).remove(0));
    assert_eq!(identities(&sandbox, "program"), linked);
    let shown = succeed(&sandbox, "payload show program");
    assert_eq!(shown.matches("program: record ").count(), 3, "{shown}");
    assert!(!shown.contains("payload"), "{shown}");
    let verified = succeed(&sandbox, "payload verify program");
    let verdict = " is well-formed; a linked file does not hold the payload itself\n";
    assert_eq!(verified.matches(verdict).count(), 3, "{verified}");
    let extracted = loom(&sandbox, "--diagnostics=json payload extract program -o no.root");
    assert_eq!(
        (extracted.status, extracted.codes()),
        (1, vec!["payload_carrier_records_only".to_owned()])
    );
    assert!(!sandbox.path("no.root").exists());
}

#[test]
fn link_time_optimization() {
    for options in ["-flto", "-flto=thin", "-flto -O2 -g"] {
        let sandbox = Sandbox::new();
        sandbox.succeed(
            Compiler::Loom,
            &format!(
                "$CC {options} -c part.c -o lto.o && $CC {options} -ffat-lto-objects -c part.c -o fat.o
                 $CC {options} -c plain.c && ar qcD lto.a lto.o plain.o && ar qcTD thin.a lto.o plain.o"
            ),
        );
        assert!(sandbox.read("lto.o").starts_with(b"BC\xc0\xde"), "{options}");
        check(&sandbox, "lto.o", &["lto.o"]);
        check(&sandbox, "fat.o", &["lto.o"]);
        check(&sandbox, "lto.a", &["lto.o", "plain.o"]);
        check(&sandbox, "thin.a", &["lto.o", "plain.o"]);
    }
}

/// Everything that is said for people is said for programs.
#[test]
fn json_and_text_agree() {
    let sandbox = objects();
    for file in ["part.o", "same.a", "both.o", "program"] {
        for command in ["show", "identity", "verify"] {
            let text = succeed(&sandbox, &format!("payload {command} {file}"));
            let json = succeed(&sandbox, &format!("payload {command} --json {file}"));
            for line in json.lines() {
                let entry: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
                let identity = entry["identity"].as_str().expect("every frame has an identity");
                assert!(text.contains(identity), "{command} {file}: {line}");
                assert!(text.contains(entry["object"].as_str().expect("an object has a name")));
            }
            let entries = match command {
                "show" => text.matches("  identity  ").count(),
                _ => text.lines().count(),
            };
            assert_eq!(json.lines().count(), entries, "{command} {file}");
        }
    }
}

/// Decision 22: what differs between two builds is told by field.
#[test]
fn a_difference_is_told_by_field() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -c bare.c -o here.o && $CC -O1 -c \"$PWD/bare.c\" -o there.o
         $CC --target=aarch64-linux-gnu -O1 -c bare.c -o arm.o",
    );
    let fields = |a: &str, b: &str| {
        let differ = loom(&sandbox, &format!("payload diff --json {a} {b}"));
        assert_eq!((differ.status, &*differ.stderr), (1, ""));
        let fields = differ.text().lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            line["field"].as_str().expect("a field has a name").to_owned()
        });
        fields.collect::<Vec<_>>().join(" ")
    };
    let bitcode = "normalized_llvm_bitcode.sha256_digest normalized_llvm_bitcode.bytes";
    assert_eq!(
        fields("here.o", "there.o"),
        bitcode,
        "the module has the source's name as it was given"
    );
    assert_eq!(
        fields("here.o", "arm.o"),
        format!("target_triple data_layout abi_compatibility_key {bitcode}")
    );
}
