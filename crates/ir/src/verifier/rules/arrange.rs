//! Vector ops that move lanes: broadcast, concat, transpose, shuffle, interleave (loom-ops 2.3).

use super::shapes::static_extent;
use super::{Verifier, integer, integers, static_extents};
use crate::module::{Dim, OpView, Shaped, Type, TypeId};

impl<'a> Verifier<'a> {
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
}
