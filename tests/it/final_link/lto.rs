//! `loom lto`: the same merge without a native link.

use super::{lto, program, text_of};
use crate::driver::Compiler;

#[test]
fn the_module_is_that_of_the_native_link() {
    let sandbox = program("");
    sandbox.succeed(
        Compiler::Loom,
        "$CC -fuse-ld=lld main.o lib.a -o prog --loom-module=native.bc",
    );
    let (status, said) = lto(
        &sandbox,
        "main.o 'lib.a(sel.o)' 'lib.a(twin.o#2)' --export=main -o linked.bc",
    );
    assert_eq!((status, &*said), (0, ""));
    assert!(sandbox.read("linked.bc") == sandbox.read("native.bc"));
}

#[test]
fn what_is_exported_stays() {
    let sandbox = program("");
    let (status, said) = lto(&sandbox, "sel.o off.o -o all.bc");
    assert_eq!((status, &*said), (0, ""));
    let all = text_of(&sandbox, "all.bc");
    assert!(all.contains("@sel(") && all.contains("@off("), "{all}");
    sandbox.write("exports", "# what is wanted\nsel\n\n");
    for options in [
        "--export=sel",
        "--export-file=exports",
        "--export=nothing --entry=sel",
    ] {
        lto(&sandbox, &format!("sel.o off.o {options} -o some.bc"));
        let some = text_of(&sandbox, "some.bc");
        assert!(
            some.contains("@sel(") && !some.contains("@off("),
            "{options}: {some}"
        );
    }
}

#[test]
fn modules_of_any_frontend_take_part() {
    let sandbox = program("");
    sandbox.succeed(
        Compiler::Clang,
        "$CC -O1 -S -emit-llvm twin.c -o twin.ll && $CC -O1 -c -emit-llvm sel.c -o sel.bc",
    );
    let (status, said) = lto(&sandbox, "main.o sel.bc twin.ll --export=main -o linked.bc");
    assert_eq!((status, &*said), (0, ""));
    assert!(text_of(&sandbox, "linked.bc").contains("@main("));
}

#[test]
fn mistakes() {
    let sandbox = program("");
    for (arguments, said) in [
        (
            "sel.o sel.o",
            "error[linked_symbol_duplicate]: sel.o and sel.o: both define `sel`",
        ),
        (
            "'lib.a(twin.o)'",
            "error[selected_input_ambiguous]: lib.a(twin.o): the archive has 2 members",
        ),
        (
            "'lib.a(none.o)'",
            "error[selected_input_unreadable]: lib.a(none.o): the archive has no such member",
        ),
        ("none.o", "error[selected_input_unreadable]: none.o: no such file"),
        (
            "sel.c",
            "error[selected_payload_rejected]: sel.c: llvm_module_unparsable",
        ),
    ] {
        let (status, stderr) = lto(&sandbox, &format!("{arguments} -o linked.bc"));
        assert_eq!(status, 1, "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
        assert!(!sandbox.path("linked.bc").exists());
    }
    sandbox.succeed(Compiler::Clang, "$CC -c sel.c -o plain.o");
    let (status, stderr) = lto(&sandbox, "plain.o -o linked.bc");
    assert_eq!(status, 1);
    assert!(stderr.contains("selected_payload_absent"), "{stderr}");
}

/// Whatever the directory, and however often: the same bytes.
#[test]
fn twenty_links_are_one() {
    let sandbox = program("-g");
    let (status, said) = lto(&sandbox, "main.o lib.a -o first.bc");
    assert_eq!((status, &*said), (0, ""));
    let first = sandbox.read("first.bc");
    sandbox.succeed(Compiler::Loom, "mkdir -p far/away && cp main.o lib.a far/away");
    for _ in 0..19 {
        lto(&sandbox, "main.o lib.a -o again.bc");
        assert!(sandbox.read("again.bc") == first);
    }
    let loom = loom_tests::built::tool("loom");
    sandbox.succeed(
        Compiler::Loom,
        &format!(
            "cd far/away && '{}' lto main.o lib.a -o ../../moved.bc",
            loom.display()
        ),
    );
    assert!(sandbox.read("moved.bc") == first);
}
