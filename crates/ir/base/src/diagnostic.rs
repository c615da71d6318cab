//! Diagnostics: what a user did that Loom cannot accept, said once, as data.
//!
//! A diagnostic is part of a query's value, so it has value equality and owns everything it mentions.
//! How it looks (caret, colours, JSON) is decided by the driver alone.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A stable code such as `PARSE/003` or `payload_carrier_unreadable`; users and scripts match on it.
pub type Code = Cow<'static, str>;

/// The name under which the user gave a file, exactly as diagnostics should spell it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct FileName(Arc<str>);

impl FileName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<Arc<str>>> From<T> for FileName {
    fn from(name: T) -> Self {
        Self(name.into())
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How bad it is. Only `Error` makes a run fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input is not accepted.
    Error,
    /// Accepted, but probably not what was meant.
    Warning,
    /// Information that needs no action.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// A half-open range of bytes of one file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: FileName,
    /// Byte offsets into the file's text; an empty range points between two bytes.
    pub range: Range<u32>,
}

/// A second place that explains the first, such as the declaration a use disagrees with.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Related {
    /// What the place has to do with the diagnostic.
    pub label: String,
    /// Where it is.
    pub place: Place,
}

/// One finding about a user's input.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a final full stop.
    pub message: String,
    /// Where it is; absent only when no file is to blame (for example an unknown root name).
    pub place: Option<Place>,
    /// Further places.
    pub related: Vec<Related>,
    /// Background, one sentence each.
    pub notes: Vec<String>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error with `code` and `message` and nothing else yet.
    pub fn error(code: impl Into<Code>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning with `code` and `message` and nothing else yet.
    pub fn warning(code: impl Into<Code>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    fn new(severity: Severity, code: impl Into<Code>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            severity,
            message: message.into(),
            place: None,
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Sets the primary place.
    pub fn at(mut self, file: &FileName, range: Range<u32>) -> Self {
        self.place = Some(Place {
            file: file.clone(),
            range,
        });
        self
    }

    /// Adds a related place.
    pub fn related(mut self, label: impl Into<String>, file: &FileName, range: Range<u32>) -> Self {
        self.related.push(Related {
            label: label.into(),
            place: Place {
                file: file.clone(),
                range,
            },
        });
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the help text.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether this diagnostic makes the run fail.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
