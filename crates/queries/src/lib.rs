//! Every artifact of Loom as a memoized query: one file per artifact, each a few lines.
//!
//! **Invariants**
//! * A query reads its key and other queries, calls a pure function or the engine, and returns a value with
//!   equality. It holds no algorithm, touches no file and starts no thread.
//! * What a query returns is no more than its readers need: every projection here is a firewall, behind which
//!   nothing runs as long as the projection comes out equal.
//! * Diagnostics are part of a value. An engine that breaks is none: it unwinds (`loom_db::EngineFailed`).
//!
//! Door A, the compilations of C and C++, is in [`mod@unit`] and [`final_link`]; door B, the modules of the Loom language, in
//! [`module`], [`link`] and [`product`]; behind both, [`mod@raise`].

pub mod final_link;
pub mod link;
pub mod module;
pub mod product;
pub mod raise;
pub mod unit;
