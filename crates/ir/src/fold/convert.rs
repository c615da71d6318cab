//! Conversions between scalars.

use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, Round, Status};

use super::Exact;
use super::exact::{mask, sign_extend};
use super::float::{in_type, narrow};
use crate::module::Scalar;

/// Folds a cast; `types` are source and result type.
pub(super) fn fold(name: &str, types: &[Scalar], operands: &[Exact]) -> Option<Exact> {
    let ([from, to], [operand]) = (types, operands) else {
        return None;
    };
    if operand.scalar() != *from {
        return None;
    }
    match (name, *operand) {
        ("extsi", Exact::Int(scalar, bits)) => Some(Exact::int(*to, sign_extend(bits, scalar.bits()) as u64)),
        ("extui" | "trunci", Exact::Int(_, bits)) => Some(Exact::int(*to, bits)),
        ("bitcast", _) if from.bits() == to.bits() => bitcast(*operand, *to),
        ("sitofp", Exact::Int(scalar, bits)) => {
            integer_to_float(sign_extend(bits, scalar.bits()).into(), *to)
        }
        ("uitofp", Exact::Int(_, bits)) => integer_to_float(bits.into(), *to),
        ("fptosi", Exact::Float(..)) => float_to_integer(*operand, *to, true),
        ("fptoui", Exact::Float(..)) => float_to_integer(*operand, *to, false),
        ("extf" | "fptrunc", Exact::Float(..)) => float_to_float(*operand, *to),
        _ => None,
    }
}

fn bitcast(operand: Exact, to: Scalar) -> Option<Exact> {
    match (operand, to.is_float()) {
        (Exact::Index(..), _) => None,
        (operand, true) => Some(Exact::Float(to, operand.bits())),
        (operand, false) => to.is_integer().then(|| Exact::int(to, operand.bits())),
    }
}

/// Nearest even; a result beyond the type does not fold.
fn integer_to_float(value: i128, to: Scalar) -> Option<Exact> {
    in_type!(to, F => {
        let converted = F::from_i128_r(value, Round::NearestTiesToEven);
        converted.value.is_finite().then(|| Exact::Float(to, converted.value.to_bits() as u64))
    })
}

/// Toward zero; the truncated value must fit.
fn float_to_integer(operand: Exact, to: Scalar, signed: bool) -> Option<Exact> {
    let width = to.bits() as usize;
    in_type!(operand.scalar(), F => {
        let value = F::from_bits(operand.bits().into());
        let mut exact = false;
        let (status, bits) = if signed {
            let converted = value.to_i128_r(width, Round::TowardZero, &mut exact);
            (converted.status, converted.value as u64)
        } else {
            let converted = value.to_u128_r(width, Round::TowardZero, &mut exact);
            (converted.status, converted.value as u64)
        };
        (!status.contains(Status::INVALID_OP)).then_some(Exact::Int(to, bits & mask(to)))
    })
}

/// Widening is exact; narrowing rounds to nearest even. NaN does not fold.
fn float_to_float(operand: Exact, to: Scalar) -> Option<Exact> {
    let mut loses = false;
    let wide: Double = in_type!(operand.scalar(), F => {
        rustc_apfloat::FloatConvert::<Double>::convert(F::from_bits(operand.bits().into()), &mut loses).value
    });
    if wide.is_nan() {
        return None;
    }
    in_type!(to, F => Some(Exact::Float(to, narrow::<Double, F>(wide).to_bits() as u64)))
}
