//! The embedding API: [`Session`] owns a database and changes it, [`Snapshot`]s of it answer requests.
//!
//! **Invariants**
//! * The command line, the session protocol and every later face use [`Session`] and [`Snapshot`] and nothing
//!   below them.
//! * What a request returns owns its bytes and holds no handle of the database.
//! * Nothing unwinds out of a request: cancellation, a broken engine and bugs come back as an
//!   [`Interruption`], and the session goes on.
//!
//! ```no_run
//! use std::sync::Arc;
//! use loom_driver::{Change, OsSystem, Session, engine_host::WorkerHost};
//!
//! let engine = Arc::new(WorkerHost::beside_current_exe()?);
//! let mut session = Session::new(Arc::new(OsSystem), engine);
//! let text = session.snapshot().module_text(b"/src/kernel.loom")?;
//! for diagnostic in text.diagnostics.iter() {
//!     eprintln!("{}: {}", diagnostic.severity, diagnostic.message);
//! }
//! // The snapshot is gone by now: a change waits for all of them.
//! session.apply(Change::default().reread(b"/src/kernel.loom"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build_id;
mod database;
#[allow(
    clippy::disallowed_methods,
    reason = "the hosts own the engine's processes and their clocks"
)]
pub mod engine_host;
pub mod final_link;
pub mod frontier;
mod interruption;
pub mod link;
pub mod payload_files;
pub mod protocol;
pub mod render;
#[cfg(test)]
mod schema;
mod session;
mod snapshot;
mod symbols;

pub use build_id::build_id;
pub use interruption::Interruption;
pub use loom_base as base;
pub use loom_db::{Change, Engine, Unit};
pub use loom_frontend::engine::EngineVersions;
pub use loom_frontend::raise;
pub use loom_queries::unit::UnitDiagnostics;
pub use loom_store::cache;
pub use loom_store::{Kind, MemorySystem, OsSystem, System};
pub use session::Session;
pub use snapshot::{Canceller, Snapshot};
pub use symbols::SymbolEntry;

/// Stack of every thread that runs queries: deep modules and deep dependency chains need more than the usual
/// 2 MiB.
const STACK_SIZE: usize = 8 << 20;
