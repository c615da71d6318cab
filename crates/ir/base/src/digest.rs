//! SHA-256 digests: the one hash of Loom, used for content, identities and cache keys alike.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest. Displays as 64 lowercase hex digits, its only text form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest whose raw value is `raw`; no hashing takes place.
    pub const fn from_raw(raw: [u8; 32]) -> Self {
        Self(raw)
    }

    /// The 32 raw bytes, the form every binary format of Loom stores.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not exactly 64 lowercase hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseDigestError;

impl fmt::Display for ParseDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a digest is 64 lowercase hex digits")
    }
}

impl std::error::Error for ParseDigestError {}

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        let text = text.as_bytes();
        let mut raw = [0; 32];
        if text.len() != 64 {
            return Err(ParseDigestError);
        }
        for (byte, pair) in raw.iter_mut().zip(text.chunks_exact(2)) {
            *byte = hex_value(pair[0])? << 4 | hex_value(pair[1])?;
        }
        Ok(Self(raw))
    }
}

fn hex_value(digit: u8) -> Result<u8, ParseDigestError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(ParseDigestError),
    }
}

/// Hashes a byte string that is produced piece by piece, with the big-endian length framing that every
/// identity of Loom uses (source integration, section 7: `bytes64(x) = u64be(length(x)) || x`).
#[derive(Clone, Default)]
pub struct DigestWriter(Sha256);

impl DigestWriter {
    /// Appends `bytes` as they are.
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.update(bytes);
        self
    }

    /// Appends `u64be(length) || bytes`.
    pub fn bytes64(self, bytes: &[u8]) -> Self {
        self.raw(&(bytes.len() as u64).to_be_bytes()).raw(bytes)
    }

    /// The digest of everything appended so far.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips_and_is_strict() {
        let digest = Digest::of(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.to_string(), text);
        assert_eq!(text.parse(), Ok(digest));
        for wrong in ["", &text[1..], &text.to_uppercase(), &format!("{}g", &text[1..])] {
            assert_eq!(wrong.parse::<Digest>(), Err(ParseDigestError), "{wrong:?}");
        }
    }

    #[test]
    fn framing_separates_neighbours() {
        let split_early = DigestWriter::default().bytes64(b"a").bytes64(b"bc").finish();
        let split_late = DigestWriter::default().bytes64(b"ab").bytes64(b"c").finish();
        assert_ne!(split_early, split_late);
    }
}
