//! A database and an engine for tests of this crate and of those above it (feature `testing`).

mod database;
mod fake_engine;

pub use database::TestDb;
pub use fake_engine::{FakeEngine, Fault};
