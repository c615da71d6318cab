//! Matrix operands that a subgroup holds together (loom-ops 2.3).

use loom_base::Diagnostic;

use super::{Verifier, integer};
use crate::module::{Indexed, OpView};

impl<'a> Verifier<'a> {
    /// `vector.mma` takes a left, a right and an initial matrix. Values whose origin does not say a role pass.
    pub(super) fn fragment_roles(&mut self, view: OpView<'a>) {
        for (name, admitted) in [("a", &["lhs"][..]), ("b", &["rhs"]), ("c", &["init", "result"])] {
            let Some(origin) = view.operand(name).and_then(|value| self.defining(value)) else {
                continue;
            };
            let role = match origin.def.name {
                "vector.mma" => Some("result"),
                name if name.starts_with("vector.fragment") => origin.choice("role"),
                _ => None,
            };
            let (Some(role), Some(slot)) = (role, view.def.slot_named(name)) else {
                continue;
            };
            if admitted.contains(&role) {
                continue;
            }
            let message = format!(
                "'{}' field '{name}' is a fragment of role {role}, expected {}",
                view.def.name,
                admitted.join(" or ")
            );
            let range = self.op_range(origin.id);
            let diagnostic = Diagnostic::error("STRUCTURE/032", message)
                .related("made here", self.file, range)
                .help("make the fragment for this place, or turn it with `vector.fragment.repack`");
            self.at_slot(view, slot, diagnostic);
        }
    }

    /// Rows and columns.
    pub(super) fn fragment_shape(&mut self, view: OpView<'a>) {
        let given = view.named("shape").len();
        if given != 2 {
            let message = format!("'shape' has {given} values but a matrix has 2");
            return self.fault(view, "shape", "STRUCTURE/013", message, "give rows and columns");
        }
        for (position, index) in view.indices("shape").enumerate().collect::<Vec<_>>() {
            let extent = match index {
                Indexed::Static(attr) => integer(view.body.attrs.get(attr.index())),
                Indexed::Value(value) => self.constant(value),
            };
            if let Some(extent) = extent
                && extent < 1
            {
                let message = format!("attribute 'shape' value {extent} must satisfy positive");
                self.fault_at(
                    view,
                    "shape",
                    position,
                    "STRUCTURE/014",
                    message,
                    "a matrix has rows and columns",
                );
            }
        }
    }
}
