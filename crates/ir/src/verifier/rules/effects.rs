//! Where effects are not allowed: pure functions, launch configurations, command programs.

use super::Verifier;
use crate::module::{OpId, OpView, RegionId};
use crate::table::Traits;

/// Traits of an op that does something beyond its results.
const EFFECTS: Traits = Traits::WRITE
    .and(Traits::FENCE)
    .and(Traits::UNKNOWN)
    .and(Traits::READ)
    .and(Traits::OBSERVABLE);

impl<'a> Verifier<'a> {
    pub(super) fn pure_body(&mut self, view: OpView<'a>) {
        if !view.has("pure") {
            return;
        }
        let Some(region) = view.region("body") else { return };
        for op in self.below(region) {
            let op = self.view(op);
            if self.has_effect(op) {
                let message = format!("'{}' has effects in a pure function body", op.def.name);
                self.fault(
                    op,
                    "",
                    "STRUCTURE/017",
                    message,
                    "remove `pure` from the function, or the op from its body",
                );
            }
        }
    }

    pub(super) fn pure_config(&mut self, view: OpView<'a>) {
        let Some(region) = view.region("config") else {
            return;
        };
        for op in self.below(region) {
            let op = self.view(op);
            if self.has_effect(op) {
                let message = format!("'{}' has effects in a launch configuration", op.def.name);
                self.fault(
                    op,
                    "",
                    "STRUCTURE/052",
                    message,
                    "a launch configuration computes the geometry from the workload only",
                );
            }
        }
    }

    pub(super) fn command_body(&mut self, view: OpView<'a>) {
        let Some(region) = view.region("body") else { return };
        for op in self.below(region) {
            let op = self.view(op);
            let storage = matches!(
                op.def.name,
                "command.parameter" | "template.apply" | "template.call"
            );
            if self.has_effect(op) && !op.def.traits.has(Traits::COMMAND) && !storage {
                let message = format!(
                    "'{}' has observable effects in a command-program body but does not represent an explicit command",
                    op.def.name
                );
                self.fault(
                    op,
                    "",
                    "STRUCTURE/053",
                    message,
                    "do the work in a kernel that the program launches",
                );
            }
        }
    }

    fn has_effect(&self, op: OpView<'a>) -> bool {
        let called_pure = match op.def.name {
            "func.call" | "template.apply" | "template.call" => op.has("pure"),
            _ => false,
        };
        op.def.traits.any(EFFECTS) && !called_pure
    }

    /// All ops below `region`, nested ones included.
    pub(super) fn below(&self, region: RegionId) -> Vec<OpId> {
        let body = &self.item.body;
        let blocks = body.blocks_of(region).map(|block| body.blocks[block.index()]);
        blocks
            .flat_map(|block| block.first.0..block.end.0)
            .map(OpId)
            .collect()
    }
}
