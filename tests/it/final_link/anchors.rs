//! The anchors of source integration, section 7, that need a link; and bugs that others shipped.

use super::{LINKERS, lto, program, text_of};
use crate::driver::{Compiler, Sandbox};

const LAYOUT: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// Writes the module `name`.ll that defines a function of that name.
fn module(sandbox: &Sandbox, name: &str, layout: &str, rest: &str) {
    sandbox.write(
        &format!("{name}.ll"),
        &format!(
            "target datalayout = \"{layout}\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n\
             define i32 @{name}(i32 %x) {{\n  ret i32 %x\n}}\n{rest}"
        ),
    );
}

#[track_caller]
fn succeed(sandbox: &Sandbox, arguments: &str) {
    let (status, said) = lto(sandbox, arguments);
    assert_eq!((status, &*said), (0, ""), "{arguments}");
}

#[track_caller]
fn refused(sandbox: &Sandbox, arguments: &str, said: &[&str]) {
    let (status, stderr) = lto(sandbox, &format!("{arguments} -o refused.bc"));
    assert_eq!(status, 1, "{stderr}");
    for words in said {
        assert!(stderr.contains(words), "{words}\n{stderr}");
    }
    assert!(!sandbox.path("refused.bc").exists());
}

#[test]
fn layouts_of_one_structure_pass_however_they_are_spelled() {
    let sandbox = Sandbox::new();
    module(&sandbox, "first", LAYOUT, "");
    // The same entries in another order.
    let respelled = "e-m:e-i64:64-i128:128-f80:128-p270:32:32-p271:32:32-p272:64:64-n8:16:32:64-S128";
    module(&sandbox, "second", respelled, "");
    succeed(&sandbox, "first.ll second.ll -o linked.bc");
}

#[test]
fn layouts_of_another_structure_fail_and_say_how() {
    let sandbox = Sandbox::new();
    module(&sandbox, "first", LAYOUT, "");
    module(&sandbox, "second", &format!("{LAYOUT}-i7:8:8"), "");
    refused(
        &sandbox,
        "first.ll second.ll",
        &[
            "error[selected_payload_incompatible]: second.ll and first.ll: `data_layout` is",
            "-i7:8:8` in the first",
        ],
    );
}

/// What LLVM only says about one side is said about both.
#[test]
fn conflicting_module_flags_name_both_members() {
    let sandbox = Sandbox::new();
    let flag =
        |value| format!("!llvm.module.flags = !{{!0}}\n!0 = !{{i32 1, !\"wchar_size\", i32 {value}}}\n");
    module(&sandbox, "first", LAYOUT, &flag(4));
    module(&sandbox, "second", LAYOUT, "");
    module(&sandbox, "third", LAYOUT, &flag(2));
    refused(
        &sandbox,
        "first.ll second.ll third.ll",
        &["error[accelerator_link_failed]: third.ll and first.ll: module flag 'wchar_size' is"],
    );
}

#[test]
fn comdat_groups_and_odr_are_llvms() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "one.cc",
        "inline int shared() { static int n; return ++n; }\nint one() { return shared(); }\n",
    );
    sandbox.write(
        "two.cc",
        "inline int shared() { static int n; return ++n; }\nint two() { return shared(); }\n",
    );
    sandbox.succeed(Compiler::Loom, "$CXX -O0 -c one.cc two.cc");
    succeed(&sandbox, "one.o two.o -O0 -o linked.bc");
    let text = text_of(&sandbox, "linked.bc");
    assert_eq!(text.matches("@_ZZ6sharedvE1n = ").count(), 1, "{text}");
    assert_eq!(
        text.lines()
            .filter(|it| it.starts_with("define") && it.contains("@_Z6sharedv("))
            .count(),
        1
    );
}

/// Two static functions of one name, each a candidate, are two functions; both survive internalization and the removal
/// of what nobody calls. So does a candidate in a selected archive member that only its unit sees.
#[test]
fn candidates_stay_apart_and_alive() {
    let sandbox = Sandbox::new();
    for (name, factor) in [("one", 3), ("two", 5)] {
        sandbox.write(
            &format!("{name}.c"),
            &format!(
                "#pragma loom candidate\nstatic int hot(int *p, int n) {{ int s = 0;\n\
                 for (int i = 0; i < n; i++) s += p[i] * {factor};\nreturn s; }}\n\
                 #pragma loom candidate\nint unused_{name}(int x) {{ return x; }}\n\
                 int {name}(int *p) {{ return hot(p, 4); }}\n"
            ),
        );
    }
    sandbox.write(
        "main.c",
        "int one(int *), two(int *);\nint main(void) { int a[4] = {0}; return one(a) + two(a); }\n",
    );
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O2 -c one.c two.c main.c && ar qcs lib.a one.o two.o",
    );
    for linker in LINKERS {
        sandbox.succeed(
            Compiler::Loom,
            &format!("$CC -fuse-ld={linker} main.o lib.a -o prog --loom-module=linked.bc && ./prog"),
        );
        let text = text_of(&sandbox, "linked.bc");
        let defined = |name: &str| {
            text.lines()
                .filter(|it| {
                    it.starts_with("define internal")
                        && it.contains(name)
                        && it.contains("!loom.candidate.function")
                })
                .count()
        };
        assert_eq!(defined("@hot"), 2, "{linker}: {text}");
        assert_eq!(
            (defined("@unused_one("), defined("@unused_two(")),
            (1, 1),
            "{linker}: {text}"
        );
    }
}

/// Internalization: what only the merged module sees is its own; what others see is not.
#[test]
fn members_without_payload_see_what_they_refer_to() {
    let sandbox = program("");
    sandbox.write(
        "outside.c",
        "int off(int);\nint outside(int x) { return off(x); }\n",
    );
    sandbox.write(
        "main.c",
        "int outside(int), sel(int);\nint main(void) { return outside(0) + sel(0) - 8; }\n",
    );
    sandbox.succeed(Compiler::Clang, "$CC -O1 -c outside.c -o outside.o");
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -c main.c -o main.o && $CC -fuse-ld=lld main.o outside.o off.o sel.o -o prog --loom-module=linked.bc && ./prog",
    );
    let text = text_of(&sandbox, "linked.bc");
    let line = |name: &str| {
        text.lines()
            .find(|it| it.starts_with("define") && it.contains(name))
            .map(str::to_owned)
    };
    assert!(line("@off(").is_some_and(|it| !it.contains("internal")), "{text}");
    assert!(line("@sel(").is_none_or(|it| it.contains("internal")), "{text}");
}

/// Bitcode of another producer has a typed answer, and what is no bitcode too.
#[test]
fn unreadable_modules_are_typed() {
    let sandbox = program("");
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -flto -c sel.c -o lto.o && head -c 200 lto.o >cut.bc && ar qcs broken.a cut.bc",
    );
    refused(
        &sandbox,
        "cut.bc",
        &["error[selected_payload_rejected]: cut.bc: llvm_module_unparsable"],
    );
    refused(
        &sandbox,
        "broken.a",
        &["error[selected_payload_rejected]: broken.a(cut.bc): llvm_module_unparsable"],
    );
}

/// Debug information of several units survives the merge; the result is verified.
#[test]
fn debug_information_survives() {
    let sandbox = program("-g");
    succeed(&sandbox, "main.o sel.o d1/twin.o -o linked.bc");
    let text = text_of(&sandbox, "linked.bc");
    assert_eq!(text.matches("distinct !DICompileUnit(").count(), 3, "{text}");
}

/// Objects of Loom link with the ordinary compiler, and nothing of the accelerator is in the product.
#[test]
fn plain_compilers_link_our_objects() {
    let sandbox = program("");
    sandbox.succeed(Compiler::Clang, "cc main.o lib.a -o prog && ./prog");
    let product = sandbox.read("prog");
    assert!(!product.windows(8).any(|it| it == b"LOOMPAY1"));
}
