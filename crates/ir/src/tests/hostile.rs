//! Arbitrary and mutated input: never a panic, one clean diagnostic for broken bytecode.

use std::sync::OnceLock;

use loom_base::DigestWriter;
use proptest::collection::vec;
use proptest::prelude::*;

use super::choices::Choices;
use super::properties::cases;
use super::sources;
use crate::{Module, decode, encode, is_bytecode, parse, print, summarize_bytecode, symbols, verify};

fn corpus() -> &'static [String] {
    static CORPUS: OnceLock<Vec<String>> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let folders = ["corpus", "kernels", "product-frontiers", "diagnostics"];
        folders
            .iter()
            .flat_map(|folder| sources(folder))
            .map(|(_, text)| text)
            .filter(|text| text.len() < 20_000)
            .collect()
    })
}

/// Small pieces of the corpus: mutations then hit something more often, and a case costs little.
fn items() -> &'static [String] {
    static ITEMS: OnceLock<Vec<String>> = OnceLock::new();
    ITEMS.get_or_init(|| {
        let modules = corpus().iter().map(|text| parse(text, &"x".into()).module);
        let items = modules.flat_map(|module| module.items);
        let texts = items
            .filter(|item| !item.broken)
            .map(|item| crate::print_item(&item));
        texts.filter(|text| text.len() < 1500).collect()
    })
}

fn exercise(text: &str) {
    let file = "x.loom".into();
    let parsed = parse(text, &file);
    for diagnostic in &parsed.diagnostics {
        let range = &diagnostic.place.as_ref().unwrap().range;
        assert!(
            range.start <= range.end && range.end as usize <= text.len(),
            "{diagnostic:?}"
        );
    }
    verify(&parsed.module, &file);
    symbols(&parsed.module);
    if parsed.diagnostics.is_empty() {
        let canonical = print(&parsed.module);
        let again = parse(&canonical, &file);
        assert_eq!(again.diagnostics, [], "{text}\n=>\n{canonical}");
        assert_eq!(print(&again.module), canonical, "{text}");
    }
}

/// Text with a few bytes changed, removed, doubled or swapped for pieces of other places.
fn mutated(seed: u64) -> String {
    let mut choices = Choices::new(seed);
    let all = items();
    let mut bytes = all[choices.below(all.len())].clone().into_bytes();
    for _ in 0..1 + choices.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = choices.below(bytes.len());
        match choices.below(6) {
            0 => {
                bytes[at] = choices
                    .pick(&[
                        &b'%', &b'{', &b'}', &b'<', &b'"', &b'x', &b'\n', &b'(', &b'-', &b'0', &b'#', &b'^',
                    ])
                    .to_owned()
            }
            1 => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            3 => {
                let end = (at + 1 + choices.below(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = choices.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            4 => {
                let end = (at + 1 + choices.below(10)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => bytes[at] = choices.next() as u8,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mutated_text_never_panics() {
    (0..u64::from(cases(40_000))).for_each(|seed| exercise(&mutated(seed)));
}

/// Tokens in any order.
#[test]
fn token_soup_never_panics() {
    const TOKENS: &[&str] = &[
        "%a",
        "%b",
        "@f",
        "#x",
        "^l",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "=",
        ":",
        ",",
        "->",
        "|",
        "1",
        "-2",
        "0x1f",
        "1.5",
        "-inf",
        "\"s\"",
        "\"",
        "func.def",
        "func.return",
        "index.add",
        "index.constant",
        "scf.if",
        "scf.for",
        "kernel.def",
        "launch",
        "where",
        "index",
        "f32",
        "vector<",
        "4x",
        "xf32",
        "view<[%a]x",
        "to",
        "step",
        "else",
        "default",
        "case",
        "// c\n",
        "\n",
        "\n\n",
        "µ",
        "scf.yield",
        "template.def",
        "check.case",
        "align(1)",
        "true",
        "scf.switch",
        "scf.while",
        "do",
    ];
    for seed in 0..u64::from(cases(20_000)) {
        let mut choices = Choices::new(seed);
        let text: String = (0..choices.below(40))
            .flat_map(|_| [choices.pick(TOKENS), choices.pick(&[" ", "", "\n"])])
            .collect();
        exercise(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(5_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,200}") {
        exercise(&text);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..300), with_header in any::<bool>()) {
        let mut bytes = bytes;
        if with_header {
            bytes.splice(0..0, *b"LOOMIR\0\n\x01\0\0\0");
        }
        reject(&bytes);
    }
}

/// Broken bytes give exactly one diagnostic with a code, and never a panic.
fn reject(bytes: &[u8]) {
    let file = "x.loombc".into();
    let error = decode(bytes, &file).expect_err("broken bytes");
    assert!(
        crate::codes::meaning(&error.code).is_some() && error.help.is_some(),
        "{error:?}"
    );
    let _ = summarize_bytecode(bytes, &file);
}

fn encoded() -> &'static [Vec<u8>] {
    static ENCODED: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ENCODED.get_or_init(|| {
        let modules = items().iter().map(|text| parse(text, &"x".into()).module);
        modules
            .filter(|module| module.items.iter().all(|item| !item.broken))
            .map(|module| encode(&module))
            .collect()
    })
}

#[test]
fn truncated_bytecode_is_one_diagnostic() {
    for bytes in encoded().iter().take(40) {
        (0..bytes.len()).for_each(|length| reject(&bytes[..length]));
        let mut longer = bytes.clone();
        longer.push(0);
        reject(&longer);
    }
}

/// A changed byte anywhere is noticed by a checksum or a rule; with the checksums made to match it may be
/// accepted, but then it is a module like any other.
#[test]
fn mutated_bytecode_never_panics() {
    for seed in 0..u64::from(cases(10_000)) {
        let mut choices = Choices::new(seed);
        let all = encoded();
        let mut bytes = all[choices.below(all.len())].clone();
        let original = bytes.clone();
        for _ in 0..1 + choices.below(3) {
            let at = choices.below(bytes.len());
            bytes[at] ^= 1 << choices.below(8);
        }
        if bytes == original {
            continue;
        }
        reject(&bytes);
        if mend(&mut bytes) {
            accept_or_reject(&bytes);
        }
    }
}

/// Makes the checksum of the tables match again.
fn mend(bytes: &mut [u8]) -> bool {
    if !is_bytecode(bytes) || bytes.len() < 48 {
        return false;
    }
    let tables = u64::from_le_bytes(bytes[24..32].try_into().unwrap());
    let Some(end) = usize::try_from(tables)
        .ok()
        .and_then(|tables| tables.checked_add(48))
    else {
        return false;
    };
    if end > bytes.len() {
        return false;
    }
    let digest = DigestWriter::default()
        .raw(&bytes[..32])
        .raw(&bytes[48..end])
        .finish();
    bytes[32..48].copy_from_slice(&digest.as_bytes()[..16]);
    true
}

fn accept_or_reject(bytes: &[u8]) {
    let file = "x.loombc".into();
    match decode(bytes, &file) {
        Ok(module) => use_all(&module),
        Err(error) => assert!(crate::codes::meaning(&error.code).is_some()),
    }
}

fn use_all(module: &Module) {
    print(module);
    verify(module, &"x".into());
    encode(module);
    symbols(module);
}

/// The item decoder behind the checksums.
#[test]
fn mutated_items_never_panic() {
    let all: Vec<_> = items()
        .iter()
        .flat_map(|text| symbols(&parse(text, &"x".into()).module))
        .collect();
    for seed in 0..u64::from(cases(20_000)) {
        let mut choices = Choices::new(seed);
        let symbol = &all[choices.below(all.len())];
        let (mut semantic, mut trivia) = (symbol.semantic.to_vec(), symbol.trivia.to_vec());
        for _ in 0..1 + choices.below(3) {
            let target = if trivia.is_empty() || choices.below(5) > 0 {
                &mut semantic
            } else {
                &mut trivia
            };
            let at = choices.below(target.len());
            match choices.below(3) {
                0 => target[at] = choices.next() as u8,
                1 => target[at] = target[at].wrapping_add(1),
                _ => drop(target.remove(at)),
            }
        }
        if let Ok(item) = crate::decode_item(&semantic, &trivia) {
            use_all(&Module {
                items: vec![item.into()],
                trailing: "".into(),
            });
        }
    }
}
