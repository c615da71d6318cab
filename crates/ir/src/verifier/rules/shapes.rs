//! Shapes and widths of vector and scalar conversions (loom-ops 2.2, 2.3).

use super::{Verifier, integer, lanes};
use crate::module::{Dim, Indexed, OpView, Type};

impl<'a> Verifier<'a> {
    pub(super) fn same_shape(&mut self, view: OpView<'a>) {
        if let (Some(from), Some(to)) = (self.shape(view, "T"), self.shape(view, "R"))
            && from.dims != to.dims
        {
            let message = format!(
                "shapes of {} and {} differ",
                self.stated_text(view, "T"),
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "SHAPE/002",
                message,
                "the result has the operand's extents",
            );
        }
    }

    pub(super) fn same_element(&mut self, view: OpView<'a>) {
        if let (Some(from), Some(to)) = (self.element(view, "T"), self.element(view, "R"))
            && from != to
        {
            let message = format!("element types {} and {} differ", from.name(), to.name());
            self.fault(
                view,
                "R",
                "TYPE/002",
                message,
                format!("the result has elements of {}", from.name()),
            );
        }
    }

    pub(super) fn width(&mut self, view: OpView<'a>, wider: bool) {
        let (Some(from), Some(to)) = (self.element(view, "T"), self.element(view, "R")) else {
            return;
        };
        let holds = if wider {
            to.bits() > from.bits()
        } else {
            to.bits() < from.bits()
        };
        if !holds {
            let wanted = if wider { "wider" } else { "narrower" };
            let message = format!(
                "result has type {}, expected a type {wanted} than {}",
                self.stated_text(view, "R"),
                self.stated_text(view, "T")
            );
            self.fault(
                view,
                "R",
                "TYPE/004",
                message,
                "conversions between types of one width take two steps",
            );
        }
    }

    pub(super) fn same_bits(&mut self, view: OpView<'a>) {
        let bits = |name: &str| match self.shape(view, name) {
            Some(shaped) => lanes(shaped)?.checked_mul(shaped.element.bits().into()),
            None => self.element(view, name).map(|scalar| scalar.bits().into()),
        };
        if let (Some(from), Some(to)) = (bits("T"), bits("R"))
            && from != to
        {
            let message = format!(
                "result has type {} of {to} bits, expected {from} bits",
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "TYPE/004",
                message,
                "a bitcast keeps the number of bits",
            );
        }
    }

    pub(super) fn index_cast(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.element(view, "T"), self.element(view, "R")) else {
            return;
        };
        if !from.is_index_like() && !to.is_index_like() {
            let message = format!(
                "result has type {}, expected index or offset",
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "TYPE/004",
                message,
                "convert between integers with `extsi`, `extui` or `trunci`",
            );
        }
    }

    pub(super) fn bitfield(&mut self, view: OpView<'a>) {
        let Some(source) = self.element(view, if view.ty("U").is_some() { "U" } else { "T" }) else {
            return;
        };
        let (Some(offset), Some(width)) = (
            integer(view.key("dict", "offset")),
            integer(view.key("dict", "width")),
        ) else {
            return;
        };
        let bits = i64::from(source.bits());
        if width < 1 || width > bits {
            let message = format!("attribute 'width' value {width} must satisfy 1 to {bits}");
            let help = format!("{} has {bits} bits", source.name());
            return self.fault_at_key(view, "width", "STRUCTURE/014", message, help);
        }
        if offset < 0 || offset > bits - width {
            let message = format!(
                "attribute 'offset' value {offset} must satisfy 0 to {}",
                bits - width
            );
            let help = format!("{width} bits from bit {offset} do not lie in {}", source.name());
            return self.fault_at_key(view, "offset", "STRUCTURE/014", message, help);
        }
        if let Some(to) = self.element(view, "R")
            && i64::from(to.bits()) < width
        {
            let message = format!(
                "result has type {}, expected at least {width} bits",
                self.stated_text(view, "R")
            );
            self.fault(view, "R", "TYPE/004", message, "the result holds the whole field");
        }
        if let (Some(field), Some(base)) = (self.shape(view, "T"), self.shape(view, "U"))
            && field.dims != base.dims
        {
            let message = "shapes of field and base differ".to_owned();
            self.fault(view, "T", "SHAPE/002", message, "insert one field per lane");
        }
    }

    pub(super) fn extract(&mut self, view: OpView<'a>) {
        let Some(shaped) = self.shape(view, "T") else {
            return;
        };
        let given = view.named("indices").len();
        if given > shaped.dims.len() {
            let message = format!(
                "'indices' has {given} values but 'T' has {} axes",
                shaped.dims.len()
            );
            return self.fault(
                view,
                "indices",
                "STRUCTURE/013",
                message,
                "give at most one index per axis",
            );
        }
        let rest = &shaped.dims[given..];
        let fits = match view.ty("R").map(|ty| view.body.ty(ty)) {
            Some(Type::Scalar(scalar)) => rest.is_empty() && *scalar == shaped.element,
            Some(Type::Shaped(part)) => {
                !rest.is_empty() && *part.dims == *rest && part.element == shaped.element
            }
            _ => true,
        };
        if !fits {
            let tail: String = rest
                .iter()
                .map(|dim| match dim {
                    Dim::Static(extent) => format!("{extent}x"),
                    Dim::Value(_) => "?x".to_owned(),
                })
                .collect();
            let element = shaped.element.name();
            let expected = if tail.is_empty() {
                element.to_owned()
            } else {
                format!("vector<{tail}{element}>")
            };
            let message = format!(
                "result has type {}, expected {expected}",
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "TYPE/004",
                message,
                "leading indices select a trailing part",
            );
        }
        let extents: Vec<Option<u64>> = shaped.dims.iter().map(static_extent).collect();
        self.literal_bounds(view, "indices", &extents, &[]);
    }

    pub(super) fn slice(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.shape(view, "T"), self.shape(view, "R")) else {
            return;
        };
        let given = view.named("offsets").len();
        if given != from.dims.len() || to.dims.len() != from.dims.len() {
            let message = format!("offset count ({given}) does not match rank ({})", from.dims.len());
            return self.fault(
                view,
                "offsets",
                "SUBRANGE/001",
                message,
                "give one offset per axis",
            );
        }
        let extents: Vec<Option<u64>> = from.dims.iter().map(static_extent).collect();
        let sizes: Vec<Option<u64>> = to.dims.iter().map(static_extent).collect();
        self.literal_bounds(view, "offsets", &extents, &sizes);
    }

    /// Literal indices, with the extents that follow them, lie inside static extents. Values that are
    /// constants count as literals (loom-ops 7.4).
    pub(super) fn literal_bounds(
        &mut self,
        view: OpView<'a>,
        name: &str,
        extents: &[Option<u64>],
        sizes: &[Option<u64>],
    ) {
        for (position, index) in view.indices(name).enumerate().collect::<Vec<_>>() {
            let Some(&Some(extent)) = extents.get(position) else {
                continue;
            };
            let literal = match index {
                Indexed::Static(attr) => integer(Some(&view.body.attrs[attr.index()])),
                Indexed::Value(value) => self.constant(value),
            };
            let Some(start) = literal else { continue };
            let size = sizes.get(position).copied().unwrap_or(Some(1)).unwrap_or(0);
            let inside = u64::try_from(start)
                .is_ok_and(|start| start.checked_add(size).is_some_and(|end| end <= extent));
            if !inside {
                let message = match size {
                    1 => format!("index {start} is outside extent {extent} of axis {position}"),
                    _ => {
                        format!("range {start}..{start}+{size} is outside extent {extent} of axis {position}")
                    }
                };
                let help = format!("indices of this axis lie between 0 and {extent}, exclusive");
                self.fault_at(view, name, position, "SUBRANGE/004", message, help);
            }
        }
    }
}

/// The extent, if it is a literal.
pub(super) fn static_extent(dim: &Dim) -> Option<u64> {
    match dim {
        Dim::Static(extent) => Some(*extent),
        Dim::Value(_) => None,
    }
}
