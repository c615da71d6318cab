//! Scalar ops that have no twin of the same form among vectors (loom-ops 2.2).

use super::row::{Row, Rule, Traits};

const P: Traits = Traits::PURE;
const PS: Traits = Traits::PURE.and(Traits::SPECULATABLE);

const fn classify(name: &'static str, doc: &'static str) -> Row {
    Row::new(name, "$input:T : !T(float)", "i1", P, doc)
}

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "scalar.constant",
        "#value=lit : !T(int|float)",
        "T",
        PS,
        "An exact scalar.",
    )
    .rules(&[Rule::Literal]),
    Row::new("scalar.poison", ": !T(int|float)", "T", P, "An invalid value."),
    Row::new(
        "scalar.cmpi",
        "%predicate=icmp, $lhs:T, $rhs:T : !T(int)",
        "i1",
        PS,
        "Compares integers.",
    ),
    Row::new(
        "scalar.cmpf",
        "<&fast> %predicate=fcmp, $lhs:T, $rhs:T : !T(float)",
        "i1",
        PS,
        "Compares floats.",
    ),
    classify("scalar.isnanf", "Whether the value is a NaN."),
    classify("scalar.isinff", "Whether the value is an infinity."),
    classify(
        "scalar.isfinitef",
        "Whether the value is neither NaN nor infinity.",
    ),
    Row::new(
        "scalar.bitcast",
        "$input:T : !T(int|float) to !R(int|float)",
        "R",
        PS,
        "The same bits as another type.",
    )
    .rules(&[Rule::SameBits]),
    Row::new(
        "scalar.assume",
        "$values*:T [WHERE:predicates] : !T*(int|float)",
        "T*",
        P,
        "The same values with promises about them.",
    )
    .rules(&[Rule::Ranges]),
];
