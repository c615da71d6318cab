//! Tensor copies of AMDGPU hardware (loom-ops 2.7).

use super::{Verifier, static_extents};
use crate::module::{OpView, Scalar, Type, TypeId};

impl<'a> Verifier<'a> {
    /// A tensor descriptor has the groups that the hardware reads: 4 and 8 words, and 4 and 4 more from rank 3 on.
    pub(super) fn descriptor_groups(&mut self, view: OpView<'a>) {
        let groups: Vec<Option<Vec<u64>>> = view
            .named("G")
            .iter()
            .map(|&ty| match view.body.ty(TypeId(ty)) {
                Type::Shaped(shaped) if shaped.element == Scalar::I32 => static_extents(shaped),
                _ => None,
            })
            .collect();
        if !matches!(groups.len(), 2 | 4) {
            let message = format!("'groups' has {} values but a descriptor has 2 or 4", groups.len());
            return self.fault(
                view,
                "groups",
                "STRUCTURE/013",
                message,
                "give 2 groups up to rank 2, else 4",
            );
        }
        for (position, (group, lanes)) in groups.iter().zip([4, 8, 4, 4]).enumerate() {
            if group.as_deref() != Some(&[lanes]) {
                let message = format!("operand 'groups {position}' does not have type vector<{lanes}xi32>");
                let help = "the groups have 4, 8, 4 and 4 words of i32";
                self.fault_at(view, "groups", position, "TYPE/003", message, help);
            }
        }
    }

    /// Both ends of a tensor copy have one element type and one rank from 1 to 5.
    pub(super) fn tensor_copy(&mut self, view: OpView<'a>) {
        let (Some(from), Some(to)) = (self.shape(view, "S"), self.shape(view, "D")) else {
            return;
        };
        if from.element != to.element {
            let message = format!(
                "element types {} and {} differ",
                from.element.name(),
                to.element.name()
            );
            self.fault(view, "D", "TYPE/002", message, "a copy keeps the elements");
        } else if from.dims.len() != to.dims.len() {
            let message = format!("rank {} differs from rank {}", to.dims.len(), from.dims.len());
            self.fault(view, "D", "SHAPE/001", message, "a copy keeps the rank");
        } else if !(1..=5).contains(&from.dims.len()) {
            let message = format!(
                "operand 'source' has type {}, expected a rank from 1 to 5",
                self.stated_text(view, "S")
            );
            self.fault(
                view,
                "S",
                "TYPE/003",
                message,
                "the hardware copies tensors up to rank 5",
            );
        }
    }
}
