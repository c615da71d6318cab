//! `Session`: the owner of a database.

use std::sync::Arc;

use loom_db::{Change, Engine, World};
use loom_store::System;

use crate::Snapshot;
use crate::database::Database;

/// A long-lived compiler: memoizes everything it was ever asked for, and changes only through
/// [`apply`](Self::apply).
pub struct Session {
    db: Database,
}

impl Session {
    /// A session over `system` that compiles with `engine`. Reads nothing and starts nothing yet.
    pub fn new(system: Arc<dyn System>, engine: Arc<dyn Engine>) -> Self {
        Self {
            db: Database::new(World::new(system, engine), false),
        }
    }

    /// Like [`new`](Self::new), and [`Snapshot::executed`] tells which queries ran.
    pub fn recording(system: Arc<dyn System>, engine: Arc<dyn Engine>) -> Self {
        Self {
            db: Database::new(World::new(system, engine), true),
        }
    }

    /// Makes the outside world's changes known, and says how many inputs they changed.
    ///
    /// If any did, running requests are interrupted ([`Superseded`](crate::Interruption::Superseded)), and
    /// this waits until **all** snapshots are dropped, also idle ones: a thread that holds one must not call
    /// it.
    pub fn apply(&mut self, change: Change) -> usize {
        change.apply(&mut self.db)
    }

    /// A handle that answers requests about the present state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.db.clone())
    }
}

#[cfg(test)]
mod tests;
