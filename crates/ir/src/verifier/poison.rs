//! Poison must not reach anything that can be observed (loom-ops 2).

use loom_base::Diagnostic;
use rustc_hash::FxHashSet;

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
                if let Some(source) = self.poison_source(value) {
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
    fn poison_source(&self, value: ValueId) -> Option<OpView<'a>> {
        let mut seen = FxHashSet::default();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            let Some(op) = self.defining(value).filter(|op| seen.insert(op.id)) else {
                continue;
            };
            if op.def.name.ends_with(".poison") {
                return Some(op);
            }
            if op.def.traits.has(Traits::PURE) && !op.def.name.ends_with(".select") {
                pending.extend(walk::operands(op));
            }
        }
        None
    }
}
