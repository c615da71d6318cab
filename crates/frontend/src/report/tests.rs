//! Both forms of every command, on sound, linked, ambiguous and broken files.

mod selection;

use std::sync::Arc;

use expect_test::{Expect, expect};
use object::{Architecture, Endianness};

use super::*;
use crate::carrier::{
    PAYLOAD_SECTION, RECORD_SECTION, encode_payload_frame, encode_record_frame, read_carriers,
};
use crate::payload::{Root, artifact_identity, decode_root};
use crate::provider::Provider;
use crate::testing::{AnyModule, archive, elf, link, root};

fn object(roots: &[&[u8]]) -> Vec<u8> {
    let payloads: Vec<u8> = roots.iter().flat_map(|root| encode_payload_frame(root)).collect();
    let records: Vec<u8> = roots
        .iter()
        .flat_map(|root| encode_record_frame(&artifact_identity(root)))
        .collect();
    let sections: [(&str, &[u8]); 2] = [(PAYLOAD_SECTION, &payloads), (RECORD_SECTION, &records)];
    elf(
        Architecture::X86_64,
        Endianness::Little,
        if roots.is_empty() { &[] } else { &sections },
    )
}

fn linked(roots: &[&[u8]]) -> Vec<u8> {
    let records: Vec<u8> = roots
        .iter()
        .flat_map(|root| encode_record_frame(&artifact_identity(root)))
        .collect();
    link(elf(
        Architecture::X86_64,
        Endianness::Little,
        &[(RECORD_SECTION, &records)],
    ))
}

/// A root in which one field was changed, with the identity it then has.
fn changed(change: impl FnOnce(&mut Root<'_>)) -> Vec<u8> {
    let bytes = root("e", b"module");
    let mut root = decode_root(&bytes).unwrap();
    change(&mut root);
    root.encode()
}

fn carriers<'a>(name: &str, bytes: &'a [u8]) -> Carriers<'a> {
    read_carriers(name, bytes, &mut |_| Err::<Arc<[u8]>, _>("not there".to_owned()))
}

fn render(report: Report) -> String {
    let mut text = report.output;
    text += if report.success { "success\n" } else { "failure\n" };
    text += &report
        .diagnostics
        .iter()
        .map(render_diagnostic)
        .collect::<String>();
    text
}

fn render_diagnostic(diagnostic: &Diagnostic) -> String {
    let mut text = format!(
        "{}[{}]: {}\n",
        diagnostic.severity, diagnostic.code, diagnostic.message
    );
    assert!(diagnostic.place.is_some());
    diagnostic
        .notes
        .iter()
        .for_each(|note| text += &format!("  note: {note}\n"));
    text + &format!("  help: {}\n", diagnostic.help.as_ref().unwrap())
}

#[track_caller]
fn check(report: Report, expected: Expect) {
    expected.assert_eq(&render(report));
}

fn verified(name: &str, bytes: &[u8], form: Form) -> Report {
    verify(&carriers(name, bytes), form, &Provider::pinned(), &AnyModule)
}

#[test]
fn show_lists_every_field() {
    let object = object(&[&root("e", b"module")]);
    check(
        show(&carriers("x.o", &object), Form::Text),
        expect![[r#"
        x.o: payload 0
          identity        3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c
          provider        llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1
          target triple   x86_64-pc-linux-gnu
          data layout     e
          ABI key         994b77a718063646de68eea901e0a78cd09d8f5b84646e1b0cb640b9fd7eab2e
          view            loom.config.view.frontend.1.0, 0 bytes
          view digest     65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d
          bitcode         10 bytes
          bitcode digest  834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d
        x.o: record 0
          identity        3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c
        success
    "#]],
    );
    check(
        show(&carriers("x.o", &object), Form::Json),
        expect![[r#"
        {"object":"x.o","kind":"payload","index":0,"identity":"3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c","llvm_provider":{"repository_identity":"llvm-project","full_commit_identity":"ca7933e47d3a3451d81e72ac174dcb5aa28b59d1"},"target_triple":"x86_64-pc-linux-gnu","data_layout":"e","abi_compatibility_key":"994b77a718063646de68eea901e0a78cd09d8f5b84646e1b0cb640b9fd7eab2e","frontend_config_view":{"component_view_schema_descriptor":"loom.config.view.frontend.1.0","canonical_view_size":0,"component_view_digest":"65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d"},"normalized_llvm_bitcode":{"sha256_digest":"834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d","size":10}}
        {"object":"x.o","kind":"record","index":0,"identity":"3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c"}
        success
    "#]],
    );
}

#[test]
fn show_lists_foreign_payloads_and_absence() {
    let foreign = changed(|root| (root.commit, root.triple) = (b"0123", b"a\x1b[31m\xff"));
    let library = archive(&[("plain.o", &object(&[])), ("foreign.o", &object(&[&foreign]))]);
    check(
        show(&carriers("lib.a", &library), Form::Text),
        expect![[r#"
        lib.a(plain.o): no payload
        lib.a(foreign.o): payload 0
          identity        92d5ec94ed82168448acddb011c0ca672be5b5fc0b814235ccbff6364c545b87
          provider        llvm-project 0123
          target triple   a\x1b[31m\xff
          data layout     e
          ABI key         994b77a718063646de68eea901e0a78cd09d8f5b84646e1b0cb640b9fd7eab2e
          view            loom.config.view.frontend.1.0, 0 bytes
          view digest     65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d
          bitcode         10 bytes
          bitcode digest  834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d
        lib.a(foreign.o): record 0
          identity        92d5ec94ed82168448acddb011c0ca672be5b5fc0b814235ccbff6364c545b87
        success
    "#]],
    );
    check(
        show(&carriers("lib.a", &library), Form::Json),
        expect![[r#"
        {"object":"lib.a(plain.o)","kind":"none"}
        {"object":"lib.a(foreign.o)","kind":"payload","index":0,"identity":"92d5ec94ed82168448acddb011c0ca672be5b5fc0b814235ccbff6364c545b87","llvm_provider":{"repository_identity":"llvm-project","full_commit_identity":"0123"},"target_triple":"a\\x1b[31m\\xff","data_layout":"e","abi_compatibility_key":"994b77a718063646de68eea901e0a78cd09d8f5b84646e1b0cb640b9fd7eab2e","frontend_config_view":{"component_view_schema_descriptor":"loom.config.view.frontend.1.0","canonical_view_size":0,"component_view_digest":"65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d"},"normalized_llvm_bitcode":{"sha256_digest":"834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d","size":10}}
        {"object":"lib.a(foreign.o)","kind":"record","index":0,"identity":"92d5ec94ed82168448acddb011c0ca672be5b5fc0b814235ccbff6364c545b87"}
        success
    "#]],
    );
}

#[test]
fn verify_tells_valid_from_invalid() {
    let stale = changed(|root| root.bitcode_digest = loom_base::Digest::of(b"stale"));
    let refused = changed(|root| root.bitcode = b"junk");
    let library = archive(&[
        ("good.o", &object(&[&root("e", b"module"), &root("e", b"two")])),
        ("plain.o", &object(&[])),
        ("stale.o", &object(&[&stale])),
        ("refused.o", &object(&[&refused])),
        (
            "broken.o",
            &elf(
                Architecture::X86_64,
                Endianness::Little,
                &[(PAYLOAD_SECTION, b"junk")],
            ),
        ),
    ]);
    check(
        verified("lib.a", &library, Form::Text),
        expect![[r#"
        lib.a(good.o): payload 0 3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c is valid
        lib.a(good.o): payload 1 e6a77aae5961b8eec0b6e90041edb6e3468746701fbfdd4cdae0cd86c9a7d95f is valid
        lib.a(good.o): record 0 3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c is well-formed
        lib.a(good.o): record 1 e6a77aae5961b8eec0b6e90041edb6e3468746701fbfdd4cdae0cd86c9a7d95f is well-formed
        lib.a(stale.o): payload 2 e9770862d350095bb485b4a911b5759c8ee4144de2567f3864ae6d8df37d4b46 is invalid: normalized_bitcode_digest_mismatch
        lib.a(stale.o): record 2 e9770862d350095bb485b4a911b5759c8ee4144de2567f3864ae6d8df37d4b46 is well-formed
        lib.a(refused.o): payload 3 1e1b454862b499eba6e02a88feaa83e1366b244c2d262b9131d7dc682453dc2a is invalid: llvm_module_unparsable
        lib.a(refused.o): record 3 1e1b454862b499eba6e02a88feaa83e1366b244c2d262b9131d7dc682453dc2a is well-formed
        lib.a(broken.o): cannot be read: payload_carrier_unreadable
        failure
        error[normalized_bitcode_digest_mismatch]: lib.a(stale.o): `normalized_llvm_bitcode.sha256_digest` is `a03f2386ae06b21109577020844df367857b72c2fcce384c1896fed98a89c82b`, expected `834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d`
          help: the payload is damaged: rebuild the object
        error[llvm_module_unparsable]: lib.a(refused.o): `normalized_llvm_bitcode.bytes`: file doesn't start with bitcode header
          help: the payload's module is not one that this LLVM wrote: rebuild the object
        error[payload_carrier_unreadable]: lib.a(broken.o): `junk` starts no payload frame (at byte 64)
          help: the payload is damaged: rebuild the object
    "#]],
    );
    check(
        verified("lib.a", &library, Form::Json),
        expect![[r#"
        {"object":"lib.a(good.o)","kind":"payload","index":0,"identity":"3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c","valid":true}
        {"object":"lib.a(good.o)","kind":"payload","index":1,"identity":"e6a77aae5961b8eec0b6e90041edb6e3468746701fbfdd4cdae0cd86c9a7d95f","valid":true}
        {"object":"lib.a(good.o)","kind":"record","index":0,"identity":"3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c","valid":true}
        {"object":"lib.a(good.o)","kind":"record","index":1,"identity":"e6a77aae5961b8eec0b6e90041edb6e3468746701fbfdd4cdae0cd86c9a7d95f","valid":true}
        {"object":"lib.a(stale.o)","kind":"payload","index":2,"identity":"e9770862d350095bb485b4a911b5759c8ee4144de2567f3864ae6d8df37d4b46","valid":false,"code":"normalized_bitcode_digest_mismatch","message":"`normalized_llvm_bitcode.sha256_digest` is `a03f2386ae06b21109577020844df367857b72c2fcce384c1896fed98a89c82b`, expected `834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d`"}
        {"object":"lib.a(stale.o)","kind":"record","index":2,"identity":"e9770862d350095bb485b4a911b5759c8ee4144de2567f3864ae6d8df37d4b46","valid":true}
        {"object":"lib.a(refused.o)","kind":"payload","index":3,"identity":"1e1b454862b499eba6e02a88feaa83e1366b244c2d262b9131d7dc682453dc2a","valid":false,"code":"llvm_module_unparsable","message":"`normalized_llvm_bitcode.bytes`: file doesn't start with bitcode header"}
        {"object":"lib.a(refused.o)","kind":"record","index":3,"identity":"1e1b454862b499eba6e02a88feaa83e1366b244c2d262b9131d7dc682453dc2a","valid":true}
        {"object":"lib.a(broken.o)","kind":"unread","valid":false,"code":"payload_carrier_unreadable","message":"`junk` starts no payload frame (at byte 64)"}
        failure
        error[normalized_bitcode_digest_mismatch]: lib.a(stale.o): `normalized_llvm_bitcode.sha256_digest` is `a03f2386ae06b21109577020844df367857b72c2fcce384c1896fed98a89c82b`, expected `834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d`
          help: the payload is damaged: rebuild the object
        error[llvm_module_unparsable]: lib.a(refused.o): `normalized_llvm_bitcode.bytes`: file doesn't start with bitcode header
          help: the payload's module is not one that this LLVM wrote: rebuild the object
        error[payload_carrier_unreadable]: lib.a(broken.o): `junk` starts no payload frame (at byte 64)
          help: the payload is damaged: rebuild the object
    "#]],
    );
}

#[test]
fn verify_needs_something_to_verify() {
    check(
        verified("plain.o", &object(&[]), Form::Text),
        expect![[r#"
        failure
        error[payload_carrier_absent]: plain.o: holds no payload
          help: compile with loom-cc and without `-fno-loom-payload`; plain `llvm-strip` removes payloads
    "#]],
    );
    check(
        verified("empty.a", b"!<arch>\n", Form::Json),
        expect![[r#"
        failure
        error[payload_carrier_absent]: empty.a: holds no payload
          help: compile with loom-cc and without `-fno-loom-payload`; plain `llvm-strip` removes payloads
    "#]],
    );
    check(
        verified("x.bc", b"BC\xc0\xde", Form::Text),
        expect![[r#"
        x.bc: cannot be read: payload_carrier_unreadable
        failure
        error[payload_carrier_unreadable]: x.bc: is LLVM bitcode, which only the engine can read
          help: let the engine read it, or compile to an ELF object
    "#]],
    );
}

#[test]
fn verify_compares_the_identity_last() {
    let mut frame = encode_payload_frame(&root("e", b"module"));
    frame[16] ^= 0xff;
    let object = elf(
        Architecture::X86_64,
        Endianness::Little,
        &[(PAYLOAD_SECTION, &frame)],
    );
    check(
        verified("x.o", &object, Form::Text),
        expect![[r#"
        x.o: payload 0 c777e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c is invalid: payload_identity_mismatch
        failure
        error[payload_identity_mismatch]: x.o: `artifact_identity` is `c777e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c`, expected `3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c`
          help: the payload is damaged: rebuild the object
    "#]],
    );
    let last = frame.len() - 1;
    frame[last] ^= 1;
    let object = elf(
        Architecture::X86_64,
        Endianness::Little,
        &[(PAYLOAD_SECTION, &frame)],
    );
    let report = verified("x.o", &object, Form::Text);
    assert_eq!(report.diagnostics[0].code, "normalized_bitcode_digest_mismatch");
}

#[test]
fn linked_files_have_records_only() {
    let (one, two) = (root("e", b"module"), root("e", b"two"));
    let output = linked(&[&one, &two]);
    check(
        show(&carriers("a.out", &output), Form::Text),
        expect![[r#"
        a.out: record 0
          identity        3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c
        a.out: record 1
          identity        e6a77aae5961b8eec0b6e90041edb6e3468746701fbfdd4cdae0cd86c9a7d95f
        success
    "#]],
    );
    check(
        identity(&carriers("a.out", &output), Form::Json),
        expect![[r#"
        {"object":"a.out","kind":"record","index":0,"identity":"3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c"}
        {"object":"a.out","kind":"record","index":1,"identity":"e6a77aae5961b8eec0b6e90041edb6e3468746701fbfdd4cdae0cd86c9a7d95f"}
        success
    "#]],
    );
    check(
        verified("a.out", &output, Form::Text),
        expect![[r#"
        a.out: record 0 3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c is well-formed; a linked file does not hold the payload itself
        a.out: record 1 e6a77aae5961b8eec0b6e90041edb6e3468746701fbfdd4cdae0cd86c9a7d95f is well-formed; a linked file does not hold the payload itself
        success
    "#]],
    );
    let refusal = extract(&carriers("a.out", &output), &Selection::default(), Part::Root)
        .map(<[u8]>::len)
        .unwrap_err();
    expect![[r#"
        error[payload_carrier_records_only]: a.out: names 2 linked payloads in records, but holds none itself
          help: the linker drops payloads from its output: name the object or archive that was linked
    "#]]
    .assert_eq(&render_diagnostic(&refusal));
}

#[test]
fn identity_is_that_of_the_root() {
    let root = root("e", b"module");
    let object = object(&[&root]);
    let report = identity(&carriers("x.o", &object), Form::Text);
    assert_eq!(report.output, format!("{}  x.o\n", artifact_identity(&root)));
    let bare = identity(&carriers("root.bin", &root), Form::Text);
    assert_eq!(bare.output, format!("{}  root.bin\n", artifact_identity(&root)));
    check(
        identity(&carriers("x.o", &object), Form::Json),
        expect![[r#"
        {"object":"x.o","kind":"payload","index":0,"identity":"3877e37e01ed508f6b30949d40bdb08768d8763560e9b091f4a2172ada5c456c"}
        success
    "#]],
    );
    check(
        identity(&carriers("plain.o", &self::object(&[])), Form::Text),
        expect![[r#"
            failure
            error[payload_carrier_absent]: plain.o: holds no payload
              help: compile with loom-cc and without `-fno-loom-payload`; plain `llvm-strip` removes payloads
        "#]],
    );
}
