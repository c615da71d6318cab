//! Rules about the sources and the build that the compiler does not hold.
//!
//! Every rule is a function that returns what breaks it, so that one test can apply it to the workspace and
//! another can show that it notices a breach.

mod architecture;
mod binaries;
mod dependencies;
mod edges;
mod sources;
pub mod workspace;

/// Fails with all of `breaches`, if there are any.
#[track_caller]
fn assert_none(rule: &str, breaches: Vec<String>) {
    assert!(breaches.is_empty(), "{rule}:\n  {}", breaches.join("\n  "));
}
