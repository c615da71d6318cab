//! The long-lived host: engines as worker processes, one request at a time each.
//!
//! **Invariant:** a worker is either idle in the pool and in step with its host, or leased to one request; a
//! lease that ends in any way but success (crash, protocol error, cancellation by unwinding) kills its worker.

mod kept;
mod reader;
mod worker;

use std::collections::BTreeSet;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loom_base::Blob;
use loom_db::Engine;
use loom_frontend::engine::{
    CompileReply, CompileRequest, EngineFailure, EngineVersions, InputSource, ModuleError, NormalizedModule,
};
use loom_frontend::link::{LinkError, LinkRequest, LinkedModule};
use loom_frontend::payload::ModuleAuthority;
use loom_frontend::raise::{RaiseReply, RaiseRequest};
use loom_frontend::worker::{FromWorker, ToWorker};
use loom_store::cache::{Actions, Settings};
use loom_store::{System, read_build_id};

use worker::{Conversation, Worker};

/// An [`Engine`] made of worker processes of one executable. Cheap when unused: no process starts before the
/// first request.
pub struct WorkerHost {
    executable: PathBuf,
    /// What processes before this one have asked already.
    actions: Option<Actions>,
    idle: Mutex<Vec<Worker>>,
    /// Process ids of all workers there are, idle or leased.
    alive: Mutex<BTreeSet<u32>>,
}

impl WorkerHost {
    /// At most this many workers wait for the next request; more than that are only started under load and
    /// end with it.
    const IDLE_LIMIT: usize = 8;

    /// A host for the engine executable at `executable`.
    pub fn new(executable: impl Into<PathBuf>) -> Self {
        Self {
            executable: executable.into(),
            actions: None,
            idle: Mutex::default(),
            alive: Mutex::default(),
        }
    }

    /// Answers from the cache that `settings` describe what can be, and keeps the rest there. Without effect if the cache
    /// is off, or if nobody can tell which build the engine is.
    #[must_use]
    pub fn with_cache(mut self, system: Arc<dyn System>, settings: &Settings) -> Self {
        let build = read_build_id(&self.executable).ok();
        self.actions = build.and_then(|it| Actions::new(system, settings, &it));
        self
    }

    /// A host for the `loom-engine` that is installed beside the running program.
    pub fn beside_current_exe() -> io::Result<Self> {
        Ok(Self::new(env::current_exe()?.with_file_name("loom-engine")))
    }

    /// The engine executable.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// Process ids of all workers, idle or busy.
    pub fn worker_ids(&self) -> Vec<u32> {
        lock(&self.alive).iter().copied().collect()
    }

    /// Normalizes a module given as bitcode or textual IR. The inner error is about the module, the outer one
    /// about the engine.
    pub fn normalize(&self, module: Blob) -> Result<Result<NormalizedModule, ModuleError>, EngineFailure> {
        match self.request(&ToWorker::Normalize(module), &mut NoInputs)? {
            FromWorker::Normalized(result) => Ok(result),
            other => Err(unexpected(&other)),
        }
    }

    /// Compiles a module given as bitcode or textual IR to an object that carries its payload, without optimizing
    /// it.
    pub fn pack(&self, module: Blob) -> Result<Result<Blob, ModuleError>, EngineFailure> {
        match self.request(&ToWorker::Pack(module), &mut NoInputs)? {
            FromWorker::Packed(result) => Ok(result),
            other => Err(unexpected(&other)),
        }
    }

    /// The contents of the payload sections of an object that is a bitcode module (LTO), in module order.
    pub fn read_carriers(&self, module: Blob) -> Result<Result<Vec<Blob>, ModuleError>, EngineFailure> {
        match self.request(&ToWorker::Carriers(module), &mut NoInputs)? {
            FromWorker::Carriers(result) => Ok(result),
            other => Err(unexpected(&other)),
        }
    }

    /// Has LLVM fold the one straight-line function that the textual module `ir` defines, for each tuple of `arity`
    /// operands: low bits in, bits out. `None` where LLVM gives no plain number.
    pub fn fold_constants(
        &self,
        ir: &str,
        arity: u32,
        operands: Vec<u64>,
    ) -> Result<Result<Vec<Option<u64>>, ModuleError>, EngineFailure> {
        let request = ToWorker::Fold {
            ir: ir.to_owned(),
            arity,
            operands,
        };
        match self.request(&request, &mut NoInputs)? {
            FromWorker::Folded(result) => Ok(result),
            other => Err(unexpected(&other)),
        }
    }

    /// Imports a module given as bitcode or textual IR into MLIR and returns the verified MLIR text.
    pub fn import_into_mlir(&self, module: Blob) -> Result<Result<String, ModuleError>, EngineFailure> {
        match self.request(&ToWorker::Import(module), &mut NoInputs)? {
            FromWorker::Imported(result) => Ok(result),
            other => Err(unexpected(&other)),
        }
    }

    /// One request, answered from the cache if it is a step that was answered before.
    fn request(&self, request: &ToWorker, inputs: &mut dyn InputSource) -> Result<FromWorker, EngineFailure> {
        match (&self.actions, request.step()) {
            (Some(actions), Some(step)) => {
                actions.answer(step, request, || match self.converse(request, inputs)? {
                    FromWorker::Failed(failure) => Err(failure),
                    reply => Ok(reply),
                })
            }
            _ => self.converse(request, inputs),
        }
    }

    /// One request on an idle worker or a new one.
    fn converse(
        &self,
        request: &ToWorker,
        inputs: &mut dyn InputSource,
    ) -> Result<FromWorker, EngineFailure> {
        loop {
            let reused = lock(&self.idle).pop();
            let fresh = reused.is_none();
            let mut lease = Lease {
                host: self,
                worker: Some(self.or_start(reused)?),
            };
            let worker = lease
                .worker
                .as_mut()
                .expect("a lease holds its worker until it ends");
            match worker.converse(request, inputs) {
                Ok(reply) => {
                    lease.give_back();
                    return Ok(reply);
                }
                // A worker that had to apply LLVM options leaves in good order after its answer.
                Err(Conversation::Retired) if !fresh => {}
                Err(Conversation::Retired) => {
                    return Err(failure(
                        "the engine refused to work",
                        "it left before its first answer",
                    ));
                }
                Err(Conversation::Broken(error)) => return Err(error),
            }
        }
    }

    fn or_start(&self, reused: Option<Worker>) -> Result<Worker, EngineFailure> {
        if let Some(worker) = reused {
            return Ok(worker);
        }
        let worker = Worker::start(&self.executable).map_err(|error| {
            let what = format!("cannot start the engine '{}'", self.executable.display());
            failure(&what, &error.to_string())
        })?;
        lock(&self.alive).insert(worker.id());
        Ok(worker)
    }
}

impl Engine for WorkerHost {
    fn compile(
        &self,
        request: &CompileRequest,
        inputs: &mut dyn InputSource,
    ) -> Result<CompileReply, EngineFailure> {
        let run =
            |inputs: &mut dyn InputSource| match self.request(&ToWorker::Compile(request.clone()), inputs)? {
                FromWorker::Compiled(reply) => Ok(reply),
                FromWorker::Failed(failure) => Err(failure),
                other => Err(unexpected(&other)),
            };
        match &self.actions {
            Some(actions) => kept::compile(actions, request, inputs, run),
            None => run(inputs),
        }
    }

    fn link(&self, request: &LinkRequest) -> Result<Result<LinkedModule, LinkError>, EngineFailure> {
        match self.request(&ToWorker::Link(request.clone()), &mut NoInputs)? {
            FromWorker::Linked(result) => Ok(result),
            other => Err(unexpected(&other)),
        }
    }

    fn raise(
        &self,
        request: &RaiseRequest,
        inputs: &mut dyn InputSource,
    ) -> Result<RaiseReply, EngineFailure> {
        match self.request(&ToWorker::Raise(request.clone()), inputs)? {
            FromWorker::Raised(reply) => Ok(reply),
            other => Err(unexpected(&other)),
        }
    }

    fn versions(&self) -> Result<EngineVersions, EngineFailure> {
        match self.request(&ToWorker::Versions, &mut NoInputs)? {
            FromWorker::Versions(versions) => Ok(versions),
            other => Err(unexpected(&other)),
        }
    }
}

/// LLVM as the authority over stored modules. An engine failure is reported as a module error of its own code,
/// so that a reader fails closed.
impl ModuleAuthority for WorkerHost {
    fn normalize(&self, bitcode: &[u8]) -> Result<NormalizedModule, ModuleError> {
        self.normalize(Blob::new(bitcode))
            .unwrap_or_else(|failure| Err(ModuleError::unavailable(&failure)))
    }
}

/// A worker out of the pool. Dropped without [`Lease::give_back`] it takes the worker's life.
struct Lease<'a> {
    host: &'a WorkerHost,
    worker: Option<Worker>,
}

impl Lease<'_> {
    fn give_back(mut self) {
        let mut idle = lock(&self.host.idle);
        if idle.len() < WorkerHost::IDLE_LIMIT {
            idle.extend(self.worker.take());
        }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(worker) = self.worker.take() {
            lock(&self.host.alive).remove(&worker.id());
        }
    }
}

/// For requests that bring all their input along.
struct NoInputs;

impl InputSource for NoInputs {
    fn file(&mut self, _: &[u8]) -> loom_frontend::engine::FileState {
        loom_frontend::engine::FileState::Absent
    }

    fn content(&mut self, _: &[u8]) -> Option<Blob> {
        None
    }

    fn directory(&mut self, _: &[u8]) -> Option<Vec<(loom_frontend::engine::OsBytes, bool)>> {
        None
    }

    fn used(&mut self, _: &loom_frontend::engine::Access) {}

    fn poll(&mut self) {}
}

fn failure(what: &str, why: &str) -> EngineFailure {
    EngineFailure {
        causes: vec![what.to_owned(), why.to_owned()],
    }
}

fn unexpected(reply: &FromWorker) -> EngineFailure {
    let variant = format!("{reply:?}");
    let name = variant.split(['(', ' ', '{']).next().unwrap_or_default();
    failure("the engine answered another question", &format!("it sent {name}"))
}

/// Every value behind these locks is whole between statements, so a panic elsewhere cannot spoil it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
