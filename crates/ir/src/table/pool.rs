//! Block memory pools (loom-ops 1.2).

use super::row::{Row, Traits};

const R: Traits = Traits::READ;
const W: Traits = Traits::WRITE;

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "pool.load",
        "$pool:P, $page:I, $page_bytes:B : !P(pool), !I(wide|index), !B(offset) -> !R(tile)",
        "R",
        R,
        "Reads a page as a tile.",
    ),
    Row::new(
        "pool.store",
        "$pool:P, $page:I, $page_bytes:B, $offset:O, $data:D : !P(pool), !I(wide|index), !B(offset), !O(offset), !D(tile)",
        "",
        W,
        "Writes a tile into a page at a byte offset.",
    ),
    Row::new(
        "pool.pin",
        "$pool:P, $block:I : !P(pool), !I(wide|index)",
        "",
        W,
        "Keeps a block in place: counts one more user.",
    ),
    Row::new(
        "pool.unpin",
        "$pool:P, $block:I : !P(pool), !I(wide|index)",
        "",
        W,
        "Counts one user of a block less.",
    ),
    Row::new(
        "pool.buffer",
        "$pool:P : !P(pool) -> !R(buffer)",
        "R",
        Traits::PURE,
        "The storage of a pool.",
    ),
];
