//! Why a final link yields no module.

use std::fmt;

use loom_base::{Diagnostic, FileName};
use serde::{Deserialize, Serialize};

use crate::engine::{EngineFailure, ModuleError};
use crate::payload::PayloadError;

/// A link that is refused. Members are objects' names, or `archive(member)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LinkError {
    /// Stable code.
    pub code: String,
    /// The members it is about, the one to blame first.
    pub members: Vec<String>,
    /// One sentence without a final full stop.
    pub message: String,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl LinkError {
    /// An error about `members`.
    pub fn new<M: Into<String>>(
        code: &str,
        members: impl IntoIterator<Item = M>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code: code.to_owned(),
            members: members.into_iter().map(Into::into).collect(),
            message: message.into(),
            help: None,
        }
    }

    /// The same with advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A selected payload that is malformed: `selected_payload_rejected`, with the reader's own code in the text.
    pub fn rejected(member: &str, error: &PayloadError) -> Self {
        if error.code() == ModuleError::UNAVAILABLE {
            return Self::new(ModuleError::UNAVAILABLE, [member], error.to_string());
        }
        Self::new(
            "selected_payload_rejected",
            [member],
            format!("{}: {error}", error.code()),
        )
        .help(error.help())
    }

    /// That the engine broke, so that nothing is known.
    pub fn unavailable(failure: &EngineFailure) -> Self {
        Self::new(ModuleError::UNAVAILABLE, [""; 0], failure.to_string())
    }

    /// The error as a user sees it.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.code.clone(), self.to_string());
        if let Some(member) = self.members.first() {
            diagnostic = diagnostic.at(&FileName::from(member.as_str()), 0..0);
        }
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.members[..] {
            [] => f.write_str(&self.message),
            [one] => write!(f, "{one}: {}", self.message),
            [first, rest @ ..] => write!(f, "{first} and {}: {}", rest.join(", "), self.message),
        }
    }
}

impl std::error::Error for LinkError {}
