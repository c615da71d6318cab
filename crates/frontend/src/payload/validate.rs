//! Whether a root may be trusted: the checks of source integration, section 7, in their fixed order.
//!
//! A payload with several faults always fails with the code of the first one.

use loom_base::Digest;

use super::{Field, PayloadError, Root};
use crate::abi::encode_abi_key;
use crate::engine::{ModuleError, NormalizedModule};
use crate::error::escape;
use crate::provider::Provider;
use crate::view::{FRONTEND_VIEW, FRONTEND_VIEW_DESCRIPTOR, component_view_digest};

/// Who can parse, verify and rewrite a module: the engine, and in tests a table of known modules.
pub trait ModuleAuthority {
    /// Normalizes the module with this bitcode (section 7, "LLVM Module Normalization").
    fn normalize(&self, bitcode: &[u8]) -> Result<NormalizedModule, ModuleError>;
}

/// Checks everything that follows from the root's own bytes.
///
/// A root that passes can still hold a module that LLVM refuses, or facts that are not the module's:
/// [`validate_root`] excludes that too.
pub fn check_root(root: &Root<'_>, provider: &Provider) -> Result<(), PayloadError> {
    check_provider(root, provider)?;
    check_view(root)?;
    check_bitcode_digest(root)?;
    check_text(Field::TargetTriple, root.triple)?;
    check_text(Field::DataLayout, root.data_layout)?;
    check_key(root)
}

/// Checks a decoded root completely: provider, view, module, canonical bytes, digest, triple, layout, key.
pub fn validate_root(
    root: &Root<'_>,
    provider: &Provider,
    authority: &(impl ModuleAuthority + ?Sized),
) -> Result<(), PayloadError> {
    check_provider(root, provider)?;
    check_view(root)?;
    let module = authority.normalize(root.bitcode).map_err(PayloadError::Module)?;
    check_canonical(root.bitcode, module.bitcode.bytes())?;
    check_bitcode_digest(root)?;
    check_projection(Field::TargetTriple, root.triple, &module.triple)?;
    check_projection(Field::DataLayout, root.data_layout, &module.data_layout)?;
    check_key(root)
}

fn check_provider(root: &Root<'_>, provider: &Provider) -> Result<(), PayloadError> {
    check_equal(Field::Repository, provider.repository.as_bytes(), root.repository)?;
    check_equal(Field::Commit, provider.commit.as_bytes(), root.commit)
}

fn check_view(root: &Root<'_>) -> Result<(), PayloadError> {
    check_equal(
        Field::ViewDescriptor,
        FRONTEND_VIEW_DESCRIPTOR,
        root.view_descriptor,
    )?;
    check_equal(Field::ViewBytes, FRONTEND_VIEW, root.view)?;
    let digest = component_view_digest(root.view_descriptor, root.view)?;
    check_digest(Field::ViewDigest, digest, root.view_digest)
}

fn check_canonical(stored: &[u8], canonical: &[u8]) -> Result<(), PayloadError> {
    if stored == canonical {
        return Ok(());
    }
    let same = stored
        .iter()
        .zip(canonical)
        .take_while(|(left, right)| left == right)
        .count();
    Err(PayloadError::mismatch(
        Field::Bitcode,
        format_args!("{} bytes, of which the first {same} are equal", canonical.len()),
        format_args!("{} bytes", stored.len()),
    ))
}

fn check_bitcode_digest(root: &Root<'_>) -> Result<(), PayloadError> {
    check_digest(
        Field::BitcodeDigest,
        Digest::of(root.bitcode),
        root.bitcode_digest,
    )
}

fn check_projection(field: Field, stored: &[u8], module: &str) -> Result<(), PayloadError> {
    check_text(field, stored)?;
    check_equal(field, module.as_bytes(), stored)
}

fn check_text(field: Field, stored: &[u8]) -> Result<(), PayloadError> {
    if stored.is_empty() {
        return Err(PayloadError::Absent { field });
    }
    match str::from_utf8(stored) {
        Ok(_) => Ok(()),
        Err(_) => Err(PayloadError::NotText {
            field,
            found: escape(stored).into_owned(),
        }),
    }
}

fn check_key(root: &Root<'_>) -> Result<(), PayloadError> {
    check_digest(Field::AbiKey, encode_abi_key(&root.abi_facts()), root.abi_key)
}

fn check_equal(field: Field, expected: &[u8], found: &[u8]) -> Result<(), PayloadError> {
    if expected == found {
        return Ok(());
    }
    Err(PayloadError::mismatch(field, escape(expected), escape(found)))
}

fn check_digest(field: Field, expected: Digest, found: Digest) -> Result<(), PayloadError> {
    if expected == found {
        Ok(())
    } else {
        Err(PayloadError::mismatch(field, expected, found))
    }
}
