//! Integers wrap at their width; preconditions and `nsw`/`nuw` that are violated keep an op from folding.

use super::exact::{mask, sign_extend};
use super::{Exact, Flags};
use crate::module::Scalar;

pub(super) fn fold(name: &str, choice: Option<&str>, flags: Flags, operands: &[Exact]) -> Option<Exact> {
    let [Exact::Int(scalar, a), rest @ ..] = operands else {
        return None;
    };
    let (scalar, a) = (*scalar, *a);
    let payload = |operand: &Exact| match operand {
        Exact::Int(other, bits) if *other == scalar => Some(*bits),
        _ => None,
    };
    match rest {
        [] => one(name, flags, scalar, a),
        [b] => {
            let b = payload(b)?;
            match name {
                "cmpi" => compare(choice?, scalar, a, b).map(Exact::bool),
                _ => two(name, flags, scalar, a, b).map(|bits| Exact::int(scalar, bits)),
            }
        }
        [b, c] if name == "fmai" => {
            let product = two("muli", flags, scalar, a, payload(b)?)? & mask(scalar);
            two("addi", flags, scalar, product, payload(c)?).map(|bits| Exact::int(scalar, bits))
        }
        _ => None,
    }
}

fn one(name: &str, flags: Flags, scalar: Scalar, a: u64) -> Option<Exact> {
    let width = scalar.bits();
    let signed = sign_extend(a, width);
    let bits = match name {
        "negi" => signed.wrapping_neg() as u64,
        "absi" => signed.wrapping_abs() as u64,
        "signi" => signed.signum() as u64,
        "ctlzi" => u64::from(a.leading_zeros() - (64 - width)),
        "cttzi" => u64::from(a.trailing_zeros().min(width)),
        "ctpopi" => u64::from(a.count_ones()),
        "bitfield.extractu" | "bitfield.extracts" => {
            let (offset, field) = flags.field;
            if field == 0 || offset.checked_add(field).is_none_or(|end| end > width) {
                return None;
            }
            let bits = a >> offset & u64::MAX >> (64 - field);
            // The result type is the caller's to apply: the field is exact in 64 bits.
            let bits = if name.ends_with('s') {
                sign_extend(bits, field) as u64
            } else {
                bits
            };
            return Some(Exact::Int(Scalar::I64, bits));
        }
        _ => return None,
    };
    Some(Exact::int(scalar, bits))
}

fn two(name: &str, flags: Flags, scalar: Scalar, a: u64, b: u64) -> Option<u64> {
    let width = scalar.bits();
    let (x, y) = (sign_extend(a, width), sign_extend(b, width));
    let (sx, sy) = (i128::from(x), i128::from(y));
    let (ux, uy) = (u128::from(a), u128::from(b));
    // Checks a result that is exact in 128 bits against the flags.
    let wrapping = |signed: i128, unsigned: Option<u128>| {
        let fits_signed = i128::from(sign_extend(signed as u64, width)) == signed;
        let fits_unsigned = unsigned.is_some_and(|value| value <= u128::from(mask(scalar)));
        ((!flags.nsw || fits_signed) && (!flags.nuw || fits_unsigned)).then_some(signed as u64)
    };
    match name {
        "addi" => wrapping(sx + sy, Some(ux + uy)),
        "subi" => wrapping(sx - sy, ux.checked_sub(uy)),
        "muli" => wrapping(sx * sy, Some(ux * uy)),
        "divsi" | "ceildivsi" | "floordivsi" => {
            if y == 0 {
                return None;
            }
            let (quotient, exact, negative) = (sx / sy, sx % sy == 0, (sx < 0) != (sy < 0));
            let rounded = match name {
                "ceildivsi" if !exact && !negative => quotient + 1,
                "floordivsi" if !exact && negative => quotient - 1,
                _ => quotient,
            };
            (i128::from(sign_extend(rounded as u64, width)) == rounded).then_some(rounded as u64)
        }
        "divui" => a.checked_div(b),
        "ceildivui" => (b != 0).then(|| a.div_ceil(b)),
        "remsi" => (y != 0).then(|| (sx % sy) as u64),
        "remui" => a.checked_rem(b),
        "minsi" => Some(x.min(y) as u64),
        "maxsi" => Some(x.max(y) as u64),
        "minui" => Some(a.min(b)),
        "maxui" => Some(a.max(b)),
        "andi" => Some(a & b),
        "ori" => Some(a | b),
        "xori" => Some(a ^ b),
        "shli" | "shrsi" | "shrui" | "rotli" | "rotri" => shift(name, flags, scalar, a, b),
        _ => None,
    }
}

/// Counts are the payload as it stands; an `i1` count of 1 already is its width.
fn shift(name: &str, flags: Flags, scalar: Scalar, a: u64, count: u64) -> Option<u64> {
    let width = scalar.bits();
    let signed = sign_extend(a, width);
    // A negative count is none, except that rotation only looks at the count modulo the width.
    let negative = scalar != Scalar::I1 && sign_extend(count, width) < 0;
    match name {
        "rotli" | "rotri" => {
            let left = (count % u64::from(width)) as u32;
            let left = if name == "rotli" || left == 0 {
                left
            } else {
                width - left
            };
            Some(if left == 0 {
                a
            } else {
                a << left | a >> (width - left)
            })
        }
        _ if negative => None,
        "shli" if count >= width.into() => (!flags.nsw && !flags.nuw).then_some(0),
        "shli" => {
            let shifted = a << count & mask(scalar);
            let keeps_signed = sign_extend(shifted, width) >> count == signed;
            let keeps_unsigned = shifted >> count == a;
            ((!flags.nsw || keeps_signed) && (!flags.nuw || keeps_unsigned)).then_some(shifted)
        }
        "shrsi" => Some((signed >> count.min(u64::from(width) - 1)) as u64),
        _ => (count < width.into()).then(|| a >> count),
    }
}

fn compare(predicate: &str, scalar: Scalar, a: u64, b: u64) -> Option<bool> {
    let (x, y) = (sign_extend(a, scalar.bits()), sign_extend(b, scalar.bits()));
    Some(match predicate {
        "eq" => a == b,
        "ne" => a != b,
        "slt" => x < y,
        "sle" => x <= y,
        "sgt" => x > y,
        "sge" => x >= y,
        "ult" => a < b,
        "ule" => a <= b,
        "ugt" => a > b,
        "uge" => a >= b,
        _ => return None,
    })
}
