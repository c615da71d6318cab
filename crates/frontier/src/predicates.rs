//! The predicates of an op, one by one.

use loom_ir::facts::{Known, Term};
use loom_ir::{Attr, Indexed, OpView, Predicate};

/// The predicates in slot `slot`, with their arguments.
pub(crate) fn predicates<'a>(
    view: OpView<'a>,
    slot: &str,
) -> impl Iterator<Item = (Predicate, Vec<Indexed>)> + use<'a> {
    let mut rest = view.named(slot);
    std::iter::from_fn(move || {
        let [number, count, tail @ ..] = rest else {
            return None;
        };
        let (arguments, tail) = tail.split_at(*count as usize);
        rest = tail;
        let arguments = arguments.iter().map(|&word| Indexed::from_word(word)).collect();
        Some((Predicate::from_number(*number)?, arguments))
    })
}

/// A literal as the argument of a predicate. Of floats nothing is proven.
pub(crate) fn constant(literal: &Attr) -> Term {
    match *literal {
        Attr::Int(value) => Term::integer(value),
        Attr::Bool(value) => Term::integer(value.into()),
        _ => Term {
            known: Known::NOTHING,
            value: None,
            float: true,
        },
    }
}
