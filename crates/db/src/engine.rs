//! The trait every engine is seen through: worker process, one process, or the fake of the tests.

use loom_frontend::engine::{CompileReply, CompileRequest, EngineFailure, EngineVersions, InputSource};
use loom_frontend::link::{LinkError, LinkRequest, LinkedModule};
use loom_frontend::raise::{RaiseReply, RaiseRequest};

/// Something that can compile. An engine is a pure function of the request and of what `inputs` answers.
pub trait Engine: Send + Sync {
    /// Runs one command line.
    ///
    /// The engine reads files, directories and nothing else through `inputs`. The log in its reply names all that
    /// it used, whether it asked or took it from the request: states in `request.files`, variables of
    /// `request.env`, the clock. It calls [`InputSource::poll`] every few milliseconds; that call may
    /// unwind, after which the engine must be ready for the next request.
    ///
    /// A user's mistake is a reply with an exit status; an `Err` means that the engine itself broke.
    fn compile(
        &self,
        request: &CompileRequest,
        inputs: &mut dyn InputSource,
    ) -> Result<CompileReply, EngineFailure>;

    /// Merges the payloads of a link into one module. A link that is refused is the inner error; the outer one means
    /// that the engine broke.
    fn link(&self, request: &LinkRequest) -> Result<Result<LinkedModule, LinkError>, EngineFailure>;

    /// Raises a linked module to S0. The request holds all input; `inputs` is only polled. What is wrong with the
    /// module is part of the reply.
    fn raise(
        &self,
        request: &RaiseRequest,
        inputs: &mut dyn InputSource,
    ) -> Result<RaiseReply, EngineFailure>;

    /// Who the engine is. Constant for the life of the engine.
    fn versions(&self) -> Result<EngineVersions, EngineFailure>;
}

/// What unwinds through the queries when the engine itself failed; `Snapshot` turns it into a diagnostic.
///
/// A failed engine says nothing about the inputs, so no query may remember it. Unwinding is the one way to
/// leave a query without a memo: the next request simply runs the engine again, in the same revision, and
/// needs no write to the database to do so.
#[derive(Debug)]
pub struct EngineFailed(pub EngineFailure);

impl EngineFailed {
    /// Leaves the current query and all that wait for it.
    pub fn throw(failure: EngineFailure) -> ! {
        // Not `panic!`: an environment failure is no bug, so no panic hook and no backtrace.
        std::panic::resume_unwind(Box::new(Self(failure)))
    }
}
