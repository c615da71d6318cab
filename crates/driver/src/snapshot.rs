//! `Snapshot`: answers requests about one state of a session.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loom_base::{Blob, Diagnostic, Digest, Outcome};
use loom_db::{Db, File, FileValue, Unit, file};
use loom_frontend::engine::{EngineFailure, EngineVersions, NormalizedModule};
use loom_frontend::raise::{RaiseReply, RaiseRequest};
use loom_queries::module;
use loom_queries::raise::{self, RaiseKey};
use loom_queries::unit::{self, CompileKey, UnitDiagnostics};
use rayon::prelude::*;
use salsa::{CancellationToken, Database as _};

use crate::database::Database;
use crate::interruption::Caught;
use crate::{Interruption, STACK_SIZE};

/// How often a request is tried again because another thread's run, which it waited for, was interrupted.
const ATTEMPTS: usize = 8;

/// A handle for requests, to be moved to the thread that makes them. Cheap to clone and to drop; keep it no
/// longer than the request, because a change waits for it.
pub struct Snapshot {
    db: Database,
    cancellation: Arc<Cancellation>,
}

/// Shared by a snapshot, its cancellers and its workers.
#[derive(Default)]
struct Cancellation {
    /// A token is reset when a request ends; this is not.
    requested: AtomicBool,
    /// One token per database handle.
    tokens: Mutex<Vec<CancellationToken>>,
}

/// Cancels the requests of one snapshot from any thread.
#[derive(Clone)]
pub struct Canceller(Arc<Cancellation>);

impl Canceller {
    /// Ends the running request of the snapshot, and all later ones at once.
    pub fn cancel(&self) {
        self.0.requested.store(true, Ordering::SeqCst);
        self.0.lock_tokens().iter().for_each(CancellationToken::cancel);
    }
}

impl Cancellation {
    fn lock_tokens(&self) -> MutexGuard<'_, Vec<CancellationToken>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Snapshot {
    /// A snapshot of the same state, with a cancellation of its own.
    fn clone(&self) -> Self {
        Self::new(self.db.clone())
    }
}

impl Snapshot {
    pub(crate) fn new(db: Database) -> Self {
        Self::with_cancellation(db, Arc::default())
    }

    fn with_cancellation(db: Database, cancellation: Arc<Cancellation>) -> Self {
        cancellation.lock_tokens().push(db.cancellation_token());
        Self { db, cancellation }
    }

    /// What cancels the requests of this snapshot.
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.cancellation))
    }

    /// The names of the queries that ran on this thread since the last call, in order. Empty unless the
    /// session is [`recording`](crate::Session::recording).
    pub fn executed(&self) -> Vec<String> {
        self.db.executed_here()
    }

    /// The object file of `unit`; `None` if it does not compile.
    pub fn object(&self, unit: &Unit) -> Result<Option<Blob>, Interruption> {
        self.ask_about(unit, |db, key| unit::object(db, key).clone())
    }

    /// The payload root of `unit`; `None` if it does not compile.
    pub fn payload(&self, unit: &Unit) -> Result<Option<Blob>, Interruption> {
        self.ask_about(unit, |db, key| unit::payload(db, key).clone())
    }

    /// The normalized module of `unit`; `None` if it does not compile.
    pub fn normalized_bitcode(&self, unit: &Unit) -> Result<Option<NormalizedModule>, Interruption> {
        self.ask_about(unit, |db, key| unit::normalized_bitcode(db, key).clone())
    }

    /// The ABI compatibility key of `unit`; `None` if it does not compile.
    pub fn abi_key(&self, unit: &Unit) -> Result<Option<Digest>, Interruption> {
        self.ask_about(unit, unit::abi_key)
    }

    /// The digest of the frontend view.
    pub fn frontend_view(&self) -> Result<Digest, Interruption> {
        self.ask(unit::frontend_view)
    }

    /// clang's exit status and messages for `unit`.
    pub fn unit_diagnostics(&self, unit: &Unit) -> Result<UnitDiagnostics, Interruption> {
        self.ask_about(unit, |db, key| unit::diagnostics(db, key).clone())
    }

    /// The linked module of `request`, raised to S0 or lowered again, with the report of what became of it. What is
    /// wrong with the module is part of the reply.
    pub fn raised_module(&self, request: &RaiseRequest) -> Result<RaiseReply, Interruption> {
        self.ask(|db| raise::raised_module(db, RaiseKey::new(db, request.clone())).clone())
    }

    /// The canonical text of the module in the file `path` (absolute), with everything there is to say about it.
    /// Diagnostics name files by their absolute path.
    pub fn module_text(&self, path: &[u8]) -> Result<Outcome<Arc<str>>, Interruption> {
        self.ask_about_module(path, |db, file| module::module_text(db, file).clone())
    }

    /// The bytecode of the module in the file `path` (absolute), with everything there is to say about it.
    pub fn module_bytecode(&self, path: &[u8]) -> Result<Outcome<Blob>, Interruption> {
        self.ask_about_module(path, |db, file| module::module_bytecode(db, file).clone())
    }

    /// Whether the file `path` (absolute) begins like bytecode.
    pub fn is_bytecode(&self, path: &[u8]) -> Result<bool, Interruption> {
        Ok(self
            .file(path)?
            .content
            .is_some_and(|content| loom_ir::is_bytecode(content.bytes())))
    }

    /// Everything there is to say about the module in the file `path` (absolute).
    pub fn module_diagnostics(&self, path: &[u8]) -> Result<Arc<[Diagnostic]>, Interruption> {
        self.ask(|db| Arc::clone(module::module_diagnostics(db, file(db, path))))
    }

    /// Makes text and diagnostics of the modules in the files `paths` (absolute) side by side, so that requests
    /// about them only look them up. Results are those of asking one after another.
    pub fn warm_modules(&self, paths: &[Vec<u8>]) -> Result<(), Interruption> {
        self.warm(paths, |worker, path| worker.module_text(path).map(drop))
    }

    /// Compiles `units` side by side, so that requests about them only look them up.
    pub fn warm_units(&self, units: &[Unit]) -> Result<(), Interruption> {
        self.warm(units, |worker, unit| worker.unit_diagnostics(unit).map(drop))
    }

    /// What is at `path` (absolute), as far as this state of the session knows.
    pub fn file(&self, path: &[u8]) -> Result<FileValue, Interruption> {
        self.ask(|db| file(db, path).value(db).clone())
    }

    /// Who the engine is. No query: it is the same for the life of the session.
    pub fn engine_versions(&self) -> Result<EngineVersions, EngineFailure> {
        self.db.world().engine().versions()
    }

    fn ask_about_module<T>(
        &self,
        path: &[u8],
        request: impl Fn(&dyn Db, File) -> Option<T>,
    ) -> Result<Outcome<T>, Interruption> {
        self.ask(|db| {
            let file = file(db, path);
            let diagnostics = Arc::clone(module::module_diagnostics(db, file));
            Outcome {
                value: request(db, file),
                diagnostics,
            }
        })
    }

    fn ask_about<T>(
        &self,
        unit: &Unit,
        request: impl for<'db> Fn(&'db dyn Db, CompileKey<'db>) -> T,
    ) -> Result<T, Interruption> {
        self.ask(|db| request(db, CompileKey::new(db, unit.clone())))
    }

    /// Asks about all `items`, on a pool of its own: a thread that waits inside a query must not be given
    /// another query to run. Ends early if the snapshot is cancelled or superseded; other interruptions are left
    /// for the request that will meet them.
    fn warm<T: Sync>(
        &self,
        items: &[T],
        ask: impl Fn(&Self, &T) -> Result<(), Interruption> + Sync,
    ) -> Result<(), Interruption> {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().stack_size(STACK_SIZE).build() else {
            // Without threads nothing is warm, and that is all.
            return Ok(());
        };
        let worker = Worker(Self::with_cancellation(
            self.db.clone(),
            Arc::clone(&self.cancellation),
        ));
        let result = pool.install(|| {
            items
                .par_iter()
                .try_for_each_with(worker, |worker, item| match ask(&worker.0, item) {
                    Err(end @ (Interruption::Cancelled | Interruption::Superseded)) => Err(end),
                    Ok(()) | Err(_) => Ok(()),
                })
        });
        self.db
            .adopt_executions(&pool.broadcast(|_| std::thread::current().id()));
        result
    }

    /// The border: runs `request`, and turns whatever unwinds out of it into an interruption.
    ///
    /// The database stays usable after any unwinding, because salsa drops the memos of interrupted queries and
    /// our inputs are written under `&mut` alone; this is what `AssertUnwindSafe` stands for.
    pub(crate) fn ask<T>(&self, request: impl Fn(&dyn Db) -> T) -> Result<T, Interruption> {
        for _ in 0..ATTEMPTS {
            if self.cancellation.requested.load(Ordering::SeqCst) {
                return Err(Interruption::Cancelled);
            }
            match catch_unwind(AssertUnwindSafe(|| self.db.attach(|db| request(db)))) {
                Ok(answer) => return Ok(answer),
                Err(payload) => match Caught::from_panic(payload) {
                    Caught::Here(interruption) => return Err(interruption),
                    Caught::Elsewhere => {}
                },
            }
        }
        Err(Interruption::Bug {
            message: "the request was interrupted from elsewhere again and again".to_owned(),
        })
    }
}

/// A snapshot that is cancelled together with the one it works for.
struct Worker(Snapshot);

impl Clone for Worker {
    fn clone(&self) -> Self {
        Self(Snapshot::with_cancellation(
            self.0.db.clone(),
            Arc::clone(&self.0.cancellation),
        ))
    }
}
