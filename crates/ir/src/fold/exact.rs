//! Exact values: an integer or float together with its type.

use super::float::round_to;
use crate::module::{Attr, Scalar};

/// An exact value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exact {
    /// `index` or `offset`.
    Index(Scalar, i64),
    /// `i1` to `i64`: the payload, zero extended.
    Int(Scalar, u64),
    /// A float: its bits.
    Float(Scalar, u64),
}

impl Exact {
    /// The value that a literal has as a `scalar`: integers inside the type's domain, floats rounded to nearest
    /// even. `None` for a literal of the wrong class or outside the domain (loom-ops 0.2).
    pub fn from_literal(attr: &Attr, scalar: Scalar) -> Option<Exact> {
        match (attr, scalar) {
            (Attr::Int(value), Scalar::Index) => Some(Exact::Index(scalar, *value)),
            (Attr::Int(value), Scalar::Offset) => (*value >= 0).then_some(Exact::Index(scalar, *value)),
            (Attr::Bool(value), Scalar::I1) => Some(Exact::Int(scalar, u64::from(*value))),
            (Attr::Int(value), Scalar::I1) => (0..=1)
                .contains(value)
                .then_some(Exact::Int(scalar, *value as u64)),
            (Attr::Int(value), _) if scalar.is_integer() => {
                let exact = Exact::int(scalar, *value as u64);
                (exact.signed() == Some(*value)).then_some(exact)
            }
            (Attr::Float(bits), _) if scalar.is_float() => {
                Some(Exact::Float(scalar, round_to(scalar, *bits)))
            }
            _ => None,
        }
    }

    /// The integer of type `scalar` with the low bits of `bits`.
    pub fn int(scalar: Scalar, bits: u64) -> Exact {
        Exact::Int(scalar, bits & mask(scalar))
    }

    /// `i1`
    pub fn bool(value: bool) -> Exact {
        Exact::Int(Scalar::I1, u64::from(value))
    }

    /// The type.
    pub fn scalar(self) -> Scalar {
        match self {
            Exact::Index(scalar, _) | Exact::Int(scalar, _) | Exact::Float(scalar, _) => scalar,
        }
    }

    /// The payload bits as an artifact stores them.
    pub fn bits(self) -> u64 {
        match self {
            Exact::Index(_, value) => value as u64,
            Exact::Int(_, bits) | Exact::Float(_, bits) => bits,
        }
    }

    /// The value as a signed number; an `i1` counts as 0 or 1. `None` for floats.
    pub fn signed(self) -> Option<i64> {
        match self {
            Exact::Index(_, value) => Some(value),
            Exact::Int(Scalar::I1, bits) => Some(bits as i64),
            Exact::Int(scalar, bits) => Some(sign_extend(bits, scalar.bits())),
            Exact::Float(..) => None,
        }
    }
}

/// The payload bits of `scalar`.
pub(super) fn mask(scalar: Scalar) -> u64 {
    u64::MAX >> (64 - scalar.bits())
}

/// The number whose two's complement payload is the low `width` bits of `bits`.
pub(super) fn sign_extend(bits: u64, width: u32) -> i64 {
    (bits << (64 - width)) as i64 >> (64 - width)
}
