//! The relocatable accelerator payload: the canonical root of source integration, section 7.
//!
//! The root is its fields in the order of the specification; strings and byte sequences are framed with their
//! length as `u64` big-endian, digests are 32 raw bytes. It has no version prefix: the carrier says the schema.
//! It delimits itself, so roots that stand one after another can be told apart.

mod validate;

use loom_base::Digest;

use crate::abi::{AbiFacts, encode_abi_key};
use crate::artifact::{Schema, encode_artifact_identity};
use crate::engine::NormalizedModule;
use crate::provider::Provider;
use crate::view::{FRONTEND_VIEW, FRONTEND_VIEW_DESCRIPTOR, frontend_view_digest};

pub use crate::error::{Field, PayloadError};
pub use validate::{ModuleAuthority, check_root, validate_root};

/// The schema of a payload.
pub const PAYLOAD_SCHEMA: Schema = Schema {
    id: "loom.relocatable_accelerator_payload",
    major: 1,
    minor: 0,
};

/// The canonical root of `module`: its two projected facts, the key and digests that follow from it, and its
/// bitcode.
pub fn encode_root(provider: &Provider, module: &NormalizedModule) -> Vec<u8> {
    let root = Root {
        repository: provider.repository.as_bytes(),
        commit: provider.commit.as_bytes(),
        triple: module.triple.as_bytes(),
        data_layout: module.data_layout.as_bytes(),
        abi_key: encode_abi_key(&AbiFacts::new(provider, &module.triple)),
        view_descriptor: FRONTEND_VIEW_DESCRIPTOR,
        view: FRONTEND_VIEW,
        view_digest: frontend_view_digest(),
        bitcode_digest: module.bitcode.digest(),
        bitcode: module.bitcode.bytes(),
    };
    root.encode()
}

/// Splits a root into its fields. Nothing but the framing is checked: see [`check_root`] and
/// [`validate_root`].
///
/// Fails with `relocatable_payload_encoding_truncated`, `_overflow` or `_trailing`.
pub fn decode_root(bytes: &[u8]) -> Result<Root<'_>, PayloadError> {
    let (root, rest) = split_root(bytes)?;
    if !rest.is_empty() {
        return Err(PayloadError::EncodingTrailing {
            bytes: rest.len() as u64,
        });
    }
    Ok(root)
}

/// Splits one root off the front of `bytes`; the rest is returned.
pub fn split_root(bytes: &[u8]) -> Result<(Root<'_>, &[u8]), PayloadError> {
    let mut reader = Reader { rest: bytes };
    // The order of the calls is the order of the fields.
    let root = Root {
        repository: reader.bytes64(Field::Repository)?,
        commit: reader.bytes64(Field::Commit)?,
        triple: reader.bytes64(Field::TargetTriple)?,
        data_layout: reader.bytes64(Field::DataLayout)?,
        abi_key: reader.digest(Field::AbiKey)?,
        view_descriptor: reader.bytes64(Field::ViewDescriptor)?,
        view: reader.bytes64(Field::ViewBytes)?,
        view_digest: reader.digest(Field::ViewDigest)?,
        bitcode_digest: reader.digest(Field::BitcodeDigest)?,
        bitcode: reader.bytes64(Field::Bitcode)?,
    };
    Ok((root, reader.rest))
}

/// The identity of the payload with the canonical bytes `root`.
pub fn artifact_identity(root: &[u8]) -> Digest {
    encode_artifact_identity(&PAYLOAD_SCHEMA, root)
}

/// The fields of a root, as stored. Names are not assumed to be UTF-8: a reader shows what is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root<'a> {
    /// `llvm_provider.repository_identity`
    pub repository: &'a [u8],
    /// `llvm_provider.full_commit_identity`
    pub commit: &'a [u8],
    /// `target_triple`
    pub triple: &'a [u8],
    /// `data_layout`
    pub data_layout: &'a [u8],
    /// `abi_compatibility_key`
    pub abi_key: Digest,
    /// `frontend_config_view.component_view_schema_descriptor`
    pub view_descriptor: &'a [u8],
    /// `frontend_config_view.canonical_view_bytes`
    pub view: &'a [u8],
    /// `frontend_config_view.component_view_digest`
    pub view_digest: Digest,
    /// `normalized_llvm_bitcode.sha256_digest`
    pub bitcode_digest: Digest,
    /// `normalized_llvm_bitcode.bytes`
    pub bitcode: &'a [u8],
}

impl<'a> Root<'a> {
    /// The canonical bytes of these fields; `decode_root` of them gives the same fields.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(512 + self.data_layout.len() + self.bitcode.len());
        for field in [self.repository, self.commit, self.triple, self.data_layout] {
            push_bytes64(&mut bytes, field);
        }
        bytes.extend(self.abi_key.as_bytes());
        push_bytes64(&mut bytes, self.view_descriptor);
        push_bytes64(&mut bytes, self.view);
        bytes.extend(self.view_digest.as_bytes());
        bytes.extend(self.bitcode_digest.as_bytes());
        push_bytes64(&mut bytes, self.bitcode);
        bytes
    }

    /// What the ABI key of these fields has to be made of.
    pub fn abi_facts(&self) -> AbiFacts<'a> {
        AbiFacts {
            repository: self.repository,
            commit: self.commit,
            triple: self.triple,
            view_descriptor: self.view_descriptor,
            view: self.view,
        }
    }
}

fn push_bytes64(into: &mut Vec<u8>, bytes: &[u8]) {
    into.extend((bytes.len() as u64).to_be_bytes());
    into.extend(bytes);
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn bytes64(&mut self, field: Field) -> Result<&'a [u8], PayloadError> {
        let length = u64::from_be_bytes(*self.array(field)?);
        // No object is that long: the length itself is damaged, not the bytes behind it cut off.
        if length > i64::MAX as u64 {
            return Err(PayloadError::EncodingOverflow { field, length });
        }
        match usize::try_from(length)
            .ok()
            .and_then(|length| self.rest.split_at_checked(length))
        {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => Err(self.truncated(field, length)),
        }
    }

    fn digest(&mut self, field: Field) -> Result<Digest, PayloadError> {
        self.array(field).copied().map(Digest::from_raw)
    }

    fn array<const N: usize>(&mut self, field: Field) -> Result<&'a [u8; N], PayloadError> {
        let (array, rest) = self
            .rest
            .split_first_chunk()
            .ok_or_else(|| self.truncated(field, N as u64))?;
        self.rest = rest;
        Ok(array)
    }

    fn truncated(&self, field: Field, needed: u64) -> PayloadError {
        PayloadError::EncodingTruncated {
            field,
            needed,
            available: self.rest.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests;
