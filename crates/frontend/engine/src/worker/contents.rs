//! File contents a worker has seen, by digest: the next compile need not ask for the same headers again.

use std::collections::BTreeMap;

use loom_base::{Blob, Digest};

/// Keeps contents up to [`Contents::LIMIT`] bytes; beyond it everything is forgotten at once, which costs one
/// round of questions and keeps a worker's memory bounded.
#[derive(Default)]
pub(super) struct Contents {
    blobs: BTreeMap<Digest, Blob>,
    bytes: usize,
}

impl Contents {
    const LIMIT: usize = 256 << 20;

    pub(super) fn get(&self, digest: &Digest) -> Option<&Blob> {
        self.blobs.get(digest)
    }

    pub(super) fn insert(&mut self, blob: Blob) {
        if self.bytes + blob.bytes().len() > Self::LIMIT {
            *self = Self::default();
        }
        let length = blob.bytes().len();
        if self.blobs.insert(blob.digest(), blob).is_none() {
            self.bytes += length;
        }
    }
}
