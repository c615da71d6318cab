//! The event log: which queries ran, by name, in order.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;

use salsa::{Database, DatabaseKeyIndex, Event, EventKind};

/// A record of the executions of a database that was made with [`EventLog::callback`].
///
/// salsa names a query by its function, without a path, so query names are unique across Loom.
#[derive(Clone, Default, Debug)]
pub struct EventLog {
    executions: Arc<Mutex<Vec<(ThreadId, DatabaseKeyIndex)>>>,
}

impl EventLog {
    /// The callback for `salsa::Storage::new`.
    pub fn callback(&self) -> Box<dyn Fn(Event) + Send + Sync> {
        let executions = Arc::clone(&self.executions);
        Box::new(move |event| {
            // By far the most events are cancellation checks; nothing is locked for those.
            if let EventKind::WillExecute { database_key } = event.kind {
                let mut executions = executions.lock().unwrap_or_else(PoisonError::into_inner);
                executions.push((event.thread_id, database_key));
            }
        })
    }

    /// The names of the queries that ran on any thread since the last call, in order.
    pub fn take(&self, db: &dyn Database) -> Vec<String> {
        self.take_where(db, |_| true)
    }

    /// The names of the queries that ran on `thread` since the last call, in order.
    pub fn take_of_thread(&self, db: &dyn Database, thread: ThreadId) -> Vec<String> {
        self.take_where(db, |it| it == thread)
    }

    /// Lets what ran on the threads `from` count as run on `to`, for a request that used threads of its own.
    pub fn reassign(&self, from: &[ThreadId], to: ThreadId) {
        let mut executions = self.executions.lock().unwrap_or_else(PoisonError::into_inner);
        executions
            .iter_mut()
            .filter(|(thread, _)| from.contains(thread))
            .for_each(|it| it.0 = to);
    }

    fn take_where(&self, db: &dyn Database, is_wanted: impl Fn(ThreadId) -> bool) -> Vec<String> {
        let mut executions = self.executions.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = executions.extract_if(.., |(thread, _)| is_wanted(*thread));
        taken
            .map(|(_, key)| db.ingredient_debug_name(key.ingredient_index()).into_owned())
            .collect()
    }
}
