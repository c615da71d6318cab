//! Print, parse, verify, encode and decode agree with each other on arbitrary well-formed modules.

use super::generate::module_text;
use crate::{Module, OpTable, decode, encode, parse, print, symbols, verify};

/// Findings without places, which only text has.
fn codes(module: &Module) -> Vec<String> {
    let findings = verify(module, &"x".into());
    let mut codes: Vec<String> = findings
        .iter()
        .map(|finding| format!("{} {}", finding.code, finding.message))
        .collect();
    codes.sort();
    codes
}

/// Everything that must hold for a text without syntax errors.
pub(super) fn check_round_trips(text: &str) {
    let file = "generated.loom".into();
    let parsed = parse(text, &file);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let canonical = print(&parsed.module);
    let again = parse(&canonical, &file);
    assert_eq!(again.diagnostics, [], "{text}\n{canonical}");
    assert_eq!(print(&again.module), canonical, "{text}");
    let bytes = encode(&parsed.module);
    let decoded = decode(&bytes, &file).unwrap_or_else(|error| panic!("{error:?}\n{canonical}"));
    assert_eq!(print(&decoded), canonical);
    assert_eq!(encode(&decoded), bytes);
    assert_eq!(encode(&again.module), bytes);
    assert_eq!(codes(&decoded), codes(&parsed.module), "{canonical}");
    let semantic = |module: &Module| {
        symbols(module)
            .into_iter()
            .map(|symbol| symbol.semantic)
            .collect::<Vec<_>>()
    };
    assert_eq!(semantic(&again.module), semantic(&parsed.module));
}

/// Every row by itself, a few times: none is missed by chance.
#[test]
fn every_row_round_trips() {
    for row in 0..OpTable::standard().iter().count() {
        for seed in 0..6 {
            check_round_trips(&module_text(&[(row, seed)]));
        }
    }
}
