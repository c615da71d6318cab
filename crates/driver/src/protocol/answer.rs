//! From a request for an artifact to its response.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use camino::Utf8Path;
use loom_base::{Blob, Diagnostic, FileName, Outcome, SourceText};
use serde_json::{Value, json};

use super::message::{ArtifactKind, ArtifactRequest, Response, Status};
use crate::render::{DiagnosticLine, Sources, rename_files};
use crate::{Interruption, Snapshot, Unit};

/// Answers `request`. Leaves `executed` to the caller, who knows about all attempts.
pub(super) fn answer(
    snapshot: &Snapshot,
    cwd: &Path,
    id: &Value,
    request: &ArtifactRequest,
) -> Result<Response, Interruption> {
    match (&request.argv, &request.path) {
        (Some(argv), None) => {
            let directory = request
                .cwd
                .as_ref()
                .map_or_else(|| cwd.to_owned(), |dir| cwd.join(dir));
            let unit = Unit {
                argv: argv.iter().map(|argument| argument.as_bytes().to_vec()).collect(),
                cwd: directory.as_os_str().as_bytes().to_vec(),
                payload: request.payload,
            };
            answer_unit(snapshot, id, request, &unit)
        }
        (None, Some(path)) => answer_module(snapshot, cwd, id, request, path),
        (None, None) if request.kind == ArtifactKind::FrontendView => Ok(success(
            id,
            json!({ "digest": snapshot.frontend_view()?.to_string() }),
        )),
        _ => Ok(wrong_request(id, "an artifact needs either `argv` or `path`")),
    }
}

fn answer_unit(
    snapshot: &Snapshot,
    id: &Value,
    request: &ArtifactRequest,
    unit: &Unit,
) -> Result<Response, Interruption> {
    let bytes = |blob: Option<Blob>| blob.map(|blob| bytes(&blob, request.digest_only));
    let value = match request.kind {
        ArtifactKind::Object => bytes(snapshot.object(unit)?),
        ArtifactKind::Payload => bytes(snapshot.payload(unit)?),
        ArtifactKind::NormalizedBitcode => snapshot.normalized_bitcode(unit)?.map(|module| {
            let mut value = bytes(Some(module.bitcode)).unwrap_or_default();
            value["triple"] = module.triple.into();
            value["data_layout"] = module.data_layout.into();
            value
        }),
        ArtifactKind::AbiKey => snapshot
            .abi_key(unit)?
            .map(|key| json!({ "digest": key.to_string() })),
        ArtifactKind::FrontendView => Some(json!({ "digest": snapshot.frontend_view()?.to_string() })),
        ArtifactKind::Diagnostics => None,
        ArtifactKind::ModuleText | ArtifactKind::ModuleBytecode => {
            return Ok(wrong_request(
                id,
                "this artifact belongs to a module: ask with `path`",
            ));
        }
    };
    // Artifacts do not depend on messages, so these come from a query of their own.
    let diagnostics = snapshot.unit_diagnostics(unit)?;
    let is_asked_for_diagnostics = request.kind == ArtifactKind::Diagnostics;
    let succeeded = diagnostics.exit_status == 0 && (value.is_some() || is_asked_for_diagnostics);
    Ok(Response {
        status: if succeeded { Status::Ok } else { Status::Failed },
        value: value.unwrap_or_default(),
        diagnostics: diagnostics
            .messages
            .iter()
            .map(DiagnosticLine::of_compiler)
            .collect(),
        ..success(id, Value::Null)
    })
}

fn answer_module(
    snapshot: &Snapshot,
    cwd: &Path,
    id: &Value,
    request: &ArtifactRequest,
    path: &Utf8Path,
) -> Result<Response, Interruption> {
    let absolute = cwd.join(path);
    let absolute = absolute.as_os_str().as_bytes();
    let outcome = match request.kind {
        ArtifactKind::ModuleText => snapshot
            .module_text(absolute)?
            .map(|text| json!({ "text": &*text })),
        ArtifactKind::ModuleBytecode => snapshot
            .module_bytecode(absolute)?
            .map(|blob| bytes(&blob, request.digest_only)),
        ArtifactKind::Diagnostics => {
            let diagnostics = snapshot.module_diagnostics(absolute)?;
            let failed = diagnostics.iter().any(Diagnostic::is_error);
            Outcome {
                value: (!failed).then_some(Value::Null),
                diagnostics,
            }
        }
        _ => {
            return Ok(wrong_request(
                id,
                "this artifact belongs to a compilation: ask with `argv`",
            ));
        }
    };
    // The session spells files as its client did.
    let named = |name: &FileName| name.as_str().as_bytes() == absolute;
    let sources: &Sources<'_> = &|name| {
        let file = snapshot
            .file(cwd.join(name.as_str()).as_os_str().as_bytes())
            .ok()?;
        let text = String::from_utf8(file.content?.bytes().to_vec()).ok()?;
        Some(SourceText::new(name.clone(), text))
    };
    let diagnostics = outcome.diagnostics.iter().map(|diagnostic| {
        let mut diagnostic = diagnostic.clone();
        rename_files(&mut diagnostic, |name| named(name).then(|| path.as_str().into()));
        DiagnosticLine::new(&diagnostic, sources)
    });
    Ok(Response {
        status: if outcome.value.is_some() {
            Status::Ok
        } else {
            Status::Failed
        },
        value: outcome.value.unwrap_or_default(),
        diagnostics: diagnostics.collect(),
        ..success(id, Value::Null)
    })
}

/// A response with `value` and nothing to say.
pub(super) fn success(id: &Value, value: Value) -> Response {
    Response {
        id: id.clone(),
        status: Status::Ok,
        value,
        diagnostics: Vec::new(),
        executed: Vec::new(),
    }
}

/// The response to a request that cannot be answered as it is (`PROTOCOL/001`).
pub(super) fn wrong_request(id: &Value, message: &str) -> Response {
    let diagnostic = Diagnostic::error("PROTOCOL/001", message).help("see the session schema");
    failure(id, Status::Error, &diagnostic)
}

/// The response to a request that was interrupted.
pub(super) fn interrupted(id: &Value, interruption: &Interruption) -> Response {
    let status = match interruption {
        Interruption::Cancelled => Status::Cancelled,
        _ => Status::Error,
    };
    failure(id, status, &interruption.diagnostic())
}

fn failure(id: &Value, status: Status, diagnostic: &Diagnostic) -> Response {
    let diagnostics = vec![DiagnosticLine::new(diagnostic, &|_| None)];
    Response {
        status,
        diagnostics,
        ..success(id, Value::Null)
    }
}

fn bytes(blob: &Blob, digest_only: bool) -> Value {
    let mut value = json!({ "digest": blob.digest().to_string(), "length": blob.bytes().len() });
    if !digest_only {
        value["base64"] = STANDARD.encode(blob.bytes()).into();
    }
    value
}
