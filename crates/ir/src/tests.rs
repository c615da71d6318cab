//! The sources under `testdata/language` through the whole crate.

mod bytes;
mod choices;
mod fixtures;
mod fuzz;
mod generate;
mod hostile;
mod material;
mod properties;
mod rows;
mod trivia;

use std::path::{Path, PathBuf};

use crate::{
    decode, decode_item, encode, is_bytecode, parse, print, print_item, read_body, summarize_bytecode,
    symbols, verify,
};

/// All `.loom` files below `testdata/language/<folder>`, sorted.
#[expect(
    clippy::disallowed_methods,
    reason = "tests read their fixtures from the repository"
)]
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/language")
        .join(folder);
    let entries = std::fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    // A README or a script may lie beside them.
    paths.retain(|path| path.extension().is_some_and(|it| it == "loom"));
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap()))
        .collect()
}

fn check_canonical(folder: &str, expected: usize) {
    let sources = sources(folder);
    assert_eq!(sources.len(), expected);
    for (path, text) in sources {
        let file = path.display().to_string().as_str().into();
        let parsed = parse(&text, &file);
        assert_eq!(parsed.diagnostics, [], "{}", path.display());
        let printed = print(&parsed.module);
        let differs = printed
            .lines()
            .zip(text.lines())
            .find(|(printed, line)| printed != line);
        assert_eq!(differs, None, "{}", path.display());
        assert_eq!(printed, text, "{}", path.display());
        assert_eq!(verify(&parsed.module, &file), [], "{}", path.display());
        check_bytecode(&parsed.module, &text);
    }
}

/// Text to bytecode to text is the identity, and the tables agree with the symbols of the text.
fn check_bytecode(module: &crate::Module, text: &str) {
    let file = "x.loombc".into();
    let bytes = encode(module);
    assert!(is_bytecode(&bytes));
    let back = decode(&bytes, &file).unwrap();
    assert_eq!(print(&back), text);
    assert_eq!(encode(&back), bytes);
    let summary = summarize_bytecode(&bytes, &file).unwrap();
    let symbols = symbols(module);
    assert_eq!(symbols.len(), summary.symbols.len());
    for (symbol, entry) in symbols.iter().zip(&summary.symbols) {
        assert_eq!(Some(symbol.kind), entry.kind);
        assert_eq!(
            (&symbol.name, symbol.ordinal, symbol.flags),
            (&entry.name, entry.ordinal, entry.flags)
        );
        assert_eq!(
            (&symbol.facets, &symbol.references),
            (&entry.facets, &entry.references)
        );
        let (semantic, trivia) = read_body(&bytes, entry, &file).unwrap();
        assert_eq!((&*symbol.semantic, &*symbol.trivia), (semantic, trivia));
        let item = decode_item(semantic, trivia).unwrap();
        assert_eq!(print_item(&item), print_item(&module.items[symbol.item]));
    }
}

#[test]
fn product_frontiers_sources_are_canonical() {
    check_canonical("../../docs/examples/product-frontiers", 3);
}

#[test]
fn kernel_sources_are_canonical() {
    check_canonical("kernels", 8);
}

#[test]
fn corpus_is_canonical_and_covers_every_row() {
    check_canonical("corpus", 14);
    let mut used = std::collections::BTreeSet::new();
    for (_, text) in sources("corpus") {
        for item in parse(&text, &"corpus".into()).module.items {
            used.extend(item.body.ops.iter().map(|op| op.code));
        }
    }
    // Bare terminators that text leaves out cannot appear.
    let implicit = ["command.yield", "check.yield"];
    let rows = crate::OpTable::standard()
        .iter()
        .filter(|def| !implicit.contains(&def.name));
    let uncovered: Vec<_> = rows
        .filter(|def| !used.contains(&def.code))
        .map(|def| def.name)
        .collect();
    assert_eq!(uncovered, [""; 0]);
}
