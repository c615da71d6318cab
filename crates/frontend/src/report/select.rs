//! Picking the one payload that a command is about.

use loom_base::Diagnostic;

use super::{NumberedFrame, numbered};
use crate::carrier::{Carrier, Carriers};
use crate::payload::{PayloadError, decode_root};

/// Which payload of a file is meant. Without any restriction the file has to hold exactly one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    /// Only payloads of archive members with this name.
    pub member: Option<String>,
    /// Only the payload with this number in the file.
    pub index: Option<usize>,
}

/// What is taken out of a payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The canonical root.
    Root,
    /// The normalized bitcode.
    Bitcode,
}

/// The bytes of the selected payload.
///
/// Fails with `payload_carrier_absent` or `payload_carrier_ambiguous` if there is none or more than one,
/// `payload_carrier_records_only` in a linked file, and with the code of whatever keeps an object in question
/// from being read, so that no damaged object is silently passed over.
pub fn extract<'a>(
    carriers: &'a Carriers<'a>,
    selection: &Selection,
    part: Part,
) -> Result<&'a [u8], Box<Diagnostic>> {
    let (object, bytes) = select(carriers, selection)?;
    match part {
        Part::Root => Ok(bytes),
        Part::Bitcode => match decode_root(bytes) {
            Ok(root) => Ok(root.bitcode),
            Err(error) => Err(error.diagnostic(object).into()),
        },
    }
}

/// The object with the selected payload and the payload's root, whose framing and identity are sound.
pub(super) fn select<'a>(
    carriers: &'a Carriers<'a>,
    selection: &Selection,
) -> Result<(&'a str, &'a [u8]), Box<Diagnostic>> {
    let whole_name = selection
        .member
        .as_ref()
        .map(|member| format!("{}({member})", carriers.name));
    // An archive that breaks off may have had more members of any name.
    let in_question =
        |name: &str| name == carriers.name || whole_name.as_ref().is_none_or(|whole| whole == name);
    let mut seen = Seen::default();
    let mut candidates = Vec::new();
    for object in numbered(carriers) {
        let (carrier, frames): (&Carrier<'a>, Vec<NumberedFrame<'a>>) = match object {
            Ok(object) => object,
            // An object that cannot be read has an unknown number of payloads: later numbers are unknown.
            Err(error) if in_question(&error.name) || selection.index.is_some() => {
                return Err(error.diagnostic().into());
            }
            Err(_) => continue,
        };
        if !in_question(&carrier.name) {
            continue;
        }
        seen.objects += 1;
        for frame in frames {
            let Some(root) = frame.frame.root() else {
                seen.records += 1;
                continue;
            };
            seen.payloads += 1;
            if selection.index.is_none_or(|index| index == frame.index) {
                candidates.push((&*carrier.name, frame, root));
            }
        }
    }
    match &candidates[..] {
        [(object, frame, root)] => {
            let sound = decode_root(root).and_then(|_| frame.frame.check_identity());
            sound
                .map(|()| (*object, *root))
                .map_err(|error| error.diagnostic(object).into())
        }
        [] => Err(explain_absence(&carriers.name, selection, &seen).into()),
        several => {
            let error = PayloadError::CarrierAmbiguous {
                payloads: several.len(),
            };
            let mut diagnostic = error.diagnostic(whole_name.as_deref().unwrap_or(&carriers.name));
            for (object, frame, _) in several.iter().take(10) {
                diagnostic = diagnostic.note(format!("payload {} is in {object}", frame.index));
            }
            if several.len() > 10 {
                diagnostic = diagnostic.note(format!("and {} more", several.len() - 10));
            }
            Err(diagnostic.into())
        }
    }
}

/// What the objects in question hold.
#[derive(Default)]
struct Seen {
    objects: usize,
    payloads: usize,
    records: usize,
}

fn explain_absence(file: &str, selection: &Selection, seen: &Seen) -> Diagnostic {
    let absent = PayloadError::CarrierAbsent.diagnostic(file);
    match (selection, seen) {
        (
            Selection {
                member: Some(member), ..
            },
            Seen { objects: 0, .. },
        ) => {
            let absent = Diagnostic {
                message: format!("{file}: has no member `{member}`"),
                ..absent
            };
            absent.help("`ar t` lists the members of an archive")
        }
        (
            Selection {
                index: Some(index), ..
            },
            Seen { payloads: 1.., .. },
        ) => {
            let absent = Diagnostic {
                message: format!("{file}: holds no payload with index {index}"),
                ..absent
            };
            absent.help("`loom payload show` lists the payloads with their indices, from 0")
        }
        (
            _,
            &Seen {
                records: records @ 1..,
                ..
            },
        ) => PayloadError::RecordsOnly { records }.diagnostic(file),
        _ => absent,
    }
}
