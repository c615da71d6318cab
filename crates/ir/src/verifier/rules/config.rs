//! Configuration values: literals and readers against the declared type.

use loom_base::Diagnostic;

use super::{Verifier, element_of};
use crate::module::{OpView, TypeId, ValueId};
use crate::printer::type_text;

/// The type of a configuration value, which stands alone or behind the name that its predicates use.
fn declared(view: OpView<'_>) -> Option<TypeId> {
    let named = view.named("value").first();
    named
        .map(|&value| view.body.type_of(ValueId(value)))
        .or_else(|| view.ty("T"))
}

impl<'a> Verifier<'a> {
    pub(super) fn config_value(&mut self, view: OpView<'a>) {
        let (Some(slot), Some(attr)) = (view.def.slot_named("default"), view.attr("default")) else {
            return;
        };
        if let Some(scalar) = declared(view).and_then(|ty| element_of(view.body.ty(ty))) {
            self.fits(view, slot, attr, scalar, "value");
        }
    }

    pub(super) fn config_type(&mut self, view: OpView<'a>) {
        let Some(callee) = self.callee(view, "key") else {
            return;
        };
        let target = callee.root(self.table);
        let (Some(stated), Some(wanted), Some(slot)) =
            (view.ty("T"), declared(target), view.def.slot_named("T"))
        else {
            return;
        };
        if view.body.ty(stated) == callee.body.ty(wanted) {
            return;
        }
        let wanted = type_text(&callee.body, wanted);
        let message = format!("result has type {}, expected {wanted}", self.type_text(stated));
        let range = callee.range(|spans| spans.ops()[0]);
        let diagnostic = Diagnostic::error("TYPE/004", message)
            .related("the configuration value", self.file, range)
            .help(format!("the configuration value has type {wanted}"));
        self.at_slot(view, slot, diagnostic);
    }
}
