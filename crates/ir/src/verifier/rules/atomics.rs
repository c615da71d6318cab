//! Atomic kinds and orderings (loom-ops 2.4).

use super::Verifier;
use super::memory::atomic_element;
use crate::module::{Attr, OpView};

impl<'a> Verifier<'a> {
    pub(super) fn atomic_kind(&mut self, view: OpView<'a>) {
        let (Some(kind), Some(element)) = (view.choice("kind"), self.element(view, "T")) else {
            return;
        };
        if kind.starts_with("xchg") && view.def.name.contains(".reduce") {
            let message = format!("attribute 'kind' value {kind} must satisfy combining kind");
            return self.fault(
                view,
                "kind",
                "STRUCTURE/014",
                message,
                "an exchange yields the old value: use `rmw`",
            );
        }
        if view.has("noftz") && kind != "addf" {
            let message = format!("attribute 'noftz' must satisfy kind addf, not {kind}");
            self.fault(
                view,
                "noftz",
                "STRUCTURE/014",
                message,
                "only `addf` can keep subnormals",
            );
        }
        let float = kind.ends_with('f');
        if !atomic_element(element) || float != element.is_float() {
            let expected = if float { "floats" } else { "integers wider than i1" };
            let message = format!(
                "operand 'value' has type {}, expected {expected} for '{kind}'",
                self.stated_text(view, "T")
            );
            self.fault(
                view,
                "value",
                "TYPE/003",
                message,
                format!("`{kind}` works on {expected}"),
            );
        }
    }

    pub(super) fn exchange_order(&mut self, view: OpView<'a>) {
        if let Some(element) = self.element(view, "T")
            && !atomic_element(element)
        {
            let message = format!(
                "operand 'value' has type {}, expected an integer wider than i1 or a float",
                self.stated_text(view, "T")
            );
            self.fault(
                view,
                "value",
                "TYPE/003",
                message,
                "atomics work on memory elements",
            );
        }
        let order = |key: &str| match view.key("dict", key) {
            Some(Attr::Word(word)) => Some(view.body.text(*word)),
            _ => None,
        };
        let (Some(failure), Some(success)) = (order("failure_ordering"), order("success_ordering")) else {
            return;
        };
        let rank = |ordering: &str| match ordering {
            "relaxed" | "release" => 0,
            "acquire" | "acq_rel" => 1,
            _ => 2,
        };
        if matches!(failure, "release" | "acq_rel") || rank(failure) > rank(success) {
            let message = format!(
                "attribute 'failure_ordering' value {failure} must satisfy ordering admitted by {success}"
            );
            let help = "a failed exchange only reads: relaxed, acquire or seq_cst, not stronger than success";
            self.fault_at_key(view, "failure_ordering", "STRUCTURE/014", message, help);
        }
    }
}
