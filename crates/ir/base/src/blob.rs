//! Immutable bytes that compare by digest.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Digest;

/// Immutable, cheaply cloned bytes with their digest.
///
/// Two blobs are equal exactly when their digests are: comparing the results of two runs of a query costs
/// 32 bytes, however large the artifact.
#[derive(Clone)]
pub struct Blob {
    digest: Digest,
    bytes: Arc<[u8]>,
}

impl Blob {
    /// Takes ownership of `bytes` and hashes them once.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self {
            digest: Digest::of(&bytes),
            bytes,
        }
    }

    /// The SHA-256 digest of the bytes.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The bytes themselves.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, shared: the way to keep them beyond a borrow of the blob.
    pub fn share(&self) -> Arc<[u8]> {
        Arc::clone(&self.bytes)
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Blob {}

impl Hash for Blob {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({} bytes, {})", self.bytes.len(), self.digest)
    }
}

/// Only the bytes travel; the digest is recomputed by the reader, so a stale one cannot be smuggled in.
impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.bytes)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;
        impl<'de> serde::de::Visitor<'de> for BytesVisitor {
            type Value = Blob;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Blob, E> {
                Ok(Blob::new(bytes))
            }
            fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Blob, E> {
                Ok(Blob::new(bytes))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Blob, A::Error> {
                let mut bytes = Vec::with_capacity(seq.size_hint().unwrap_or(0).min(1 << 16));
                while let Some(byte) = seq.next_element()? {
                    bytes.push(byte);
                }
                Ok(Blob::new(bytes))
            }
        }
        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_is_by_content() {
        let (one, same, other) = (Blob::new(*b"x"), Blob::new(b"x".to_vec()), Blob::new(*b"y"));
        assert_eq!(one, same);
        assert_ne!(one, other);
    }

    #[test]
    fn serde_recomputes_the_digest() {
        let blob = Blob::new(*b"payload");
        let back: Blob = serde_json::from_str(&serde_json::to_string(&blob).unwrap()).unwrap();
        assert_eq!(back.bytes(), b"payload");
        assert_eq!(back.digest(), blob.digest());
    }
}
