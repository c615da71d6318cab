//! `loom payload pack`: objects made of modules that clang and others wrote.

use super::{assert_never_loaded, identities, loom, succeed};
use crate::driver::{Compiler, Sandbox};

/// A module as a frontend without hints writes it.
const FOREIGN: &str = r#"source_filename = "foreign"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-linux-gnu"
define i32 @main(i32 %arguments) #0 {
  %count = call i32 @llvm.ctpop.i32(i32 %arguments)
  %differs = icmp ne i32 %count, 1
  %status = zext i1 %differs to i32
  ret i32 %status
}
declare i32 @llvm.ctpop.i32(i32)
attributes #0 = { "target-cpu"="nehalem" "target-features"="+popcnt" }
"#;

#[test]
fn text_bitcode_and_standard_input_make_the_same_object() {
    let sandbox = Sandbox::new();
    sandbox.write("module.ll", FOREIGN);
    sandbox.succeed(
        Compiler::Loom,
        "llvm-as-22 module.ll -o module.bc && mkdir elsewhere && cp module.bc elsewhere",
    );
    for (arguments, object) in [
        ("module.ll -o text.o", "text.o"),
        ("module.bc -o bitcode.o", "bitcode.o"),
        ("elsewhere/module.bc -o again.o", "again.o"),
        ("- -o stdin.o <module.ll", "stdin.o"),
        ("module.bc -o - >stdout.o", "stdout.o"),
    ] {
        assert_eq!(succeed(&sandbox, &format!("payload pack {arguments}")), "");
        assert!(sandbox.read(object) == sandbox.read("text.o"), "{arguments}");
    }
    let verified = succeed(&sandbox, "payload verify text.o");
    assert_eq!(verified.matches(" is valid\n").count(), 1, "{verified}");
    assert_never_loaded(&sandbox, "text.o");
    sandbox.succeed(
        Compiler::Loom,
        "cc text.o -o program && ./program && cc -static text.o -o program && ./program",
    );
    assert_eq!(identities(&sandbox, "program"), identities(&sandbox, "text.o"));
    let code = sandbox.succeed(Compiler::Loom, "objdump -d text.o").stdout;
    assert!(
        String::from_utf8_lossy(&code).contains("popcnt"),
        "the processor is the module's own"
    );
}

/// What packing makes of clang's module is what loom-cc puts into its object.
#[test]
fn clangs_modules_have_the_payload_of_the_compile() {
    let sandbox = Sandbox::new();
    for options in [
        "-O0",
        "-O2",
        "--target=aarch64-linux-gnu -O1",
        "--target=thumbv7em-none-eabi -mcpu=cortex-m4",
    ] {
        sandbox.succeed(
            Compiler::Loom,
            &format!(
                "$CC {options} -c bare.c -o compiled.o
                 clang-22 {options} -emit-llvm -c bare.c -o module.bc && clang-22 {options} -emit-llvm -S bare.c -o module.ll"
            ),
        );
        for module in ["module.bc", "module.ll"] {
            succeed(&sandbox, &format!("payload pack {module} -o packed.o"));
            succeed(&sandbox, "payload verify packed.o");
            assert_eq!(
                succeed(&sandbox, "payload diff compiled.o packed.o"),
                "",
                "{options} {module}"
            );
        }
    }
}

/// Debug information stays, and what is packed once is packed the same again.
#[test]
fn modules_with_debug_information() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "clang-22 -O2 -g -emit-llvm -c plain.c -o module.bc && clang-22 -O2 -g -emit-llvm -S plain.c -o module.ll",
    );
    for module in ["module.bc", "module.ll"] {
        succeed(&sandbox, &format!("payload pack {module} -o packed.o"));
        succeed(&sandbox, "payload verify packed.o");
        succeed(&sandbox, "payload extract --bitcode packed.o -o extracted.bc");
        succeed(&sandbox, "payload pack extracted.bc -o again.o");
        assert!(sandbox.read("again.o") == sandbox.read("packed.o"), "{module}");
        let text = sandbox
            .succeed(Compiler::Loom, "llvm-dis-22 extracted.bc -o -")
            .stdout;
        assert!(
            String::from_utf8_lossy(&text).contains("!DISubprogram(name: \"weigh\""),
            "{module}"
        );
        sandbox.succeed(Compiler::Loom, "readelf -S packed.o | grep -q '[.]debug_info'");
    }
}

#[test]
fn what_is_extracted_can_be_packed_again() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -c part.c && $CC -O1 -flto -c part.c -o lto.o",
    );
    for object in ["part.o", "lto.o"] {
        succeed(
            &sandbox,
            &format!("payload extract --bitcode {object} -o module.bc"),
        );
        succeed(&sandbox, "payload pack module.bc -o packed.o");
        assert_eq!(succeed(&sandbox, &format!("payload diff {object} packed.o")), "");
    }
    let again = loom(&sandbox, "--diagnostics=json payload pack lto.o -o no.o");
    assert_eq!(
        (again.status, again.codes()),
        (1, vec!["payload_carrier_ambiguous".to_owned()])
    );
    sandbox.succeed(Compiler::Loom, "llvm-dis-22 lto.o -o lto.ll");
    let again = loom(&sandbox, "--diagnostics=json payload pack lto.ll -o no.o");
    assert_eq!(
        (again.status, again.codes()),
        (1, vec!["payload_carrier_ambiguous".to_owned()])
    );
    assert!(!sandbox.path("no.o").exists());
}

#[test]
fn modules_that_are_refused() {
    let replaced = |from, to| FOREIGN.replace(from, to);
    check_refused(
        &replaced("ret i32 %status", "ret i64 %status"),
        "llvm_module_unparsable",
    );
    check_refused("", "data_layout_absent");
    check_refused(
        &replaced("target triple", "; target triple"),
        "target_triple_absent",
    );
    check_refused(
        &replaced("x86_64-linux-gnu", "z80-unknown-none"),
        "target_triple_unsupported",
    );
    check_refused(
        &replaced("x86_64-linux-gnu", "arm64-apple-ios"),
        "target_triple_unsupported",
    );
    check_refused(
        &replaced("x86_64-linux-gnu", "wasm32-unknown-unknown"),
        "target_triple_unsupported",
    );
    check_refused(
        &replaced("target datalayout", "; target datalayout"),
        "data_layout_absent",
    );
    check_refused(&replaced("-S128", "-S64"), "data_layout_mismatch");
    check_refused(&replaced("e-m:e", "what"), "llvm_module_unparsable");
    let unverified = replaced("icmp ne i32 %count", "icmp ne i32 %status");
    check_refused(&unverified, "llvm_module_invalid");
}

#[track_caller]
fn check_refused(module: &str, code: &str) {
    let sandbox = Sandbox::new();
    sandbox.write("module.ll", module);
    sandbox.write("former.o", "former");
    let refused = loom(&sandbox, "--diagnostics=json payload pack module.ll -o former.o");
    assert_eq!(
        (refused.status, refused.codes()),
        (1, vec![code.to_owned()]),
        "{}",
        refused.stderr
    );
    assert!(!refused.stderr.contains("\"help\":null"), "{}", refused.stderr);
    assert_eq!(sandbox.read("former.o"), b"former");
    assert_eq!(
        sandbox
            .path("")
            .read_dir()
            .expect("it is a directory")
            .filter(|it| {
                it.as_ref()
                    .is_ok_and(|it| it.file_name().to_string_lossy().starts_with('.'))
            })
            .count(),
        0
    );
}

/// An error in textual IR is shown where it is.
#[test]
fn an_error_in_the_text_has_its_place() {
    let sandbox = Sandbox::new();
    sandbox.write("module.ll", &FOREIGN.replace("i32 %status", "i32 %state"));
    let refused = loom(&sandbox, "payload pack module.ll -o no.o");
    expect_test::expect![[r#"
        error[llvm_module_unparsable]: module.ll: use of undefined value '%state'
         --> module.ll:8:11
          |
        8 |   ret i32 %state
          |           ^
          |
          = help: a module is bitcode or textual IR of an LLVM no newer than Loom's, as clang writes it with `-emit-llvm`
    "#]].assert_eq(&refused.stderr);
    for (content, kind) in [
        ("part.o", "an ELF file"),
        ("some.a", "an archive"),
        ("thin.a", "a thin archive"),
    ] {
        sandbox.succeed(
            Compiler::Loom,
            "$CC -c part.c && ar qcD some.a part.o && ar qcTD thin.a part.o",
        );
        let refused = loom(&sandbox, &format!("payload pack {content} -o no.o"));
        assert_eq!(refused.status, 1);
        assert!(
            refused
                .stderr
                .contains(&format!("{content}: is {kind}, not an LLVM module"))
        );
        sandbox.succeed(Compiler::Loom, "rm some.a thin.a");
    }
}
