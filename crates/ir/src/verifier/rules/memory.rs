//! Views, accesses, allocations (loom-ops 1.3, 2.3 to 2.5).

use super::shapes::static_extent;
use super::{Verifier, integer};
use crate::module::{Attr, Indexed, Layout, OpView, Scalar, Shaped, StringId, Type, TypeId};

impl<'a> Verifier<'a> {
    /// An access through a view: index count, element type, footprint, masks, static bounds, poison.
    pub(super) fn access(&mut self, view: OpView<'a>) {
        let Some(target) = self.shape(view, "V") else {
            return;
        };
        let given = view.named("indices").len();
        if given != target.dims.len() {
            let message = format!(
                "index count ({given}) does not match rank ({})",
                target.dims.len()
            );
            return self.fault(
                view,
                "indices",
                "SUBRANGE/001",
                message,
                "give one index per axis of the view",
            );
        }
        let fragment = view.def.name.starts_with("vector.fragment");
        let mut sizes = Vec::new();
        for name in ["T", "R"] {
            let Some(ty) = view.ty(name) else { continue };
            let (element, dims) = match view.body.ty(ty) {
                Type::Scalar(scalar) => (*scalar, &[][..]),
                Type::Shaped(shaped) => (shaped.element, &shaped.dims[..]),
                _ => continue,
            };
            if element != target.element {
                let message = format!(
                    "element types {} and {} differ",
                    element.name(),
                    target.element.name()
                );
                let help = format!("the view holds {}", target.element.name());
                self.fault(view, name, "TYPE/002", message, help);
            }
            let offsets = view.ty("O").is_some();
            if !offsets && !fragment && dims.len() > target.dims.len() {
                let message = format!(
                    "result has type {}, expected a rank of at most {}",
                    self.stated_text(view, name),
                    target.dims.len()
                );
                self.fault(
                    view,
                    name,
                    "TYPE/004",
                    message,
                    "vector axes map to trailing axes of the view",
                );
            }
            if !offsets && !fragment && sizes.is_empty() {
                let skipped = target.dims.len().saturating_sub(dims.len());
                sizes = vec![Some(1); skipped];
                sizes.extend(dims.iter().map(static_extent));
            }
            self.lane_counts(view, name, dims);
        }
        let extents: Vec<Option<u64>> = target.dims.iter().map(static_extent).collect();
        // What the mask switches off is not accessed, and the end of an expanded row is not known.
        if view.ty("M").is_some() {
            sizes.fill(Some(1));
        }
        self.literal_bounds(view, "indices", &extents, &sizes);
    }

    /// Masks, offsets and old values have one lane per lane.
    fn lane_counts(&mut self, view: OpView<'a>, name: &str, dims: &[crate::module::Dim]) {
        for other in ["M", "O"] {
            if let Some(shaped) = self.shape(view, other)
                && *shaped.dims != *dims
            {
                let message = format!(
                    "shapes of {} and {} differ",
                    self.stated_text(view, other),
                    self.stated_text(view, name)
                );
                self.fault(view, other, "SHAPE/002", message, "one lane per lane");
            }
        }
    }

    pub(super) fn cache_pair(&mut self, view: OpView<'a>) {
        let given = ["cache_scope", "cache_temporal"].map(|key| view.key("dict", key).is_some());
        if given[0] != given[1] {
            let (has, misses) = if given[0] {
                ("cache_scope", "cache_temporal")
            } else {
                ("cache_temporal", "cache_scope")
            };
            let message = format!("attribute '{has}' must satisfy presence of '{misses}'");
            self.fault_at_key(
                view,
                has,
                "STRUCTURE/014",
                message,
                format!("add `{misses} = ..`, or remove `{has}`"),
            );
        }
    }

    pub(super) fn subview(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.shape(view, "V"), self.shape(view, "R")) else {
            return;
        };
        let given = view.named("offsets").len();
        if given != from.dims.len() {
            let message = format!("offset count ({given}) does not match rank ({})", from.dims.len());
            return self.fault(
                view,
                "offsets",
                "SUBRANGE/001",
                message,
                "give one offset per axis",
            );
        }
        if from.element != to.element {
            let message = format!(
                "element types {} and {} differ",
                from.element.name(),
                to.element.name()
            );
            self.fault(view, "R", "TYPE/002", message, "a window has the view's elements");
        } else if from.dims.len() != to.dims.len() {
            let message = format!("rank {} differs from rank {}", to.dims.len(), from.dims.len());
            self.fault(view, "R", "SHAPE/001", message, "a window has the view's rank");
        } else if from.align != to.align {
            let message = format!(
                "operand 'view' has type {}, expected the alignment of the result",
                self.stated_text(view, "V")
            );
            self.fault(
                view,
                "view",
                "TYPE/003",
                message,
                "a window has the view's alignment",
            );
        } else if !same_layout(from, to) {
            let message = format!(
                "layouts of {} and {} differ",
                self.stated_text(view, "V"),
                self.stated_text(view, "R")
            );
            self.fault(
                view,
                "R",
                "ENCODING/001",
                message,
                "a window has the view's layout",
            );
        }
    }

    pub(super) fn refine(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.shape(view, "V"), self.shape(view, "R")) else {
            return;
        };
        if from.element != to.element {
            let message = format!(
                "element types {} and {} differ",
                from.element.name(),
                to.element.name()
            );
            return self.fault(view, "R", "TYPE/002", message, "a refinement keeps the elements");
        }
        let contradicts = from.dims.len() != to.dims.len()
            || from.dims.iter().zip(&to.dims).any(|pair| {
                matches!(pair, (crate::module::Dim::Static(a), crate::module::Dim::Static(b)) if a != b)
            });
        if contradicts {
            let message = format!(
                "{} contradicts {}",
                self.stated_text(view, "R"),
                self.stated_text(view, "V")
            );
            self.fault(
                view,
                "R",
                "SHAPE/001",
                message,
                "a refinement keeps rank and known extents",
            );
        }
    }

    pub(super) fn alloca(&mut self, view: OpView<'a>) {
        if let Some(space) = view.choice("space")
            && !matches!(space, "private" | "workgroup" | "global")
        {
            let message =
                format!("attribute 'space' value {space} must satisfy private, workgroup or global");
            self.fault(
                view,
                "space",
                "STRUCTURE/014",
                message,
                "storage is allocated in one of these spaces",
            );
        }
        self.power_of_two_slot(view, "align");
    }

    fn power_of_two_slot(&mut self, view: OpView<'a>, name: &str) {
        if let Some(value) = integer(view.attr(name))
            && (value <= 0 || !(value as u64).is_power_of_two())
        {
            let message = format!("attribute '{name}' value {value} must satisfy positive power of two");
            self.fault(view, name, "STRUCTURE/014", message, "write 1, 2, 4, 8, ..");
        }
    }

    pub(super) fn packed(&mut self, view: OpView<'a>) {
        let parts = view.named("parts");
        for (position, pair) in parts.chunks_exact(2).enumerate() {
            let align = integer(view.body.attrs.get(pair[0] as usize));
            if align.is_some_and(|align| align <= 0 || !(align as u64).is_power_of_two()) {
                let message = format!(
                    "attribute 'align' value {} must satisfy positive power of two",
                    align.unwrap_or(0)
                );
                self.fault_at(
                    view,
                    "parts",
                    position * 2,
                    "STRUCTURE/014",
                    message,
                    "write 1, 2, 4, 8, ..",
                );
            }
            let ty = view.body.type_of(crate::module::ValueId(pair[1]));
            if ty != TypeId::OFFSET && ty != TypeId::UNKNOWN {
                let message = format!(
                    "operand 'parts {position}' has type {}, expected offset",
                    self.type_text(ty)
                );
                self.fault_at(
                    view,
                    "parts",
                    position * 2 + 1,
                    "TYPE/003",
                    message,
                    "sizes are byte offsets",
                );
            }
        }
        let (results, expected) = (view.results().len(), parts.len() / 2 + 1);
        if results != expected {
            let message = format!("'results' has {results} values but 'parts' has {expected} with the total");
            self.fault(
                view,
                "parts",
                "STRUCTURE/013",
                message,
                "name the total and one offset per part",
            );
        }
    }

    pub(super) fn known_space(&mut self, view: OpView<'a>) {
        let (Some(value), Some(space)) = (view.operand("buffer"), view.choice("space")) else {
            return;
        };
        let mut source = self.defining(value);
        while let Some(op) = source {
            match op.def.name {
                "buffer.alloca" | "buffer.assume.memory_space" => {
                    if let Some(known) = op.choice("space")
                        && known != space
                        && !matches!(space, "generic" | "unknown")
                        && !matches!(known, "generic" | "unknown")
                    {
                        let message = format!(
                            "attribute 'space' value {space} must satisfy known memory space {known}"
                        );
                        return self.fault(
                            view,
                            "space",
                            "STRUCTURE/014",
                            message,
                            "the buffer lies in that space",
                        );
                    }
                    return;
                }
                "buffer.assume.alignment" => {
                    source = op.operand("buffer").and_then(|value| self.defining(value))
                }
                _ => return,
            }
        }
    }

    pub(super) fn strides(&mut self, view: OpView<'a>) {
        for (position, index) in view.indices("strides").enumerate().collect::<Vec<_>>() {
            if let Indexed::Static(attr) = index
                && let Some(stride) = integer(view.body.attrs.get(attr.index()))
                && stride < 0
            {
                let message = format!("attribute 'strides' value {stride} must satisfy non-negative stride");
                self.fault_at(
                    view,
                    "strides",
                    position,
                    "STRUCTURE/014",
                    message,
                    "a stride of 0 repeats elements",
                );
            }
        }
    }

    /// A view's strided layout: one stride per axis, none negative.
    pub(in crate::verifier) fn layout(
        &mut self,
        view: OpView<'a>,
        slot: usize,
        word: usize,
        shaped: &Shaped,
    ) {
        let Some(Layout::Attr(Attr::Ref { name, params })) = &shaped.layout else {
            return;
        };
        let name = view.body.text(*name);
        if name != "encoding.layout.strided" {
            return;
        }
        let strides = params
            .iter()
            .find(|param| param.key != StringId::EMPTY && view.body.text(param.key) == "strides");
        let Some(strides) = super::integers(strides.map(|param| &param.value)) else {
            return;
        };
        let diagnostic = if strides.len() != shaped.dims.len() {
            let message = format!(
                "stride count ({}) does not match rank ({})",
                strides.len(),
                shaped.dims.len()
            );
            loom_base::Diagnostic::error("SHAPE/001", message).help("give one stride per axis")
        } else if let Some(stride) = strides.iter().find(|&&stride| stride < 0) {
            let message = format!("attribute 'strides' value {stride} must satisfy non-negative stride");
            loom_base::Diagnostic::error("STRUCTURE/014", message).help("a stride of 0 repeats elements")
        } else {
            return;
        };
        self.at_word(view, slot, word, diagnostic);
    }
}

fn same_layout(a: &Shaped, b: &Shaped) -> bool {
    a.layout == b.layout
}

/// Whether atomics work on elements of this type.
pub(super) fn atomic_element(scalar: Scalar) -> bool {
    !scalar.is_index_like() && scalar != Scalar::I1
}
