//! Commands that write files: extract and pack.

use std::io::ErrorKind;
use std::path::Path;

use expect_test::expect;
use loom_store::{Call, System};

use super::{check, payload, world};
use crate::Status;

#[test]
fn extract_writes_what_is_selected() {
    let world = world();
    for (args, expected) in [
        (&["lto.o"][..], "x.root"),
        (&["x.root"], "x.root"),
        (&["lib/same.a", "--index=1"], "module.root"),
        (&["lib/same.a", "--index=0", "--member=x.o"], "x.root"),
        (&["some.a", "--member=x.o"], "x.root"),
    ] {
        let extract = [&["extract", "-o", "out.root"], args].concat();
        let extracted = payload(&world, &extract, b"");
        assert_eq!(
            (extracted.status, extracted.stdout.len()),
            (Status::Success, 0),
            "{}",
            extracted.stderr
        );
        assert!(world.content("out.root") == world.content(expected), "{args:?}");
    }
    let extracted = payload(&world, &["extract", "--bitcode", "-o", "-", "module.root"], b"");
    assert_eq!(extracted.stdout, b"BC\xc0\xdeother");
    let piped = payload(
        &world,
        &["extract", "-", "-o", "/dev/stdout"],
        &world.content("lto.o"),
    );
    assert!(piped.stdout == world.content("x.root"));
}

#[test]
fn extract_says_what_it_lacks() {
    check(
        &["extract", "lib/same.a", "-o", "out"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[payload_carrier_ambiguous]: lib/same.a: holds 2 payloads, not one
        --> lib/same.a
         = note: payload 0 is in lib/same.a(x.o)
         = note: payload 1 is in lib/same.a(x.o)
         = help: choose one with `--member` or `--index`
    "#]],
    );
    check(
        &["extract", "lib/same.a", "-o", "out", "--member=x.o"],
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[payload_carrier_ambiguous]: lib/same.a(x.o): holds 2 payloads, not one
            --> lib/same.a(x.o)
             = note: payload 0 is in lib/same.a(x.o)
             = note: payload 1 is in lib/same.a(x.o)
             = help: choose one with `--member` or `--index`
        "#]],
    );
    check(
        &["extract", "lib/same.a", "-o", "out", "--member=y.o"],
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[payload_carrier_absent]: lib/same.a: has no member `y.o`
            --> lib/same.a
             = help: `ar t` lists the members of an archive
        "#]],
    );
    check(
        &["extract", "lib/same.a", "-o", "out", "--index=2"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[payload_carrier_absent]: lib/same.a: holds no payload with index 2
        --> lib/same.a
         = help: `loom payload show` lists the payloads with their indices, from 0
    "#]],
    );
    check(
        &["extract", "some.a", "-o", "out"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[payload_carrier_unreadable]: some.a(y.o): bitcode cannot be read: the module is damaged (at byte 0)
        --> some.a(y.o)
         = help: the payload is damaged: rebuild the object
    "#]],
    );
    check(
        &["extract", "cut.root", "-o", "out"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[relocatable_payload_encoding_truncated]: cut.root: `data_layout` takes 8 bytes, but only 0 are left
        --> cut.root
         = help: the payload is damaged: rebuild the object
    "#]],
    );
    check(
        &["extract", "missing", "-o", "out"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/001]: cannot read 'missing': no such file
    "#]],
    );
}

#[test]
fn pack() {
    let world = world();
    for module in ["good.ll", "-"] {
        let packed = payload(&world, &["pack", module, "-o", "x.o"], b"from stdin");
        assert_eq!((packed.status, &*packed.stderr), (Status::Success, ""));
    }
    assert_eq!(world.content("x.o"), b"object of from stdin");
    check(
        &["pack", "bad.ll", "-o", "x.o"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[llvm_module_unparsable]: bad.ll: unexpected mark
         --> bad.ll:2:7
          |
        2 |   ret ! void
          |       ^
          |
          = help: a module is bitcode or textual IR of an LLVM no newer than Loom's, as clang writes it with `-emit-llvm`
    "#]],
    );
    check(
        &["--diagnostics=json", "pack", "bad.ll", "-o", "x.o"],
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            {"severity":"error","code":"llvm_module_unparsable","message":"bad.ll: unexpected mark","place":{"file":"bad.ll","start":{"line":2,"column":7,"offset":25},"end":{"line":2,"column":7,"offset":25}},"related":[],"notes":[],"help":"a module is bitcode or textual IR of an LLVM no newer than Loom's, as clang writes it with `-emit-llvm`"}
        "#]],
    );
    check(
        &["pack", "lto.o", "-o", "x.o"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[payload_carrier_ambiguous]: lto.o: the module carries a payload already
        --> lto.o
         = help: pack the module that `loom payload extract --bitcode` takes out of it
    "#]],
    );
    check(
        &["pack", "lib/same.a", "-o", "x.o"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[llvm_module_unparsable]: lib/same.a: is an archive, not an LLVM module
        --> lib/same.a
         = help: `loom payload extract --bitcode` takes the module out of an object with a payload
    "#]],
    );
    check(
        &["pack", "missing", "-o", "x.o"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/001]: cannot read 'missing': no such file
    "#]],
    );
    // The section's name alone is not yet a payload.
    check(
        &["pack", "carrying.ll", "-o", "-"],
        expect![[r#"
        Success
        --- stdout
        object of @p = global [1 x i8], section ".loom.payload"
        --- stderr
    "#]],
    );
}

#[test]
fn a_fault_while_writing_leaves_the_former_file() {
    for call in [Call::Write, Call::Permissions, Call::Rename] {
        for command in [
            &["extract", "lto.o", "-o", "text"],
            &["pack", "good.ll", "-o", "text"],
        ] {
            let world = world();
            let before = world.system.read_dir(Path::new("/p")).unwrap();
            world.faults.fail(call, 1, ErrorKind::StorageFull);
            let failed = payload(&world, command, b"");
            assert_eq!(failed.status, Status::Environment, "{call:?}");
            assert!(
                failed.stderr.contains("error[IO/003]: cannot write 'text'"),
                "{}",
                failed.stderr
            );
            assert_eq!(world.content("text"), b"no payload");
            assert_eq!(world.system.read_dir(Path::new("/p")).unwrap(), before);
        }
    }
}
