//! Index arithmetic is mathematical: what leaves the carrier does not fold.

use super::Exact;
use crate::module::Scalar;

pub(super) fn fold(name: &str, choice: Option<&str>, types: &[Scalar], operands: &[Exact]) -> Option<Exact> {
    let number = |at: usize| operands.get(at).and_then(|operand| operand.signed());
    let result = |value: i64| {
        let scalar = *types.first()?;
        (scalar != Scalar::Offset || value >= 0).then_some(Exact::Index(scalar, value))
    };
    if let ("cast", [operand]) = (name, operands) {
        return cast(*operand, *types.last()?);
    }
    let a = number(0)?;
    match operands.len() {
        1 => result(match name {
            "ctlzi" => a.leading_zeros().into(),
            "cttzi" => a.trailing_zeros().into(),
            "ctpopi" => a.count_ones().into(),
            _ => return None,
        }),
        2 => {
            let b = number(1)?;
            if name == "cmp" {
                return compare(choice?, a, b).map(Exact::bool);
            }
            if name == "scale" {
                let bytes = a.checked_mul(b).filter(|&bytes| bytes >= 0)?;
                return Some(Exact::Index(Scalar::Offset, bytes));
            }
            result(binary(name, a, b)?)
        }
        3 if name == "madd" => result(a.checked_mul(number(1)?)?.checked_add(number(2)?)?),
        _ => None,
    }
}

fn binary(name: &str, a: i64, b: i64) -> Option<i64> {
    let count = || u32::try_from(b).ok().filter(|&count| count < 64);
    match name {
        "add" => a.checked_add(b),
        "sub" => a.checked_sub(b),
        "mul" => a.checked_mul(b),
        "div" => (a >= 0 && b > 0).then(|| a / b),
        "rem" => (a >= 0 && b > 0).then(|| a % b),
        "min" => Some(a.min(b)),
        "max" => Some(a.max(b)),
        "andi" => Some(a & b),
        "ori" => Some(a | b),
        "xori" => Some(a ^ b),
        "shli" => {
            let shifted = a.checked_shl(count()?)?;
            (shifted >> count()? == a).then_some(shifted)
        }
        "shrsi" => Some(a >> count()?),
        "shrui" => (a >= 0).then_some(a).and_then(|a| Some(a >> count()?)),
        // The carrier has 64 bits here (loom-ops 7.5).
        "rotli" => Some(a.rotate_left(count()?)),
        "rotri" => Some(a.rotate_right(count()?)),
        _ => None,
    }
}

/// Unsigned compares of negative indices depend on the carrier.
fn compare(predicate: &str, a: i64, b: i64) -> Option<bool> {
    if predicate.starts_with('u') && (a < 0 || b < 0) {
        return None;
    }
    Some(match predicate {
        "eq" => a == b,
        "ne" => a != b,
        "slt" | "ult" => a < b,
        "sle" | "ule" => a <= b,
        "sgt" | "ugt" => a > b,
        "sge" | "uge" => a >= b,
        _ => return None,
    })
}

/// Integers widen by their sign, toward `offset` by zeros; an index must fit the integer it becomes.
fn cast(operand: Exact, to: Scalar) -> Option<Exact> {
    match (operand, to) {
        (Exact::Float(..), _) => None,
        (Exact::Int(Scalar::I64, _), Scalar::Offset) | (Exact::Index(..), Scalar::Offset) => {
            let value = operand.signed()?;
            (value >= 0).then_some(Exact::Index(to, value))
        }
        (Exact::Int(_, bits), Scalar::Offset) => Some(Exact::Index(to, bits as i64)),
        (_, Scalar::Index) => Some(Exact::Index(to, operand.signed()?)),
        (Exact::Index(_, value), _) if to.is_integer() => {
            let exact = Exact::int(to, value as u64);
            (exact.signed() == Some(value)).then_some(exact)
        }
        _ => None,
    }
}
