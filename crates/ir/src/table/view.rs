//! Views (loom-ops 2.4).

use super::row::{Row, Traits};

pub(super) const ROWS: &[Row] = &[Row::new(
    "view.load",
    "<&volatile> $view:V$indices[]:index : !V(view) -> !R(scalar)",
    "R",
    Traits::READ,
    "Reads one element.",
)];
