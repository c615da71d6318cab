//! Who may import whom: the layers of ARCHITECTURE.md against `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, PackageId};

use super::assert_none;
use super::workspace::{members, metadata};

/// Each package with the packages of the workspace it may import. All may import `loom-base`.
/// Dev-dependencies are free.
const LAYERS: &[(&str, &[&str])] = &[
    ("loom-base", &[]),
    ("loom-ir", &[]),
    ("loom-frontend", &[]),
    ("loom-store", &[]),
    ("loom-engine", &["loom-ir", "loom-frontend", "loom-store"]),
    ("loom-frontier", &["loom-ir"]),
    ("loom-db", &["loom-store", "loom-frontend"]),
    (
        "loom-queries",
        &[
            "loom-ir",
            "loom-frontend",
            "loom-store",
            "loom-frontier",
            "loom-db",
        ],
    ),
    (
        "loom-driver",
        &[
            "loom-ir",
            "loom-frontend",
            "loom-store",
            "loom-frontier",
            "loom-db",
            "loom-queries",
        ],
    ),
    // The front of loom-cc alone uses the store without a Session.
    ("loom-driver-cc", &["loom-store"]),
    ("loom-driver-cli", &["loom-driver"]),
    ("loom-tests", &["loom-driver"]),
];

/// Packages from outside that only some of ours may import.
const RESERVED: &[(&[&str], &[&str])] = &[
    (&["salsa"], &["loom-db", "loom-queries", "loom-driver"]),
    (LLVM, &["loom-engine"]),
];

/// What brings LLVM, clang or MLIR into an image.
const LLVM: &[&str] = &["inkwell", "melior", "mlir-sys", "llvm-sys", "clang-sys"];

#[test]
fn packages_import_only_from_the_layers_below() {
    assert_none("an import that the layers do not allow", breaches(&edges()));
}

#[test]
fn every_package_has_its_layer() {
    let found: BTreeSet<_> = members().iter().map(|package| package.name.to_string()).collect();
    let known: BTreeSet<_> = LAYERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(
        found, known,
        "the packages of the workspace (left) and the table of layers (right) differ"
    );
}

#[test]
fn nothing_but_the_engine_reaches_llvm_at_run_time() {
    let mut found = Vec::new();
    for package in members().iter().filter(|package| package.name != "loom-engine") {
        for name in linked_into(&package.id) {
            if LLVM.contains(&name.as_str()) || name == "loom-engine" {
                found.push(format!("{} links {name}", package.name));
            }
        }
    }
    assert_none("LLVM outside the engine", found);
}

#[test]
fn a_forbidden_edge_is_noticed() {
    let edges = |from: &str, to: &str| BTreeSet::from([(from.to_owned(), to.to_owned())]);
    assert_eq!(breaches(&edges("loom-ir", "loom-store")).len(), 1);
    assert_eq!(breaches(&edges("loom-base", "loom-ir")).len(), 1);
    assert_eq!(breaches(&edges("loom-frontier", "salsa")).len(), 1);
    assert_eq!(breaches(&edges("loom-queries", "inkwell")).len(), 1);
    assert!(breaches(&edges("loom-ir", "loom-base")).is_empty());
    assert!(breaches(&edges("loom-engine", "inkwell")).is_empty());
}

/// The edges that the tables do not allow.
fn breaches(edges: &BTreeSet<(String, String)>) -> Vec<String> {
    let layers: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let allowed = |from: &str, to: &str| {
        if let Some((_, users)) = RESERVED.iter().find(|(names, _)| names.contains(&to)) {
            return users.contains(&from);
        }
        if !layers.contains_key(to) {
            return true;
        }
        (to == "loom-base" && from != "loom-base")
            || layers.get(from).is_some_and(|below| below.contains(&to))
    };
    let broken = edges.iter().filter(|(from, to)| !allowed(from, to));
    broken.map(|(from, to)| format!("{from} imports {to}")).collect()
}

/// Package and direct dependency, dev-dependencies left out.
fn edges() -> BTreeSet<(String, String)> {
    let direct = |package: &cargo_metadata::Package| {
        let name = package.name.to_string();
        let imports = package
            .dependencies
            .iter()
            .filter(|it| it.kind != DependencyKind::Development);
        imports
            .map(|it| (name.clone(), it.name.clone()))
            .collect::<Vec<_>>()
    };
    members().into_iter().flat_map(direct).collect()
}

/// Names of all packages whose code ends up in an image that links `root`.
fn linked_into(root: &PackageId) -> BTreeSet<String> {
    let resolve = metadata()
        .resolve
        .as_ref()
        .expect("cargo metadata resolves dependencies");
    let mut seen = BTreeSet::from([root]);
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        let node = resolve
            .nodes
            .iter()
            .find(|node| node.id == *id)
            .expect("every package has a node");
        for dependency in &node.deps {
            let linked = dependency
                .dep_kinds
                .iter()
                .any(|it| it.kind == DependencyKind::Normal);
            if linked && seen.insert(&dependency.pkg) {
                waiting.push(&dependency.pkg);
            }
        }
    }
    seen.remove(root);
    seen.iter().map(|id| metadata()[*id].name.to_string()).collect()
}
