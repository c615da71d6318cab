//! Packing: allocations that never live at once may share bytes.

/// One allocation to place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Life {
    /// Its number.
    pub allocation: u32,
    /// The first wave in which it exists.
    pub first: u32,
    /// The last wave that may touch it; not before the first.
    pub last: u32,
    /// Size.
    pub bytes: u64,
    /// Alignment, a power of two.
    pub align: u64,
}

/// Offsets for `lives`, in their order. In the order of their first waves, each takes the gap between living
/// neighbours that it leaves least of; the room after the last living one is the widest gap of all.
///
/// # Errors
/// The allocation that would end beyond 64 bits.
pub(super) fn pack(lives: &[Life]) -> Result<Vec<u64>, Life> {
    let mut order: Vec<usize> = (0..lives.len()).collect();
    order.sort_by_key(|&at| (lives[at].first, at));
    let mut offsets = vec![0; lives.len()];
    // Those placed that may still live, by offset.
    let mut living: Vec<usize> = Vec::new();
    for at in order {
        let life = lives[at];
        living.retain(|&other| lives[other].last >= life.first);
        let offset = best_gap(
            &life,
            living.iter().map(|&other| (offsets[other], lives[other].bytes)),
        );
        offsets[at] = offset.ok_or(life)?;
        let next = living.partition_point(|&other| offsets[other] <= offsets[at]);
        living.insert(next, at);
    }
    Ok(offsets)
}

/// Where `life` goes among `taken`, the offsets and sizes in use by ascending offset.
fn best_gap(life: &Life, taken: impl Iterator<Item = (u64, u64)>) -> Option<u64> {
    let mut best: Option<(u64, u64)> = None;
    let mut free = 0;
    for (offset, bytes) in taken {
        let room = offset.saturating_sub(free);
        if let Some(at) = free.checked_next_multiple_of(life.align)
            && at.checked_add(life.bytes).is_some_and(|end| end <= offset)
            && best.is_none_or(|(least, _)| room < least)
        {
            best = Some((room, at));
        }
        free = free.max(offset + bytes);
    }
    let last = || {
        let at = free.checked_next_multiple_of(life.align)?;
        at.checked_add(life.bytes).map(|_| at)
    };
    best.map(|(_, at)| at).or_else(last)
}
