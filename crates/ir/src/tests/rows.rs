//! The table as such: adding an op, stable numbers.

use crate::table::{Row, Traits};
use crate::{OpTable, parse_with, print_with, verify_with};

/// A whole op in one row: syntax, operands, types, results, traits, documentation.
const ADDED: &[Row] = &[Row::new(
    "index.average",
    "<&wrap> $a:T, $b:T (?round %mode=up|down?) : !T(index)",
    "T",
    Traits::PURE,
    "The mean of two indices.",
)];

#[test]
fn an_op_is_one_row() {
    let table = OpTable::new(OpTable::families().chain([ADDED]));
    let text = "func.def @f(%a: index) -> (index) {\n  %b = index.average<nsw> %a, %a round up : index\n  func.return %b : index\n}\n";
    let file = "x.loom".into();
    let parsed = parse_with(&table, text, &file);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(verify_with(&table, &parsed.module, &file), []);
    assert_eq!(print_with(&table, &parsed.module), text);
    let bytes = crate::bytecode::encode_with(&table, &parsed.module, &[]);
    let back = crate::bytecode::decode_with(&table, &bytes, &file).unwrap();
    assert_eq!(print_with(&table, &back), text);
    let wrong = text.replace("%a: index", "%a: f32");
    let module = parse_with(&table, &wrong, &file).module;
    let codes: Vec<_> = verify_with(&table, &module, &file)
        .into_iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, ["TYPE/001", "TYPE/001"]);
}

/// Numbers are part of the bytecode format: a row never moves. New rows only append lines to the file.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "tests read their fixtures from the repository"
)]
fn op_numbers_are_stable() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/language/op-numbers.txt"
    );
    let now: String = OpTable::standard()
        .iter()
        .map(|def| format!("{:#06x} {}\n", def.code, def.name))
        .collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap();
    let moved: Vec<&str> = known
        .lines()
        .filter(|line| !now.contains(&format!("{line}\n")))
        .collect();
    assert_eq!(moved, [""; 0], "these numbers changed");
    assert_eq!(
        known.lines().count(),
        now.lines().count(),
        "run with UPDATE_EXPECT=1 to add new rows"
    );
}

#[test]
fn every_row_is_documented() {
    for def in OpTable::standard().iter() {
        assert!(def.doc.ends_with('.') && !def.doc.contains('\n'), "{}", def.name);
    }
}
