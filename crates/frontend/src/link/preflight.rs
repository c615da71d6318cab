//! Whether the selected payloads belong together, before LLVM sees any of them.

use std::collections::BTreeSet;

use crate::engine::ModuleError;
use crate::error::escape;
use crate::link::LinkError;
use crate::payload::{Field, PayloadError, Root};

/// Who can parse data layouts: the engine, and in tests a table.
pub trait LayoutAuthority {
    /// Whether two layouts are equal in structure (`DataLayout::operator==`), however they are spelled. Fails if
    /// LLVM refuses one of them.
    fn same_layout(&self, left: &str, right: &str) -> Result<bool, ModuleError>;
}

/// Compares every payload with the first: provider, commit, triple, ABI key, the whole frontend view, and the
/// structure of the data layout. The spellings of layouts may differ.
///
/// Fails with `selected_payload_incompatible` about the first payload that differs, naming the field and both values.
/// Passing proves no more than that LLVM may try.
pub fn preflight(
    payloads: &[(&str, Root<'_>)],
    layouts: &(impl LayoutAuthority + ?Sized),
) -> Result<(), LinkError> {
    let Some((first, rest)) = payloads.split_first() else {
        return Ok(());
    };
    let mut equal_layouts = BTreeSet::from([first.1.data_layout]);
    for payload in rest {
        compare_bytes(first, payload)?;
        if equal_layouts.insert(payload.1.data_layout) {
            compare_layouts(first, payload, layouts)?;
        }
    }
    Ok(())
}

type Payload<'a> = (&'a str, Root<'a>);

fn compare_bytes(first: &Payload<'_>, other: &Payload<'_>) -> Result<(), LinkError> {
    let fields = |it: &Payload<'_>| {
        let root = it.1;
        [
            (Field::Repository, escape(root.repository)),
            (Field::Commit, escape(root.commit)),
            (Field::TargetTriple, escape(root.triple)),
            (Field::AbiKey, root.abi_key.to_string().into()),
            (Field::ViewDescriptor, escape(root.view_descriptor)),
            (Field::ViewBytes, escape(root.view)),
            (Field::ViewDigest, root.view_digest.to_string().into()),
        ]
    };
    let (left, right) = (&first.1, &other.1);
    let equal = left.repository == right.repository
        && left.commit == right.commit
        && left.triple == right.triple
        && left.abi_key == right.abi_key
        && left.view_descriptor == right.view_descriptor
        && left.view == right.view
        && left.view_digest == right.view_digest;
    if equal {
        return Ok(());
    }
    let pairs = fields(first).into_iter().zip(fields(other));
    let differing = pairs.into_iter().find(|(left, right)| left.1 != right.1);
    // Values that only differ behind what a message shows still differ.
    let (field, left, right) = match differing {
        Some(((field, left), (_, right))) => (field, left, right),
        None => (Field::ViewBytes, "one value".into(), "another value".into()),
    };
    Err(incompatible(first, other, field, &left, &right))
}

fn compare_layouts(
    first: &Payload<'_>,
    other: &Payload<'_>,
    layouts: &(impl LayoutAuthority + ?Sized),
) -> Result<(), LinkError> {
    let text = |it: &Payload<'_>| match str::from_utf8(it.1.data_layout) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(LinkError::rejected(
            it.0,
            &PayloadError::NotText {
                field: Field::DataLayout,
                found: escape(it.1.data_layout).into_owned(),
            },
        )),
    };
    let (left, right) = (text(first)?, text(other)?);
    match layouts.same_layout(&left, &right) {
        Ok(true) => Ok(()),
        Ok(false) => Err(incompatible(first, other, Field::DataLayout, &left, &right)),
        Err(error) => Err(LinkError::new(&error.code, [other.0, first.0], error.message)),
    }
}

fn incompatible(
    first: &Payload<'_>,
    other: &Payload<'_>,
    field: Field,
    left: &str,
    right: &str,
) -> LinkError {
    LinkError::new(
        "selected_payload_incompatible",
        [other.0, first.0],
        format!(
            "`{}` is `{right}` in the first and `{left}` in the second",
            field.name()
        ),
    )
    .help("objects of one link need one Loom, one target triple and one data layout: rebuild the odd one")
}
