//! Where two payloads differ.

use serde::Serialize;

use super::select::{Selection, select};
use super::{Form, Report, Writer, printable};
use crate::carrier::Carriers;
use crate::payload::{Field, Root, decode_root};

/// Compares the selected payloads field by field, in the order of the root. Nothing is written for equal
/// payloads; a report with differences is no success.
pub fn diff(left: (&Carriers<'_>, &Selection), right: (&Carriers<'_>, &Selection), form: Form) -> Report {
    let mut report = Writer::new(form);
    let sides = [left, right].map(|(carriers, selection)| {
        let (object, bytes) = select(carriers, selection)?;
        decode_root(bytes)
            .map(|root| (object, root))
            .map_err(|error| Box::new(error.diagnostic(object)))
    });
    match sides {
        [Ok((left_object, left)), Ok((right_object, right))] => {
            for difference in differences(&left, &right) {
                let Difference { field, left, right } = &difference;
                report.entry(
                    format_args!("{field}\n  {left_object}: {left}\n  {right_object}: {right}"),
                    &difference,
                );
            }
        }
        sides => report
            .diagnostics
            .extend(sides.into_iter().filter_map(Result::err).map(|error| *error)),
    }
    let report = report.finish();
    Report {
        success: report.success && report.output.is_empty(),
        ..report
    }
}

#[derive(Serialize)]
struct Difference {
    field: &'static str,
    left: String,
    right: String,
}

fn differences(left: &Root<'_>, right: &Root<'_>) -> Vec<Difference> {
    let text = |field: Field, left: &[u8], right: &[u8]| (field, printable(left), printable(right));
    let fields = [
        text(Field::Repository, left.repository, right.repository),
        text(Field::Commit, left.commit, right.commit),
        text(Field::TargetTriple, left.triple, right.triple),
        text(Field::DataLayout, left.data_layout, right.data_layout),
        (Field::AbiKey, left.abi_key.to_string(), right.abi_key.to_string()),
        text(Field::ViewDescriptor, left.view_descriptor, right.view_descriptor),
        text(Field::ViewBytes, left.view, right.view),
        (
            Field::ViewDigest,
            left.view_digest.to_string(),
            right.view_digest.to_string(),
        ),
        (
            Field::BitcodeDigest,
            left.bitcode_digest.to_string(),
            right.bitcode_digest.to_string(),
        ),
    ];
    let mut differences: Vec<_> = fields
        .into_iter()
        .filter(|(_, left, right)| left != right)
        .map(|(field, left, right)| Difference {
            field: field.name(),
            left,
            right,
        })
        .collect();
    if left.bitcode != right.bitcode {
        let same = left
            .bitcode
            .iter()
            .zip(right.bitcode)
            .take_while(|(left, right)| left == right)
            .count();
        let describe = |bitcode: &[u8]| format!("{} bytes, different from byte {same} on", bitcode.len());
        differences.push(Difference {
            field: Field::Bitcode.name(),
            left: describe(left.bitcode),
            right: describe(right.bitcode),
        });
    }
    differences
}
