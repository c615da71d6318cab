//! Damaged texts and bytecode files, made from the corpus, and what must hold for them.

use std::sync::OnceLock;

use loom_base::DigestWriter;

use super::choices::Choices;
use super::sources;
use crate::{
    Module, Symbol, decode, decode_item, encode, is_bytecode, parse, print, summarize_bytecode, symbols,
    verify,
};

/// Small pieces of the corpus: mutations then hit something more often, and a case costs little.
pub(super) fn items() -> &'static [String] {
    static ITEMS: OnceLock<Vec<String>> = OnceLock::new();
    ITEMS.get_or_init(|| {
        let folders = [
            "corpus",
            "kernels",
            "../../docs/examples/product-frontiers",
            "diagnostics",
        ];
        let texts = folders.iter().flat_map(|folder| sources(folder));
        let small = texts.filter(|(_, text)| text.len() < 20_000);
        let modules = small.map(|(_, text)| parse(&text, &"x".into()).module);
        let items = modules.flat_map(|module| module.items);
        let texts = items
            .filter(|item| !item.broken)
            .map(|item| crate::print_item(&item));
        texts.filter(|text| text.len() < 1500).collect()
    })
}

/// The same as modules in bytecode.
pub(super) fn encoded() -> &'static [Vec<u8>] {
    static ENCODED: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ENCODED.get_or_init(|| {
        let modules = items().iter().map(|text| parse(text, &"x".into()).module);
        modules
            .filter(|module| module.items.iter().all(|item| !item.broken))
            .map(|module| encode(&module))
            .collect()
    })
}

fn all_symbols() -> &'static [Symbol] {
    static SYMBOLS: OnceLock<Vec<Symbol>> = OnceLock::new();
    SYMBOLS.get_or_init(|| {
        let modules = items().iter().map(|text| parse(text, &"x".into()).module);
        modules.flat_map(|module| symbols(&module)).collect()
    })
}

/// Any text is parsed with places inside it; what has no syntax error is printed to a fixpoint.
pub(super) fn judge_text(text: &str) {
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
pub(super) fn damaged_text(choices: &mut Choices<'_>) -> String {
    const MARKS: &[u8] = b"%{}<\"x\n(-0#^>),=:@";
    let all = items();
    let mut bytes = all[choices.below(all.len())].clone().into_bytes();
    for _ in 0..1 + choices.below(4) {
        if bytes.is_empty() {
            break;
        }
        let operation = choices.below(6);
        let at = choices.below(bytes.len());
        match operation {
            0 => bytes[at] = MARKS[choices.below(MARKS.len())],
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
            _ => bytes[at] = choices.byte(),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Tokens in any order.
pub(super) fn token_soup(choices: &mut Choices<'_>) -> String {
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
    (0..choices.below(40))
        .flat_map(|_| [choices.pick(TOKENS), choices.pick(&[" ", "", "\n"])])
        .collect()
}

/// A bytecode file with one to three bits flipped.
pub(super) fn damaged_bytecode(choices: &mut Choices<'_>) -> Vec<u8> {
    let all = encoded();
    let original = &all[choices.below(all.len())];
    let mut bytes = original.clone();
    for _ in 0..1 + choices.below(3) {
        let at = choices.below(bytes.len());
        bytes[at] ^= 1 << choices.below(8);
    }
    if bytes == *original {
        bytes[0] ^= 1;
    }
    bytes
}

/// The parts of a symbol with a few bytes changed: what the item decoder meets behind matching checksums.
pub(super) fn damaged_item(choices: &mut Choices<'_>) -> (Vec<u8>, Vec<u8>) {
    let all = all_symbols();
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
            0 => target[at] = choices.byte(),
            1 => target[at] = target[at].wrapping_add(1),
            _ => drop(target.remove(at)),
        }
    }
    (semantic, trivia)
}

/// Broken bytes give exactly one diagnostic with a code, and never a panic.
pub(super) fn reject(bytes: &[u8]) {
    let file = "x.loombc".into();
    let error = decode(bytes, &file).expect_err("broken bytes");
    assert!(
        crate::codes::meaning(&error.code).is_some() && error.help.is_some(),
        "{error:?}"
    );
    let _ = summarize_bytecode(bytes, &file);
}

/// What is accepted is a module like any other.
pub(super) fn judge_bytecode(bytes: &[u8]) {
    let file = "x.loombc".into();
    match decode(bytes, &file) {
        Ok(module) => {
            use_all(&module);
            assert!(summarize_bytecode(bytes, &file).is_ok());
        }
        Err(_) => reject(bytes),
    }
}

pub(super) fn judge_item(semantic: &[u8], trivia: &[u8]) {
    if let Ok(item) = decode_item(semantic, trivia) {
        use_all(&Module {
            items: vec![item.into()],
            trailing: "".into(),
        });
    }
}

fn use_all(module: &Module) {
    print(module);
    verify(module, &"x".into());
    encode(module);
    symbols(module);
}

/// Makes the checksum of the tables match again.
pub(super) fn mend(bytes: &mut [u8]) -> bool {
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

#[test]
fn truncated_bytecode_is_one_diagnostic() {
    for bytes in encoded().iter().take(40) {
        (0..bytes.len()).for_each(|length| reject(&bytes[..length]));
        let mut longer = bytes.clone();
        longer.push(0);
        reject(&longer);
    }
}
