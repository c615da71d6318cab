//! How a payload travels: frames in two sections of an ordinary object.
//!
//! A payload frame holds a root and goes to the linker's input only. A record frame holds just the root's
//! artifact identity; the linker copies the records of exactly the members it selects into its output. A
//! section is any number of frames, since `ld -r` concatenates sections, with zero padding between them.
//!
//! Big-endian: 8 bytes magic whose last byte is the schema's major version, `u64` length of the rest, 32 bytes
//! artifact identity, then the root in a payload frame.
//!
//! Names of sections, alignment and containers are no part of a payload's meaning (source integration,
//! section 7, "Object Carrier And Final Link").

mod container;

use std::borrow::Cow;

use loom_base::Digest;

use crate::payload::{
    Field, ModuleAuthority, PAYLOAD_SCHEMA, PayloadError, artifact_identity, decode_root, validate_root,
};
use crate::provider::Provider;

pub use container::{Carrier, CarrierError, Carriers, Content, ReadMember, ReadSections, read_carriers};

/// The section that payload frames are put into. Not allocated, and excluded from linked outputs.
pub const PAYLOAD_SECTION: &str = ".loom.payload";

/// The section that record frames are put into. Not allocated; the linker keeps it.
pub const RECORD_SECTION: &str = ".loom.record";

const PAYLOAD_MAGIC: &[u8; 8] = b"LOOMPAY1";
const RECORD_MAGIC: &[u8; 8] = b"LOOMREC1";
const RECORD_LENGTH: usize = 48;

/// One frame of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frame<'a> {
    /// A payload.
    Payload {
        /// The identity the frame claims; [`Frame::check_identity`] compares it.
        identity: Digest,
        /// The canonical root, not yet decoded.
        root: Cow<'a, [u8]>,
    },
    /// The trace of a payload that was linked.
    Record {
        /// The payload's identity.
        identity: Digest,
    },
}

/// The frame that carries `root`.
pub fn encode_payload_frame(root: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(RECORD_LENGTH + root.len());
    frame.extend(PAYLOAD_MAGIC);
    frame.extend((32 + root.len() as u64).to_be_bytes());
    frame.extend(artifact_identity(root).as_bytes());
    frame.extend(root);
    frame
}

/// The frame that records the payload with this identity.
pub fn encode_record_frame(identity: &Digest) -> [u8; RECORD_LENGTH] {
    let mut frame = [0; RECORD_LENGTH];
    frame[..8].copy_from_slice(RECORD_MAGIC);
    frame[8..16].copy_from_slice(&32_u64.to_be_bytes());
    frame[16..].copy_from_slice(identity.as_bytes());
    frame
}

/// Splits the content of a section into its frames, in order; at least one.
///
/// Zero bytes between frames are skipped. Any other stray byte, a frame that is cut off and a section without
/// a frame are `payload_carrier_unreadable`; a frame of another schema version is
/// `relocatable_payload_schema_unsupported`.
pub fn read_frames(section: &[u8]) -> Result<Vec<Frame<'_>>, PayloadError> {
    let mut frames = Vec::new();
    let mut rest = section;
    loop {
        let padding = rest.iter().take_while(|&&byte| byte == 0).count();
        rest = &rest[padding..];
        if rest.is_empty() {
            break;
        }
        let offset = (section.len() - rest.len()) as u64;
        let (frame, behind) = split_frame(rest, offset)?;
        frames.push(frame);
        rest = behind;
    }
    if frames.is_empty() {
        return Err(PayloadError::unreadable(0, "payload section is empty"));
    }
    Ok(frames)
}

fn split_frame(bytes: &[u8], offset: u64) -> Result<(Frame<'_>, &[u8]), PayloadError> {
    let cut_off = || PayloadError::unreadable(offset, "payload frame is cut off");
    let magic = bytes.first_chunk::<8>().ok_or_else(|| stray(bytes, offset))?;
    let is_payload = magic[..7] == PAYLOAD_MAGIC[..7];
    if !is_payload && magic[..7] != RECORD_MAGIC[..7] {
        return Err(stray(bytes, offset));
    }
    if magic[7] != PAYLOAD_MAGIC[7] {
        let found = format!("{} {}", PAYLOAD_SCHEMA.id, [magic[7]].escape_ascii());
        return Err(PayloadError::SchemaUnsupported {
            expected: PAYLOAD_SCHEMA,
            found,
        });
    }
    let (length, rest) = bytes[8..].split_first_chunk::<8>().ok_or_else(cut_off)?;
    let length = u64::from_be_bytes(*length);
    let (content, behind) = usize::try_from(length)
        .ok()
        .and_then(|length| rest.split_at_checked(length))
        .ok_or_else(cut_off)?;
    let Some((identity, root)) = content.split_first_chunk::<32>() else {
        return Err(PayloadError::unreadable(
            offset,
            "payload frame is too short for an identity",
        ));
    };
    let identity = Digest::from_raw(*identity);
    if is_payload {
        return Ok((
            Frame::Payload {
                identity,
                root: Cow::Borrowed(root),
            },
            behind,
        ));
    }
    if !root.is_empty() {
        return Err(PayloadError::unreadable(
            offset,
            format!("record frame has {length} bytes, not 32"),
        ));
    }
    Ok((Frame::Record { identity }, behind))
}

fn stray(bytes: &[u8], offset: u64) -> PayloadError {
    let start = &bytes[..bytes.len().min(8)];
    PayloadError::unreadable(
        offset,
        format!("`{}` starts no payload frame", start.escape_ascii()),
    )
}

impl Frame<'_> {
    /// The identity the frame claims.
    pub fn identity(&self) -> Digest {
        match self {
            Self::Payload { identity, .. } | Self::Record { identity } => *identity,
        }
    }

    /// The root, in a payload frame.
    pub fn root(&self) -> Option<&[u8]> {
        match self {
            Self::Payload { root, .. } => Some(root),
            Self::Record { .. } => None,
        }
    }

    /// Compares the claimed identity with the root's own; a record has nothing to compare.
    pub fn check_identity(&self) -> Result<(), PayloadError> {
        match self {
            Self::Payload { identity, root } => match artifact_identity(root) {
                actual if actual == *identity => Ok(()),
                actual => Err(PayloadError::mismatch(Field::Identity, actual, identity)),
            },
            Self::Record { .. } => Ok(()),
        }
    }

    /// Checks the frame completely: the root as [`validate_root`] does, then the claimed identity. The root
    /// comes first, so that damage is reported by the field it is in.
    pub fn validate(
        &self,
        provider: &Provider,
        authority: &(impl ModuleAuthority + ?Sized),
    ) -> Result<(), PayloadError> {
        if let Some(root) = self.root() {
            validate_root(&decode_root(root)?, provider, authority)?;
        }
        self.check_identity()
    }

    /// The frame with a root of its own.
    pub fn into_owned(self) -> Frame<'static> {
        match self {
            Self::Payload { identity, root } => Frame::Payload {
                identity,
                root: Cow::Owned(root.into_owned()),
            },
            Self::Record { identity } => Frame::Record { identity },
        }
    }
}

#[cfg(test)]
mod tests;
