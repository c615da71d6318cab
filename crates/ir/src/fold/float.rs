//! IEEE arithmetic in each float type, by a soft-float library: one rounding per op, to nearest even.
//!
//! `f8E4M3` has no infinity: results beyond its largest value saturate (loom-ops 1.1). Results that are NaN do
//! not fold, since payloads are unspecified.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use super::Exact;
use crate::module::Scalar;

/// Calls `$body` with the soft-float type of `$scalar` as `F`.
macro_rules! in_type {
    ($scalar:expr, $F:ident => $body:expr) => {
        match $scalar {
            Scalar::F8E4M3 => {
                type $F = Float8E4M3FN;
                $body
            }
            Scalar::F8E5M2 => {
                type $F = Float8E5M2;
                $body
            }
            Scalar::F16 => {
                type $F = Half;
                $body
            }
            Scalar::BF16 => {
                type $F = BFloat;
                $body
            }
            Scalar::F32 => {
                type $F = Single;
                $body
            }
            Scalar::F64 => {
                type $F = Double;
                $body
            }
            _ => return None,
        }
    };
}
pub(super) use in_type;

const NEAREST: Round = Round::NearestTiesToEven;

pub(super) fn fold(name: &str, choice: Option<&str>, operands: &[Exact]) -> Option<Exact> {
    let [Exact::Float(scalar, _), ..] = operands else {
        return None;
    };
    let scalar = *scalar;
    let bits: Option<Vec<u128>> = operands
        .iter()
        .map(|operand| match operand {
            Exact::Float(other, bits) if *other == scalar => Some(u128::from(*bits)),
            _ => None,
        })
        .collect();
    let bits = bits?;
    in_type!(scalar, F => {
        let values: Vec<F> = bits.iter().map(|&bits| F::from_bits(bits)).collect();
        match classify(name, choice, &values) {
            Some(answer) => Some(Exact::bool(answer)),
            None => finish(scalar, arithmetic(name, choice, &values)?),
        }
    })
}

/// The result, unless it is a NaN.
fn finish<F: Float>(scalar: Scalar, value: F) -> Option<Exact> {
    (!value.is_nan()).then(|| Exact::Float(scalar, value.to_bits() as u64))
}

/// Comparisons and classifications.
fn classify<F: Float>(name: &str, choice: Option<&str>, values: &[F]) -> Option<bool> {
    match (name, values) {
        ("isnanf", [a]) => Some(a.is_nan()),
        ("isinff", [a]) => Some(a.is_infinite()),
        ("isfinitef", [a]) => Some(a.is_finite()),
        ("cmpf", [a, b]) => compare(choice?, a.partial_cmp(b)),
        _ => None,
    }
}

/// `o` predicates are false and `u` predicates true when a NaN is involved.
fn compare(predicate: &str, order: Option<Ordering>) -> Option<bool> {
    let unordered = order.is_none();
    match predicate {
        "ord" => return Some(!unordered),
        "uno" => return Some(unordered),
        _ => {}
    }
    let (first, relation) = predicate.split_at_checked(1)?;
    let holds = match relation {
        "eq" => order == Some(Ordering::Equal),
        "gt" => order == Some(Ordering::Greater),
        "ge" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        "lt" => order == Some(Ordering::Less),
        "le" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        "ne" => matches!(order, Some(Ordering::Less | Ordering::Greater)),
        _ => return None,
    };
    Some(match first {
        "u" => holds || unordered,
        _ => holds,
    })
}

fn arithmetic<F>(name: &str, choice: Option<&str>, values: &[F]) -> Option<F>
where
    F: Float + FloatConvert<Double>,
    Double: FloatConvert<F>,
{
    Some(match (name, values) {
        ("addf", [a, b]) => saturate(a.add_r(*b, NEAREST), values),
        ("subf", [a, b]) => saturate(a.sub_r(*b, NEAREST), values),
        ("mulf", [a, b]) => saturate(a.mul_r(*b, NEAREST), values),
        ("divf", [a, b]) => saturate(a.div_r(*b, NEAREST), values),
        ("remf", [a, b]) => a.c_fmod(*b).value,
        ("fmaf", [a, b, c]) => saturate(a.mul_add_r(*b, *c, NEAREST), values),
        ("negf", [a]) => -*a,
        ("absf", [a]) => a.abs(),
        ("copysignf", [a, b]) => a.copy_sign(*b),
        ("minimumf", [a, b]) => a.minimum(*b),
        ("maximumf", [a, b]) => a.maximum(*b),
        ("minnumf", [a, b]) => number(*a, *b, F::minimum),
        ("maxnumf", [a, b]) => number(*a, *b, F::maximum),
        ("clampf", [value, low, high]) => match choice? {
            "ordered" => match (value.partial_cmp(low), value.partial_cmp(high)) {
                (Some(Ordering::Less), _) => *low,
                (_, Some(Ordering::Greater)) => *high,
                _ => *value,
            },
            "number" => number(number(*value, *low, F::maximum), *high, F::minimum),
            "ieee" => value.maximum(*low).minimum(*high),
            _ => return None,
        },
        ("sqrtf", [a]) => square_root(*a),
        ("signf", [a]) => match (a.is_nan() || a.is_zero(), a.is_negative()) {
            (true, _) => F::ZERO,
            (false, negative) => F::from_i128(if negative { -1 } else { 1 }).value,
        },
        ("ceilf", [a]) => a.round_to_integral(Round::TowardPositive).value,
        ("floorf", [a]) => a.round_to_integral(Round::TowardNegative).value,
        ("truncf", [a]) => a.round_to_integral(Round::TowardZero).value,
        ("roundf", [a]) => a.round_to_integral(Round::NearestTiesToAway).value,
        ("roundevenf", [a]) => a.round_to_integral(NEAREST).value,
        _ => return None,
    })
}

/// A NaN operand is ignored; the order of zeros is that of `choose`.
fn number<F: Float>(a: F, b: F, choose: impl Fn(F, F) -> F) -> F {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => choose(a, b),
    }
}

/// Correctly rounded: a double holds more than twice the digits of the narrower types, so rounding twice is
/// rounding once, and the double's own root is correctly rounded by IEEE 754.
fn square_root<F>(value: F) -> F
where
    F: Float + FloatConvert<Double>,
    Double: FloatConvert<F>,
{
    let mut loses = false;
    let wide: Double = value.convert(&mut loses).value;
    let root = f64::from_bits(wide.to_bits() as u64).sqrt();
    Double::from_bits(root.to_bits().into()).convert(&mut loses).value
}

/// In a type without infinities, an overflow of numbers yields the largest number.
fn saturate<F: Float>(result: rustc_apfloat::StatusAnd<F>, operands: &[F]) -> F {
    let overflows = result.status.contains(Status::OVERFLOW) && result.value.is_nan();
    let numbers = operands.iter().all(|operand| operand.is_finite());
    if !(overflows && numbers) {
        return result.value;
    }
    if result.value.is_negative() {
        -F::largest()
    } else {
        F::largest()
    }
}

/// The bits of the double `bits` in type `scalar`, rounded to nearest even; `f8E4M3` saturates.
pub fn round_to(scalar: Scalar, bits: u64) -> u64 {
    fn convert(scalar: Scalar, bits: u64) -> Option<u64> {
        in_type!(scalar, F => Some(narrow::<Double, F>(Double::from_bits(bits.into())).to_bits() as u64))
    }
    convert(scalar, bits).unwrap_or(bits)
}

/// Converts to `T`: overflow gives infinity, or the largest number where there is none; a NaN stays one.
pub(super) fn narrow<F, T>(value: F) -> T
where
    F: Float + FloatConvert<T>,
    T: Float,
{
    let mut loses = false;
    let converted: T = value.convert_r(NEAREST, &mut loses).value;
    let has_infinity = T::INFINITY.is_infinite();
    if !has_infinity && converted.is_nan() && !value.is_nan() {
        return if value.is_negative() {
            -T::largest()
        } else {
            T::largest()
        };
    }
    converted
}
