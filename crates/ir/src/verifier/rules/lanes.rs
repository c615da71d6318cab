//! Vector ops that relate lanes to scalars, masks, packed bits and tables (loom-ops 2.3).

use super::shapes::static_extent;
use super::{Verifier, integer, lanes, scalar_name};
use crate::module::{Attr, Dim, OpView, Scalar, Shaped, Type, TypeId, ValueId};

impl<'a> Verifier<'a> {
    /// The mask of a lanewise select.
    pub(super) fn mask(&mut self, view: OpView<'a>) {
        let (Some(mask), Some(shaped)) = (view.operand("mask"), self.shape(view, "T")) else {
            return;
        };
        let ty = view.body.type_of(mask);
        match view.body.ty(ty) {
            Type::Unknown => {}
            Type::Shaped(lanes)
                if lanes.element == Scalar::I1 && matches!(lanes.kind, crate::module::ShapeKind::Vector) =>
            {
                if lanes.dims != shaped.dims {
                    let message = format!(
                        "shapes of {} and {} differ",
                        self.type_text(ty),
                        self.stated_text(view, "T")
                    );
                    self.fault(
                        view,
                        "mask",
                        "SHAPE/002",
                        message,
                        "the mask has one lane per lane",
                    );
                }
            }
            _ => {
                let message = format!(
                    "operand 'mask' has type {}, expected vector of i1",
                    self.type_text(ty)
                );
                self.fault(
                    view,
                    "mask",
                    "TYPE/003",
                    message,
                    "a single condition chooses with `scf.select`",
                );
            }
        }
    }

    pub(super) fn bitpack(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.shape(view, "T"), self.shape(view, "R")) else {
            return;
        };
        let Some(width) = integer(view.attr("width")) else {
            return;
        };
        let (wide, packed) = if view.def.name == "vector.bitpack" {
            (from, to)
        } else {
            (to, from)
        };
        let bits = i64::from(wide.element.bits());
        if width < 1 || width > bits {
            let message = format!("attribute 'width' value {width} must satisfy 1 to {bits}");
            return self.fault(
                view,
                "width",
                "STRUCTURE/014",
                message,
                format!("a lane has {bits} bits"),
            );
        }
        let total = |shaped: &Shaped, bits: u64| lanes(shaped)?.checked_mul(bits);
        if let (Some(wide), Some(packed)) = (
            total(wide, width as u64),
            total(packed, packed.element.bits().into()),
        ) && wide != packed
        {
            let message = format!(
                "result has type {}: {wide} bits do not fill {packed}",
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "TYPE/004",
                message,
                "lanes times width equals the bits of the packed vector",
            );
        }
    }

    pub(super) fn lanes(&mut self, view: OpView<'a>, element: &str) {
        if let Some(actual) = self.element(view, "T")
            && actual.name() != element
        {
            let message = format!(
                "operand 'a' has type {}, expected lanes of {element}",
                self.stated_text(view, "T")
            );
            self.fault(
                view,
                "T",
                "TYPE/003",
                message,
                format!("`{}` reads packed {element} lanes", view.def.name),
            );
        }
    }

    pub(super) fn table_lookup(&mut self, view: OpView<'a>) {
        let (Some(table), Some(indices), Some(to)) = (
            self.shape(view, "T"),
            self.shape(view, "I"),
            self.shape(view, "R"),
        ) else {
            return;
        };
        if table.dims.len() != 1 {
            let message = format!(
                "operand 'table' has type {}, expected rank 1",
                self.stated_text(view, "T")
            );
            return self.fault(view, "T", "TYPE/003", message, "a table has one axis");
        }
        if indices.dims != to.dims {
            let message = format!(
                "shapes of {} and {} differ",
                self.stated_text(view, "I"),
                self.stated_text(view, "R")
            );
            self.fault(view, "R", "SHAPE/002", message, "one entry per index");
        }
        if table.element != to.element {
            let message = format!(
                "element types {} and {} differ",
                table.element.name(),
                to.element.name()
            );
            self.fault(
                view,
                "R",
                "TYPE/002",
                message,
                "the result has the table's elements",
            );
        }
        if let (Some(extent), Some(value)) = (static_extent(&table.dims[0]), view.operand("indices"))
            && let Some(index) = self.constant(value)
            && (index < 0 || index as u64 >= extent)
        {
            let message = format!("index {index} is outside extent {extent} of axis 0");
            self.fault(
                view,
                "indices",
                "SUBRANGE/004",
                message,
                format!("the table has {extent} entries"),
            );
        }
    }

    pub(super) fn table_quantize(&mut self, view: OpView<'a>) {
        let (Some(from), Some(table), Some(to)) = (
            self.shape(view, "T"),
            self.shape(view, "U"),
            self.shape(view, "R"),
        ) else {
            return;
        };
        if from.dims != to.dims {
            let message = format!(
                "shapes of {} and {} differ",
                self.stated_text(view, "T"),
                self.stated_text(view, "R")
            );
            self.fault(view, "R", "SHAPE/002", message, "one code per lane");
        }
        // n thresholds make n + 1 bins, numbered from 0.
        if let Some(thresholds) = lanes(table)
            && to.element.bits() < 64
            && thresholds >> to.element.bits() != 0
        {
            let message = format!(
                "code type {} is too small for {} bins",
                to.element.name(),
                thresholds + 1
            );
            self.fault(view, "R", "TYPE/011", message, "use a wider integer type");
        }
        if let Some(view_of) = view.operand("thresholds").and_then(|value| self.defining(value))
            && view_of.def.name == "vector.from_elements"
        {
            let values: Vec<Option<f64>> = view_of
                .operands("elements")
                .map(
                    |value| match self.defining(value).and_then(|op| op.attr("value")) {
                        Some(Attr::Float(bits)) => Some(f64::from_bits(*bits)),
                        _ => None,
                    },
                )
                .collect();
            if values
                .windows(2)
                .any(|pair| matches!(pair, [Some(a), Some(b)] if a >= b))
            {
                let message = "thresholds are not ascending".to_owned();
                self.fault(
                    view,
                    "thresholds",
                    "STRUCTURE/015",
                    message,
                    "sort the thresholds",
                );
            }
        }
    }

    /// Scalar operands without a stated type have the element type of the vector.
    pub(super) fn splat(&mut self, view: OpView<'a>) {
        let Some(element) = self.element(view, "T") else {
            return;
        };
        for name in ["input", "start", "step"] {
            if let Some(value) = view.operand(name) {
                self.has_element(view, name, 0, value, element);
            }
        }
    }

    fn has_element(&mut self, view: OpView<'a>, name: &str, word: usize, value: ValueId, element: Scalar) {
        let actual = view.body.type_of(value);
        let expected = scalar_name(element);
        if actual != expected && actual != TypeId::UNKNOWN {
            let message = format!(
                "'{name}' element type {} does not match {}",
                self.type_text(actual),
                self.type_text(expected)
            );
            let help = format!("the lanes have type {}", element.name());
            self.fault_at(view, name, word, "TYPE/002", message, help);
        }
    }

    pub(super) fn elements(&mut self, view: OpView<'a>) {
        let Some(shaped) = self.shape(view, "T") else {
            return;
        };
        let given = view.named("elements").len();
        if let Some(lanes) = lanes(shaped)
            && lanes != given as u64
        {
            let message = format!("'elements' has {given} values but 'T' has {lanes}");
            self.fault(
                view,
                "elements",
                "STRUCTURE/013",
                message,
                "give one scalar per lane, row by row",
            );
        }
        for (position, value) in view.operands("elements").enumerate() {
            self.has_element(view, "elements", position, value, shaped.element);
        }
    }

    pub(super) fn no_lanes(&mut self, view: OpView<'a>) {
        if let Some(shaped) = self.shape(view, "T")
            && !shaped.dims.contains(&Dim::Static(0))
        {
            let message = format!(
                "result has type {}, expected a vector without lanes",
                self.stated_text(view, "T")
            );
            self.fault(view, "T", "TYPE/004", message, "one extent is 0");
        }
    }

    pub(super) fn rank_one(&mut self, view: OpView<'a>) {
        for name in ["R", "T", "M"] {
            if let Some(shaped) = self.shape(view, name)
                && shaped.dims.len() != 1
            {
                let message = format!(
                    "result has type {}, expected a vector of rank 1",
                    self.stated_text(view, name)
                );
                return self.fault(
                    view,
                    name,
                    "TYPE/004",
                    message,
                    format!("`{}` works on rank 1", view.def.name),
                );
            }
        }
    }
}
