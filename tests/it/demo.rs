//! The demo runs, and README.md shows what it prints.

use std::process::Command;

use loom_tests::built;
use regex_lite::Regex;

use crate::tidy::workspace::root;

#[test]
fn the_readme_shows_what_the_demo_prints() {
    let demo = Command::new(root().join("scripts/demo.sh"))
        .arg(built::directory())
        .output();
    let demo = demo.expect("the demo can be started");
    let printed = String::from_utf8(demo.stdout).expect("the demo prints UTF-8");
    assert!(
        demo.status.success(),
        "{printed}\n{}",
        String::from_utf8_lossy(&demo.stderr)
    );

    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md is there");
    // Every second part lies between fences.
    let parts = readme.split("```\n").skip(1).step_by(2);
    let blocks = parts.filter(|block| block.starts_with("# "));
    let shown: Vec<_> = blocks
        .flat_map(|block| block.split("\n# "))
        .map(without_numbers)
        .collect();
    assert!(
        shown.len() >= 3,
        "README.md shows only {} steps of the demo",
        shown.len()
    );
    let printed = without_numbers(&printed);
    for step in shown {
        assert!(
            printed.contains(step.trim()),
            "README.md shows\n{step}\nbut the demo prints\n{printed}"
        );
    }
}

/// Sizes and digests depend on the machine's C headers.
fn without_numbers(text: &str) -> String {
    let digest = Regex::new("[0-9a-f]{64}|[0-9]+").expect("a valid pattern");
    digest.replace_all(text, "N").into_owned()
}
