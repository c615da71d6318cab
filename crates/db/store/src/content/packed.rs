//! The file of a content: a digest of the rest of the file, the content's digest, how it is packed, its length, itself.
//!
//! Reading hashes the file, not the content, so a compressed one costs less to verify than a plain one; that the two
//! belong together was true when the file was made, and the first digest says that it is that file.

use loom_base::{Blob, Digest, DigestWriter};

const PLAIN: u8 = 0;
const COMPRESSED: u8 = 1;

/// The fastest level: a compile waits for it.
const LEVEL: i32 = 1;

/// Smaller contents fit one block of a file system anyway.
const WORTHWHILE: usize = 4096;

/// Digest, digest, method, length.
const HEADER: usize = 32 + 32 + 1 + 8;

/// The file of `blob`.
pub(super) fn pack(blob: &Blob) -> Vec<u8> {
    let content = blob.bytes();
    let compressed = (content.len() > WORTHWHILE)
        .then(|| zstd::bulk::compress(content, LEVEL).ok())
        .flatten()
        .filter(|it| it.len() < content.len() / 8 * 7);
    let (method, packed) = match &compressed {
        Some(packed) => (COMPRESSED, &packed[..]),
        None => (PLAIN, content),
    };
    let mut file = Vec::with_capacity(HEADER + packed.len());
    file.resize(32, 0);
    file.extend_from_slice(blob.digest().as_bytes());
    file.push(method);
    file.extend_from_slice(&(content.len() as u64).to_le_bytes());
    file.extend_from_slice(packed);
    let digest = DigestWriter::default().raw(&file[32..]).finish();
    file[..32].copy_from_slice(digest.as_bytes());
    file
}

/// The content with this digest, if `file` holds it undamaged.
pub(super) fn unpack(file: &[u8], digest: Digest) -> Option<Vec<u8>> {
    let (expected, rest) = file.split_first_chunk::<32>()?;
    let (content, body) = rest.split_first_chunk::<32>()?;
    if content != digest.as_bytes() || Digest::of(rest).as_bytes() != expected {
        return None;
    }
    let (method, body) = body.split_first()?;
    let (length, packed) = body.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let content = match *method {
        PLAIN => packed.to_vec(),
        COMPRESSED => zstd::bulk::decompress(packed, length).ok()?,
        _ => return None,
    };
    (content.len() == length).then_some(content)
}

/// The digest of the content that `file` says it holds, if it does: everything is looked at.
pub(crate) fn verify(file: &[u8]) -> Option<Digest> {
    let digest = Digest::from_raw(*file.get(32..)?.first_chunk()?);
    (Digest::of(&unpack(file, digest)?) == digest).then_some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_come_back_and_compress_where_it_pays() {
        let noise: Vec<u8> = (0..1000u32)
            .flat_map(|n| *Digest::of(&n.to_le_bytes()).as_bytes())
            .collect();
        for (content, smaller) in [
            (vec![], false),
            (b"short".to_vec(), false),
            (vec![7; 50_000], true),
            (noise, false),
        ] {
            let blob = Blob::new(content.clone());
            let file = pack(&blob);
            assert_eq!(file.len() < content.len(), smaller);
            assert_eq!(unpack(&file, blob.digest()), Some(content));
            assert_eq!(verify(&file), Some(blob.digest()));
        }
    }

    #[test]
    fn every_damage_is_noticed() {
        let blob = Blob::new(vec![7; 50_000]);
        let file = pack(&blob);
        for at in 0..file.len() {
            assert_eq!(unpack(&file[..at], blob.digest()), None, "cut at {at}");
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert_eq!(unpack(&damaged, blob.digest()), None, "changed at {at}");
        }
        assert_eq!(unpack(&file, Digest::of(b"another")), None);
    }
}
