//! Results that do not need all operands to be exact.

use loom_ir::Scalar;
use loom_ir::fold::Exact;

use super::numbers::{Number, Numbers};

/// The number that op `name` of `operands` has by algebra alone.
pub(super) fn simplified(
    numbers: &mut Numbers,
    name: &str,
    scalar: Scalar,
    operands: &[Number],
) -> Option<Number> {
    if scalar.is_float() {
        return None;
    }
    let number = |numbers: &Numbers, at: usize| numbers.exact(*operands.get(at)?)?.signed();
    let (a, b) = (number(numbers, 0), number(numbers, 1));
    let same = operands.len() == 2 && operands[0] == operands[1];
    let zero = |numbers: &mut Numbers| Some(numbers.constant(integer(scalar, 0)));
    let first = operands.first().copied();
    let second = operands.get(1).copied();
    // Of negative numbers, quotients, remainders and logical shifts are none.
    let positive = first.is_some_and(|first| numbers.known(first).interval.low >= 0);
    match name {
        "index.add" | "scalar.addi" | "index.ori" | "scalar.ori" | "index.xori" | "scalar.xori"
            if a == Some(0) =>
        {
            second
        }
        "index.add" | "index.sub" | "scalar.addi" | "scalar.subi" | "index.ori" | "scalar.ori"
        | "index.xori" | "scalar.xori" | "index.shli" | "index.shrsi" | "scalar.shli" | "scalar.shrsi"
        | "scalar.shrui"
            if b == Some(0) =>
        {
            first
        }
        "index.sub" | "scalar.subi" | "index.xori" | "scalar.xori" if same => zero(numbers),
        "index.andi" | "scalar.andi" | "index.ori" | "scalar.ori" | "index.min" | "index.max"
        | "scalar.minsi" | "scalar.maxsi" | "scalar.minui" | "scalar.maxui"
            if same =>
        {
            first
        }
        "index.mul" | "index.scale" | "scalar.muli" | "index.andi" | "scalar.andi"
            if a == Some(0) || b == Some(0) =>
        {
            zero(numbers)
        }
        "index.mul" | "scalar.muli" if a == Some(1) => second,
        "index.mul" | "scalar.muli" if b == Some(1) => first,
        "index.div" if b == Some(1) && positive => first,
        "index.shrui" if b == Some(0) && positive => first,
        "index.rem" if b == Some(1) && positive => zero(numbers),
        "index.madd" if a == Some(0) || b == Some(0) => operands.get(2).copied(),
        // Where the type stays, nothing is converted.
        "index.cast" if first.is_some_and(|first| numbers.scalar(first) == scalar) => first,
        _ => None,
    }
}

fn integer(scalar: Scalar, value: i64) -> Exact {
    match scalar {
        Scalar::Index | Scalar::Offset => Exact::Index(scalar, value),
        _ => Exact::int(scalar, value as u64),
    }
}
