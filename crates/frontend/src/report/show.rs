//! What a file holds, without judging it: fields as stored, and identities.

use std::fmt;

use serde::Serialize;

use super::{Form, Head, NumberedFrame, Report, Writer, numbered, printable};
use crate::carrier::{CarrierError, Carriers};
use crate::payload::{PayloadError, Root, decode_root};

/// All fields of every payload, and every record. Payloads that another Loom would refuse are shown too, as
/// long as their framing can be followed.
pub fn show(carriers: &Carriers<'_>, form: Form) -> Report {
    let mut report = Writer::new(form);
    for object in numbered(carriers) {
        let (carrier, frames) = match object {
            Ok(object) => object,
            Err(CarrierError { name, error }) => {
                report.error(&name, &error);
                continue;
            }
        };
        if frames.is_empty() {
            report.entry(
                format_args!("{}: no payload", carrier.name),
                &Head::none(&carrier.name),
            );
        }
        for frame in frames {
            show_frame(&mut report, &carrier.name, &frame);
        }
    }
    report.finish()
}

/// The identity of every payload, or where there are records only, of every record.
pub fn identity(carriers: &Carriers<'_>, form: Form) -> Report {
    let mut report = Writer::new(form);
    let mut empty = true;
    for object in numbered(carriers) {
        empty = false;
        match object {
            Ok((carrier, mut frames)) => {
                if frames.iter().any(|frame| frame.frame.root().is_some()) {
                    frames.retain(|frame| frame.frame.root().is_some());
                }
                for frame in frames {
                    identify_frame(&mut report, &carrier.name, &frame);
                }
            }
            Err(CarrierError { name, error }) => report.error(&name, &error),
        }
    }
    if report.diagnostics.is_empty() && (empty || report.output.is_empty()) {
        report.error(&carriers.name, &PayloadError::CarrierAbsent);
    }
    report.finish()
}

fn identify_frame(report: &mut Writer, object: &str, frame: &NumberedFrame<'_>) {
    let framing = frame
        .frame
        .root()
        .map_or(Ok(()), |root| decode_root(root).map(drop));
    match framing.and_then(|()| frame.frame.check_identity()) {
        Ok(()) => report.entry(
            format_args!("{}  {object}", frame.frame.identity()),
            &Head::of(object, frame),
        ),
        Err(error) => report.error(object, &error),
    }
}

fn show_frame(report: &mut Writer, object: &str, frame: &NumberedFrame<'_>) {
    let head = Head::of(object, frame);
    let Some(bytes) = frame.frame.root() else {
        let identity = frame.frame.identity();
        report.entry(
            format_args!("{object}: record {}\n  identity        {identity}", frame.index),
            &head,
        );
        return;
    };
    match decode_root(bytes) {
        Ok(root) => report.entry(
            ShownRoot {
                object,
                frame,
                root: &root,
            },
            &JsonRoot::new(head, &root),
        ),
        Err(error) => report.error(object, &error),
    }
    if let Err(error) = frame.frame.check_identity() {
        report.error(object, &error);
    }
}

struct ShownRoot<'a> {
    object: &'a str,
    frame: &'a NumberedFrame<'a>,
    root: &'a Root<'a>,
}

impl fmt::Display for ShownRoot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { object, frame, root } = self;
        write!(
            f,
            "{object}: payload {}
  identity        {}
  provider        {} {}
  target triple   {}
  data layout     {}
  ABI key         {}
  view            {}, {} bytes
  view digest     {}
  bitcode         {} bytes
  bitcode digest  {}",
            frame.index,
            frame.frame.identity(),
            printable(root.repository),
            printable(root.commit),
            printable(root.triple),
            printable(root.data_layout),
            root.abi_key,
            printable(root.view_descriptor),
            root.view.len(),
            root.view_digest,
            root.bitcode.len(),
            root.bitcode_digest,
        )
    }
}

/// Keys are the specification's field names.
#[derive(Serialize)]
struct JsonRoot<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    llvm_provider: JsonProvider,
    target_triple: String,
    data_layout: String,
    abi_compatibility_key: String,
    frontend_config_view: JsonView,
    normalized_llvm_bitcode: JsonBitcode,
}

#[derive(Serialize)]
struct JsonProvider {
    repository_identity: String,
    full_commit_identity: String,
}

#[derive(Serialize)]
struct JsonView {
    component_view_schema_descriptor: String,
    canonical_view_size: usize,
    component_view_digest: String,
}

#[derive(Serialize)]
struct JsonBitcode {
    sha256_digest: String,
    size: usize,
}

impl<'a> JsonRoot<'a> {
    fn new(head: Head<'a>, root: &Root<'_>) -> Self {
        Self {
            head,
            llvm_provider: JsonProvider {
                repository_identity: printable(root.repository),
                full_commit_identity: printable(root.commit),
            },
            target_triple: printable(root.triple),
            data_layout: printable(root.data_layout),
            abi_compatibility_key: root.abi_key.to_string(),
            frontend_config_view: JsonView {
                component_view_schema_descriptor: printable(root.view_descriptor),
                canonical_view_size: root.view.len(),
                component_view_digest: root.view_digest.to_string(),
            },
            normalized_llvm_bitcode: JsonBitcode {
                sha256_digest: root.bitcode_digest.to_string(),
                size: root.bitcode.len(),
            },
        }
    }
}
