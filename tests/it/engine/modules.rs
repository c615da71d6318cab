//! What the engine does with modules that come from elsewhere: pack, normalize, fold.

use std::process::Command;

use expect_test::{Expect, expect};
use loom_driver::base::Blob;
use loom_frontend::carrier::{Frame, read_carriers};
use loom_frontend::payload::validate_root;
use loom_frontend::provider::Provider;

use super::world::{Project, host};

const LAYOUT: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// A module as another frontend could write it: no hints, a triple that is not canonical.
fn answer_module() -> String {
    format!(
        "source_filename = \"answer\"\ntarget datalayout = \"{LAYOUT}\"\ntarget triple = \"x86_64-linux-gnu\"\n\
         define i32 @main() {{\n  %sum = add i32 40, 2\n  ret i32 %sum\n}}\n"
    )
}

#[test]
fn any_module_becomes_an_object_with_a_payload() {
    let host = host();
    let object = host
        .pack(Blob::new(answer_module().into_bytes()))
        .expect("the engine works")
        .expect("it packs");
    let carriers = read_carriers("answer.o", object.bytes(), &mut |_| Err("no members".to_owned()));
    let carrier = carriers.objects[0].as_ref().expect("the object is well formed");
    let [Frame::Record { .. }, Frame::Payload { root, .. }] = &carrier.frames[..] else {
        panic!("one record and one payload: {:?}", carrier.frames)
    };
    let root = loom_frontend::payload::decode_root(root).expect("framing");
    validate_root(&root, &Provider::pinned(), &*host).expect("the payload is valid");
    assert_eq!(
        root.triple, b"x86_64-unknown-linux-gnu",
        "the triple is canonical"
    );

    let project = Project::new(&[]);
    std::fs::write(project.path("answer.o"), object.bytes()).expect("a temporary file can be written");
    let linked = Command::new("cc")
        .args(["answer.o", "-o", "answer", "-no-pie"])
        .current_dir(project.root())
        .status();
    assert!(
        linked.expect("cc runs").success(),
        "an ordinary link takes the object"
    );
    let status = Command::new(project.path("answer"))
        .status()
        .expect("the program runs");
    assert_eq!(status.code(), Some(42));
}

#[test]
fn text_and_bitcode_normalize_alike() {
    let host = host();
    let normalize = |module: Blob| {
        host.normalize(module)
            .expect("the engine works")
            .expect("a valid module")
    };
    let once = normalize(Blob::new(answer_module().into_bytes()));
    let twice = normalize(once.bitcode.clone());
    assert_eq!(once, twice, "normalization is a fixpoint");
}

#[test]
fn modules_that_are_refused() {
    check_refused("rubbish", expect!["llvm_module_unparsable"]);
    check_refused(
        &answer_module().replace("ret i32 %sum", "ret i64 %sum"),
        expect!["llvm_module_unparsable"],
    );
    check_refused(
        &answer_module().replace("target triple", "; target triple"),
        expect!["target_triple_absent"],
    );
    check_refused(
        &answer_module().replace("x86_64-linux-gnu", "z80-unknown-none"),
        expect!["target_triple_unsupported"],
    );
    check_refused(
        &answer_module().replace("target datalayout", "; target datalayout"),
        expect!["data_layout_absent"],
    );
    check_refused(
        &answer_module().replace("x86_64-linux-gnu", "x86_64-apple-darwin"),
        expect!["target_triple_unsupported"],
    );
    check_refused(
        &answer_module().replace("-S128", "-S64"),
        expect!["data_layout_mismatch"],
    );
}

#[track_caller]
fn check_refused(module: &str, code: Expect) {
    let error = host()
        .pack(Blob::new(module.as_bytes()))
        .expect("the engine works")
        .expect_err("it is refused");
    code.assert_eq(&error.code);
    assert!(!error.message.is_empty());
}

#[test]
fn llvm_folds() {
    let fold = |body: &str, arity, operands: &[u64]| {
        host()
            .fold_constants(body, arity, operands.to_vec())
            .expect("the engine works")
            .expect("a function")
    };
    let add = "define i8 @f(i8 %a, i8 %b) {\n  %r = add i8 %a, %b\n  ret i8 %r\n}\n";
    assert_eq!(fold(add, 2, &[1, 2, 255, 2]), [Some(3), Some(1)]);
    let divide = "define i8 @f(i8 %a, i8 %b) {\n  %r = sdiv i8 %a, %b\n  ret i8 %r\n}\n";
    assert_eq!(
        fold(divide, 2, &[7, 2, 7, 0]),
        [Some(3), None],
        "division by zero is poison, no number"
    );
    let half = "define half @f(half %a, half %b) {\n  %r = fmul half %a, %b\n  ret half %r\n}\n";
    assert_eq!(fold(half, 2, &[0x3c00, 0x4200]), [Some(0x4200)]);
    let compare = "define i1 @f(double %a, double %b) {\n  %r = fcmp olt double %a, %b\n  ret i1 %r\n}\n";
    assert_eq!(fold(compare, 2, &[1f64.to_bits(), 2f64.to_bits()]), [Some(1)]);
    let arity = host()
        .fold_constants(add, 3, vec![0; 3])
        .expect("the engine works");
    assert!(arity.is_err(), "the function has two arguments");
}
