//! The messages: requests in, responses out.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::render::DiagnosticLine;

/// What a client can ask.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Announces changes of the outside world.
    Change(ChangeRequest),
    /// Asks for one artifact.
    Artifact(ArtifactRequest),
    /// Cancels the request with the same id. Has no response of its own; the cancelled request's says so.
    Cancel {},
    /// Asks who Loom and its engine are.
    Versions {},
}

/// Changes, applied together.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeRequest {
    /// Changed files.
    #[serde(default)]
    pub files: Vec<FileChange>,
    /// Environment variables: a value, or null to unset.
    #[serde(default)]
    pub environment: BTreeMap<String, Option<String>>,
    /// The clock, in seconds since the epoch.
    #[serde(default)]
    pub clock: Option<u64>,
    /// Looks at every known path again.
    #[serde(default)]
    pub reread_all: bool,
}

/// The change of one file: its session text, its absence, or another look at the disk.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// The path; a relative one is seen from the session's working directory.
    pub path: Utf8PathBuf,
    /// The text in the session, or null: absent in the session. Missing with `reread`.
    #[serde(default, deserialize_with = "present")]
    pub text: Option<Option<String>>,
    /// What is on disk counts (again).
    #[serde(default)]
    pub reread: bool,
}

/// Tells a null from a missing member.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A request for an artifact: of a module by `path`, or of a compilation by `argv`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRequest {
    /// Which artifact.
    pub kind: ArtifactKind,
    /// The module's file.
    #[serde(default)]
    pub path: Option<Utf8PathBuf>,
    /// The compilation's arguments, program name first.
    #[serde(default)]
    pub argv: Option<Vec<String>>,
    /// The compilation's working directory; the session's if missing.
    #[serde(default)]
    pub cwd: Option<Utf8PathBuf>,
    /// Whether the compilation's object carries a payload.
    #[serde(default = "yes")]
    pub payload: bool,
    /// Leaves the bytes out of the response: digest and length are enough.
    #[serde(default)]
    pub digest_only: bool,
}

fn yes() -> bool {
    true
}

/// The artifacts. Those before `ModuleText` belong to a compilation, those from it on to a module;
/// `Diagnostics` to either.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// The object file.
    Object,
    /// The payload root.
    Payload,
    /// The normalized module.
    NormalizedBitcode,
    /// The ABI compatibility key.
    AbiKey,
    /// The digest of the frontend view.
    FrontendView,
    /// What there is to say; no value.
    Diagnostics,
    /// The module's canonical text.
    ModuleText,
    /// The module's bytecode.
    ModuleBytecode,
}

/// What a client gets back, one line each.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Response {
    /// The request's id; null if the line had none that could be read.
    pub id: Value,
    /// How it went.
    pub status: Status,
    /// The artifact, the number of changed inputs, the versions; null if there is none.
    pub value: Value,
    /// All findings.
    pub diagnostics: Vec<DiagnosticLine>,
    /// The queries that ran for this request, by name, in order.
    pub executed: Vec<String>,
}

/// How a request went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// There is a value.
    Ok,
    /// The input has errors: there is no value, for the reasons in `diagnostics`.
    Failed,
    /// The client cancelled the request.
    Cancelled,
    /// The request itself is wrong, the engine broke, or Loom has a bug; the session goes on.
    Error,
}
