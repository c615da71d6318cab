//! Exact folding of single ops (loom-language 2.3, loom-ops 2, 7.4).
//!
//! Only what is the same on every machine and target folds. An op whose precondition is violated does not fold,
//! nor does one whose result would be a NaN, nor one whose accuracy the language leaves open (`expf`, `sinf`, ..):
//! its result is the target's affair.

use crate::module::{Attr, OpView, Scalar, StringId};

pub use exact::Exact;
pub use float::round_to;

mod convert;
mod exact;
mod float;
mod index;
mod integer;

/// The result of `op`, which has one result, for exact `operands` in the order of [`crate::walk::operands`];
/// `types` are the stated element types in the order of the op's type slots.
///
/// `None` when the op does not fold: unknown kinds, violated preconditions, overflow that a flag excludes,
/// results that are no number.
pub fn fold(
    op: &str,
    choice: Option<&str>,
    flags: Flags,
    types: &[Scalar],
    operands: &[Exact],
) -> Option<Exact> {
    let (family, name) = op.split_once('.')?;
    match family {
        "index" => index::fold(name, choice, types, operands),
        "scalar" => match types.first()?.is_float() {
            true => float::fold(name, choice, operands).or_else(|| convert::fold(name, types, operands)),
            false => {
                integer::fold(name, choice, flags, operands).or_else(|| convert::fold(name, types, operands))
            }
        },
        "scf" if name == "select" => match operands {
            [Exact::Int(Scalar::I1, condition), then, otherwise] => {
                Some(if *condition == 1 { *then } else { *otherwise })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Promises that keep an op from folding when they are broken, and parameters of bit fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// No signed wrap.
    pub nsw: bool,
    /// No unsigned wrap.
    pub nuw: bool,
    /// `offset` and `width` of a bit field.
    pub field: (u32, u32),
}

/// Folds `view` given what `exact` says about its operands; constants fold to their literal.
pub fn fold_op(view: OpView<'_>, exact: impl Fn(crate::ValueId) -> Option<Exact>) -> Option<Exact> {
    if view.results().len() != 1 {
        return None;
    }
    if matches!(
        view.def.name,
        "index.constant" | "scalar.constant" | "check.literal"
    ) {
        let scalar = view.body.ty(view.ty("T")?).scalar()?;
        return Exact::from_literal(view.attr("value")?, scalar);
    }
    let operands: Option<Vec<Exact>> = crate::walk::operands(view).map(exact).collect();
    fold_exact(view, &operands?)
}

/// Folds `view`, an op with one result that is no constant, for exact `operands` in the order of
/// [`crate::walk::operands`].
pub fn fold_exact(view: OpView<'_>, operands: &[Exact]) -> Option<Exact> {
    // The stated types in the order of their slots; `index.scale` states three.
    let (mut types, mut count) = ([Scalar::I1; 4], 0);
    for name in ["T", "I", "S", "R"] {
        if let Some(scalar) = view.ty(name).and_then(|ty| view.body.ty(ty).scalar()) {
            types[count] = scalar;
            count += 1;
        }
    }
    let wrap = view.named("wrap").first().copied().unwrap_or(0);
    let number = |key: &str| match view.key("dict", key) {
        Some(Attr::Int(value)) => u32::try_from(*value).unwrap_or(u32::MAX),
        _ => 0,
    };
    let flags = Flags {
        nsw: wrap & 1 != 0,
        nuw: wrap & 2 != 0,
        field: (number("offset"), number("width")),
    };
    let choice = view.choice("predicate").or_else(|| view.choice("mode"));
    fold(view.def.name, choice, flags, &types[..count.max(1)], operands)
}

/// The exact value of an integer attribute list entry; for dictionaries of parameters.
pub fn literal_in(pairs: &[(StringId, Attr)], key: StringId, scalar: Scalar) -> Option<Exact> {
    let (_, attr) = pairs.iter().find(|(name, _)| *name == key)?;
    Exact::from_literal(attr, scalar)
}

#[cfg(test)]
mod tests;
