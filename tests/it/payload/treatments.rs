//! Objects on their way through other tools (decision 19), as `loom payload` sees them afterwards.

use super::{assert_never_loaded, identities, loom, succeed};
use crate::driver::{Compiler, Sandbox};

#[test]
fn payloads_survive_what_keeps_symbols_for_a_link() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -g -c part.c plain.c && cp part.o object.o && $CC -flto -ffat-lto-objects -c part.c -o fat.o
         ar rcsD archive.a part.o plain.o",
    );
    for file in ["object.o", "fat.o", "archive.a"] {
        let original = identities(&sandbox, file);
        for treatment in [
            "strip",
            "strip -g",
            "strip --strip-unneeded",
            "llvm-strip-22 -g",
            "llvm-strip-22 --strip-unneeded",
            "objcopy",
            "objcopy --strip-debug",
            "llvm-objcopy-22",
            "llvm-objcopy-22 --strip-debug",
        ] {
            sandbox.succeed(
                Compiler::Loom,
                &format!("cp {file} treated && {treatment} treated"),
            );
            assert_eq!(identities(&sandbox, "treated"), original, "{treatment} {file}");
            succeed(&sandbox, "payload verify treated");
        }
    }
    let members = identities(&sandbox, "archive.a");
    for treatment in [
        "ranlib -D",
        "ranlib -U",
        "llvm-ranlib-22 -D",
        "ar sD",
        "llvm-ar-22 rcsD treated part.o; :",
        "ar mD treated part.o plain.o; :",
    ] {
        sandbox.succeed(
            Compiler::Loom,
            &format!("cp archive.a treated && {treatment} treated"),
        );
        assert_eq!(identities(&sandbox, "treated"), members, "{treatment}");
    }
    sandbox.succeed(Compiler::Loom, "mkdir out && cd out && ar x ../archive.a");
    assert_eq!(identities(&sandbox, "out/part.o out/plain.o"), members);
}

/// It removes every section that is not allocated, by design.
#[test]
fn plain_llvm_strip_takes_the_payload() {
    let sandbox = Sandbox::new();
    sandbox.succeed(Compiler::Loom, "$CC -O1 -c part.c && llvm-strip-22 part.o");
    assert_eq!(succeed(&sandbox, "payload show part.o"), "part.o: no payload\n");
    for command in ["verify", "identity", "extract -o no.root"] {
        let absent = loom(&sandbox, &format!("--diagnostics=json payload {command} part.o"));
        assert_eq!(
            (absent.status, absent.codes()),
            (1, vec!["payload_carrier_absent".to_owned()]),
            "{command}"
        );
    }
    let told = loom(&sandbox, "payload verify part.o");
    assert!(
        told.stderr.contains("plain `llvm-strip` removes payloads"),
        "{}",
        told.stderr
    );
}

#[test]
fn programs_work_and_load_nothing_of_it() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -c main.c part.c plain.c && ld -r part.o plain.o -o both.o
         for unit in main part plain; do
           clang-22 -O1 -S -emit-llvm $unit.c -o $unit.ll; \"$(dirname \"$CC\")/loom\" payload pack $unit.ll -o $unit.packed.o
         done",
    );
    for object in ["main.o", "both.o", "main.packed.o"] {
        assert_never_loaded(&sandbox, object);
    }
    for linker in [
        "cc",
        "cc -static",
        "cc -s -Wl,--gc-sections",
        "clang-22 -fuse-ld=lld",
        "clang-22 -fuse-ld=lld -s",
    ] {
        for objects in [
            "main.o part.o plain.o",
            "main.o both.o",
            "main.packed.o part.packed.o plain.packed.o",
        ] {
            sandbox.succeed(
                Compiler::Loom,
                &format!("{linker} {objects} -o program && ./program"),
            );
            assert_never_loaded(&sandbox, "program");
            assert_eq!(identities(&sandbox, "program").len(), 3, "{linker} {objects}");
            let program = sandbox.read("program");
            assert!(
                !program.windows(8).any(|it| it == b"LOOMPAY1"),
                "{linker} {objects}"
            );
        }
    }
}
