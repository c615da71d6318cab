//! What must not reach a payload: LLVM options beyond their own compile, the environment, the way it was asked for
//! (decision 43).

use loom_frontend::payload::encode_root;
use loom_frontend::provider::Provider;

use super::super::{Compiled, Compiler, Sandbox, Worker};

const PLAIN: &str = "-c plain.c -o plain.o -O2 -g -fdebug-compilation-dir=.";

/// Options that change how LLVM writes bitcode, not what a compile makes.
const WRITER_OPTIONS: [&str; 4] = [
    "-mllvm -bitcode-mdindex-threshold=1",
    "-mllvm -preserve-bc-uselistorder",
    "-mllvm -preserve-ll-uselistorder",
    "-mllvm -bitcode-flush-threshold=1",
];

#[test]
fn llvm_options_do_not_change_how_a_module_is_normalized() {
    let sandbox = Sandbox::new();
    let payload = |options: &str| {
        sandbox.succeed(Compiler::Loom, &format!("$CC {options} {PLAIN}"));
        Compiled::from_object(&sandbox.path("plain.o"))
    };
    let plain = payload("");
    for options in WRITER_OPTIONS {
        assert!(payload(options) == plain, "{options}");
    }
}

#[test]
fn llvm_options_act_on_their_own_compile() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O2 -c remarks.c -o plain.o; $CC -O2 -mllvm -inline-threshold=-1000 -c remarks.c -o changed.o",
    );
    let plain = Compiled::from_object(&sandbox.path("plain.o"));
    let changed = Compiled::from_object(&sandbox.path("changed.o"));
    assert!(!plain.text().contains("call fastcc"), "callee is inlined");
    assert!(
        changed.text().contains("@callee"),
        "callee is kept:\n{}",
        changed.text()
    );
}

#[test]
fn llvm_options_do_not_reach_the_next_compile_of_a_worker() {
    let sandbox = Sandbox::new();
    let compile = |worker: &Worker, options: &str| {
        let reply = worker.compile(
            &sandbox.path(""),
            &format!("{options} -O2 -c remarks.c -o remarks.o"),
        );
        assert_eq!(reply.exit_status, 0, "{}", reply.rendered);
        reply.object.expect("it compiled")
    };
    let worker = Worker::start();
    let before = compile(&worker, "");
    let changed = compile(&worker, "-mllvm -inline-threshold=-1000");
    assert_ne!(before, changed);
    // Such a worker takes no further request; its host starts a new one.
    assert!(worker.end().success());
    assert_eq!(compile(&Worker::start(), ""), before);
}

#[test]
fn llvm_options_do_not_reach_the_next_job_of_a_command() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O2 -c remarks.c part.c; mv remarks.o plain.o
         $CC -O2 -mllvm -bitcode-mdindex-threshold=1 -c part.c remarks.c",
    );
    assert_eq!(
        Compiled::from_object(&sandbox.path("plain.o")),
        Compiled::from_object(&sandbox.path("remarks.o"))
    );
}

#[test]
fn the_environment_does_not_change_how_a_module_is_normalized() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "asm.c",
        "__asm__(\".globl there\\nthere:\"); int f(void) { return 1; }",
    );
    for (variable, name) in [
        ("X=y", "plain.o"),
        ("LLVM_OVERRIDE_PRODUCER=LLVM9.9", "overridden.o"),
    ] {
        sandbox.succeed(Compiler::Loom, &format!("{variable} $CC -c asm.c -o {name}"));
    }
    assert_eq!(
        Compiled::from_object(&sandbox.path("plain.o")),
        Compiled::from_object(&sandbox.path("overridden.o"))
    );
}

/// Outputs, dependency files, diagnostics and temporary files are matters of the command, not of the module.
#[test]
fn the_way_of_asking_is_not_in_the_payload() {
    let sandbox = Sandbox::new();
    let payload = |options: &str, object: &str| {
        sandbox.succeed(Compiler::Loom, &format!("$CC -O1 {options}"));
        Compiled::from_object(&sandbox.path(object))
    };
    let plain = payload("-c plain.c", "plain.o");
    for (options, object) in [
        ("-c plain.c -o other.o", "other.o"),
        ("-c plain.c -MD -MF deps", "plain.o"),
        ("-c plain.c part.c", "plain.o"),
        ("-c plain.c -Weverything", "plain.o"),
        ("-c plain.c -fno-integrated-as", "plain.o"),
        ("-c plain.c -fno-integrated-cc1", "plain.o"),
        ("-c plain.c -v", "plain.o"),
        ("-c plain.c -ffat-lto-objects -fno-lto", "plain.o"),
    ] {
        assert!(payload(options, object) == plain, "{options}");
    }
}

#[test]
fn a_session_and_a_command_make_one_payload() {
    let sandbox = Sandbox::new();
    sandbox.succeed(Compiler::Loom, &format!("$CC {PLAIN}"));
    let reply = Worker::start().compile(&sandbox.path(""), PLAIN);
    let module = reply.module.expect("it compiled");
    let command = Compiled::from_object(&sandbox.path("plain.o"));
    assert_eq!(encode_root(&Provider::pinned(), &module), command.root);
}

#[test]
fn no_payload_on_request() {
    let sandbox = Sandbox::new();
    sandbox.succeed(Compiler::Loom, "$CC -O2 -fno-loom-payload -c plain.c -o loom.o");
    sandbox.succeed(Compiler::Clang, "$CC -O2 -c plain.c -o clang.o");
    assert_eq!(sandbox.read("loom.o"), sandbox.read("clang.o"));
}
