//! What `loom payload show`, `verify`, `identity`, `extract` and `diff` answer, as pure functions over the
//! carriers found in a file.
//!
//! The JSON form is one object per line, with its keys in a fixed order. Payloads are numbered from zero over
//! the whole file, in the order in which `show` lists them; records are numbered apart from them.

mod diff;
mod select;
mod show;
mod verify;

use std::fmt::{self, Write as _};

use loom_base::Diagnostic;
use serde::Serialize;

use crate::carrier::{Carrier, CarrierError, Carriers, Content, Frame};
use crate::payload::PayloadError;

pub use diff::diff;
pub use select::{Part, Selection, extract};
pub use show::{identity, show};
pub use verify::verify;

/// How an answer is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people.
    Text,
    /// JSON lines.
    Json,
}

/// The answer of one command about one file, or two files to compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What belongs on standard output, lines with their ends.
    pub output: String,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the command succeeded: nothing is wrong and, for a comparison, nothing differs.
    pub success: bool,
}

/// A report that is being written.
struct Writer {
    form: Form,
    output: String,
    diagnostics: Vec<Diagnostic>,
}

impl Writer {
    fn new(form: Form) -> Self {
        Self {
            form,
            output: String::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Adds one entry: `text` without the end of its last line, or `json`.
    fn entry(&mut self, text: impl fmt::Display, json: &impl Serialize) {
        match self.form {
            Form::Text => writeln!(self.output, "{text}").expect("strings take everything"),
            Form::Json => {
                self.output += &serde_json::to_string(json).expect("keys are strings");
                self.output.push('\n');
            }
        }
    }

    fn error(&mut self, object: &str, error: &PayloadError) {
        self.diagnostics.push(error.diagnostic(object));
    }

    fn finish(self) -> Report {
        let success = !self.diagnostics.iter().any(Diagnostic::is_error);
        Report {
            output: self.output,
            diagnostics: self.diagnostics,
            success,
        }
    }
}

/// What every JSON entry about a file begins with.
#[derive(Serialize)]
struct Head<'a> {
    object: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<String>,
}

impl<'a> Head<'a> {
    fn of(object: &'a str, frame: &NumberedFrame<'_>) -> Self {
        Self {
            object,
            kind: frame.kind(),
            index: Some(frame.index),
            identity: Some(frame.frame.identity().to_string()),
        }
    }

    /// The entry for an object without a frame.
    fn none(object: &'a str) -> Self {
        Self {
            object,
            kind: "none",
            index: None,
            identity: None,
        }
    }
}

/// A frame with its number in the file.
struct NumberedFrame<'a> {
    index: usize,
    frame: &'a Frame<'a>,
}

impl NumberedFrame<'_> {
    fn kind(&self) -> &'static str {
        match self.frame {
            Frame::Payload { .. } => "payload",
            Frame::Record { .. } => "record",
        }
    }
}

/// Every object of a file with its numbered frames; what could not be read stays an error.
fn numbered<'a>(
    carriers: &'a Carriers<'a>,
) -> impl Iterator<Item = Result<(&'a Carrier<'a>, Vec<NumberedFrame<'a>>), CarrierError>> {
    let (mut payloads, mut records) = (0, 0);
    carriers.objects.iter().map(move |object| {
        let carrier = object.as_ref().map_err(CarrierError::clone)?;
        if let Content::Bitcode(_) = carrier.content {
            return Err(CarrierError::new(&carrier.name, PayloadError::NeedsEngine));
        }
        let number = |frame: &'a Frame<'a>| {
            let next = if frame.root().is_some() {
                &mut payloads
            } else {
                &mut records
            };
            *next += 1;
            NumberedFrame {
                index: *next - 1,
                frame,
            }
        };
        Ok((carrier, carrier.frames.iter().map(number).collect()))
    })
}

/// Bytes that should be text, as they are shown: control characters and broken UTF-8 are escaped.
fn printable(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(char::is_control) => text.to_owned(),
        _ => bytes.escape_ascii().to_string(),
    }
}

#[cfg(test)]
mod tests;
