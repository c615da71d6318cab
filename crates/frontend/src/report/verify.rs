//! Whether every payload in a file is one that this Loom would use.

use serde::Serialize;

use super::{Form, Head, NumberedFrame, Report, Writer, numbered};
use crate::carrier::{Carrier, CarrierError, Carriers, Content};
use crate::engine::ModuleError;
use crate::payload::{ModuleAuthority, PayloadError};
use crate::provider::Provider;

/// Checks every payload completely, and the framing of every record. A file without payload and record fails
/// with `payload_carrier_absent`.
pub fn verify(
    carriers: &Carriers<'_>,
    form: Form,
    provider: &Provider,
    authority: &(impl ModuleAuthority + ?Sized),
) -> Report {
    let mut report = Writer::new(form);
    let mut found = false;
    for object in numbered(carriers) {
        let (carrier, frames) = match object {
            Ok(object) => object,
            Err(CarrierError { name, error }) => {
                report_unread(&mut report, &name, &error);
                found = true;
                continue;
            }
        };
        found |= !frames.is_empty();
        for frame in frames {
            let verdict = frame.frame.validate(provider, authority);
            report_verdict(&mut report, carrier, &frame, verdict);
        }
    }
    if !found {
        report.error(&carriers.name, &PayloadError::CarrierAbsent);
    }
    report.finish()
}

#[derive(Serialize)]
struct JsonVerdict<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

fn report_verdict(
    report: &mut Writer,
    carrier: &Carrier<'_>,
    frame: &NumberedFrame<'_>,
    verdict: Result<(), PayloadError>,
) {
    let object = carrier.name.as_str();
    let head = Head::of(object, frame);
    let (kind, index, identity) = (frame.kind(), frame.index, frame.frame.identity());
    match verdict {
        Ok(()) => {
            let json = JsonVerdict {
                head,
                valid: true,
                code: None,
                message: None,
            };
            let verdict = match (frame.frame.root(), &carrier.content) {
                (Some(_), _) => "is valid",
                (None, Content::Linked) => "is well-formed; a linked file does not hold the payload itself",
                (None, _) => "is well-formed",
            };
            report.entry(
                format_args!("{object}: {kind} {index} {identity} {verdict}"),
                &json,
            );
        }
        Err(error) => {
            let json = JsonVerdict {
                head,
                valid: false,
                code: Some(error.code()),
                message: Some(error.to_string()),
            };
            let verdict = match error.code() {
                ModuleError::UNAVAILABLE => "was not judged",
                _ => "is invalid",
            };
            report.entry(
                format_args!("{object}: {kind} {index} {identity} {verdict}: {}", error.code()),
                &json,
            );
            report.error(object, &error);
        }
    }
}

fn report_unread(report: &mut Writer, object: &str, error: &PayloadError) {
    let json = JsonVerdict {
        head: Head {
            object,
            kind: "unread",
            index: None,
            identity: None,
        },
        valid: false,
        code: Some(error.code()),
        message: Some(error.to_string()),
    };
    report.entry(format_args!("{object}: cannot be read: {}", error.code()), &json);
    report.error(object, error);
}
