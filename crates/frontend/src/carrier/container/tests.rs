//! Every kind of container, sound and broken. ELF inputs are made by the `object` crate's writer.

mod broken;

use expect_test::{Expect, expect};
use object::write::Object;
use object::{Architecture, BinaryFormat, Endianness, SectionKind};

use super::*;
use crate::carrier::{encode_payload_frame, encode_record_frame};
use crate::provider::Provider;
use crate::testing::{AnyModule, archive, elf, link, root, thin_archive};

fn no_thin_member(path: &[u8]) -> Result<Arc<[u8]>, String> {
    Err(format!("{} is not there", path.escape_ascii()))
}

/// One line per frame or finding.
fn render(carriers: &Carriers<'_>) -> String {
    let mut lines = String::new();
    for object in &carriers.objects {
        match object {
            Ok(Carrier {
                name,
                content,
                frames,
            }) => {
                let content = match content {
                    Content::Bitcode(bitcode) => format!("Bitcode of {} bytes", bitcode.len()),
                    other => format!("{other:?}"),
                };
                lines += &format!("{name}: {content}\n");
                for frame in frames {
                    frame.check_identity().unwrap();
                    lines += &match frame.root() {
                        Some(root) => format!("  payload of {} bytes\n", root.len()),
                        None => "  record\n".to_owned(),
                    };
                }
            }
            Err(error) => lines += &format!("{error}\n  {}\n", error.error.code()),
        }
    }
    lines
}

#[track_caller]
fn check(name: &str, bytes: &[u8], expected: Expect) {
    expected.assert_eq(&render(&read_carriers(name, bytes, &mut no_thin_member)));
}

fn object_with(root: &[u8]) -> Vec<u8> {
    let record = encode_record_frame(&artifact_identity(root));
    elf(
        Architecture::X86_64,
        Endianness::Little,
        &[
            (PAYLOAD_SECTION, &encode_payload_frame(root)),
            (RECORD_SECTION, &record),
        ],
    )
}

#[test]
fn objects_of_every_class_and_byte_order() {
    for (architecture, endianness) in [
        (Architecture::X86_64, Endianness::Little),
        (Architecture::Arm, Endianness::Little),
        (Architecture::PowerPc64, Endianness::Big),
        (Architecture::Mips, Endianness::Big),
        (Architecture::Riscv32, Endianness::Little),
    ] {
        let root = root("e", b"module");
        let object = elf(
            architecture,
            endianness,
            &[
                (".text", b"\x90"),
                (PAYLOAD_SECTION, &encode_payload_frame(&root)),
                (RECORD_SECTION, &encode_record_frame(&artifact_identity(&root))),
            ],
        );
        let carriers = read_carriers("x.o", &object, &mut no_thin_member);
        let [Ok(carrier)] = &carriers.objects[..] else {
            panic!("{carriers:?}")
        };
        assert_eq!(carrier.content, Content::Object);
        assert_eq!(carrier.frames.len(), 2);
        assert_eq!(carrier.frames[0].root(), Some(&root[..]));
        assert_eq!(carrier.frames[1].identity(), artifact_identity(&root));
    }
}

#[test]
fn an_object_without_payload() {
    check(
        "x.o",
        &elf(Architecture::X86_64, Endianness::Little, &[(".text", b"\x90")]),
        expect![[r#"
            x.o: Object
        "#]],
    );
}

#[test]
fn several_payloads_after_a_relocatable_link_stay_separate() {
    let (one, two) = (root("e", b"one"), root("e", b"other"));
    let merged = [
        &encode_payload_frame(&one)[..],
        b"\0\0\0",
        &encode_payload_frame(&two),
    ]
    .concat();
    let object = elf(
        Architecture::X86_64,
        Endianness::Little,
        &[
            (PAYLOAD_SECTION, &merged),
            (PAYLOAD_SECTION, &encode_payload_frame(&one)),
        ],
    );
    check(
        "r.o",
        &object,
        expect![[r#"
        r.o: Object
          payload of 260 bytes
          payload of 262 bytes
          payload of 260 bytes
    "#]],
    );
}

#[test]
fn a_linked_file_lists_records() {
    let records =
        [artifact_identity(b"1"), artifact_identity(b"2")].map(|identity| encode_record_frame(&identity));
    let object = elf(
        Architecture::X86_64,
        Endianness::Little,
        &[(RECORD_SECTION, &records.concat())],
    );
    check(
        "a.out",
        &link(object),
        expect![[r#"
        a.out: Linked
          record
          record
    "#]],
    );
}

#[test]
fn archives() {
    let plain = elf(Architecture::X86_64, Endianness::Little, &[]);
    let object = object_with(&root("e", b"module"));
    let members: &[(&str, &[u8])] = &[
        ("plain.o", &plain),
        ("sel.o", &object),
        ("sel.o", &object),
        ("a rather long name.o", &object),
        ("notes.txt", b"odd"),
        ("lto.o", b"BC\xc0\xde0000"),
        ("nested.a", b"!<arch>\n"),
    ];
    check(
        "lib.a",
        &archive(members),
        expect![[r#"
        lib.a(plain.o): Object
        lib.a(sel.o): Object
          payload of 263 bytes
          record
        lib.a(sel.o): Object
          payload of 263 bytes
          record
        lib.a(a rather long name.o): Object
          payload of 263 bytes
          record
        lib.a(notes.txt): Other
        lib.a(lto.o): Bitcode of 8 bytes
        lib.a(nested.a): Other
    "#]],
    );
    check("empty.a", b"!<arch>\n", expect![""]);
}

#[test]
fn thin_archives_ask_for_their_members() {
    let object = object_with(&root("e", b"module"));
    let thin = thin_archive(&["sub/one.o", "missing.o", "two.bc"]);
    let mut asked = Vec::new();
    let carriers = read_carriers("t.a", &thin, &mut |path| {
        asked.push(String::from_utf8(path.to_vec()).unwrap());
        match path {
            b"sub/one.o" => Ok(object.clone().into()),
            b"two.bc" => Ok(b"BC\xc0\xde".to_vec().into()),
            _ => no_thin_member(path),
        }
    });
    expect![[r#"
        t.a(sub/one.o): Object
          payload of 263 bytes
          record
        t.a(missing.o): member of a thin archive cannot be read: missing.o is not there (at byte 0)
          payload_carrier_unreadable
        t.a(two.bc): Bitcode of 4 bytes
    "#]]
    .assert_eq(&render(&carriers));
    assert_eq!(asked, ["sub/one.o", "missing.o", "two.bc"]);
}

#[test]
fn bare_roots() {
    check(
        "root.bin",
        &root("e", b"module"),
        expect![[r#"
        root.bin: Root
          payload of 263 bytes
    "#]],
    );
    check(
        "note.txt",
        b"hello, world",
        expect![[r#"
        note.txt: `llvm_provider.repository_identity` takes 7522537965569712247 bytes, but only 4 are left
          relocatable_payload_encoding_truncated
    "#]],
    );
    check(
        "short",
        b"x",
        expect![[r#"
        short: `llvm_provider.repository_identity` takes 8 bytes, but only 1 are left
          relocatable_payload_encoding_truncated
    "#]],
    );
    check(
        "empty",
        b"",
        expect![[r#"
        empty: `llvm_provider.repository_identity` takes 8 bytes, but only 0 are left
          relocatable_payload_encoding_truncated
    "#]],
    );
    check(
        "long.bin",
        &[&root("e", b"module")[..], b"\n"].concat(),
        expect![[r#"
            long.bin: payload is followed by stray bytes (1)
              relocatable_payload_encoding_trailing
        "#]],
    );
}

#[test]
fn formats_without_a_carrier() {
    for bytes in [
        &b"\xcf\xfa\xed\xfe0000"[..],
        b"\x64\x86..",
        b"\0asm\x01\0\0\0",
        b"\x03\x02\x23\x07",
        b"MZ",
    ] {
        let carriers = read_carriers("x.o", bytes, &mut no_thin_member);
        let error = carriers.objects[0].as_ref().unwrap_err();
        assert_eq!(error.error.code(), "target_triple_unsupported", "{error}");
    }
    check(
        "x.wasm",
        b"\0asm\x01\0\0\0",
        expect![[r#"
        x.wasm: WebAssembly files carry no payload
          target_triple_unsupported
    "#]],
    );
}

#[test]
fn bitcode_waits_for_the_engine() {
    let bitcode = b"BC\xc0\xdesections";
    check(
        "x.bc",
        bitcode,
        expect![[r#"
        x.bc: Bitcode of 12 bytes
    "#]],
    );
    let frame = encode_payload_frame(&root("e", b"module"));
    let mut resolved = read_carriers("x.bc", bitcode, &mut no_thin_member);
    resolved.resolve_bitcode(&mut |module| {
        assert_eq!(module, bitcode);
        Ok(vec![
            frame.clone(),
            encode_record_frame(&artifact_identity(b"")).to_vec(),
        ])
    });
    expect![[r#"
        x.bc: Object
          payload of 263 bytes
          record
    "#]]
    .assert_eq(&render(&resolved));
    let mut refused = read_carriers("x.bc", bitcode, &mut no_thin_member);
    refused.resolve_bitcode(&mut |_| Ok(vec![b"junk".to_vec()]));
    expect![[r#"
        x.bc: `junk` starts no payload frame (at byte 0)
          payload_carrier_unreadable
    "#]]
    .assert_eq(&render(&refused));
}
