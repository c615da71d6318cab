//! Cases, scenarios and their parameters (loom-ops 4.1, 7.4).

use loom_base::Diagnostic;

use super::Verifier;
use crate::module::{Attr, OpView, ShapeKind, Type};
use crate::verifier::operands::Kind;

impl<'a> Verifier<'a> {
    pub(super) fn parameter_range(&mut self, view: OpView<'a>) {
        let Some(scalar) = self.element(view, "T") else {
            return;
        };
        let number = |name: &str| match view.attr(name) {
            Some(Attr::Int(value)) => Some(*value as f64),
            Some(Attr::Float(bits)) => Some(f64::from_bits(*bits)),
            _ => None,
        };
        let po2 = view.choice("kind") == Some("po2");
        if po2 && scalar.is_float() {
            let message = format!(
                "result has type {}, expected an integer or index for 'po2'",
                scalar.name()
            );
            self.fault(view, "T", "TYPE/004", message, "powers of two are integers");
        }
        if let (Some(low), Some(high)) = (number("low"), number("high")) {
            if low > high {
                let message = format!("attribute 'low' value {low} must satisfy at most {high}");
                self.fault(view, "low", "STRUCTURE/014", message, "swap the bounds");
            } else if po2 && low <= 0.0 {
                let message = format!("attribute 'low' value {low} must satisfy positive for 'po2'");
                self.fault(view, "low", "STRUCTURE/014", message, "start at 1 or above");
            }
        }
        match number("step") {
            Some(step) if step <= 0.0 => {
                let message = format!("attribute 'step' value {step} must satisfy positive");
                self.fault(view, "step", "STRUCTURE/014", message, "write a positive step");
            }
            None if scalar.is_float() && !po2 => {
                let message = format!(
                    "attribute 'step' has kind {}, expected {}",
                    Kind::ABSENT,
                    Kind::FLOAT
                );
                self.fault(
                    view,
                    "step",
                    "TYPE/005",
                    message,
                    "a range of floats needs `step(..)`",
                );
            }
            _ => {}
        }
    }

    pub(super) fn parameter_choices(&mut self, view: OpView<'a>) {
        let (Some(slot), Some(scalar)) = (view.def.slot_named("values"), self.element(view, "T")) else {
            return;
        };
        let Some(Attr::List(values)) = view.attr("values") else {
            return;
        };
        if values.is_empty() {
            let diagnostic = Diagnostic::error(
                "STRUCTURE/014",
                "attribute 'values' must satisfy at least one value",
            );
            return self.at_slot(view, slot, diagnostic.help("list the values"));
        }
        for value in values {
            self.fits(view, slot, value, scalar, "values");
        }
    }

    pub(super) fn tolerances(&mut self, view: OpView<'a>) {
        for name in ["atol", "rtol"] {
            if let Some(Attr::Float(bits)) = view.attr(name) {
                let value = f64::from_bits(*bits);
                if value.is_nan() || value < 0.0 {
                    let message = format!("attribute '{name}' value {value} must satisfy non-negative");
                    self.fault(view, name, "STRUCTURE/014", message, "a tolerance is 0.0 or more");
                }
            }
        }
        if let Some(scalar) = self.element(view, "T")
            && (!scalar.is_float() || scalar.bits() == 8)
        {
            let message = format!(
                "operand 'actual' has type {}, expected f16, bf16, f32 or f64",
                self.stated_text(view, "T")
            );
            self.fault(
                view,
                "T",
                "TYPE/003",
                message,
                "compare integers and 8 bit floats with `check.expect.equal`",
            );
        }
    }

    pub(super) fn shape_rank(&mut self, view: OpView<'a>) {
        let Some(ty) = view.ty("T") else { return };
        if let Type::Shaped(shaped) = view.body.ty(ty)
            && shaped.kind == ShapeKind::Tensor
            && shaped.dims.len() != view.named("shape").len()
        {
            let message = format!(
                "index count ({}) does not match rank ({})",
                view.named("shape").len(),
                shaped.dims.len()
            );
            self.fault(view, "shape", "SUBRANGE/001", message, "give one extent per axis");
        }
    }
}
