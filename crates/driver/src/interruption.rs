//! How a request can end without an answer.

use std::any::Any;
use std::fmt;

use loom_base::Diagnostic;
use loom_db::EngineFailed;
use loom_frontend::engine::EngineFailure;
use salsa::Cancelled;

/// Why there is no answer. A user's mistake is an answer; this is not about the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Interruption {
    /// The request was cancelled through its [`Canceller`](crate::Canceller).
    Cancelled,
    /// The session changed while the request ran. A new snapshot answers it.
    Superseded,
    /// The engine broke. The next request starts it again.
    Engine(EngineFailure),
    /// A bug in Loom. The session lives, and other requests work.
    Bug {
        /// What the panic said.
        message: String,
    },
}

/// What a caught panic was: an interruption, or the news that another thread, which was computing what this
/// one waited for, has met one.
pub(crate) enum Caught {
    Here(Interruption),
    Elsewhere,
}

impl Caught {
    pub(crate) fn from_panic(payload: Box<dyn Any + Send>) -> Self {
        let payload = match payload.downcast::<Cancelled>() {
            Ok(cancelled) => {
                return match *cancelled {
                    Cancelled::PropagatedPanic => Self::Elsewhere,
                    Cancelled::PendingWrite => Self::Here(Interruption::Superseded),
                    _ => Self::Here(Interruption::Cancelled),
                };
            }
            Err(other) => other,
        };
        let payload = match payload.downcast::<EngineFailed>() {
            Ok(failed) => return Self::Here(Interruption::Engine(failed.0)),
            Err(other) => other,
        };
        Self::Here(Interruption::from_panic(payload))
    }
}

impl Interruption {
    /// The bug that panicked with `payload`.
    pub(crate) fn from_panic(payload: Box<dyn Any + Send>) -> Self {
        let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_owned(),
            (_, Some(text)) => text.clone(),
            _ => "panic without a message".to_owned(),
        };
        Self::Bug { message }
    }

    /// The interruption as a diagnostic: `REQUEST/001` cancelled, `REQUEST/002` superseded, `ENGINE/001`
    /// engine broken, `INTERNAL/001` bug.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Cancelled => Diagnostic::error("REQUEST/001", "the request was cancelled"),
            Self::Superseded => {
                Diagnostic::error("REQUEST/002", "the inputs changed while the request ran").help("ask again")
            }
            Self::Engine(failure) => {
                let mut causes = failure.causes.iter();
                let message = causes.next().map_or("the engine broke", String::as_str);
                let diagnostic = Diagnostic::error("ENGINE/001", message)
                    .help("this says nothing about the input; the next request starts the engine again");
                causes.fold(diagnostic, |diagnostic, cause| {
                    diagnostic.note(format!("caused by: {cause}"))
                })
            }
            Self::Bug { message } => {
                Diagnostic::error("INTERNAL/001", format!("internal error in Loom: {message}"))
                    .help("this is a bug in Loom, not in the input; please report it")
            }
        }
    }
}

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic().message)
    }
}

impl std::error::Error for Interruption {}
