//! From a request for an artifact to its response.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use camino::Utf8Path;
use loom_base::{Blob, Diagnostic, FileName, Outcome, SourceText};
use serde_json::{Value, json};

use super::message::{ArtifactKind, ArtifactRequest, LinkRequest, Response, Status};
use super::products::product;
use crate::link::ListingForm;
use crate::render::{DiagnosticLine, Sources, rename_files};
use crate::{Interruption, Snapshot, Unit};

/// Answers `request`. Leaves `executed` to the caller, who knows about all attempts.
pub(super) fn answer(
    snapshot: &Snapshot,
    cwd: &Path,
    id: &Value,
    request: &ArtifactRequest,
) -> Result<Response, Interruption> {
    match (&request.argv, &request.path, &request.link) {
        (Some(argv), None, None) => {
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
        (None, Some(path), None) => answer_module(snapshot, cwd, id, request, path),
        (None, None, Some(link)) => answer_link(snapshot, cwd, id, request, link),
        (None, None, None) if request.kind == ArtifactKind::FrontendView => Ok(success(
            id,
            json!({ "digest": snapshot.frontend_view()?.to_string() }),
        )),
        _ => Ok(wrong_request(
            id,
            "an artifact needs one of `argv`, `path` and `link`",
        )),
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
        other => return Ok(wrong_request(id, misplaced(other))),
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
        ArtifactKind::ModuleSymbols => snapshot
            .module_symbols(absolute)?
            .map(|symbols| json!({ "symbols": symbols })),
        ArtifactKind::SymbolText => {
            let Some(symbol) = &request.symbol else {
                return Ok(wrong_request(id, "the text of a symbol needs `symbol`"));
            };
            snapshot
                .symbol_text(absolute, symbol, request.comments)?
                .map(|text| json!({ "text": &*text }))
        }
        ArtifactKind::Diagnostics => {
            let diagnostics = snapshot.module_diagnostics(absolute)?;
            let failed = diagnostics.iter().any(Diagnostic::is_error);
            Outcome {
                value: (!failed).then_some(Value::Null),
                diagnostics,
            }
        }
        other => return Ok(wrong_request(id, misplaced(other))),
    };
    // The session spells files as its client did.
    let named = |name: &FileName| (name.as_str().as_bytes() == absolute).then(|| path.as_str().into());
    Ok(respond(snapshot, cwd, id, outcome, &named))
}

fn answer_link(
    snapshot: &Snapshot,
    cwd: &Path,
    id: &Value,
    request: &ArtifactRequest,
    asked: &LinkRequest,
) -> Result<Response, Interruption> {
    let (link, spec) = match (asked.link(cwd), asked.product()) {
        (Ok(link), Ok(spec)) => (link, spec),
        (Err(found), _) | (_, Err(found)) => {
            let outcome = Outcome::failure(found);
            return Ok(respond(snapshot, cwd, id, outcome, &|_| None));
        }
    };
    let text = |text: String| json!({ "text": text });
    let listing = |listing: String| match request.form {
        ListingForm::Json => {
            json!({ "json": serde_json::from_str::<Value>(&listing).expect("a JSON listing") })
        }
        ListingForm::Text | ListingForm::Dot => json!({ "text": listing }),
    };
    let outcome = match request.kind {
        ArtifactKind::LinkPlan => snapshot.link_plan(&link, request.form)?.map(listing),
        ArtifactKind::LinkSymbols => snapshot.link_symbols(&link, request.form)?.map(listing),
        ArtifactKind::LinkedText => snapshot.linked_text(&link)?.map(|text| json!({ "text": &*text })),
        ArtifactKind::LinkedBytecode => snapshot
            .linked_bytecode(&link)?
            .map(|blob| bytes(&blob, request.digest_only)),
        ArtifactKind::LinkConfigSchema => snapshot.link_config_schema(&link)?.map(text),
        ArtifactKind::CommandProduct => product(snapshot, request, &link.providers, &spec)?,
        ArtifactKind::CommandDot => snapshot.command_product_dot(&link.providers, &spec)?.map(text),
        ArtifactKind::ClassExplanation => snapshot.explain_classes(&link.providers, &spec)?.map(text),
        ArtifactKind::Diagnostics => snapshot.linked_text(&link)?.map(|_| Value::Null),
        other => return Ok(wrong_request(id, misplaced(other))),
    };
    Ok(respond(snapshot, cwd, id, outcome, &|_| None))
}

/// What to say when `kind` is asked of something that has no such artifact.
fn misplaced(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::Object
        | ArtifactKind::Payload
        | ArtifactKind::NormalizedBitcode
        | ArtifactKind::AbiKey
        | ArtifactKind::FrontendView
        | ArtifactKind::Diagnostics => "this artifact belongs to a compilation: ask with `argv`",
        ArtifactKind::ModuleText
        | ArtifactKind::ModuleBytecode
        | ArtifactKind::ModuleSymbols
        | ArtifactKind::SymbolText => "this artifact belongs to a module: ask with `path`",
        ArtifactKind::LinkPlan
        | ArtifactKind::LinkSymbols
        | ArtifactKind::LinkedText
        | ArtifactKind::LinkedBytecode
        | ArtifactKind::LinkConfigSchema
        | ArtifactKind::CommandProduct
        | ArtifactKind::CommandDot
        | ArtifactKind::ClassExplanation => "this artifact belongs to a link: ask with `link`",
    }
}

/// The response with the value and diagnostics of `outcome`, files called as `rename` wants.
fn respond(
    snapshot: &Snapshot,
    cwd: &Path,
    id: &Value,
    outcome: Outcome<Value>,
    rename: &dyn Fn(&FileName) -> Option<FileName>,
) -> Response {
    let sources: &Sources<'_> = &|name| {
        let file = snapshot
            .file(cwd.join(name.as_str()).as_os_str().as_bytes())
            .ok()?;
        let text = String::from_utf8(file.content?.bytes().to_vec()).ok()?;
        Some(SourceText::new(name.clone(), text))
    };
    let diagnostics = outcome.diagnostics.iter().map(|diagnostic| {
        let mut diagnostic = diagnostic.clone();
        rename_files(&mut diagnostic, rename);
        DiagnosticLine::new(&diagnostic, sources)
    });
    let status = match outcome.value {
        Some(_) => Status::Ok,
        None => Status::Failed,
    };
    Response {
        status,
        diagnostics: diagnostics.collect(),
        value: outcome.value.unwrap_or_default(),
        ..success(id, Value::Null)
    }
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

pub(super) fn bytes(blob: &Blob, digest_only: bool) -> Value {
    let mut value = json!({ "digest": blob.digest().to_string(), "length": blob.bytes().len() });
    if !digest_only {
        value["base64"] = STANDARD.encode(blob.bytes()).into();
    }
    value
}
