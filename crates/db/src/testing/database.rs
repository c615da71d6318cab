//! The smallest database: a system in memory, the fake engine, and a log of what ran.

use std::sync::Arc;

use loom_store::MemorySystem;

use crate::testing::FakeEngine;
use crate::{Change, Db, EventLog, World};

/// A database over a [`MemorySystem`] and a [`FakeEngine`] that records every execution.
#[salsa::db]
#[derive(Clone)]
pub struct TestDb {
    system: Arc<MemorySystem>,
    engine: Arc<FakeEngine>,
    world: Arc<World>,
    events: EventLog,
    // Last: whoever waits for this handle to go is released when the storage drops.
    storage: salsa::Storage<Self>,
}

impl TestDb {
    /// A database over `files`, given as path and content.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let system = Arc::new(MemorySystem::default());
        for (path, content) in files {
            system.write(path, *content);
        }
        let engine = Arc::new(FakeEngine::default());
        let world = Arc::new(World::new(system.clone(), engine.clone()));
        let events = EventLog::default();
        let storage = salsa::Storage::new(Some(events.callback()));
        Self {
            system,
            engine,
            world,
            events,
            storage,
        }
    }

    /// The system under the database. A write to it is unknown to the database until `apply`.
    pub fn system(&self) -> &MemorySystem {
        &self.system
    }

    /// The engine.
    pub fn engine(&self) -> &FakeEngine {
        &self.engine
    }

    /// Writes a file in the system and announces it.
    pub fn write(&mut self, path: &str, content: &str) -> usize {
        self.system.write(path, content);
        self.apply(Change::default().reread(path.as_bytes()))
    }

    /// Removes a path in the system and announces it.
    pub fn remove(&mut self, path: &str) -> usize {
        self.system.remove(path);
        self.apply(Change::default().reread(path.as_bytes()))
    }

    /// Applies `change`; says how many inputs got a new value.
    pub fn apply(&mut self, change: Change) -> usize {
        change.apply(self)
    }

    /// The names of the queries that ran since the last call, in order.
    pub fn executed(&self) -> Vec<String> {
        self.events.take(self)
    }
}

#[salsa::db]
impl salsa::Database for TestDb {}

#[salsa::db]
impl Db for TestDb {
    fn world(&self) -> &Arc<World> {
        &self.world
    }
}
