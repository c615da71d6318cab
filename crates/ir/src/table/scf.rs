//! Structured and unstructured control (loom-ops 2.6).

use super::row::{Row, Traits};

const NEST: Traits = Traits::RECURSIVE;
const END: Traits = Traits::TERMINATOR;

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "scf.yield",
        "(?$values*:T : !T*?)",
        "",
        END,
        "Yields the values of a region.",
    ),
    Row::new(
        "scf.if",
        "$condition:i1 (?-> (!R*)?) REGION:then(~scf.yield) (?else REGION:else(~scf.yield)?)",
        "R*",
        NEST,
        "Runs one of two regions.",
    ),
];
