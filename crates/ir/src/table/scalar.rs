//! Scalar ops (loom-ops 2.2).

use super::row::{Row, Rule, Traits};

const P: Traits = Traits::PURE;

pub(super) const ROWS: &[Row] = &[Row::new(
    "scalar.constant",
    "#value=lit : !T(int|float)",
    "T",
    P.and(Traits::SPECULATABLE),
    "An exact scalar.",
)
.rules(&[Rule::Literal])];
