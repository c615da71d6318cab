//! Shapes and widths of vector and scalar conversions (loom-ops 2.2, 2.3).

use super::{Verifier, integer, integers, lanes, scalar_name, static_extents};
use crate::module::{Attr, Dim, Indexed, OpView, Scalar, Shaped, Type, TypeId, ValueId};

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

    pub(super) fn broadcast(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.shape(view, "T"), self.shape(view, "R")) else {
            return;
        };
        if from.dims.len() > to.dims.len() {
            let message = format!("rank {} is higher than rank {}", from.dims.len(), to.dims.len());
            return self.fault(
                view,
                "R",
                "SHAPE/001",
                message,
                "a broadcast adds axes, it removes none",
            );
        }
        let skipped = to.dims.len() - from.dims.len();
        let fits = from
            .dims
            .iter()
            .zip(&to.dims[skipped..])
            .all(|(a, b)| *a == Dim::Static(1) || a == b);
        if !fits {
            let message = format!(
                "{} does not spread over {}",
                self.stated_text(view, "T"),
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "SHAPE/004",
                message,
                "each trailing extent is 1 or equal to the result's",
            );
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

    pub(super) fn concat(&mut self, view: OpView<'a>) {
        let Some(to) = self.shape(view, "R") else { return };
        let Some(axis) = self.axis(view, to) else { return };
        let mut sum = Some(0u64);
        for &ty in view.named("T") {
            let Type::Shaped(part) = view.body.ty(TypeId(ty)) else {
                return;
            };
            let same = part.element == to.element
                && part.dims.len() == to.dims.len()
                && (0..to.dims.len()).all(|at| at == axis || part.dims[at] == to.dims[at]);
            if !same {
                let message = format!(
                    "shapes of {} and {} differ",
                    self.type_text(TypeId(ty)),
                    self.stated_text(view, "R")
                );
                return self.fault(
                    view,
                    "T",
                    "SHAPE/002",
                    message,
                    "only the extents along the axis may differ",
                );
            }
            sum = sum
                .zip(static_extent(&part.dims[axis]))
                .and_then(|(sum, extent)| sum.checked_add(extent));
        }
        if let (Some(sum), Some(extent)) = (sum, static_extent(&to.dims[axis]))
            && sum != extent
        {
            let message = format!(
                "result has type {}, expected extent {sum} along axis {axis}",
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "TYPE/004",
                message,
                "the extents of the inputs add up to the result's",
            );
        }
    }

    fn axis(&mut self, view: OpView<'a>, shaped: &Shaped) -> Option<usize> {
        let axis = integer(view.attr("axis"))?;
        match usize::try_from(axis) {
            Ok(axis) if axis < shaped.dims.len() => Some(axis),
            _ => {
                let message = format!("axis {axis} is outside rank {}", shaped.dims.len());
                self.fault(view, "axis", "SUBRANGE/002", message, "axes count from 0");
                None
            }
        }
    }

    pub(super) fn transpose(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.shape(view, "T"), self.shape(view, "R")) else {
            return;
        };
        let rank = from.dims.len();
        let order = integers(view.attr("permutation"));
        let mut sorted = order.clone().unwrap_or_default();
        sorted.sort_unstable();
        if sorted.len() != rank || !sorted.iter().enumerate().all(|(at, &axis)| axis == at as i64) {
            let message = "attribute 'permutation' must satisfy permutation of all axes".to_owned();
            let help = format!("name each of the axes 0 to {} once", rank.saturating_sub(1));
            return self.fault(view, "permutation", "STRUCTURE/014", message, help);
        }
        let permuted = order
            .unwrap_or_default()
            .into_iter()
            .map(|axis| from.dims[axis as usize]);
        if !permuted.eq(to.dims.iter().copied()) {
            let message = format!(
                "result has type {}, which is no permutation of the source",
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "TYPE/004",
                message,
                "result axis i is source axis permutation[i]",
            );
        }
    }

    pub(super) fn shuffle(&mut self, view: OpView<'a>) {
        let Some(shaped) = self.shape(view, "T") else {
            return;
        };
        let extents = static_extents(shaped);
        let Some([lanes]) = extents.as_deref() else {
            let message = format!(
                "operand 'input' has type {}, expected a static vector of rank 1",
                self.stated_text(view, "T")
            );
            return self.fault(
                view,
                "input",
                "TYPE/003",
                message,
                "shuffle lanes of a rank 1 vector",
            );
        };
        let map = integers(view.attr("lanes")).unwrap_or_default();
        if map.len() as u64 != *lanes {
            let message = format!("'lanes' has {} values but 'T' has {lanes}", map.len());
            return self.fault(
                view,
                "lanes",
                "STRUCTURE/013",
                message,
                "name one source lane per result lane",
            );
        }
        if let Some(wrong) = map.iter().find(|&&lane| lane < 0 || lane as u64 >= *lanes) {
            let message = format!("lane {wrong} is outside extent {lanes} of axis 0");
            self.fault(
                view,
                "lanes",
                "SUBRANGE/004",
                message,
                format!("lanes lie between 0 and {lanes}, exclusive"),
            );
        }
    }

    pub(super) fn interleave(&mut self, view: OpView<'a>) {
        let split = view.ty("E").is_some();
        let (whole, halves) = if split {
            ("T", ["E", "O"])
        } else {
            ("R", ["T", "U"])
        };
        let Some(shaped) = self.shape(view, whole) else {
            return;
        };
        let Some(axis) = self.axis(view, shaped) else {
            return;
        };
        if let Some(extent) = static_extent(&shaped.dims[axis])
            && extent % 2 != 0
        {
            let message = format!(
                "operand has type {}, expected an even extent along axis {axis}",
                self.stated_text(view, whole)
            );
            return self.fault(view, whole, "TYPE/003", message, "every position has a partner");
        }
        for half in halves {
            let Some(part) = self.shape(view, half) else {
                continue;
            };
            let fits = part.element == shaped.element
                && part.dims.len() == shaped.dims.len()
                && part
                    .dims
                    .iter()
                    .zip(&shaped.dims)
                    .enumerate()
                    .all(|(at, (part, whole))| match (at == axis, part, whole) {
                        (true, Dim::Static(part), Dim::Static(whole)) => part.checked_mul(2) == Some(*whole),
                        (true, ..) => true,
                        (false, part, whole) => part == whole,
                    });
            if !fits {
                let message = format!(
                    "{} is not half of {}",
                    self.stated_text(view, half),
                    self.stated_text(view, whole)
                );
                return self.fault(
                    view,
                    half,
                    "SHAPE/002",
                    message,
                    format!("halve the extent of axis {axis}"),
                );
            }
        }
    }

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
}

/// The extent, if it is a literal.
pub(super) fn static_extent(dim: &Dim) -> Option<u64> {
    match dim {
        Dim::Static(extent) => Some(*extent),
        Dim::Value(_) => None,
    }
}
