//! Why a payload or its carrier is not accepted: one stable code per failure.

use std::borrow::Cow;
use std::fmt;

use loom_base::{Diagnostic, FileName};

use crate::artifact::Schema;
use crate::engine::ModuleError;

/// A part of a payload, by its name in the specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// The provider's repository.
    Repository,
    /// The provider's commit.
    Commit,
    /// The canonical target triple.
    TargetTriple,
    /// The data layout.
    DataLayout,
    /// The ABI compatibility key.
    AbiKey,
    /// The schema descriptor of the frontend view.
    ViewDescriptor,
    /// The canonical bytes of the frontend view.
    ViewBytes,
    /// The digest of the frontend view.
    ViewDigest,
    /// The digest of the bitcode.
    BitcodeDigest,
    /// The bitcode.
    Bitcode,
    /// The artifact identity that the carrier gives beside the root.
    Identity,
}

impl Field {
    /// The name of the field in the specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Repository => "llvm_provider.repository_identity",
            Self::Commit => "llvm_provider.full_commit_identity",
            Self::TargetTriple => "target_triple",
            Self::DataLayout => "data_layout",
            Self::AbiKey => "abi_compatibility_key",
            Self::ViewDescriptor => "frontend_config_view.component_view_schema_descriptor",
            Self::ViewBytes => "frontend_config_view.canonical_view_bytes",
            Self::ViewDigest => "frontend_config_view.component_view_digest",
            Self::BitcodeDigest => "normalized_llvm_bitcode.sha256_digest",
            Self::Bitcode => "normalized_llvm_bitcode.bytes",
            Self::Identity => "artifact_identity",
        }
    }
}

/// A payload or carrier that a reader refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PayloadError {
    /// The carrier announces a schema that this reader does not know.
    SchemaUnsupported {
        /// What it knows.
        expected: Schema,
        /// What the carrier announces.
        found: String,
    },
    /// The bytes end before a field does.
    EncodingTruncated {
        /// The field.
        field: Field,
        /// Bytes that the field, or its length prefix, takes.
        needed: u64,
        /// Bytes that are left.
        available: u64,
    },
    /// A length prefix beyond what any payload can have.
    EncodingOverflow {
        /// The field.
        field: Field,
        /// Its announced length.
        length: u64,
    },
    /// The bytes go on after the last field.
    EncodingTrailing {
        /// By this many bytes.
        bytes: u64,
    },
    /// A field differs from what it has to be; both values are rendered.
    Mismatch {
        /// The field.
        field: Field,
        /// What the reader expects.
        expected: String,
        /// What the payload holds.
        found: String,
    },
    /// The target triple or the data layout is empty.
    Absent {
        /// Which of the two.
        field: Field,
    },
    /// The target triple or the data layout is not text, so no LLVM module can own it.
    NotText {
        /// Which of the two.
        field: Field,
        /// The bytes, escaped.
        found: String,
    },
    /// A view descriptor whose length does not fit the digest's framing.
    ViewDescriptorTooLarge {
        /// Its length.
        length: u64,
    },
    /// LLVM refuses the stored module.
    Module(ModuleError),
    /// The carrier's frames cannot be told apart or the container cannot be read.
    CarrierUnreadable {
        /// Byte offset in the section or file.
        offset: u64,
        /// What is wrong there.
        reason: String,
    },
    /// Several payloads where one was asked for.
    CarrierAmbiguous {
        /// How many there are.
        payloads: usize,
    },
    /// A linked output names its payloads but does not hold them.
    RecordsOnly {
        /// How many it names.
        records: usize,
    },
    /// There is no payload.
    CarrierAbsent,
    /// LLVM bitcode, whose sections only the engine can read.
    NeedsEngine,
    /// An object format for which there is no carrier.
    FormatUnsupported {
        /// The format's name.
        format: &'static str,
    },
}

impl PayloadError {
    pub(crate) fn mismatch(field: Field, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self::Mismatch {
            field,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }

    pub(crate) fn unreadable(offset: u64, reason: impl Into<String>) -> Self {
        Self::CarrierUnreadable {
            offset,
            reason: reason.into(),
        }
    }

    /// The error with its place counted from the start of a file whose part at `base` was read.
    pub(crate) fn moved_by(self, base: u64) -> Self {
        match self {
            Self::CarrierUnreadable { offset, reason } => Self::CarrierUnreadable {
                offset: base + offset,
                reason,
            },
            other => other,
        }
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        match self {
            Self::SchemaUnsupported { .. } => "relocatable_payload_schema_unsupported",
            Self::EncodingTruncated { .. } => "relocatable_payload_encoding_truncated",
            Self::EncodingOverflow { .. } => "relocatable_payload_encoding_overflow",
            Self::EncodingTrailing { .. } => "relocatable_payload_encoding_trailing",
            Self::Mismatch { field, .. } => match field {
                Field::Repository | Field::Commit => "llvm_provider_mismatch",
                Field::TargetTriple => "target_triple_mismatch",
                Field::DataLayout => "data_layout_mismatch",
                Field::AbiKey => "abi_compatibility_key_mismatch",
                Field::ViewDescriptor => "frontend_config_view_descriptor_mismatch",
                Field::ViewBytes => "frontend_config_view_bytes_not_empty",
                Field::ViewDigest => "component_view_digest_mismatch",
                Field::BitcodeDigest => "normalized_bitcode_digest_mismatch",
                Field::Bitcode => "normalized_bitcode_not_canonical",
                Field::Identity => "payload_identity_mismatch",
            },
            Self::Absent {
                field: Field::DataLayout,
            } => "data_layout_absent",
            Self::Absent { .. } => "target_triple_absent",
            Self::NotText {
                field: Field::DataLayout,
                ..
            } => "data_layout_invalid",
            Self::NotText { .. } | Self::FormatUnsupported { .. } => "target_triple_unsupported",
            Self::ViewDescriptorTooLarge { .. } => "component_view_digest_descriptor_too_large",
            Self::Module(error) => &error.code,
            Self::CarrierUnreadable { .. } | Self::NeedsEngine => "payload_carrier_unreadable",
            Self::CarrierAmbiguous { .. } => "payload_carrier_ambiguous",
            Self::RecordsOnly { .. } => "payload_carrier_records_only",
            Self::CarrierAbsent => "payload_carrier_absent",
        }
    }

    /// What the user can do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::SchemaUnsupported { .. } => {
                "read it with the Loom that made it, or rebuild the object with this one"
            }
            Self::Mismatch {
                field: Field::Repository | Field::Commit,
                ..
            } => {
                "a payload belongs to one LLVM commit: rebuild the object with this Loom \
                 (`loom --version` shows its commit)"
            }
            Self::Mismatch {
                field: Field::ViewDescriptor | Field::ViewBytes,
                ..
            } => "the object comes from a Loom with another configuration schema: rebuild it with this one",
            Self::CarrierAmbiguous { .. } => "choose one with `--member` or `--index`",
            Self::RecordsOnly { .. } => {
                "the linker drops payloads from its output: name the object or archive that was linked"
            }
            Self::CarrierAbsent => {
                "compile with loom-cc and without `-fno-loom-payload`; plain `llvm-strip` removes payloads"
            }
            Self::FormatUnsupported { .. } => "payloads are carried by ELF objects and archives of them",
            Self::NeedsEngine => "let the engine read it, or compile to an ELF object",
            Self::Module(_) => "the payload's module is not one that this LLVM wrote: rebuild the object",
            Self::EncodingTruncated {
                field: Field::Repository,
                ..
            }
            | Self::EncodingOverflow {
                field: Field::Repository,
                ..
            } => {
                "payloads are in ELF objects, archives, bitcode, and roots that `loom payload extract` wrote"
            }
            Self::EncodingTruncated { .. }
            | Self::EncodingOverflow { .. }
            | Self::EncodingTrailing { .. }
            | Self::Mismatch { .. }
            | Self::Absent { .. }
            | Self::NotText { .. }
            | Self::ViewDescriptorTooLarge { .. }
            | Self::CarrierUnreadable { .. } => "the payload is damaged: rebuild the object",
        }
    }

    /// The error as a finding about `object`: an object's name, or `archive(member)`.
    pub fn diagnostic(&self, object: &str) -> Diagnostic {
        Diagnostic::error(self.code().to_owned(), format!("{object}: {self}"))
            .at(&FileName::from(object), 0..0)
            .help(self.help())
    }
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SchemaUnsupported { expected, found } => {
                write!(
                    f,
                    "payload schema is `{found}`, but this reader knows `{expected}` only"
                )
            }
            Self::EncodingTruncated {
                field,
                needed,
                available,
            } => {
                write!(
                    f,
                    "`{}` takes {needed} bytes, but only {available} are left",
                    field.name()
                )
            }
            Self::EncodingOverflow { field, length } => {
                write!(
                    f,
                    "`{}` announces an impossible length of {length} bytes",
                    field.name()
                )
            }
            Self::EncodingTrailing { bytes } => write!(f, "payload is followed by stray bytes ({bytes})"),
            Self::Mismatch {
                field,
                expected,
                found,
            } => {
                write!(f, "`{}` is `{found}`, expected `{expected}`", field.name())
            }
            Self::Absent { field } => write!(f, "`{}` is empty", field.name()),
            Self::NotText { field, found } => write!(f, "`{}` is not text: `{found}`", field.name()),
            Self::ViewDescriptorTooLarge { length } => {
                write!(f, "view descriptor of {length} bytes exceeds {} bytes", u32::MAX)
            }
            Self::Module(error) => write!(f, "`{}`: {}", Field::Bitcode.name(), error.message),
            Self::CarrierUnreadable { offset, reason } => write!(f, "{reason} (at byte {offset})"),
            Self::CarrierAmbiguous { payloads } => write!(f, "holds {payloads} payloads, not one"),
            Self::RecordsOnly { records } => {
                write!(
                    f,
                    "names {records} linked payloads in records, but holds none itself"
                )
            }
            Self::CarrierAbsent => f.write_str("holds no payload"),
            Self::NeedsEngine => f.write_str("is LLVM bitcode, which only the engine can read"),
            Self::FormatUnsupported { format } => write!(f, "{format} files carry no payload"),
        }
    }
}

impl std::error::Error for PayloadError {}

/// Bytes as a message shows them: printable ASCII as it is, everything else escaped, cut where it would
/// drown the message.
pub(crate) fn escape(bytes: &[u8]) -> Cow<'static, str> {
    const LIMIT: usize = 1024;
    if bytes.is_empty() {
        return Cow::Borrowed("(empty)");
    }
    let mut text = bytes[..bytes.len().min(LIMIT)].escape_ascii().to_string();
    if bytes.len() > LIMIT {
        text.push_str(&format!("… ({} bytes)", bytes.len()));
    }
    Cow::Owned(text)
}
