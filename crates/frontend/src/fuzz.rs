//! Fuzz targets: the readers of roots, of frames, and of the files that carry them, over arbitrary bytes.
//!
//! An input is used twice: as it is, and as a script of edits to a sound file. The corpus beside this file
//! (`__fuzz__/TARGET/corpus`) holds sound and damaged files; each run replays it and goes on with random inputs:
//! `make test` with few, `make fuzz` for as long as it is told. The targets run under bolero's coverage-guided
//! engines as well.
//!
//! The corpus is written by the tests themselves: `UPDATE_EXPECT=1 cargo test -p loom-frontend corpus`.

use std::path::PathBuf;

use crate::carrier::{Frame, encode_payload_frame, encode_record_frame, read_frames};
use crate::payload::{artifact_identity, check_root, decode_root, validate_root};
use crate::properties::{read, sound_files, sound_roots};
use crate::provider::Provider;
use crate::testing::AnyModule;

/// Random inputs of each target in a test run, after the corpus.
const ITERATIONS: usize = if cfg!(debug_assertions) { 1_000 } else { 34_000 };

/// Longest random input: a sound file with a payload in it is shorter.
const LENGTH: usize = 2_048;

#[test]
fn fuzz_root_reader() {
    bolero::check!()
        .with_iterations(ITERATIONS)
        .with_max_len(LENGTH)
        .for_each(|input: &[u8]| {
            judge_root(input);
            judge_root(&edited(&sound_roots()[0], input));
        });
}

#[test]
fn fuzz_frame_reader() {
    bolero::check!()
        .with_iterations(ITERATIONS)
        .with_max_len(LENGTH)
        .for_each(|input: &[u8]| {
            judge_frames(input);
            judge_frames(&edited(&sound_section(), input));
        });
}

#[test]
fn fuzz_file_reader() {
    let files = sound_files();
    bolero::check!()
        .with_iterations(ITERATIONS)
        .with_max_len(LENGTH)
        .for_each(|input: &[u8]| {
            judge_file(input);
            let which = usize::from(input.first().copied().unwrap_or_default()) % files.len();
            judge_file(&edited(&files[which], input.get(1..).unwrap_or_default()));
        });
}

/// There is one encoding for each root, and only the sound ones are accepted.
fn judge_root(bytes: &[u8]) {
    let Ok(root) = decode_root(bytes) else { return };
    assert_eq!(root.encode(), bytes);
    if validate_root(&root, &Provider::pinned(), &AnyModule).is_ok() {
        assert_eq!(check_root(&root, &Provider::pinned()), Ok(()));
    }
}

/// Frames account for every byte of a section that is not padding.
fn judge_frames(section: &[u8]) {
    let Ok(frames) = read_frames(section) else { return };
    assert!(!frames.is_empty());
    let written = frames.iter().flat_map(|frame| match frame {
        Frame::Payload { identity, root } => {
            let mut bytes = encode_payload_frame(root);
            bytes[16..48].copy_from_slice(identity.as_bytes());
            bytes
        }
        Frame::Record { identity } => encode_record_frame(identity).to_vec(),
    });
    // Zero bytes inside a frame are its own, so only those between frames may be missing.
    let mut rest = section.iter().copied();
    for byte in written {
        assert!(
            rest.any(|it| it == byte),
            "a frame holds bytes that the section does not"
        );
    }
    assert!(rest.all(|it| it == 0));
}

/// What a file yields as valid is one of the payloads of the sound files, or was written whole by the input.
fn judge_file(file: &[u8]) {
    for carrier in read(file, file).objects.into_iter().flatten() {
        for frame in carrier.frames {
            if frame.validate(&Provider::pinned(), &AnyModule).is_ok()
                && let Some(root) = frame.root()
            {
                assert_eq!(artifact_identity(root), frame.identity());
            }
        }
    }
}

/// `sound` after the edits that `script` spells: four bytes each, an operation, a place and a value.
fn edited(sound: &[u8], script: &[u8]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for edit in script.chunks_exact(4).take(8) {
        let length = bytes.len();
        if length == 0 {
            break;
        }
        let at = usize::from(u16::from_be_bytes([edit[1], edit[2]])) % length;
        let value = edit[3];
        match edit[0] % 6 {
            0 => bytes[at] = value,
            1 => bytes[at] ^= 1 << (value % 8),
            2 => bytes.insert(at, value),
            3 => drop(bytes.drain(at..length.min(at + usize::from(value)))),
            4 => bytes.copy_within(at..length.min(at + 16), 0),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Payloads and records with padding between them.
fn sound_section() -> Vec<u8> {
    let frames = sound_roots().map(|root| {
        let record = encode_record_frame(&artifact_identity(&root));
        [&encode_payload_frame(&root)[..], &[0; 3], &record].concat()
    });
    frames.concat()
}

/// Each corpus holds the sound inputs of its target and the same with typical damage, so that a change of a format
/// shows up as a corpus that was not made anew.
#[test]
fn the_corpus_is_current() {
    check_corpus("fuzz_root_reader", &sound_roots());
    check_corpus("fuzz_frame_reader", &[sound_section()]);
    check_corpus("fuzz_file_reader", &sound_files());
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests read their corpus from the repository"
)]
fn check_corpus(target: &str, sound: &[Vec<u8>]) {
    let directory = corpus(target);
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    if is_update {
        std::fs::create_dir_all(&directory).expect("the corpus can be written");
    }
    for (index, sound) in sound.iter().enumerate() {
        let middle = sound.len() / 2;
        let mut flipped = sound.clone();
        flipped[middle] ^= 0x40;
        let mut magic = sound.clone();
        magic[7] = magic[7].wrapping_add(1);
        for (damage, content) in [
            ("sound", sound.clone()),
            ("cut", sound[..middle].to_vec()),
            ("flipped", flipped),
            ("magic", magic),
            ("twice", sound.repeat(2)),
            ("trailing", [sound, &b"\0\0x"[..]].concat()),
        ] {
            let path = directory.join(format!("{index}-{damage}"));
            if is_update {
                std::fs::write(&path, &content).expect("the corpus can be written");
            }
            let committed = std::fs::read(&path).unwrap_or_default();
            assert!(
                committed == content,
                "{}: UPDATE_EXPECT=1 makes it",
                path.display()
            );
        }
    }
}

/// Where bolero looks for the inputs of `target`.
fn corpus(target: &str) -> PathBuf {
    let location = bolero::TargetLocation {
        package_name: env!("CARGO_PKG_NAME"),
        manifest_dir: env!("CARGO_MANIFEST_DIR"),
        module_path: module_path!(),
        file: file!(),
        line: line!(),
        item_path: format!("{}::{target}::__bolero_item_path__", module_path!()).leak(),
        test_name: None,
    };
    location.work_dir().expect("this file is there").join("corpus")
}
