//! One form for one module: repeated writes and use-list order.

use loom_frontend::payload::ModuleAuthority;

use super::super::{Compiled, Compiler, Sandbox, Worker};

/// Names, debug information, inline assembly and metadata: everything that LLVM keeps in hash tables.
const SOURCE: &str = "__asm__(\".globl asm_symbol\\nasm_symbol:\");
    int zero(int first, int second) { int third = first * second; return third - first; }
    static double table[4] = {1, 2, 3, 4};
    double one(int index) { double picked = table[index & 3]; return picked + zero(index, 4); }
    void two(int *values, int count) { for (int step = 0; step < count; ++step) values[step] = zero(step, count); }";

#[test]
fn repeated_writes() {
    let worker = Worker::start();
    let payload = Compiled::new("-O1 -g -fno-discard-value-names", SOURCE);
    let mut bitcode = payload.bitcode().to_vec();
    for round in 0..5 {
        let written = worker.normalize(&bitcode).expect("a payload's module is valid");
        assert_eq!(written.bitcode.bytes(), payload.bitcode(), "round {round}");
        bitcode = written.bitcode.bytes().to_vec();
    }
    let elsewhere = Worker::start()
        .normalize(&bitcode)
        .expect("a payload's module is valid");
    assert_eq!(elsewhere.bitcode.bytes(), payload.bitcode(), "in another process");
}

#[test]
fn use_list_order() {
    // Uses of %0 and of @state, in the order of the text or in others.
    let module = |local: &str, global: &str| {
        format!(
            "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"
             target triple = \"x86_64-pc-linux-gnu\"
             @state = internal global i32 0
             define i32 @f(i32 %x) {{
               %a = add i32 %x, 1
               %b = mul i32 %x, 2
               %c = sub i32 %x, %a
               store i32 %b, ptr @state
               store i32 %c, ptr @state
               %d = load i32, ptr @state
               ret i32 %d
               {local}
             }}
             {global}"
        )
    };
    let sandbox = Sandbox::new();
    let of = |name: &str, text: &str| {
        sandbox.write(&format!("{name}.ll"), text);
        sandbox.succeed(Compiler::Loom, &format!("$CC -O0 -c {name}.ll -o {name}.o"));
        Compiled::from_object(&sandbox.path(&format!("{name}.o")))
    };
    // The module's identifier is its file's name, and part of the payload's source_filename.
    let plain = of("unit", &module("", ""));
    let shuffled = of("unit", &module("uselistorder i32 %x, { 2, 0, 1 }", ""));
    let more = of(
        "unit",
        &module(
            "uselistorder i32 %x, { 1, 2, 0 }",
            "uselistorder ptr @state, { 2, 1, 0 }",
        ),
    );
    assert_eq!(plain, shuffled);
    assert_eq!(plain, more);
}

#[test]
fn bitcode_that_keeps_use_lists() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Clang,
        "mkdir with without
         $CC -O2 -emit-llvm -c plain.c -o plain.bc &&
         opt-22 -passes=verify --preserve-bc-uselistorder=true plain.bc -o with/plain.bc &&
         opt-22 -passes=verify --preserve-bc-uselistorder=false plain.bc -o without/plain.bc",
    );
    assert!(sandbox.read("with/plain.bc") != sandbox.read("without/plain.bc"));
    sandbox.succeed(
        Compiler::Loom,
        "(cd with && $CC -c plain.bc) && (cd without && $CC -c plain.bc)",
    );
    let [with, without] =
        ["with/plain.o", "without/plain.o"].map(|it| Compiled::from_object(&sandbox.path(it)));
    assert!(with == without);
}

#[test]
fn every_payload_is_valid_for_the_engine() {
    use loom_frontend::carrier::Frame;
    use loom_frontend::provider::Provider;

    let worker = Worker::start();
    for (options, source) in [
        ("-O0", SOURCE),
        ("-O2 -g -fno-discard-value-names", SOURCE),
        (
            "--target=thumbv7em-none-eabi -mcpu=cortex-m4 -O2",
            "int f(int a) { return a + 1; }",
        ),
        (
            "--target=riscv64-unknown-elf -fno-discard-value-names",
            "int f(int a) { return a + 1; }",
        ),
        (
            "-x c++ -O1 -g",
            "struct S { virtual ~S(); int v; }; S::~S() { v = 1; }",
        ),
    ] {
        let Compiled { identity, root } = Compiled::new(options, source);
        let frame = Frame::Payload {
            identity,
            root: root.into(),
        };
        let verdict = frame.validate(&Provider::pinned(), &worker);
        assert!(verdict.is_ok(), "{options}: {verdict:?}");
    }
}

#[test]
fn other_content_is_another_identity() {
    let one = Compiled::new("-O1", "int f(void) { return 1; }");
    assert_eq!(
        one,
        Compiled::new("-O1", "/* a remark */ int f(void) {   return 1; }")
    );
    assert_ne!(
        one.identity,
        Compiled::new("-O1", "int f(void) { return 2; }").identity
    );
    assert_ne!(
        one.identity,
        Compiled::new("-O1", "int g(void) { return 1; }").identity
    );
    assert_ne!(
        one.identity,
        Compiled::new("-O1 -march=x86-64-v3", "int f(void) { return 1; }").identity
    );
    assert_ne!(
        one.identity,
        Compiled::new("-O1 -g", "int f(void) { return 1; }").identity
    );
}
