//! Artifact identities: the one way in which Loom names a canonical byte string of a schema.

use std::fmt;

use loom_base::{Digest, DigestWriter};

/// A family of artifacts and its version.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Schema {
    /// The family's name.
    pub id: &'static str,
    /// Incompatible versions differ here.
    pub major: u32,
    /// Compatible extensions differ here.
    pub minor: u32,
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}.{}", self.id, self.major, self.minor)
    }
}

/// The identity of the artifact with these canonical `bytes`: `SHA-256("loom.artifact.identity.v1\0" ||
/// u32be(len) || schema id || u32be(major) || u32be(minor) || u64be(len) || bytes)`.
pub fn encode_artifact_identity(schema: &Schema, bytes: &[u8]) -> Digest {
    let id_length = u32::try_from(schema.id.len()).expect("schema names are short constants");
    DigestWriter::default()
        .raw(b"loom.artifact.identity.v1\0")
        .raw(&id_length.to_be_bytes())
        .raw(schema.id.as_bytes())
        .raw(&schema.major.to_be_bytes())
        .raw(&schema.minor.to_be_bytes())
        .bytes64(bytes)
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Schema = Schema {
        id: "loom.test.artifact",
        major: 1,
        minor: 2,
    };

    #[test]
    fn fixed_vector() {
        let identity = encode_artifact_identity(&TEST, b"\x00\x10\xff");
        assert_eq!(
            identity.to_string(),
            "35d5389eca0d279e34fdf21ebd5d51991c8e75aa9312cedf14f452882e0f6db4"
        );
    }

    #[test]
    fn every_part_counts() {
        let identity = encode_artifact_identity(&TEST, b"x");
        for (schema, bytes) in [
            (
                Schema {
                    id: "loom.test.artifacu",
                    ..TEST
                },
                &b"x"[..],
            ),
            (Schema { major: 2, ..TEST }, b"x"),
            (Schema { minor: 1, ..TEST }, b"x"),
            (TEST, b"y"),
            (TEST, b"x\0"),
        ] {
            assert_ne!(
                identity,
                encode_artifact_identity(&schema, bytes),
                "{schema} {bytes:?}"
            );
        }
    }
}
