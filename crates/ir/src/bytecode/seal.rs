//! Checksums of items, one per facet, so that a reader of one facet neither reads the others nor takes damage to
//! its own for something else.

use std::ops::Range;

use loom_base::Digest;

use super::wire::Reader;
use crate::symbols::Facet;

/// Checksums of an item's facets in the order of [`Facet::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seal(pub(super) [Checksum; 3]);

/// Eight bytes that change when the checked ones do; zeros for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checksum(pub(super) [u8; 8]);

impl Seal {
    /// The checksums of the parts `facets` of `semantic`.
    pub(super) fn of(semantic: &[u8], facets: &[Range<u32>; 3]) -> Seal {
        let bytes = |facet: Range<u32>| &semantic[facet.start as usize..facet.end as usize];
        Seal(facets.clone().map(|facet| Checksum::of(bytes(facet))))
    }

    /// The checksum of one facet.
    pub fn of_facet(&self, facet: Facet) -> Checksum {
        self.0[facet as usize]
    }

    /// Whether all of `semantic` is undamaged.
    pub fn holds(&self, semantic: &[u8]) -> bool {
        self.checked(semantic, &Facet::ALL).is_some()
    }

    /// `semantic` with only the facets `wanted` and the contract, as [`crate::only_facets`] gives it; `None` if any
    /// of these is damaged. Other facets may hold anything.
    pub fn open(&self, semantic: &[u8], wanted: &[Facet]) -> Option<Vec<u8>> {
        self.checked(semantic, wanted)?;
        super::only_facets(semantic, wanted).ok()
    }

    /// The lengths that stand before the facets need no checksum of their own: another length is another facet.
    fn checked(&self, semantic: &[u8], wanted: &[Facet]) -> Option<()> {
        let mut reader = Reader::new(semantic);
        for (facet, sum) in Facet::ALL.into_iter().zip(&self.0) {
            let bytes = reader.block().ok()?;
            let is_wanted = facet == Facet::Contract || wanted.contains(&facet);
            if is_wanted && !sum.holds(bytes) {
                return None;
            }
        }
        (reader.left() == 0).then_some(())
    }
}

impl Checksum {
    /// The checksum of `bytes`.
    pub(super) fn of(bytes: &[u8]) -> Checksum {
        let mut sum = [0; 8];
        if !bytes.is_empty() {
            sum.copy_from_slice(&Digest::of(bytes).as_bytes()[..8]);
        }
        Checksum(sum)
    }

    /// Whether `bytes` are undamaged.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        Checksum::of(bytes) == *self
    }
}
