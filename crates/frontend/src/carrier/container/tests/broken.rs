//! Containers that are damaged, or made to mislead.

use super::*;

#[test]
fn broken_objects_are_named() {
    let sound = object_with(&root("e", b"module"));
    let with = |content: &[u8]| {
        elf(
            Architecture::X86_64,
            Endianness::Little,
            &[(PAYLOAD_SECTION, content)],
        )
    };
    check(
        "cut.o",
        &sound[..70],
        expect![[r#"
        cut.o: ELF file is malformed: Invalid ELF section header offset/size/alignment (at byte 0)
          payload_carrier_unreadable
    "#]],
    );
    check(
        "head.o",
        b"\x7fELF",
        expect![[r#"
        head.o: ELF file is malformed: Could not read file magic (at byte 0)
          payload_carrier_unreadable
    "#]],
    );
    check(
        "empty.o",
        &with(b""),
        expect![[r#"
        empty.o: payload section is empty (at byte 64)
          payload_carrier_unreadable
    "#]],
    );
    check(
        "lib.a",
        &archive(&[
            ("good.o", &sound),
            ("bad.o", &with(b"\0junk")),
            ("next.o", &with(b"LOOMPAY2")),
        ]),
        expect![[r#"
            lib.a(good.o): Object
              payload of 263 bytes
              record
            lib.a(bad.o): `junk` starts no payload frame (at byte 65)
              payload_carrier_unreadable
            lib.a(next.o): payload schema is `loom.relocatable_accelerator_payload 2`, but this reader knows `loom.relocatable_accelerator_payload 1.0` only
              relocatable_payload_schema_unsupported
        "#]],
    );
    let mut cut = archive(&[("good.o", &sound), ("bad.o", &sound)]);
    cut.truncate(cut.len() - 100);
    check(
        "cut.a",
        &cut,
        expect![[r#"
        cut.a(good.o): Object
          payload of 263 bytes
          record
        cut.a(bad.o): archive member is cut off: Archive member size is too large (at byte 1016)
          payload_carrier_unreadable
    "#]],
    );
    check(
        "head.a",
        &archive(&[("good.o", &sound)])[..30],
        expect![[r#"
        head.a: archive is malformed: Invalid archive member header (at byte 0)
          payload_carrier_unreadable
    "#]],
    );
}

#[test]
fn a_compressed_section_is_refused() {
    let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let section = object.add_section(Vec::new(), PAYLOAD_SECTION.into(), SectionKind::Other);
    // An Elf64_Chdr for zlib, then the stream.
    object.append_section_data(
        section,
        &[
            &[1_u32.to_le_bytes(), [0; 4]].concat()[..],
            &100_u64.to_le_bytes(),
            &1_u64.to_le_bytes(),
            b"x",
        ]
        .concat(),
        1,
    );
    object.section_mut(section).flags = object::SectionFlags::Elf {
        sh_type: object::elf::SHT_PROGBITS,
        sh_flags: object::elf::SHF_COMPRESSED,
    };
    check(
        "z.o",
        &object.write().unwrap(),
        expect![[r#"
        z.o: payload section is compressed (at byte 88)
          payload_carrier_unreadable
    "#]],
    );
}

#[test]
fn overlapping_sections_are_refused() {
    let frame = encode_payload_frame(&root("e", &[0; 4096]));
    let mut object = elf(
        Architecture::X86_64,
        Endianness::Little,
        &[(PAYLOAD_SECTION, &frame), (PAYLOAD_SECTION, &frame)],
    );
    // Section headers are at e_shoff, 64 bytes each; make both sections, number 1 and 2, one and the same.
    let headers = u64::from_le_bytes(object[40..48].try_into().unwrap()) as usize;
    object.copy_within(headers + 64..headers + 128, headers + 128);
    check(
        "same.o",
        &object[..],
        expect![[r#"
        same.o: Object
          payload of 4353 bytes
          payload of 4353 bytes
    "#]],
    );
}

/// A carrier cut off anywhere is refused, or nothing of it is left.
#[test]
fn an_object_cut_off_anywhere_is_refused() {
    let object = object_with(&root("e", b"module"));
    let library = archive(&[("x.o", &object)]);
    for bytes in [&object, &library] {
        for end in 0..bytes.len() {
            for object in read_carriers("x", &bytes[..end], &mut no_thin_member).objects {
                assert!(object.is_err(), "{end} of {}: {object:?}", bytes.len());
            }
        }
    }
}

/// No change of one byte makes another payload pass: each reading is an error, has no payload any more, or
/// still has the original one (the changed byte meant nothing to it).
#[test]
fn a_container_changed_anywhere_yields_no_other_payload() {
    let root = root("e", b"module");
    let object = object_with(&root);
    let library = archive(&[("x.o", &object)]);
    for mut bytes in [object, library] {
        for at in 0..bytes.len() {
            for change in [1, 0x10, 0x80, 0xff] {
                bytes[at] ^= change;
                for carrier in read_carriers("x", &bytes, &mut no_thin_member)
                    .objects
                    .into_iter()
                    .flatten()
                {
                    for frame in &carrier.frames {
                        let valid = frame.validate(&Provider::pinned(), &AnyModule).is_ok();
                        assert!(
                            !valid || frame.root().is_none_or(|found| found == root),
                            "{at} ^ {change}"
                        );
                    }
                }
                bytes[at] ^= change;
            }
        }
    }
}
