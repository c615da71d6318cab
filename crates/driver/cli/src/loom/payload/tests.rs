//! `loom payload` in memory; the real engine and the real formats are in the integration tests.

mod diff;
mod outputs;

use std::path::Path;
use std::sync::atomic::Ordering;

use expect_test::{Expect, expect};
use loom_driver::base::Blob;
use loom_frontend::carrier::encode_payload_frame;
use loom_frontend::engine::NormalizedModule;
use loom_frontend::payload::encode_root;
use loom_frontend::provider::Provider;

use crate::loom::run;
use crate::testing::{Run, World};

fn root(data_layout: &str, content: &[u8]) -> Vec<u8> {
    let module = NormalizedModule {
        triple: "x86_64-unknown-linux-gnu".to_owned(),
        data_layout: data_layout.to_owned(),
        bitcode: Blob::new([b"BC\xc0\xde", content].concat()),
    };
    encode_root(&Provider::pinned(), &module)
}

/// An LTO object of the toy modules that carries `root`.
fn bitcode_object(root: &[u8]) -> Vec<u8> {
    [b"BC\xc0\xde".to_vec(), encode_payload_frame(root)].concat()
}

/// An archive; names are short.
fn archive(magic: &str, members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = magic.as_bytes().to_vec();
    for (name, content) in members {
        let size = content.len();
        bytes.extend(
            format!(
                "{:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
                format!("{name}/"),
                0,
                0,
                0,
                644
            )
            .bytes(),
        );
        bytes.extend(*content);
        bytes.extend(vec![b'\n'; size % 2]);
    }
    bytes
}

/// The root `x.root`, others of another layout and another module, an LTO object, and archives of them.
fn world() -> World {
    let world = World::new(&[
        ("text", "no payload"),
        ("good.ll", "define void @f()\n"),
        ("bad.ll", "define void @f() {\n  ret ! void\n}\n"),
        ("carrying.ll", "@p = global [1 x i8], section \".loom.payload\"\n"),
    ]);
    let write = |name: &str, content: Vec<u8>| world.system.write(Path::new("/p").join(name), content);
    let [x, layout, module] = [
        root("e-m:e", b""),
        root("e-m:e-S64", b""),
        root("e-m:e", b"other"),
    ];
    let [lto, lto_2] = [bitcode_object(&x), bitcode_object(&module)];
    write(
        "lib/same.a",
        archive(
            "!<arch>\n",
            &[("x.o", &lto), ("none.o", b"text"), ("x.o", &lto_2)],
        ),
    );
    write("damaged.o", b"BC\xc0\xdedamaged".to_vec());
    write(
        "some.a",
        archive("!<arch>\n", &[("x.o", &lto), ("y.o", b"BC\xc0\xdedamaged")]),
    );
    write("lto.o", lto);
    write("lto-2.o", lto_2);
    write("x.root", x);
    write("layout.root", layout);
    write("module.root", module);
    write("cut.root", root("e-m:e", b"")[..100].to_vec());
    world
}

fn payload(world: &World, args: &[&str], stdin: &[u8]) -> Run {
    world.run(run, &[&["loom", "payload"], args].concat(), stdin)
}

#[track_caller]
fn check(args: &[&str], expected: Expect) {
    expected.assert_eq(&payload(&world(), args, b"").render());
}

#[track_caller]
fn check_without_engine(args: &[&str], expected: Expect) {
    let world = world();
    world.modules.is_broken.store(true, Ordering::Relaxed);
    expected.assert_eq(&payload(&world, args, b"").render());
}

#[test]
fn show() {
    check(
        &["show", "x.root"],
        expect![[r#"
        Success
        --- stdout
        x.root: payload 0
          identity        d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93
          provider        llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1
          target triple   x86_64-unknown-linux-gnu
          data layout     e-m:e
          ABI key         ba2f6311f06ad964a90ff69a15ce24047043e17c7ba175e79acb09e98af2dd13
          view            loom.config.view.frontend.1.0, 0 bytes
          view digest     65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d
          bitcode         4 bytes
          bitcode digest  f41aab480756711edcd2fb00add18f7b553cff9f09cbe93a23e421f0386139e0
        --- stderr
    "#]],
    );
    check(
        &["show", "--json", "x.root"],
        expect![[r#"
        Success
        --- stdout
        {"object":"x.root","kind":"payload","index":0,"identity":"d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93","llvm_provider":{"repository_identity":"llvm-project","full_commit_identity":"ca7933e47d3a3451d81e72ac174dcb5aa28b59d1"},"target_triple":"x86_64-unknown-linux-gnu","data_layout":"e-m:e","abi_compatibility_key":"ba2f6311f06ad964a90ff69a15ce24047043e17c7ba175e79acb09e98af2dd13","frontend_config_view":{"component_view_schema_descriptor":"loom.config.view.frontend.1.0","canonical_view_size":0,"component_view_digest":"65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d"},"normalized_llvm_bitcode":{"sha256_digest":"f41aab480756711edcd2fb00add18f7b553cff9f09cbe93a23e421f0386139e0","size":4}}
        --- stderr
    "#]],
    );
    check(
        &["show", "text", "missing", ".", "--json", "x.root"],
        expect![[r#"
        Environment
        --- stdout
        {"object":"x.root","kind":"payload","index":0,"identity":"d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93","llvm_provider":{"repository_identity":"llvm-project","full_commit_identity":"ca7933e47d3a3451d81e72ac174dcb5aa28b59d1"},"target_triple":"x86_64-unknown-linux-gnu","data_layout":"e-m:e","abi_compatibility_key":"ba2f6311f06ad964a90ff69a15ce24047043e17c7ba175e79acb09e98af2dd13","frontend_config_view":{"component_view_schema_descriptor":"loom.config.view.frontend.1.0","canonical_view_size":0,"component_view_digest":"65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d"},"normalized_llvm_bitcode":{"sha256_digest":"f41aab480756711edcd2fb00add18f7b553cff9f09cbe93a23e421f0386139e0","size":4}}
        --- stderr
        error[relocatable_payload_encoding_truncated]: text: `llvm_provider.repository_identity` takes 7957614733630729327 bytes, but only 2 are left
        --> text
         = help: payloads are in ELF objects, archives, bitcode, and roots that `loom payload extract` wrote
        error[IO/001]: cannot read 'missing': no such file
        error[IO/001]: cannot read '.': it is a directory
    "#]],
    );
}

#[test]
fn verify() {
    check(
        &["verify", "x.root", "lto.o"],
        expect![[r#"
        Success
        --- stdout
        x.root: payload 0 d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93 is valid
        lto.o: payload 0 d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93 is valid
        --- stderr
    "#]],
    );
    check(
        &["verify", "layout.root"],
        expect![[r#"
        Diagnostics
        --- stdout
        layout.root: payload 0 8680285025f0312b155777651989297c39464d2ef4711e75542c238726e95bd8 is invalid: data_layout_mismatch
        --- stderr
        error[data_layout_mismatch]: layout.root: `data_layout` is `e-m:e-S64`, expected `e-m:e`
        --> layout.root
         = help: the payload is damaged: rebuild the object
    "#]],
    );
    check(
        &["verify", "--json", "damaged.o"],
        expect![[r#"
        Diagnostics
        --- stdout
        {"object":"damaged.o","kind":"unread","valid":false,"code":"payload_carrier_unreadable","message":"bitcode cannot be read: the module is damaged (at byte 0)"}
        --- stderr
        error[payload_carrier_unreadable]: damaged.o: bitcode cannot be read: the module is damaged (at byte 0)
        --> damaged.o
         = help: the payload is damaged: rebuild the object
    "#]],
    );
    let world = world();
    world.system.write("/p/empty.a", archive("!<arch>\n", &[]));
    expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[payload_carrier_absent]: empty.a: holds no payload
        --> empty.a
         = help: compile with loom-cc and without `-fno-loom-payload`; plain `llvm-strip` removes payloads
    "#]]
    .assert_eq(&payload(&world, &["verify", "empty.a"], b"").render());
}

#[test]
fn verify_fails_closed_without_an_engine() {
    check_without_engine(
        &["verify", "x.root"],
        expect![[r#"
        Environment
        --- stdout
        x.root: payload 0 d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93 was not judged: engine_unavailable
        --- stderr
        error[engine_unavailable]: x.root: the engine is gone: no LLVM in this test
        --> x.root
         = help: this says nothing about the payload: it is not accepted without LLVM's word
    "#]],
    );
    check_without_engine(
        &["show", "lto.o"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[engine_unavailable]: lto.o: the engine is gone: no LLVM in this test
        --> lto.o
         = help: this says nothing about the payload: it is not accepted without LLVM's word
    "#]],
    );
    check_without_engine(
        &["pack", "good.ll", "-o", "x.o"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[ENGINE/001]: the engine is gone
         |
         = note: caused by: no LLVM in this test
         = help: this says nothing about the input; the next request starts the engine again
    "#]],
    );
}

#[test]
fn identity() {
    check(
        &["identity", "lib/same.a", "x.root"],
        expect![[r#"
        Success
        --- stdout
        d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93  lib/same.a(x.o)
        19dadf18792a864e7c3824893c8399d00f3db8ff913001da9114f25ef7239fee  lib/same.a(x.o)
        d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93  x.root
        --- stderr
    "#]],
    );
    check(
        &["identity", "--json", "lto.o"],
        expect![[r#"
        Success
        --- stdout
        {"object":"lto.o","kind":"payload","index":0,"identity":"d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93"}
        --- stderr
    "#]],
    );
    check(
        &["identity", "text"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[relocatable_payload_encoding_truncated]: text: `llvm_provider.repository_identity` takes 7957614733630729327 bytes, but only 2 are left
        --> text
         = help: payloads are in ELF objects, archives, bitcode, and roots that `loom payload extract` wrote
    "#]],
    );
}

#[test]
fn thin_archives_find_their_members_beside_them() {
    let world = world();
    world
        .system
        .write("/p/lib/x.o", bitcode_object(&root("e-m:e", b"")));
    // A thin archive has the sizes but not the contents.
    let header = &archive("!<thin>\n", &[("x.o", b"12"), ("y.o", b"")]);
    let thin = [&header[..68], &header[70..]].concat();
    world.system.write("/p/lib/thin.a", thin);
    expect![[r#"
        Diagnostics
        --- stdout
        d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93  lib/thin.a(x.o)
        --- stderr
        error[payload_carrier_unreadable]: lib/thin.a(y.o): member of a thin archive cannot be read: 'lib/y.o': no such file (at byte 0)
        --> lib/thin.a(y.o)
         = help: the payload is damaged: rebuild the object
    "#]].assert_eq(&payload(&world, &["identity", "lib/thin.a"], b"").render());
}

#[test]
fn standard_input_is_read_once() {
    let world = world();
    let shown = payload(
        &world,
        &["identity", "x.root", "-"],
        &world.content("module.root"),
    );
    expect![[r#"
        Success
        --- stdout
        d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93  x.root
        19dadf18792a864e7c3824893c8399d00f3db8ff913001da9114f25ef7239fee  <stdin>
        --- stderr
    "#]]
    .assert_eq(&shown.render());
    check(
        &["diff", "-", "-"],
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: '-' is named twice: standard input can be read once
         |
         = help: see loom payload --help
    "#]],
    );
}
