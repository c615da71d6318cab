//! Raising a linked module to S0: what is asked, what comes back, and how the outcome is shown.
//!
//! S0 is the linked module in MLIR: its functions as `llvm.func`, their control flow in `scf`, scalars in `arith`.
//! The linked module stays the owner of everything that MLIR cannot hold (source integration, sections 4 and 6).

mod html;
mod json;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use loom_base::{Blob, Diagnostic, Digest};
use serde::{Deserialize, Serialize};

use crate::engine::ModuleError;
use crate::hint::{Hint, HintPlace, decode_hint};

pub use html::render_html;
pub use json::{render_hints, render_json};

/// What to make of one linked module.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RaiseRequest {
    /// The module, bitcode or textual IR.
    pub module: Blob,
    /// How.
    pub options: RaiseOptions,
}

/// How a module is raised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct RaiseOptions {
    /// What comes out.
    pub form: RaisedForm,
    /// Leave out source locations.
    pub drop_locations: bool,
    /// Keep one unit attribute on each recovered candidate: the stage before S0.
    pub keep_hints: bool,
    /// Fail where a candidate of the source is not found again.
    pub require_hints: bool,
    /// Let MLIR use several threads. The result does not depend on it.
    pub threads: bool,
}

/// What comes out of raising.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum RaisedForm {
    /// S0 as MLIR text.
    #[default]
    Text,
    /// S0 as MLIR bytecode.
    Bytecode,
    /// The linked module as bitcode, with each raised body lowered from S0 again.
    Lowered,
}

/// What came of a [`RaiseRequest`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RaiseReply {
    /// The result, or why there is none.
    pub result: Result<Blob, ModuleError>,
    /// What happened to each function, loop and hint, as far as it got.
    pub report: RaiseReport,
}

/// The outcome in detail.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RaiseReport {
    /// The linked module that S0 comes from and that owns what S0 does not say.
    #[serde(default)]
    pub module: Option<Digest>,
    /// Every function with a body, by name.
    pub functions: Vec<RaisedFunction>,
    /// Globals that are in S0 without their initializers, and why.
    pub globals: BTreeMap<String, String>,
    /// What MLIR does not represent, by kind.
    pub losses: BTreeMap<String, u64>,
    /// Every candidate of the source.
    pub hints: Vec<RaisedHint>,
}

/// What became of one function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RaisedFunction {
    /// Its symbol.
    pub name: String,
    /// `lifted`, `straight` (one block), `unstructured` (kept as a graph) or `isolated` (in S0 as a declaration).
    pub state: String,
    /// Why it is not lifted; empty if it is.
    pub reason: String,
    /// Loops that count.
    #[serde(rename = "for")]
    pub for_loops: u64,
    /// Other loops.
    #[serde(rename = "while")]
    pub while_loops: u64,
    /// Conditionals.
    #[serde(rename = "if")]
    pub conditionals: u64,
    /// Switches.
    #[serde(rename = "switch")]
    pub switches: u64,
    /// Operations that became `arith`.
    pub scalars: u64,
}

/// What became of one candidate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RaisedHint {
    /// The hint's string, in hexadecimal.
    pub payload: String,
    /// The function that carries it.
    pub function: String,
    /// Whether a loop is meant, or the whole function.
    #[serde(rename = "loop")]
    pub is_loop: bool,
    /// `found`, or what is wrong; `retained` names a definition that is there for a hint only.
    pub state: String,
    /// The stable category where it is not found; empty otherwise.
    pub category: String,
    /// Whether the encoding itself is violated.
    pub fatal: bool,
    /// What happened.
    pub message: String,
}

impl RaisedHint {
    /// Where the source has it, if the hint can be read.
    pub fn place(&self) -> Option<HintPlace> {
        match decode_hint(&unhex(&self.payload)?).ok()? {
            Hint::Function(place) | Hint::Loop { place, .. } => Some(place),
        }
    }

    /// What there is to say about it: nothing if it was found. An error only if the encoding is violated.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        if self.category.is_empty() {
            return None;
        }
        let what = if self.is_loop {
            "a candidate loop"
        } else {
            "a candidate"
        };
        let place = self.place().map_or_else(String::new, |place| {
            format!(" at {}:{}", String::from_utf8_lossy(&place.file), place.pragma)
        });
        let message = format!("{what} of '{}'{place}: {}", self.function, self.message);
        Some(match self.fatal {
            true => Diagnostic::error(self.category.clone(), message),
            false => Diagnostic::warning(self.category.clone(), message)
                .help("a lower optimization level keeps more loops; --require-hints makes this an error"),
        })
    }
}

impl RaiseReport {
    /// One diagnostic for each candidate that was not found.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.hints.iter().filter_map(RaisedHint::diagnostic).collect()
    }

    /// How many functions are in `state`.
    pub fn count(&self, state: &str) -> usize {
        self.functions.iter().filter(|it| it.state == state).count()
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}
