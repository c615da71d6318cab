//! What is asked of the engine and what it answers, as plain values.
//!
//! The same types serve the in-process one-shot host, the worker protocol, the query layer and the fake
//! engine of the tests.

use std::fmt;

use loom_base::{Blob, Digest};
use serde::{Deserialize, Serialize};

/// Raw bytes of a path, an argument or an environment variable: never assumed to be UTF-8.
pub type OsBytes = Vec<u8>;

/// One command line for the clang provider, with all it may depend on besides files.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CompileRequest {
    /// The arguments, program name first, Loom's own flags already removed.
    pub argv: Vec<OsBytes>,
    /// Absolute working directory.
    pub cwd: OsBytes,
    /// The whole environment; the reply says which variables were looked at.
    pub env: Vec<(OsBytes, OsBytes)>,
    /// Seconds since the epoch for `__DATE__` and its kin when `SOURCE_DATE_EPOCH` is unset (decision 11).
    pub clock: u64,
    /// Whether the object carries a payload.
    pub payload: bool,
    /// Files that the last run of this unit looked at, in their present state. Only an accelerator: a path
    /// that is missing here is asked for.
    pub files: Vec<(OsBytes, FileState)>,
}

/// What a path is at the moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FileState {
    /// Nothing there, or not accessible.
    Absent,
    /// A regular file. `identity` is equal for two paths exactly when they name one file
    /// (symbolic links, `..`): `#pragma once` and include guards need it.
    File {
        /// SHA-256 of the content.
        content: Digest,
        /// Length in bytes.
        length: u64,
        /// Canonical path.
        identity: OsBytes,
    },
    /// A directory, with its canonical path.
    Directory {
        /// Canonical path.
        identity: OsBytes,
    },
}

/// One thing a compilation looked at. The order of a log is the order of first use.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Access {
    /// The state, and for a regular file the content, of a path; also when it was absent.
    File(OsBytes),
    /// The names in a directory.
    Directory(OsBytes),
    /// An environment variable, also when it was unset.
    Variable(OsBytes),
    /// The clock.
    Clock,
}

/// Where an engine gets its inputs from. Every look-up of a state or a directory becomes one dependency of the
/// caller's query.
pub trait InputSource {
    /// The state of `path` (absolute).
    fn file(&mut self, path: &[u8]) -> FileState;
    /// The content of the regular file `path`, or `None` if it is no regular file any more. No dependency in
    /// itself: what it is was fixed by the digest in the file's state.
    fn content(&mut self, path: &[u8]) -> Option<Blob>;
    /// The names in directory `path`, sorted, with their states' kind (`true` = directory).
    fn directory(&mut self, path: &[u8]) -> Option<Vec<(OsBytes, bool)>>;
    /// Records that the compilation read `access` without asking (answered from the request).
    fn used(&mut self, access: &Access);
    /// Called at least every few milliseconds while the engine works; may unwind to cancel.
    fn poll(&mut self);
}

/// A compiler message in structured form. Positions are clang's presumed ones, from 1; 0 means none.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CompilerMessage {
    /// `error`, `warning`, `note`, `remark` or `fatal error`.
    pub level: String,
    /// The text without prefix.
    pub message: String,
    /// Presumed file name, empty if none.
    pub file: String,
    /// Presumed line.
    pub line: u32,
    /// Presumed column in bytes.
    pub column: u32,
    /// Warning flag such as `-Wunused-variable`, empty if none.
    pub option: String,
}

/// A normalized module: the bytes of source integration section 7, "LLVM Module Normalization", with the
/// two facts that are projected from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct NormalizedModule {
    /// The canonical target triple.
    pub triple: String,
    /// The exact data layout spelling the module owns.
    pub data_layout: String,
    /// Normalized bitcode.
    pub bitcode: Blob,
}

/// Why the engine does not accept a module: a fact about the module's bytes, so a user's matter.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ModuleError {
    /// Stable code: `llvm_module_unparsable`, `target_triple_absent`, `data_layout_invalid` and their kin.
    pub code: String,
    /// One sentence without a final full stop.
    pub message: String,
}

impl ModuleError {
    /// The code of the one failure that is the engine's and says nothing about the module.
    pub const UNAVAILABLE: &str = "engine_unavailable";

    /// That nothing is known about a module, since the engine broke.
    pub fn unavailable(failure: &EngineFailure) -> Self {
        Self {
            code: Self::UNAVAILABLE.to_owned(),
            message: failure.to_string(),
        }
    }
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for ModuleError {}

/// Everything one clang run yields.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompileReply {
    /// clang's exit status.
    pub exit_status: i32,
    /// The object file, payload and record included.
    pub object: Option<Blob>,
    /// The module that the payload holds.
    pub module: Option<NormalizedModule>,
    /// Messages in structured form.
    pub messages: Vec<CompilerMessage>,
    /// The same messages as clang renders them, without colour.
    pub rendered: String,
    /// All that was consulted, in order of first use.
    pub accesses: Vec<Access>,
}

/// Identity of an engine build and of the LLVM in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct EngineVersions {
    /// `LLVM_VERSION_STRING`, for example `22.1.8`.
    pub llvm: String,
    /// clang's version string.
    pub clang: String,
    /// MLIR's version string; empty in an engine without MLIR.
    pub mlir: String,
    /// Repository of the pinned provider: `llvm-project`.
    pub repository: String,
    /// Full commit of the pinned provider.
    pub commit: String,
    /// Version of the distribution package LLVM came from; empty if unknown.
    pub package: String,
    /// GNU build-id of the engine executable, lowercase hex.
    pub build_id: String,
}

/// The engine itself failed: it crashed, was killed, or could not be started. Never a user's mistake.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct EngineFailure {
    /// What happened, outermost first: the cause chain.
    pub causes: Vec<String>,
}

impl fmt::Display for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.causes.join(": "))
    }
}

impl std::error::Error for EngineFailure {}
