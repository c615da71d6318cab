//! Literals against types, and numbers against their domains.

use loom_base::Diagnostic;

use super::{Verifier, element_of, integer};
use crate::module::{Attr, Indexed, OpView, Scalar, StringId};
use crate::predicate::Predicate;
use crate::verifier::operands::{Kind, attr_kind};

impl<'a> Verifier<'a> {
    /// The literal in `value` is one of the type in `T`.
    pub(super) fn literal(&mut self, view: OpView<'a>) {
        let (Some(slot), Some(attr), Some(ty)) =
            (view.def.slot_named("value"), view.attr("value"), view.ty("T"))
        else {
            return;
        };
        let Some(scalar) = element_of(view.body.ty(ty)) else {
            return;
        };
        self.fits(view, slot, attr, scalar, "value");
    }

    /// The literal of slot `slot` is one that `scalar` can hold.
    pub(super) fn fits(&mut self, view: OpView<'a>, slot: usize, attr: &Attr, scalar: Scalar, name: &str) {
        let expected = if scalar.is_float() {
            Kind::FLOAT
        } else {
            Kind::INTEGER
        };
        let actual = attr_kind(attr);
        let boolean = matches!(attr, Attr::Bool(_)) && scalar == Scalar::I1;
        if actual != expected && !boolean {
            let message = format!("attribute '{name}' has kind {actual}, expected {expected}");
            let help = match scalar.is_float() {
                true => "write a float literal such as `1.0`",
                false => "write an integer literal",
            };
            return self.at_slot(view, slot, Diagnostic::error("TYPE/005", message).help(help));
        }
        let Attr::Int(value) = *attr else { return };
        let (low, high) = domain(scalar);
        if !(low..=high).contains(&value) {
            let message = format!("attribute '{name}' value {value} must satisfy element type domain");
            let help = format!("{} holds {low} to {high}", scalar.name());
            self.at_slot(view, slot, Diagnostic::error("STRUCTURE/014", message).help(help));
        }
    }

    /// The literals in `slots` have the class of the elements of `T`.
    pub(super) fn numbers(&mut self, view: OpView<'a>, slots: &[&str]) {
        let Some(scalar) = self.element(view, "T") else {
            return;
        };
        for name in slots {
            if let (Some(slot), Some(attr)) = (view.def.slot_named(name), view.attr(name)) {
                self.fits(view, slot, attr, scalar, name);
            }
        }
    }

    pub(super) fn at_least(&mut self, view: OpView<'a>, name: &str, least: i64) {
        if let Some(value) = integer(view.attr(name))
            && value < least
        {
            let wanted = if least == 0 { "non-negative" } else { "positive" };
            let message = format!("attribute '{name}' value {value} must satisfy {wanted}");
            self.fault(
                view,
                name,
                "STRUCTURE/014",
                message,
                format!("write a {wanted} integer"),
            );
        }
    }

    pub(super) fn key_at_least(&mut self, view: OpView<'a>, key: &str, least: i64) {
        if let Some(value) = integer(view.key("dict", key))
            && value < least
        {
            let wanted = if least == 0 { "non-negative" } else { "positive" };
            let message = format!("attribute '{key}' value {value} must satisfy {wanted}");
            self.fault_at_key(
                view,
                key,
                "STRUCTURE/014",
                message,
                format!("write a {wanted} integer"),
            );
        }
    }

    pub(super) fn power_of_two(&mut self, view: OpView<'a>, key: &str) {
        if let Some(value) = integer(view.key("dict", key))
            && (value <= 0 || !(value as u64).is_power_of_two())
        {
            let message = format!("attribute '{key}' value {value} must satisfy positive power of two");
            self.fault_at_key(view, key, "STRUCTURE/014", message, "write 1, 2, 4, 8, ..");
        }
    }

    /// An error at the value under `key` of the op's dictionary.
    pub(super) fn fault_at_key(
        &mut self,
        view: OpView<'a>,
        key: &str,
        code: &'static str,
        message: String,
        help: impl Into<String>,
    ) {
        let mut pairs = view.named("dict").chunks_exact(2);
        match pairs.position(|pair| view.body.text(StringId(pair[0])) == key) {
            Some(pair) => self.fault_at(view, "dict", pair * 2 + 1, code, message, help),
            None => self.fault(view, "dict", code, message, help),
        }
    }

    /// `range` with its bounds the wrong way round never holds (loom-ops 2.1).
    pub(super) fn ranges(&mut self, view: OpView<'a>) {
        let Some(slot) = view.def.slot_named("predicates") else {
            return;
        };
        let words = view.slot(slot);
        let constant = |word: u32| match Indexed::from_word(word) {
            Indexed::Static(attr) => integer(Some(&view.body.attrs[attr.index()])),
            Indexed::Value(_) => None,
        };
        let mut at = 0;
        while at + 2 <= words.len() {
            let (number, count) = (words[at], words[at + 1] as usize);
            if Predicate::from_number(number) == Some(Predicate::Range)
                && let [_, low, high] = words[at + 2..at + 2 + count]
                && let (Some(low), Some(high)) = (constant(low), constant(high))
                && low > high
            {
                let message = format!("attribute 'range' value {low}..{high} must satisfy low <= high");
                let diagnostic = Diagnostic::error("STRUCTURE/014", message).help("swap the bounds");
                self.at_word(view, slot, at, diagnostic);
            }
            at += 2 + count;
        }
    }

    pub(super) fn gelu_scale(&mut self, view: OpView<'a>) {
        let given = view.key("dict", "scale").is_some();
        let logistic = view.choice("form") == Some("logistic");
        if given != logistic {
            let (actual, expected) = match given {
                true => (Kind::FLOAT, Kind::ABSENT),
                false => (Kind::ABSENT, Kind::FLOAT),
            };
            let message = format!("attribute 'scale' has kind {actual}, expected {expected}");
            let help = match given {
                true => "only the logistic form has a scale",
                false => "the logistic form needs one: `{scale = 1.702}`",
            };
            self.fault(view, "dict", "TYPE/005", message, help);
        }
    }

    pub(super) fn hex_bytes(&mut self, view: OpView<'a>) {
        let Some(Attr::String(text)) = view.attr("bytes") else {
            return;
        };
        let text = view.body.text(*text);
        if !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let message = "string attribute 'bytes' must satisfy pairs of hexadecimal digits".to_owned();
            self.fault(
                view,
                "bytes",
                "STRUCTURE/027",
                message,
                "write two digits per byte",
            );
        }
    }
}

/// The integer literals a type admits.
pub(super) fn domain(scalar: Scalar) -> (i64, i64) {
    match scalar {
        Scalar::Offset => (0, i64::MAX),
        Scalar::I1 => (0, 1),
        Scalar::I8 => (i8::MIN.into(), i8::MAX.into()),
        Scalar::I16 => (i16::MIN.into(), i16::MAX.into()),
        Scalar::I32 => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN, i64::MAX),
    }
}
