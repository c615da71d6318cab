//! The crates from outside: licences, exact versions, one version each, crates.io only. The lists are those of
//! deny.toml.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use cargo_metadata::Package;
use spdx::{Expression, ParseMode};

use super::assert_none;
use super::workspace::{members, metadata, root};

#[test]
fn licences_are_permitted() {
    let allowed = allowed_licences();
    let breaches = resolved().into_iter().filter_map(|package| {
        let licence = package
            .license
            .clone()
            .or_else(|| clarified(package))
            .unwrap_or_default();
        (!is_permitted(&licence, &allowed))
            .then(|| format!("{} {}: {licence:?}", package.name, package.version))
    });
    assert_none("a licence that deny.toml does not list", breaches.collect());
}

#[test]
fn versions_are_exact() {
    let mut breaches = Vec::new();
    for package in members() {
        for dependency in package.dependencies.iter().filter(|it| it.path.is_none()) {
            if !is_exact(&dependency.req.to_string()) {
                breaches.push(format!(
                    "{}: {} {}",
                    package.name, dependency.name, dependency.req
                ));
            }
        }
    }
    assert_none("a dependency that is not pinned (=x.y.z)", breaches);
}

#[test]
fn every_crate_comes_once() {
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    for package in resolved() {
        found
            .entry(package.name.to_string())
            .or_default()
            .insert(package.version.to_string());
    }
    assert_none(
        "several versions of one crate; deny.toml gives reasons",
        duplicates(&found, &skipped()),
    );
}

#[test]
fn every_crate_comes_from_the_registry() {
    let elsewhere = resolved().into_iter().filter(|package| {
        let source = package
            .source
            .as_ref()
            .map(|source| source.repr.as_str())
            .unwrap_or_default();
        source != "registry+https://github.com/rust-lang/crates.io-index"
    });
    assert_none(
        "a crate from elsewhere",
        elsewhere.map(|package| package.id.repr.clone()).collect(),
    );
}

#[test]
fn breaches_are_noticed() {
    let allowed = allowed_licences();
    assert!(is_permitted("MIT OR GPL-3.0-only", &allowed));
    assert!(is_permitted("MIT/Apache-2.0", &allowed));
    assert!(is_permitted("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(!is_permitted("GPL-3.0-only", &allowed));
    assert!(!is_permitted("MIT AND GPL-3.0-only", &allowed));
    assert!(!is_permitted("", &allowed));

    assert!(is_exact("=1.2.3"));
    assert!(!is_exact("^1.2.3"));
    assert!(!is_exact("=1.2"));
    assert!(!is_exact("*"));

    let versions = |versions: &[&str]| {
        versions
            .iter()
            .map(|it| (*it).to_owned())
            .collect::<BTreeSet<_>>()
    };
    let found = BTreeMap::from([
        ("one".to_owned(), versions(&["1.0.0"])),
        ("two".to_owned(), versions(&["1.0.0", "2.0.0"])),
    ]);
    assert_eq!(duplicates(&found, &BTreeSet::new()), ["two 1.0.0, 2.0.0"]);
    assert!(duplicates(&found, &versions(&["two@1.0.0"])).is_empty());
    assert_eq!(
        duplicates(&found, &versions(&["two@1.0.0", "one@1.0.0"])),
        ["one@1.0.0 is skipped without need"]
    );
}

fn is_permitted(licence: &str, allowed: &BTreeSet<String>) -> bool {
    // Older crates write `MIT/Apache-2.0`.
    let expression = Expression::parse_mode(licence, ParseMode::LAX);
    expression.is_ok_and(|it| it.evaluate(|required| allowed.contains(&required.to_string())))
}

/// `=` and a full version. Build metadata may follow.
fn is_exact(requirement: &str) -> bool {
    let version = requirement
        .strip_prefix('=')
        .and_then(|version| version.split(['+', '-']).next());
    version.is_some_and(|version| {
        version.split('.').count() == 3 && version.split('.').all(|part| part.parse::<u64>().is_ok())
    })
}

/// The crates that come more than once although `skipped` (`name@version`) is set aside, and the entries of
/// `skipped` that no longer serve.
fn duplicates(found: &BTreeMap<String, BTreeSet<String>>, skipped: &BTreeSet<String>) -> Vec<String> {
    let mut breaches = Vec::new();
    for (name, versions) in found {
        let kept: Vec<_> = versions
            .iter()
            .filter(|it| !skipped.contains(&format!("{name}@{it}")))
            .cloned()
            .collect();
        if kept.len() > 1 {
            breaches.push(format!("{name} {}", kept.join(", ")));
        }
    }
    for entry in skipped {
        let (name, version) = entry.split_once('@').unwrap_or((entry, ""));
        let needed = found
            .get(name)
            .is_some_and(|versions| versions.len() > 1 && versions.contains(version));
        if !needed {
            breaches.push(format!("{entry} is skipped without need"));
        }
    }
    breaches
}

/// The packages from outside that are built on the machine Loom is built on. cargo metadata also lists optional
/// ones that nothing switches on; cargo tree knows better.
fn resolved() -> Vec<&'static Package> {
    let arguments = [
        "tree",
        "--workspace",
        "--locked",
        "--edges=normal,build,dev",
        "--prefix=none",
        "--format={p}",
    ];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "cargo tree: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let tree = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let built: BTreeSet<_> = tree
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(name_and_version)
        .collect();
    let metadata = metadata();
    let others = metadata
        .packages
        .iter()
        .filter(|package| !metadata.workspace_members.contains(&package.id));
    let resolved: Vec<_> = others
        .filter(|it| built.contains(&(it.name.to_string(), it.version.to_string())))
        .collect();
    assert!(
        resolved.len() > 20,
        "cargo tree shows only {} packages from outside",
        resolved.len()
    );
    resolved
}

/// Reads `name` and `vVERSION (remarks)`.
fn name_and_version((name, rest): (&str, &str)) -> (String, String) {
    let version = rest.split(' ').next().unwrap_or_default().trim_start_matches('v');
    (name.to_owned(), version.to_owned())
}

fn allowed_licences() -> BTreeSet<String> {
    strings(&deny()["licenses"]["allow"])
}

/// What deny.toml says about a package that ships the text of its licence instead of naming it. The entry names
/// one version, and Cargo.lock pins the bytes of that.
fn clarified(package: &Package) -> Option<String> {
    let deny = deny();
    let entries = deny["licenses"]
        .get("clarify")?
        .as_array()
        .expect("licenses.clarify is a list");
    let name = format!("{}@{}", package.name, package.version);
    let entry = entries
        .iter()
        .find(|entry| entry["crate"].as_str() == Some(name.as_str()))?;
    assert!(
        package.license_file.is_some(),
        "{name} names neither a licence nor a file with its text"
    );
    entry["expression"].as_str().map(str::to_owned)
}

/// `name@version` of each entry of `bans.skip`; each must give its reason.
fn skipped() -> BTreeSet<String> {
    let deny = deny();
    let entries = deny["bans"]["skip"].as_array().expect("bans.skip is a list");
    let skipped = entries.iter().map(|entry| {
        let field = |name: &str| entry.get(name).and_then(toml::Value::as_str).unwrap_or_default();
        assert!(
            field("reason").len() > 10,
            "deny.toml: {} is skipped without a reason",
            field("crate")
        );
        field("crate").to_owned()
    });
    skipped.collect()
}

fn deny() -> toml::Table {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml is there");
    text.parse().unwrap_or_else(|error| panic!("deny.toml: {error}"))
}

fn strings(value: &toml::Value) -> BTreeSet<String> {
    let entries = value.as_array().expect("deny.toml: a list");
    entries
        .iter()
        .map(|it| it.as_str().expect("deny.toml: a string").to_owned())
        .collect()
}
