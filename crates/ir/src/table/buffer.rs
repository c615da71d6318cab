//! Buffers (loom-ops 2.5).

use super::row::{Row, Traits};

pub(super) const ROWS: &[Row] = &[Row::new(
    "buffer.length",
    "$buffer:buffer",
    "offset",
    Traits::PURE.and(Traits::SPECULATABLE),
    "Bytes of the root, 0 for null.",
)];
