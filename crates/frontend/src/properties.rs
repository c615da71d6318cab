//! Properties of the readers over random inputs: never a panic, and nothing accepted that was not written.
//!
//! Inputs are sound files with a few random edits, and plain noise. A release build tries a hundred thousand.

use object::{Architecture, Endianness};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::carrier::{
    Carriers, Frame, PAYLOAD_SECTION, RECORD_SECTION, encode_payload_frame, encode_record_frame,
    read_carriers, read_frames,
};
use crate::payload::{Root, artifact_identity, check_root, decode_root, split_root, validate_root};
use crate::provider::Provider;
use crate::testing::{AnyModule, archive, elf, link, root, thin_archive};

/// Five properties of this many cases each.
const CASES: u32 = if cfg!(debug_assertions) { 1_000 } else { 20_000 };

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// One change of a byte string. Positions count modulo the length.
#[derive(Clone, Debug)]
enum Edit {
    Set(usize, u8),
    Flip(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    Copy(usize, usize, usize),
    Truncate(usize),
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        if length == 0 {
            return;
        }
        match *self {
            Self::Set(at, byte) => bytes[at % length] = byte,
            Self::Flip(at, bit) => bytes[at % length] ^= 1 << (bit % 8),
            Self::Insert(at, ref new) => {
                let at = at % length;
                bytes.splice(at..at, new.iter().copied());
            }
            Self::Remove(at, count) => {
                let at = at % length;
                bytes.drain(at..length.min(at + count));
            }
            Self::Copy(from, to, count) => {
                let (from, to) = (from % length, to % length);
                let count = count.min(length - from.max(to));
                bytes.copy_within(from..from + count, to);
            }
            Self::Truncate(at) => bytes.truncate(at % length),
        }
    }
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = || any::<usize>();
    let byte = prop_oneof![Just(0), Just(1), Just(0x7f), Just(0x80), Just(0xff), any::<u8>()];
    let edit = prop_oneof![
        4 => (at(), byte).prop_map(|(at, byte)| Edit::Set(at, byte)),
        4 => (at(), any::<u8>()).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        1 => (at(), vec(any::<u8>(), 1..9)).prop_map(|(at, new)| Edit::Insert(at, new)),
        1 => (at(), 1_usize..40).prop_map(|(at, count)| Edit::Remove(at, count)),
        2 => (at(), at(), 1_usize..80).prop_map(|(from, to, count)| Edit::Copy(from, to, count)),
        1 => at().prop_map(Edit::Truncate),
    ];
    vec(edit, 0..6)
}

fn edited(mut bytes: Vec<u8>, edits: &[Edit]) -> Vec<u8> {
    edits.iter().for_each(|edit| edit.apply(&mut bytes));
    bytes
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..64)
}

/// The payloads that a sound file may hold.
pub fn sound_roots() -> [Vec<u8>; 2] {
    [root("e", b"first module"), root("e", b"second")]
}

/// Sound files of every kind, all holding [`sound_roots`] or their records.
pub fn sound_files() -> Vec<Vec<u8>> {
    let roots = sound_roots();
    let payloads = roots
        .each_ref()
        .map(|root| encode_payload_frame(root))
        .join(&[0; 5][..]);
    let records = roots
        .each_ref()
        .map(|root| encode_record_frame(&artifact_identity(root)))
        .concat();
    let object = |architecture, endianness| {
        elf(
            architecture,
            endianness,
            &[
                (".text", b"\x90\x90"),
                (PAYLOAD_SECTION, &payloads),
                (RECORD_SECTION, &records),
            ],
        )
    };
    let little = object(Architecture::X86_64, Endianness::Little);
    let small = object(Architecture::Arm, Endianness::Little);
    let big = object(Architecture::PowerPc64, Endianness::Big);
    vec![
        archive(&[
            ("a.o", &little),
            ("a name beyond sixteen.o", &small),
            ("note", b"odd"),
        ]),
        thin_archive(&["a.o", "dir/missing.o"]),
        link(elf(
            Architecture::X86_64,
            Endianness::Little,
            &[(RECORD_SECTION, &records)],
        )),
        roots[0].clone(),
        little,
        small,
        big,
    ]
}

/// Reads `file`; members of thin archives with a path of odd length are `thin`.
pub fn read<'a>(file: &'a [u8], thin: &[u8]) -> Carriers<'a> {
    read_carriers("file", file, &mut |path| match path.len() % 2 {
        0 => Err("not there".to_owned()),
        _ => Ok(thin.into()),
    })
}

proptest! {
    #![proptest_config(config())]

    /// Any fields come back as they were written, with whatever follows them left alone.
    #[test]
    fn roots_round_trip(fields in proptest::array::uniform7(bytes()), digests in any::<[[u8; 32]; 3]>()) {
        let [repository, commit, triple, data_layout, view_descriptor, view, bitcode] = &fields;
        let [abi_key, view_digest, bitcode_digest] = digests.map(loom_base::Digest::from_raw);
        let root = Root {
            repository, commit, triple, data_layout, abi_key, view_descriptor, view, view_digest,
            bitcode_digest, bitcode,
        };
        let encoded = root.encode();
        prop_assert_eq!(decode_root(&encoded), Ok(root));
        let followed = [&encoded[..], bitcode].concat();
        prop_assert_eq!(split_root(&followed), Ok((root, &bitcode[..])));
        prop_assert_eq!(decode_root(&followed).is_ok(), bitcode.is_empty());
    }

    /// There is one encoding for each root, and only the sound one is accepted.
    #[test]
    fn edited_roots_are_refused(edits in edits(), noise in bytes(), which in 0_usize..2) {
        let sound = &sound_roots()[which];
        for candidate in [edited(sound.clone(), &edits), [&noise[..], sound].concat(), noise] {
            let Ok(root) = decode_root(&candidate) else { continue };
            prop_assert_eq!(&root.encode(), &candidate);
            let accepted = validate_root(&root, &Provider::pinned(), &AnyModule);
            prop_assert_eq!(accepted.is_ok(), candidate == *sound);
            if accepted.is_ok() {
                prop_assert_eq!(check_root(&root, &Provider::pinned()), Ok(()));
            }
        }
    }

    /// Frames account for every byte of a section that is not padding.
    #[test]
    fn frames_cover_their_section(
        roots in vec(bytes(), 0..4),
        padding in 0_usize..20,
        edits in edits(),
    ) {
        let mut section = Vec::new();
        for root in &roots {
            section.extend(encode_payload_frame(root));
            section.resize(section.len() + padding, 0);
            section.extend(encode_record_frame(&artifact_identity(root)));
        }
        let sound = read_frames(&section).map(|frames| frames.len());
        prop_assert_eq!(sound.ok(), (!roots.is_empty()).then_some(2 * roots.len()));
        let section = edited(section, &edits);
        let Ok(frames) = read_frames(&section) else { return Ok(()) };
        prop_assert!(!frames.is_empty());
        let mut rest = &section[..];
        for frame in &frames {
            let start = rest.iter().position(|&byte| byte != 0).unwrap();
            let length = 48 + frame.root().map_or(0, <[u8]>::len);
            let (bytes, behind) = rest[start..].split_at(length);
            prop_assert_eq!(bytes[16..48].to_vec(), *frame.identity().as_bytes());
            match frame {
                Frame::Payload { root, .. } => prop_assert_eq!(&bytes[48..], &root[..]),
                Frame::Record { identity } => prop_assert_eq!(bytes, encode_record_frame(identity)),
            }
            rest = behind;
        }
        prop_assert!(rest.iter().all(|&byte| byte == 0));
    }

    /// Whatever a damaged file yields as valid is one of the payloads that were put into it.
    #[test]
    fn damaged_files_yield_no_other_payload(which in 0_usize..7, edits in edits()) {
        let mut files = sound_files();
        let thin = edited(files[4].clone(), &edits);
        let file = edited(files.swap_remove(which), &edits);
        for carrier in read(&file, &thin).objects.into_iter().flatten() {
            for frame in carrier.frames {
                let valid = frame.validate(&Provider::pinned(), &AnyModule).is_ok();
                let known = frame.root().is_none_or(|root| sound_roots().iter().any(|sound| sound == root));
                prop_assert!(!valid || known);
            }
        }
    }

    /// Noise behind each magic, and at a random place of a file's metadata.
    #[test]
    fn noise_never_panics(which in 0_usize..7, noise in vec(any::<u8>(), 0..300), at in any::<usize>()) {
        let mut file = sound_files().swap_remove(which);
        let magic = 8.min(file.len());
        read(&[&file[..magic], &noise].concat(), &noise);
        let at = at % file.len();
        let end = file.len().min(at + noise.len());
        file[at..end].copy_from_slice(&noise[..end - at]);
        read(&file, &noise);
        read(&noise, &file);
    }
}
