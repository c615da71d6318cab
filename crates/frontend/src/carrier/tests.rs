//! Frames: round trips, padding, and every refusal.

use expect_test::{Expect, expect};

use super::*;

/// Not a root: frames do not look inside.
const CONTENT: &[u8] = b"some root";

fn payload(root: &[u8]) -> Frame<'_> {
    Frame::Payload {
        identity: artifact_identity(root),
        root: Cow::Borrowed(root),
    }
}

#[test]
fn a_payload_frame_round_trips() {
    let bytes = encode_payload_frame(CONTENT);
    assert_eq!(bytes.len(), 48 + CONTENT.len());
    assert_eq!(bytes[..16], *b"LOOMPAY1\0\0\0\0\0\0\0\x29");
    let frames = read_frames(&bytes).unwrap();
    assert_eq!(frames, [payload(CONTENT)]);
    frames[0].check_identity().unwrap();
}

#[test]
fn a_record_frame_round_trips() {
    let identity = artifact_identity(CONTENT);
    let bytes = encode_record_frame(&identity);
    assert_eq!(bytes[..16], *b"LOOMREC1\0\0\0\0\0\0\0\x20");
    let frames = read_frames(&bytes).unwrap();
    assert_eq!(frames, [Frame::Record { identity }]);
    frames[0].check_identity().unwrap();
    assert_eq!((frames[0].identity(), frames[0].root()), (identity, None));
}

#[test]
fn frames_may_be_padded_with_zeros() {
    let frame = encode_payload_frame(CONTENT);
    let record = encode_record_frame(&artifact_identity(b"other"));
    for padding in [0, 1, 3, 4096] {
        let zeros = vec![0; padding];
        let section = [&zeros[..], &frame, &zeros, &record, &frame, &zeros].concat();
        let frames = read_frames(&section).unwrap();
        assert_eq!(
            frames,
            [
                payload(CONTENT),
                Frame::Record {
                    identity: artifact_identity(b"other")
                },
                payload(CONTENT)
            ]
        );
    }
}

#[track_caller]
fn check_refused(section: &[u8], expected: Expect) {
    let error = read_frames(section).unwrap_err();
    expected.assert_eq(&format!("{}\n{error}\n", error.code()));
}

#[test]
fn malformed_sections() {
    let frame = encode_payload_frame(CONTENT);
    let changed = |at: usize, byte: u8| {
        let mut changed = frame.clone();
        changed[at] = byte;
        changed
    };
    check_refused(
        b"",
        expect![[r#"
        payload_carrier_unreadable
        payload section is empty (at byte 0)
    "#]],
    );
    check_refused(
        &[0; 64],
        expect![[r#"
        payload_carrier_unreadable
        payload section is empty (at byte 0)
    "#]],
    );
    check_refused(
        b"\0\0LOOM",
        expect![[r#"
        payload_carrier_unreadable
        `LOOM` starts no payload frame (at byte 2)
    "#]],
    );
    check_refused(
        b"\x7fELF\x02\x01\x01\0\0",
        expect![[r#"
        payload_carrier_unreadable
        `\x7fELF\x02\x01\x01\x00` starts no payload frame (at byte 0)
    "#]],
    );
    check_refused(
        &[&frame[..], b"\0x"].concat(),
        expect![[r#"
        payload_carrier_unreadable
        `x` starts no payload frame (at byte 58)
    "#]],
    );
    check_refused(
        &changed(7, b'2'),
        expect![[r#"
            relocatable_payload_schema_unsupported
            payload schema is `loom.relocatable_accelerator_payload 2`, but this reader knows `loom.relocatable_accelerator_payload 1.0` only
        "#]],
    );
    check_refused(
        &changed(7, 0xff),
        expect![[r#"
            relocatable_payload_schema_unsupported
            payload schema is `loom.relocatable_accelerator_payload \xff`, but this reader knows `loom.relocatable_accelerator_payload 1.0` only
        "#]],
    );
    check_refused(
        &frame[..12],
        expect![[r#"
        payload_carrier_unreadable
        payload frame is cut off (at byte 0)
    "#]],
    );
    check_refused(
        &frame[..56],
        expect![[r#"
        payload_carrier_unreadable
        payload frame is cut off (at byte 0)
    "#]],
    );
    check_refused(
        &changed(8, 0xff),
        expect![[r#"
        payload_carrier_unreadable
        payload frame is cut off (at byte 0)
    "#]],
    );
    check_refused(
        &changed(15, 31),
        expect![[r#"
        payload_carrier_unreadable
        payload frame is too short for an identity (at byte 0)
    "#]],
    );
    let mut record = encode_record_frame(&artifact_identity(CONTENT)).to_vec();
    record[15] += 1;
    record.push(0);
    check_refused(
        &record,
        expect![[r#"
        payload_carrier_unreadable
        record frame has 33 bytes, not 32 (at byte 0)
    "#]],
    );
    record[7] = b'2';
    check_refused(
        &record,
        expect![[r#"
            relocatable_payload_schema_unsupported
            payload schema is `loom.relocatable_accelerator_payload 2`, but this reader knows `loom.relocatable_accelerator_payload 1.0` only
        "#]],
    );
}

#[test]
fn a_section_cut_off_anywhere_is_refused() {
    let frame = encode_payload_frame(CONTENT);
    let section = [&frame[..], b"\0\0", &frame].concat();
    for end in 0..section.len() {
        let whole_frame = (frame.len()..=frame.len() + 2).contains(&end);
        assert_eq!(read_frames(&section[..end]).is_ok(), whole_frame, "{end}");
    }
}

#[test]
fn a_frame_changed_anywhere_is_refused() {
    let mut frame = encode_payload_frame(CONTENT);
    for at in 0..frame.len() {
        for change in [1, 0x20, 0xff] {
            frame[at] ^= change;
            let refusal = read_frames(&frame).and_then(|frames| frames[0].check_identity());
            assert!(refusal.is_err(), "byte {at} ^ {change:#x}");
            frame[at] ^= change;
        }
    }
}

#[test]
fn a_foreign_identity_is_named_with_both_values() {
    let frame = Frame::Payload {
        identity: artifact_identity(b"other"),
        root: Cow::Borrowed(CONTENT),
    };
    let error = frame.check_identity().unwrap_err();
    expect![[r#"
        payload_identity_mismatch
        `artifact_identity` is `3f82a4df7abbb39789d551f2309332c4288454dd0c8a44e8224d42163f27648a`, expected `9d8615fd7f31a00f8571bb214e966e9453f13d96508cfd967fb4e3681ae761ba`
    "#]].assert_eq(&format!("{}\n{error}\n", error.code()));
}
