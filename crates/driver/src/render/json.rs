//! Diagnostics as values for programs: the shapes of `schema/diagnostic.schema.json`.

use loom_base::{Diagnostic, FileName, Place, SourceText};
use loom_frontend::engine::CompilerMessage;
use serde::{Deserialize, Serialize};

use super::Sources;

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DiagnosticLine {
    /// `error`, `warning`, `note`; from clang also `remark` and `fatal error`.
    pub severity: String,
    /// Stable code; for clang's messages the flag that controls them, such as `-Wunused`, else `clang`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Where it is.
    pub place: Option<PlaceLine>,
    /// Places that explain the first.
    pub related: Vec<RelatedLine>,
    /// Background.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

/// A range of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlaceLine {
    /// The file as the user named it.
    pub file: String,
    /// First character; `null` if the text is not available.
    pub start: Option<PositionLine>,
    /// The character after the last; `null` if unknown.
    pub end: Option<PositionLine>,
}

/// A position in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PositionLine {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters; in clang's messages in bytes.
    pub column: u32,
    /// Offset in bytes, from 0; `null` in clang's messages.
    pub offset: Option<u32>,
}

/// A related place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RelatedLine {
    /// What it has to do with the finding.
    pub label: String,
    /// Where it is.
    pub place: PlaceLine,
}

impl DiagnosticLine {
    /// The line for one of Loom's own diagnostics.
    pub fn new(diagnostic: &Diagnostic, sources: &Sources<'_>) -> Self {
        let place = |place: &Place| PlaceLine::new(place, sources(&place.file));
        let related = diagnostic.related.iter();
        Self {
            severity: diagnostic.severity.to_string(),
            code: diagnostic.code.to_string(),
            message: diagnostic.message.clone(),
            place: diagnostic.place.as_ref().map(place),
            related: related
                .map(|related| RelatedLine {
                    label: related.label.clone(),
                    place: place(&related.place),
                })
                .collect(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
        }
    }

    /// The line for a message of clang.
    pub fn of_compiler(message: &CompilerMessage) -> Self {
        let start = PositionLine {
            line: message.line,
            column: message.column,
            offset: None,
        };
        Self {
            severity: message.level.clone(),
            code: if message.option.is_empty() {
                "clang".to_owned()
            } else {
                message.option.clone()
            },
            message: message.message.clone(),
            place: (!message.file.is_empty()).then(|| PlaceLine {
                file: message.file.clone(),
                start: (message.line != 0).then_some(start),
                end: None,
            }),
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }
}

impl PlaceLine {
    fn new(place: &Place, text: Option<SourceText>) -> Self {
        let position = |offset: u32| {
            let place = text.as_ref()?.line_column(offset);
            Some(PositionLine {
                line: place.line,
                column: place.column,
                offset: Some(offset),
            })
        };
        Self {
            file: FileName::as_str(&place.file).to_owned(),
            start: position(place.range.start),
            end: position(place.range.end),
        }
    }
}
