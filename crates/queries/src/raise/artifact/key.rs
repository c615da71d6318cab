//! What a raise is asked by.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use loom_frontend::raise::RaiseRequest;

/// A linked module, by its content, and what to make of it, interned.
#[salsa::interned(debug)]
pub struct RaiseKey<'db> {
    /// The request.
    pub request: RaiseRequest,
}
