//! Poison must not reach anything that can be observed (loom-ops 2).

use loom_base::Diagnostic;

use super::Verifier;
use crate::module::{Indexed, OpView, ValueId};
use crate::table::{SlotKind, Traits};
use crate::walk;

/// Traits of ops that observe their operands.
const OBSERVES: Traits = Traits::READ
    .and(Traits::WRITE)
    .and(Traits::FENCE)
    .and(Traits::UNKNOWN)
    .and(Traits::OBSERVABLE)
    .and(Traits::TERMINATOR);

/// How far back through pure ops poison is followed.
const REACH: u32 = 16;

impl<'a> Verifier<'a> {
    pub(super) fn poison(&mut self, view: OpView<'a>) {
        if !self.has_poison || !view.def.traits.any(OBSERVES) {
            return;
        }
        for (slot, content) in view.def.slots.iter().enumerate() {
            for (position, &word) in view.slot(slot).iter().enumerate() {
                let value = match content.kind {
                    SlotKind::Operand(_) | SlotKind::Operands(_) => ValueId(word),
                    SlotKind::Indexed(_) => match Indexed::from_word(word) {
                        Indexed::Value(value) => value,
                        Indexed::Static(_) => continue,
                    },
                    _ => continue,
                };
                if let Some(source) = self.poison_source(value, REACH) {
                    let message = format!(
                        "operand '{}' is poison and reaches '{}'",
                        content.name, view.def.name
                    );
                    let range = self.op_range(source.id);
                    let diagnostic = Diagnostic::error("TYPE/012", message)
                        .related("the poison comes from here", self.file, range)
                        .help("give the value a meaning before it is observed");
                    self.at_word(view, slot, position, diagnostic);
                }
            }
        }
    }

    /// The op that made `value` poison, directly or through pure ops.
    fn poison_source(&self, value: ValueId, reach: u32) -> Option<OpView<'a>> {
        let op = self.defining(value)?;
        if op.def.name.ends_with(".poison") {
            return Some(op);
        }
        let passes = op.def.traits.has(Traits::PURE) && !op.def.name.ends_with(".select") && reach > 0;
        passes.then(|| walk::operands(op).find_map(|operand| self.poison_source(operand, reach - 1)))?
    }
}
