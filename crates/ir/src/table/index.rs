//! Index arithmetic (loom-ops 2.1).

use super::row::{Row, Rule, Traits};

const P: Traits = Traits::PURE;
const PS: Traits = Traits::PURE.and(Traits::SPECULATABLE);

const fn binary(name: &'static str, doc: &'static str) -> Row {
    Row::new(name, "$lhs:T, $rhs:T : !T(index)", "T", P, doc)
}

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "index.constant",
        "#value=int : !T(index|offset)",
        "T",
        PS,
        "An exact index or byte offset.",
    )
    .rules(&[Rule::Literal]),
    Row::new("index.add", "$lhs:T, $rhs:T : !T(index|offset)", "T", P, "Sum."),
    Row::new(
        "index.sub",
        "$lhs:T, $rhs:T : !T(index|offset)",
        "T",
        P,
        "Difference.",
    ),
    binary("index.mul", "Product."),
    Row::new("index.madd", "$a:T, $b:T, $c:T : !T(index)", "T", P, "a * b + c."),
    binary(
        "index.div",
        "Quotient of a non-negative dividend and a positive divisor.",
    ),
    binary(
        "index.rem",
        "Remainder of a non-negative dividend and a positive divisor.",
    ),
    binary("index.min", "The smaller of two, signed."),
    binary("index.max", "The larger of two, signed."),
    Row::new(
        "index.scale",
        "$index:I, $stride:S : !I(index), !S(offset) -> !R(offset)",
        "R",
        P,
        "Index times stride in bytes.",
    ),
    binary("index.andi", "Bitwise and of the carriers."),
    binary("index.ori", "Bitwise or of the carriers."),
    binary("index.xori", "Bitwise exclusive or of the carriers."),
    binary("index.shli", "Shift left."),
    binary("index.shrsi", "Arithmetic shift right."),
    binary("index.shrui", "Logical shift right of the carrier."),
    binary("index.rotli", "Rotate left within the carrier."),
    binary("index.rotri", "Rotate right within the carrier."),
    Row::new(
        "index.ctlzi",
        "$input:T : !T(index)",
        "T",
        P,
        "Leading zeros of the carrier.",
    ),
    Row::new(
        "index.cttzi",
        "$input:T : !T(index)",
        "T",
        P,
        "Trailing zeros of the carrier.",
    ),
    Row::new(
        "index.ctpopi",
        "$input:T : !T(index)",
        "T",
        P,
        "Ones of the carrier.",
    ),
    Row::new(
        "index.cmp",
        "%predicate=icmp, $lhs:T, $rhs:T : !T(index|offset)",
        "i1",
        PS,
        "Compares two indices or offsets.",
    ),
    Row::new(
        "index.cast",
        "$input:T : !T(index|offset|int) to !R(index|offset|int)",
        "R",
        P,
        "Converts between indices, offsets and integers.",
    )
    .rules(&[Rule::IndexCast]),
    Row::new(
        "index.assume",
        "$values*:T [WHERE:predicates] : !T*(index|offset)",
        "T*",
        P,
        "The same values with promises about them.",
    )
    .rules(&[Rule::Ranges]),
];
