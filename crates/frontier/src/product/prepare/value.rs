//! What values of a program are while it is being walked.

use loom_ir::facts::Known;
use loom_ir::fold::Exact;
use loom_ir::{Body, Scalar, TypeId};

use super::numbers::{Cause, Number, Numbers};
use crate::product::Root;

/// A value at one moment of the walk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    /// A scalar.
    Scalar(Number),
    /// A buffer or view.
    Storage(Storage),
    /// A layout descriptor.
    Layout(Layout),
    /// Anything that nothing is known about, and why.
    Opaque(Cause),
}

/// A part of a storage root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Storage {
    /// The root. Allocations and parameters are numbered as they are met.
    pub root: Root,
    /// First byte from the beginning of the root: a number of type `offset`.
    pub offset: Number,
    /// How many bytes; `None` is the rest of the root.
    pub length: Option<u64>,
}

/// The layout of a view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Layout {
    /// Row-major, without gaps.
    Dense,
    /// Element strides, by position in a list of them.
    Strided(u32),
}

impl Value {
    /// The number, if this is a scalar.
    pub fn number(self) -> Option<Number> {
        match self {
            Value::Scalar(number) => Some(number),
            _ => None,
        }
    }

    /// A value of type `ty` of which only the type is known.
    pub fn unknown(body: &Body, ty: TypeId, cause: Cause, numbers: &mut Numbers) -> Value {
        match body.ty(ty).scalar() {
            Some(scalar) => Value::Scalar(numbers.fresh(scalar, Known::of_type(body.ty(ty)), cause)),
            None => Value::Opaque(cause),
        }
    }
}

/// The exact value of `known`, when only one is left.
pub(super) fn exact_of(known: &Known, scalar: Scalar) -> Option<Exact> {
    if known.exact.is_some() || scalar.is_float() {
        return known.exact;
    }
    Exact::from_literal(&loom_ir::Attr::Int(known.number()?), scalar)
}
