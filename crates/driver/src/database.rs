//! The one concrete database.

use std::sync::Arc;
use std::thread::ThreadId;

use loom_db::{Db, EventLog, World};

/// All of Loom's queries over one world. Private to the crate: faces see it through `Session` and `Snapshot`.
#[salsa::db]
#[derive(Clone)]
pub(crate) struct Database {
    world: Arc<World>,
    /// Present if the session records which queries run.
    events: Option<EventLog>,
    // Last: whoever waits for this handle to go is released when the storage drops.
    storage: salsa::Storage<Self>,
}

impl Database {
    /// An empty database over `world`. The callback of a recording one costs a little on every look-up.
    pub(crate) fn new(world: World, records: bool) -> Self {
        let events = records.then(EventLog::default);
        let storage = salsa::Storage::new(events.as_ref().map(|events| events.callback() as _));
        Self {
            world: Arc::new(world),
            events,
            storage,
        }
    }

    /// The names of the queries that ran on this thread since the last call, in order; none if the session
    /// does not record.
    pub(crate) fn executed_here(&self) -> Vec<String> {
        let thread = std::thread::current().id();
        self.events
            .as_ref()
            .map_or_else(Vec::new, |events| events.take_of_thread(self, thread))
    }

    /// Counts what ran on `threads`, which worked for this one, as run on this thread.
    pub(crate) fn adopt_executions(&self, threads: &[ThreadId]) {
        if let Some(events) = &self.events {
            events.reassign(threads, std::thread::current().id());
        }
    }
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn world(&self) -> &Arc<World> {
        &self.world
    }
}
