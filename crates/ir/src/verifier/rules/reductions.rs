//! Reductions and dot products.

use super::{Verifier, integers};
use crate::module::{Dim, OpView, Scalar, TypeId};

impl<'a> Verifier<'a> {
    pub(super) fn reduction_kind(&mut self, view: OpView<'a>) {
        let (Some(kind), Some(element)) = (view.choice("kind"), self.element(view, "T")) else {
            return;
        };
        let float = kind.ends_with('f');
        if float != element.is_float() {
            let expected = if float { "floats" } else { "integers" };
            let message = format!(
                "operand has type {}, expected {expected} for '{kind}'",
                self.stated_text(view, "T")
            );
            let help = format!("`{kind}` combines {expected}");
            self.fault(view, "kind", "TYPE/003", message, help);
        }
    }

    pub(super) fn reduce_all(&mut self, view: OpView<'a>) {
        let (Some(element), Some(init)) = (self.element(view, "T"), view.ty("I")) else {
            return;
        };
        if element.type_id() != init {
            let message = format!(
                "element types {} and {} differ",
                element.name(),
                self.type_text(init)
            );
            self.fault(
                view,
                "I",
                "TYPE/002",
                message,
                "the initial value has the type of the lanes",
            );
        }
    }

    pub(super) fn reduce_axes(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.shape(view, "T"), self.shape(view, "I")) else {
            return;
        };
        let axes = integers(view.attr("axes")).unwrap_or_default();
        let rank = from.dims.len() as i64;
        if axes.is_empty() || !axes.is_sorted_by(|a, b| a < b) {
            let message = "attribute 'axes' must satisfy sorted, unique axes".to_owned();
            return self.fault(
                view,
                "axes",
                "STRUCTURE/014",
                message,
                "name at least one axis, in order",
            );
        }
        if let Some(wrong) = axes.iter().find(|&&axis| axis < 0 || axis >= rank) {
            let message = format!("axis {wrong} is outside rank {rank}");
            return self.fault(view, "axes", "SUBRANGE/002", message, "axes count from 0");
        }
        let kept = (0..rank)
            .filter(|axis| !axes.contains(axis))
            .map(|axis| from.dims[axis as usize]);
        if from.element != to.element {
            let message = format!(
                "element types {} and {} differ",
                from.element.name(),
                to.element.name()
            );
            self.fault(
                view,
                "I",
                "TYPE/002",
                message,
                "the initial value has the type of the lanes",
            );
        } else if !kept.eq(to.dims.iter().copied()) {
            let message = format!(
                "shape of {} is not what is left of {}",
                self.stated_text(view, "I"),
                self.stated_text(view, "T")
            );
            self.fault(
                view,
                "I",
                "SHAPE/002",
                message,
                "the initial value has the extents that are not reduced",
            );
        }
    }

    /// `a` and `b` of one shape and admitted elements; `group` lanes make one lane of the accumulator.
    pub(super) fn dot(&mut self, view: OpView<'a>, group: u64, elements: Option<(&[&str], &str)>) {
        let (Some(a), Some(b)) = (self.shape(view, "T"), self.shape(view, "U")) else {
            return;
        };
        if a.dims != b.dims {
            let message = format!(
                "shapes of {} and {} differ",
                self.stated_text(view, "T"),
                self.stated_text(view, "U")
            );
            return self.fault(view, "U", "SHAPE/002", message, "both factors have one shape");
        }
        if a.element != b.element {
            let message = format!(
                "element types {} and {} differ",
                a.element.name(),
                b.element.name()
            );
            return self.fault(
                view,
                "U",
                "TYPE/002",
                message,
                "both factors have one element type",
            );
        }
        let accumulator = self.element(view, "I");
        match elements {
            Some((factors, sum)) => {
                if !factors.contains(&a.element.name()) {
                    let message = format!(
                        "operand 'a' has type {}, expected lanes of {}",
                        self.stated_text(view, "T"),
                        factors.join(" or ")
                    );
                    return self.fault(
                        view,
                        "T",
                        "TYPE/003",
                        message,
                        format!("`{}` multiplies {}", view.def.name, factors.join(" or ")),
                    );
                }
                if accumulator.map(Scalar::name) != Some(sum) {
                    let message = format!(
                        "operand 'c' has type {}, expected lanes of {sum}",
                        self.stated_text(view, "I")
                    );
                    return self.fault(
                        view,
                        "I",
                        "TYPE/003",
                        message,
                        format!("products are added in {sum}"),
                    );
                }
            }
            None => {
                if view.ty("I") != Some(TypeId(a.element.type_id().0)) {
                    let message = format!(
                        "element types {} and {} differ",
                        a.element.name(),
                        self.stated_text(view, "I")
                    );
                    return self.fault(
                        view,
                        "I",
                        "TYPE/002",
                        message,
                        "the sum has the type of the lanes",
                    );
                }
            }
        }
        if let Some(sum) = self.shape(view, "I") {
            let lanes = a.dims.len() == sum.dims.len()
                && a.dims.iter().zip(&sum.dims).enumerate().all(|(at, pair)| {
                    match (at + 1 == a.dims.len(), pair) {
                        (true, (Dim::Static(a), Dim::Static(sum))) => sum.checked_mul(group) == Some(*a),
                        (_, (a, sum)) => a == sum,
                    }
                });
            if !lanes {
                let message = format!(
                    "shape of {} does not take {group} lanes of {} each",
                    self.stated_text(view, "I"),
                    self.stated_text(view, "T")
                );
                self.fault(
                    view,
                    "I",
                    "SHAPE/002",
                    message,
                    format!("divide the last extent by {group}"),
                );
            }
        }
    }
}
