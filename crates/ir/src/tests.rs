//! The sources under `testdata/language` through the whole crate.

use std::path::{Path, PathBuf};

use crate::{parse, print};

/// All `.loom` files below `testdata/language/<folder>`, sorted.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/language")
        .join(folder);
    let entries = std::fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
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
        assert_eq!(print(&parsed.module), text, "{}", path.display());
    }
}

#[test]
fn product_frontiers_sources_are_canonical() {
    check_canonical("product-frontiers", 3);
}
