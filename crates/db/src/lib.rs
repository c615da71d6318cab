//! The query database without any query: inputs, the traits `Db` and `Engine`, changes, the event log.
//!
//! **Invariants**
//! * What a query reads of the outside world it reads through [`file()`], [`directory`], [`variable`] and
//!   [`clock`], or through [`run_engine`]; there is no other way to a file, the environment or the clock.
//! * Every path that was ever asked for has an input, whether or not anything was there, so whatever appears
//!   later invalidates exactly those who looked for it.
//! * Inputs change in [`Change::apply`] alone, and only where their value differs.

mod change;
mod engine;
mod events;
mod inputs;
mod source;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod world;

pub use change::Change;
pub use engine::{Engine, EngineFailed};
pub use events::EventLog;
pub use inputs::{Clock, Directory, Entries, EnvVar, File, FileValue, clock, directory, file, variable};
pub use source::{QueryInputs, Unit, run_engine};
pub use world::World;

use std::sync::Arc;

/// The database as every query below `loom-queries` sees it.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The tables that lead from paths and names to inputs, the system and the engine. The same one for the
    /// whole life of the database, shared by all its handles.
    fn world(&self) -> &Arc<World>;
}
