//! The key of one compilation.
#![expect(
    missing_docs,
    reason = "salsa generates the constructor without documentation"
)]

use loom_db::Unit;

/// A command line in its directory, interned: what a compilation is asked by.
#[salsa::interned(debug)]
pub struct CompileKey<'db> {
    /// The command line.
    pub unit: Unit,
}
