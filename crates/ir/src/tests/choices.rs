//! Reproducible choices for generated test input.

/// A source of choices: pseudo-random numbers, or the bytes of an input and zeros after those, so that a smaller
/// input means fewer choices.
pub(super) enum Choices<'a> {
    Seed(u64),
    Bytes(&'a [u8]),
}

impl<'a> Choices<'a> {
    /// Choices that follow from `seed`.
    pub(super) fn new(seed: u64) -> Self {
        Self::Seed(seed)
    }

    /// Choices that `input` spells.
    pub(super) fn of(input: &'a [u8]) -> Self {
        Self::Bytes(input)
    }

    /// A number of `bytes` bytes.
    fn number(&mut self, bytes: usize) -> u64 {
        match self {
            Choices::Seed(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                mixed ^ mixed >> 31
            }
            Choices::Bytes(input) => {
                let (taken, rest) = input.split_at(bytes.min(input.len()));
                *input = rest;
                taken
                    .iter()
                    .rev()
                    .fold(0, |number, &byte| number << 8 | u64::from(byte))
            }
        }
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.number(1) as u8
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        let bytes = if limit <= 256 { 1 } else { 2 };
        (self.number(bytes) % limit as u64) as usize
    }

    pub(super) fn maybe(&mut self) -> bool {
        self.number(1) & 1 == 1
    }

    pub(super) fn pick<'b, T: ?Sized>(&mut self, from: &[&'b T]) -> &'b T {
        from[self.below(from.len())]
    }
}
