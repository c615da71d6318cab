//! Fuzz targets: lexer, parser and bytecode reader over arbitrary and damaged input, and all stages over arbitrary
//! well-formed modules.
//!
//! Each input is used several ways: as it is, and as the choices of a generator. The corpus beside this file
//! (`__fuzz__/TARGET/corpus`) is replayed first; random inputs follow: `make test` takes as many as stand here,
//! `make fuzz` goes on for as long as it is told. A failure prints the input, made smaller, and its seed.
//!
//! The corpus is written by the tests themselves: `UPDATE_EXPECT=1 cargo test -p loom-ir corpus`.

use std::path::{Path, PathBuf};

use super::choices::Choices;
use super::generate::module_text;
use super::hostile::{
    damaged_bytecode, damaged_item, damaged_text, judge_bytecode, judge_item, judge_text, mend, reject,
    token_soup,
};
use super::properties::check_round_trips;
use super::sources;
use crate::lexer::{Kind, Lexer};
use crate::{OpTable, encode, is_bytecode, parse};

/// Random inputs of a target in a test run; a debug build stays quick.
const fn inputs(release: usize) -> usize {
    if cfg!(debug_assertions) {
        release / 40
    } else {
        release
    }
}

#[test]
fn fuzz_lexer() {
    bolero::check!()
        .with_iterations(inputs(100_000))
        .with_max_len(256)
        .for_each(|input: &[u8]| {
            judge_tokens(&String::from_utf8_lossy(input));
            judge_tokens(&damaged_text(&mut Choices::of(input)));
        });
}

#[test]
fn fuzz_parser() {
    bolero::check!()
        .with_iterations(inputs(34_000))
        .with_max_len(256)
        .for_each(|input: &[u8]| {
            judge_text(&String::from_utf8_lossy(input));
            judge_text(&damaged_text(&mut Choices::of(input)));
            judge_text(&token_soup(&mut Choices::of(input)));
        });
}

#[test]
fn fuzz_bytecode() {
    bolero::check!()
        .with_iterations(inputs(100_000))
        .with_max_len(256)
        .for_each(|input: &[u8]| {
            judge_bytecode(input);
            judge_bytecode(&[&HEADER[..], input].concat());
            let mut damaged = damaged_bytecode(&mut Choices::of(input));
            reject(&damaged);
            if mend(&mut damaged) {
                judge_bytecode(&damaged);
            }
            let (semantic, trivia) = damaged_item(&mut Choices::of(input));
            judge_item(&semantic, &trivia);
        });
}

/// Ten bytes choose an op of the table and how it is filled in.
#[test]
fn fuzz_modules() {
    bolero::check!()
        .with_iterations(inputs(100_000))
        .with_max_len(50)
        .for_each(|input: &[u8]| check_round_trips(&module_text(&chosen_rows(input))));
}

fn chosen_rows(input: &[u8]) -> Vec<(usize, u64)> {
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |all, &byte| all << 8 | u64::from(byte))
    };
    input
        .chunks(10)
        .map(|chunk| {
            let (row, seed) = chunk.split_at(chunk.len().min(2));
            (number(row) as usize, number(seed))
        })
        .collect()
}

/// What a bytecode file of this version begins with.
const HEADER: &[u8; 12] = b"LOOMIR\0\n\x01\0\0\0";

/// Tokens stand one after another, cut at characters; between them are only blanks and comments.
fn judge_tokens(text: &str) {
    let mut lexer = Lexer::new(text);
    let mut last = 0;
    loop {
        let token = lexer.next();
        let (start, end) = (token.start as usize, token.end as usize);
        for line in text[last..start].lines() {
            let line = line.trim_matches([' ', '\t', '\r']);
            assert!(line.is_empty() || line.starts_with("//"), "{line:?} is no token");
        }
        if token.kind == Kind::End {
            assert_eq!((start, end), (text.len(), text.len()));
            return;
        }
        assert!(!text[start..end].is_empty());
        last = end;
    }
}

/// The first item of each file of the corpus that is small enough, by the name of the file.
fn small_items() -> Vec<(String, String)> {
    let files = sources("corpus").into_iter();
    files
        .filter_map(|(path, text)| {
            let name = path.file_stem()?.to_str()?.to_owned();
            let items = parse(&text, &"x".into()).module.items;
            let mut texts = items.iter().map(|item| crate::print_item(item));
            texts.find(|text| text.len() < 2500).map(|text| (name, text))
        })
        .collect()
}

fn damages_of_text(text: &str) -> [(&'static str, Vec<u8>); 5] {
    let middle = text.len() / 2;
    let swapped: Vec<&str> = text.split(' ').rev().collect();
    [
        ("sound", text.into()),
        ("cut", text[..middle].into()),
        ("reversed", swapped.join(" ").into()),
        ("unclosed", text.replace(['}', ')'], "").into()),
        ("foreign", text.replace('%', "\u{1}\u{fffd}").into()),
    ]
}

fn damages_of_bytecode(text: &str) -> [(&'static str, Vec<u8>); 7] {
    let sound = encode(&parse(text, &"x".into()).module);
    assert!(is_bytecode(&sound));
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = sound.clone();
        change(&mut bytes);
        bytes
    };
    [
        ("sound", sound.clone()),
        ("cut", sound[..sound.len() / 2].to_vec()),
        ("newer", changed(&|bytes| bytes[8] += 1)),
        ("foreign", changed(&|bytes| bytes[0] = b'M')),
        ("flipped", changed(&|bytes| bytes[sound.len() * 3 / 4] ^= 0x40)),
        (
            "mended",
            changed(&|bytes| {
                bytes[60] ^= 1;
                mend(bytes);
            }),
        ),
        ("trailing", [&sound[..], b"x"].concat()),
    ]
}

/// Sound inputs of each target and the same with typical damage. A change of the language or the format shows up
/// as a corpus that was not made anew.
#[test]
fn the_corpus_is_current() {
    for (name, text) in small_items() {
        for (damage, content) in damages_of_text(&text) {
            check_input("fuzz_lexer", &format!("{name}-{damage}"), &content);
            check_input("fuzz_parser", &format!("{name}-{damage}"), &content);
        }
        for (damage, content) in damages_of_bytecode(&text) {
            check_input("fuzz_bytecode", &format!("{name}-{damage}"), &content);
        }
    }
    let rows: Vec<u16> = (0..OpTable::standard().iter().count() as u16).collect();
    for (number, rows) in rows.chunks(8).enumerate() {
        let choices = |row: &u16| [&row.to_le_bytes()[..], &[number as u8; 8]].concat();
        let content: Vec<u8> = rows.iter().flat_map(choices).collect();
        check_input("fuzz_modules", &format!("rows-{number:02}"), &content);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests read their corpus from the repository"
)]
fn check_input(target: &str, name: &str, content: &[u8]) {
    let path = corpus(target).join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(corpus(target)).expect("the corpus can be written");
        std::fs::write(&path, content).expect("the corpus can be written");
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(
        committed == content,
        "{}: UPDATE_EXPECT=1 makes it",
        path.display()
    );
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
    let directory = location.work_dir().expect("this file is there");
    assert!(Path::new(&directory).starts_with(Path::new(env!("CARGO_MANIFEST_DIR"))));
    directory.join("corpus")
}
