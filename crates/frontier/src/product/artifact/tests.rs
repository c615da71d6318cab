//! Artifacts to bytes and back.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::product::storage::{PlacedParameter, Resource};
use crate::product::testing::{place, program};
use crate::product::{encode_program, number_requirements};

fn bytes(text: &str) -> Vec<u8> {
    let encoded = encode_program(&program(text), &|_| None, &place)
        .value
        .expect("an artifact");
    assert_eq!(
        number_requirements([&encoded]).programs[0].len(),
        encoded.entries.len()
    );
    encoded.bytes.into()
}

/// Bytes as words, 16 bytes a line.
fn hex(bytes: &[u8]) -> String {
    let line = |(row, bytes): (usize, &[u8])| {
        let words = bytes
            .chunks(4)
            .map(|word| word.iter().map(|byte| format!("{byte:02x}")).collect());
        let words: Vec<String> = words.collect();
        format!("{:3}  {}\n", row * 16, words.join(" "))
    };
    bytes.chunks(16).enumerate().map(line).collect()
}

#[test]
fn every_byte_of_a_small_artifact() {
    let text = r#"bind x y
        param y "key" 12
        alloc t 16 16
        body !t a@2,3,4(x+8:4, 7) w(t) b@t("key")"#;
    expect![[r#"
          0  4c4f4f4d 434d4400 01009000 cf010000
         16  01000000 02000000 03000000 03000000
         32  01000000 50000000 03000000 01000000
         48  01000000 03000000 03000000 04000000
         64  90000000 a8000000 d8000000 dc000000
         80  2c010000 8c010000 a4010000 cc010000
         96  01000000 00000000 10000000 00000000
        112  10000000 00000000 ffffffff 00000000
        128  00000000 00000000 00000000 00000000
        144  02000000 01000000 00000000 00000000
        160  0c000000 00000000 00000000 00000000
        176  02000000 20000000 01000000 02000000
        192  01000000 18000000 02000000 03000000
        208  01000000 18000000 01060101 02000000
        224  00000000 08000000 00000000 04000000
        240  00000000 07000000 00000000 02000000
        256  01000000 00000000 00000000 10000000
        272  00000000 01000000 00000000 00000000
        288  00000000 0c000000 00000000 03000000
        304  00000000 00000000 00000000 00000000
        320  02000000 03000000 04000000 03010000
        336  20000000 01000000 01000000 01000000
        352  01000000 01000000 01000000 05010000
        368  38000000 02000000 02000000 02000000
        384  00000000 00000000 00000000 00000000
        400  00000000 0c000000 00000000 00010000
        416  00000000 00000000 03000000 00000000
        432  00000000 00000000 00000000 0c000000
        448  00000000 00010000 00000000 6b6579
    "#]]
    .assert_eq(&hex(&bytes(text)));
}

const SAMPLE: &str = r#"bind x y
    param y "key" 12
    param y "other" 40
    alloc t 16 16
    body !t a@2,3,4(x+8:4, 7, 1:i8) { w(t, 3:i32) c@x() } b@t("key", "other") ?e()"#;

/// The diagnostic for the sample with `change` applied.
#[track_caller]
fn check(change: impl FnOnce(&mut Vec<u8>), expected: Expect) {
    let mut bytes = bytes(SAMPLE);
    change(&mut bytes);
    let error = decode_artifact(&bytes, &"p.loomcmd".into()).expect_err("a fault");
    assert!(error.help.is_some() && error.place.is_some());
    expected.assert_eq(&format!("{}: {}", error.code, error.message));
}

fn set(at: usize, value: u32) -> impl FnOnce(&mut Vec<u8>) {
    move |bytes| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes())
}

#[test]
fn readers_fail_closed() {
    check(
        |bytes| bytes.clear(),
        expect!["COMMAND/001: this is not a command artifact"],
    );
    check(
        |bytes| bytes[0] = b'X',
        expect!["COMMAND/001: this is not a command artifact"],
    );
    check(
        |bytes| bytes.truncate(4),
        expect!["COMMAND/003: the command artifact ends too early"],
    );
    check(
        |bytes| bytes[8] = 2,
        expect!["COMMAND/002: unsupported command artifact version 2, expected 1"],
    );
    check(
        |bytes| bytes.truncate(143),
        expect!["COMMAND/003: the command artifact ends too early"],
    );
    check(
        |bytes| bytes.truncate(bytes.len() - 1),
        expect!["COMMAND/003: the command artifact ends too early"],
    );
    check(
        |bytes| bytes.push(0),
        expect!["COMMAND/006: malformed command artifact at byte 660: bytes after the end"],
    );
    check(
        |bytes| bytes[10] = 145,
        expect!["COMMAND/006: malformed command artifact at byte 10: a field that is not as it is written"],
    );
    // Counts: fixed buffers, bindings, executables, entries, ranges, arguments, commands, roots, schemas.
    check(
        set(16, 0),
        expect!["COMMAND/006: malformed command artifact at byte 340: a buffer out of range"],
    );
    check(
        set(20, 1),
        expect!["COMMAND/006: malformed command artifact at byte 96: storage out of range"],
    );
    check(
        set(24, 2),
        expect!["COMMAND/006: malformed command artifact at byte 452: an executable or entry out of range"],
    );
    check(
        set(28, 3),
        expect!["COMMAND/006: malformed command artifact at byte 272: a schema out of range"],
    );
    check(
        set(32, 1),
        expect!["COMMAND/006: malformed command artifact at byte 248: a schema out of range"],
    );
    check(
        set(32, u32::MAX),
        expect!["COMMAND/006: malformed command artifact at byte 144: a table that is longer than the file"],
    );
    check(
        set(36, 1),
        expect!["COMMAND/006: malformed command artifact at byte 280: an unknown command"],
    );
    check(
        set(40, 1 << 30),
        expect!["COMMAND/006: malformed command artifact at byte 388: a table that is longer than the file"],
    );
    check(
        set(44, 0),
        expect!["COMMAND/006: malformed command artifact at byte 628: a parameter out of range"],
    );
    check(
        set(56, 1),
        expect!["COMMAND/006: malformed command artifact at byte 208: an unknown kind of argument"],
    );
    check(
        set(64, 0),
        expect!["COMMAND/006: malformed command artifact at byte 64: a field that is not as it is written"],
    );
    // The transient slab: binding, reserved word, alignment.
    check(
        set(96, 9),
        expect!["COMMAND/006: malformed command artifact at byte 96: storage out of range"],
    );
    check(
        set(96, u32::MAX),
        expect!["COMMAND/006: malformed command artifact at byte 104: a field that is not as it is written"],
    );
    check(
        set(100, 1),
        expect!["COMMAND/006: malformed command artifact at byte 100: a field that is not as it is written"],
    );
    check(
        set(112, 3),
        expect!["COMMAND/006: malformed command artifact at byte 96: storage out of range"],
    );
    // The first range: role and slot.
    check(
        set(144, 3),
        expect!["COMMAND/006: malformed command artifact at byte 144: a buffer out of range"],
    );
    check(
        set(148, 9),
        expect!["COMMAND/006: malformed command artifact at byte 144: a buffer out of range"],
    );
}

#[test]
fn commands_are_checked() {
    let sample = bytes(SAMPLE);
    let word = |at: usize| u32::from_le_bytes(sample[at..at + 4].try_into().expect("four bytes")) as usize;
    let (schemas, kinds, commands, parameters) = (word(68), word(72), word(80), word(88));
    check(
        set(schemas, 1),
        expect!["COMMAND/006: malformed command artifact at byte 388: an executable or entry out of range"],
    );
    check(
        set(schemas + 4, 1),
        expect!["COMMAND/006: malformed command artifact at byte 196: a field that is not as it is written"],
    );
    check(
        set(schemas + 8, 100),
        expect!["COMMAND/006: malformed command artifact at byte 272: a schema out of range"],
    );
    check(
        set(schemas + 12, 1),
        expect!["COMMAND/006: malformed command artifact at byte 204: a field that is not as it is written"],
    );
    check(
        |bytes| bytes[kinds] = 0,
        expect!["COMMAND/006: malformed command artifact at byte 272: an unknown kind of argument"],
    );
    check(
        |bytes| bytes[kinds] = 8,
        expect!["COMMAND/006: malformed command artifact at byte 272: an unknown kind of argument"],
    );
    check(
        |bytes| bytes[kinds] = 2,
        expect!["COMMAND/006: malformed command artifact at byte 289: a buffer out of range"],
    );
    check(
        set(commands, 7),
        expect!["COMMAND/006: malformed command artifact at byte 388: an unknown command"],
    );
    check(
        set(commands, 0x206),
        expect!["COMMAND/006: malformed command artifact at byte 388: an unknown command"],
    );
    check(
        set(commands, 0x106),
        expect!["COMMAND/006: malformed command artifact at byte 388: an operand out of range"],
    );
    check(
        set(commands + 4, 1),
        expect!["COMMAND/006: malformed command artifact at byte 392: a field that is not as it is written"],
    );
    check(
        set(commands + 8, 99),
        expect!["COMMAND/006: malformed command artifact at byte 388: a schema out of range"],
    );
    check(
        set(commands + 12, 99),
        expect!["COMMAND/006: malformed command artifact at byte 388: an executable or entry out of range"],
    );
    check(
        set(commands + 16, 1),
        expect!["COMMAND/006: malformed command artifact at byte 388: an executable or entry out of range"],
    );
    check(
        set(commands, 1),
        expect!["COMMAND/006: malformed command artifact at byte 307: a buffer out of range"],
    );
    check(
        set(parameters, 1),
        expect!["COMMAND/006: malformed command artifact at byte 572: a field that is not as it is written"],
    );
    check(
        set(parameters + 4, 99),
        expect!["COMMAND/006: malformed command artifact at byte 652: a key out of range"],
    );
    check(
        set(parameters + 8, 1),
        expect!["COMMAND/006: malformed command artifact at byte 652: a parameter out of range"],
    );
    check(
        set(parameters + 12, 1),
        expect!["COMMAND/006: malformed command artifact at byte 584: a field that is not as it is written"],
    );
    check(
        set(parameters + 16, 8),
        expect!["COMMAND/006: malformed command artifact at byte 652: a parameter out of range"],
    );
    check(
        set(parameters + 24, 999),
        expect!["COMMAND/006: malformed command artifact at byte 652: a parameter out of range"],
    );
    check(
        set(parameters + 32, 3),
        expect!["COMMAND/006: malformed command artifact at byte 652: a parameter out of range"],
    );
    check(
        |bytes| *bytes.last_mut().expect("a key") = 0xff,
        expect!["COMMAND/006: malformed command artifact at byte 652: a key out of range"],
    );
}

fn range(fixed: u32, bindings: u32) -> impl Strategy<Value = ResourceRange> {
    let resource = (0..fixed + bindings).prop_map(move |slot| match slot.checked_sub(fixed) {
        None => Resource::Fixed(slot),
        Some(slot) => Resource::Rebindable(slot),
    });
    // All ones stand for the rest, so no range has that length.
    let length = prop::option::of(0..u64::MAX);
    (resource, any::<u64>(), length).prop_map(|(resource, offset, length)| ResourceRange {
        resource,
        offset,
        length,
    })
}

fn argument(kind: ArgumentKind) -> BoxedStrategy<ActionArgument> {
    match kind {
        ArgumentKind::Buffer => range(2, 3).prop_map(ActionArgument::Buffer).boxed(),
        kind => {
            let mask = u64::MAX >> (64 - 8 * kind.bytes());
            any::<u64>()
                .prop_map(move |bits| ActionArgument::Scalar(kind, bits & mask))
                .boxed()
        }
    }
}

fn action(schemas: Vec<EntrySchema>, ranges: u32) -> BoxedStrategy<Action> {
    let dispatch = (0..schemas.len()).prop_flat_map(move |schema| {
        let entry = schemas[schema].entry;
        let arguments: Vec<_> = schemas[schema].kinds.iter().map(|kind| argument(*kind)).collect();
        let counts = prop_oneof![
            any::<[u32; 3]>().prop_map(ActionCounts::Direct),
            (0..ranges).prop_map(ActionCounts::Static),
            (0..ranges).prop_map(ActionCounts::Dynamic),
        ];
        (0..4u32, counts, arguments).prop_map(move |(executable, counts, arguments)| Action::Dispatch {
            executable,
            entry,
            schema: schema as u32,
            counts,
            arguments: arguments.into(),
        })
    });
    let fill = (0..ranges, any::<u32>(), prop::sample::select(vec![1, 2, 4]));
    let fill = fill.prop_map(|(target, pattern, bytes)| Action::Fill {
        target,
        pattern,
        bytes,
    });
    let copy = (0..ranges, 0..ranges).prop_map(|(source, target)| Action::Copy { source, target });
    prop_oneof![4 => dispatch, 1 => fill, 1 => copy, 1 => Just(Action::Barrier)].boxed()
}

fn artifacts() -> impl Strategy<Value = Artifact> {
    let kinds = prop::collection::vec(prop::sample::select(ArgumentKind::ALL.to_vec()), 0..5);
    let schemas = prop::collection::vec((0..6u32, kinds), 1..5).prop_map(|schemas| {
        let schema = |(entry, kinds): (u32, Vec<_>)| EntrySchema {
            entry,
            kinds: kinds.into(),
        };
        schemas.into_iter().map(schema).collect::<Vec<_>>()
    });
    let commands = schemas.prop_flat_map(|schemas| {
        let command =
            (any::<bool>(), action(schemas.clone(), 3)).prop_map(|(waits, action)| ArtifactCommand {
                waits: waits && action != Action::Barrier,
                action,
            });
        (Just(schemas), prop::collection::vec(command, 0..12))
    });
    let need = |slots: u32| {
        (0..slots, any::<u64>(), 0..64u32).prop_map(|(slot, length, align)| StorageNeed {
            slot,
            length,
            align: 1 << align,
        })
    };
    let parameter = ("[a-z.é0-9]{0,8}", 0..16u64, 0..300u64);
    let ranges = prop::collection::vec(range(2, 3), 3);
    let needs = (prop::option::of(need(3)), prop::option::of(need(3)));
    let parameters = prop::collection::vec(parameter, 0..5);
    (commands, ranges, needs, parameters).prop_map(|((schemas, commands), buffer_refs, needs, parameters)| {
        let parameter = |(key, at, length): (String, u64, u64)| PlacedParameter {
            key: key.into(),
            slot: 1,
            offset: at * 256,
            length,
            align: 256,
        };
        Artifact {
            fixed_buffers: 2,
            rebindable_bindings: 3,
            executables: 4,
            entries: 6,
            buffer_refs,
            schemas,
            commands,
            parameter_roots: vec![StorageNeed {
                slot: 1,
                length: 16 * 256 + 300,
                align: 256,
            }],
            parameters: parameters.into_iter().map(parameter).collect(),
            transient: needs.0,
            launch_counts: needs.1,
        }
    })
}

proptest! {
    #[test]
    fn artifacts_round_trip(artifact in artifacts()) {
        let bytes = encode_artifact(&artifact).expect("small");
        prop_assert_eq!(decode_artifact(&bytes, &"p.loomcmd".into()), Ok(artifact));
    }

    /// Whatever is read is exactly what would be written.
    #[test]
    fn fuzz_changed_bytes_are_refused_or_mean_themselves(
        artifact in artifacts(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = encode_artifact(&artifact).expect("small");
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        if let Ok(read) = decode_artifact(&bytes, &"p.loomcmd".into()) {
            prop_assert_eq!(encode_artifact(&read).expect("small"), bytes);
        }
    }

    #[test]
    fn waves_of_a_trace_hold_all_dispatches(artifact in artifacts()) {
        let is_dispatch = |command: &&ArtifactCommand| matches!(command.action, Action::Dispatch { .. });
        let issued = artifact.commands.iter().filter(is_dispatch).count();
        let traced = trace_artifact(&artifact);
        prop_assert_eq!(traced.iter().map(|wave| wave.dispatches.len()).sum::<usize>(), issued);
    }
}
