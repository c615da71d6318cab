//! What single rows ask for.

use loom_base::Diagnostic;

use super::Verifier;
use super::operands::attr_kind;
use crate::module::{Attr, OpView, Scalar, ShapeKind, Type, TypeId};
use crate::table::Rule;

impl<'a> Verifier<'a> {
    pub(super) fn rule(&mut self, view: OpView<'a>, rule: Rule) {
        match rule {
            Rule::Literal => self.literal(view),
            Rule::Inside(names) => self.inside(view, names),
            _ => {}
        }
    }

    /// The literal in `value` is one of the type in `T`.
    fn literal(&mut self, view: OpView<'a>) {
        let (Some(slot), Some(attr), Some(ty)) =
            (view.def.slot_named("value"), view.attr("value"), view.ty("T"))
        else {
            return;
        };
        let Some(scalar) = element(view.body.ty(ty)) else {
            return;
        };
        let expected = if scalar.is_float() { 2 } else { 1 };
        let actual = attr_kind(attr);
        let wrong_bool = matches!(attr, Attr::Bool(_)) && scalar != Scalar::I1;
        if actual != expected || wrong_bool {
            let message = format!("attribute 'value' has kind {actual}, expected {expected}");
            let help = match scalar.is_float() {
                true => "write a float literal such as `1.0`",
                false => "write an integer literal",
            };
            return self.at_word(view, slot, 0, Diagnostic::error("TYPE/005", message).help(help));
        }
        let Attr::Int(value) = *attr else { return };
        let (low, high) = domain(scalar);
        if !(low..=high).contains(&value) {
            let message = format!("attribute 'value' value {value} must satisfy element type domain");
            let help = format!(
                "{} holds {low} to {high}",
                self.type_text(TypeId(1 + scalar as u32))
            );
            self.at_word(
                view,
                slot,
                0,
                Diagnostic::error("STRUCTURE/014", message).help(help),
            );
        }
    }

    fn inside(&mut self, view: OpView<'a>, names: &[&str]) {
        let around = self
            .ancestors
            .iter()
            .any(|&op| names.contains(&self.view(op).def.name));
        if !around {
            let expected = names
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(" or ");
            let message = format!("'{}' stands outside {expected}", view.def.name);
            let diagnostic =
                Diagnostic::error("STRUCTURE/029", message).help(format!("move it into {expected}"));
            self.at_op(view, diagnostic);
        }
    }
}

/// The scalar of a scalar type or of a vector's lanes.
fn element(ty: &Type) -> Option<Scalar> {
    ty.scalar()
        .or_else(|| ty.shaped(ShapeKind::Vector).map(|shaped| shaped.element))
}

/// The integer literals a type admits.
fn domain(scalar: Scalar) -> (i64, i64) {
    match scalar {
        Scalar::Offset => (0, i64::MAX),
        Scalar::I1 => (0, 1),
        Scalar::I8 => (i8::MIN.into(), i8::MAX.into()),
        Scalar::I16 => (i16::MIN.into(), i16::MAX.into()),
        Scalar::I32 => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN, i64::MAX),
    }
}
