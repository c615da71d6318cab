//! The content of one slot, by kind.

use super::Printer;
use crate::module::{AttrId, Indexed, OpView, TypeId, ValueId};
use crate::predicate::Predicate;
use crate::table::SlotKind;

impl<'a> Printer<'a> {
    pub(super) fn slot(&mut self, view: OpView<'a>, slot: usize) {
        let words = view.slot(slot);
        match &view.def.slots[slot].kind {
            SlotKind::Operand(_) | SlotKind::Operands(_) | SlotKind::Bind(_) => {
                self.list(words, |printer, &word| printer.value(ValueId(word)));
            }
            SlotKind::Indexed(_) => {
                self.out.push('[');
                self.list(words, |printer, &word| printer.indexed(word));
                self.out.push(']');
            }
            SlotKind::Type(_) | SlotKind::Types(_) => {
                self.list(words, |printer, &word| printer.ty(TypeId(word)))
            }
            SlotKind::Attr(_) => self.attr_id(words[0]),
            SlotKind::Choice(choices) | SlotKind::MaybeChoice(choices) => {
                if let Some(&word) = words.first() {
                    self.out.push_str(choices[word as usize]);
                }
            }
            SlotKind::Presence(word) => self.out.push_str(word),
            SlotKind::Flags(flags) => {
                let set = flags
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| words[0] >> bit & 1 == 1);
                for (position, (_, flag)) in set.enumerate() {
                    if position > 0 {
                        self.out.push('|');
                    }
                    self.out.push_str(flag);
                }
            }
            SlotKind::Symbol(_) | SlotKind::Define => {
                self.out.push('@');
                self.out.push_str(self.string(words[0]));
            }
            SlotKind::Dict(_) => {
                self.out.push('{');
                self.pairs(words, |printer, key, attr| {
                    printer.out.push_str(printer.string(key));
                    printer.out.push_str(" = ");
                    printer.attr_id(attr);
                });
                self.out.push('}');
            }
            SlotKind::Args => self.args(words.iter().copied()),
            SlotKind::Results => self.pairs(words, |printer, value, ty| {
                if value != u32::MAX {
                    printer.value(ValueId(value));
                    printer.out.push_str(": ");
                }
                printer.ty(TypeId(ty));
            }),
            SlotKind::Where => self.predicates(words),
            SlotKind::Region(_) => self.region(words[0]),
            SlotKind::TypedArg => self.arg(words[0]),
            SlotKind::Carries => {
                self.out.push('(');
                self.pairs(words, |printer, arg, init| {
                    printer.value(ValueId(arg));
                    printer.out.push_str(" = ");
                    printer.value(ValueId(init));
                    printer.out.push_str(" : ");
                    printer.ty(printer.body.type_of(ValueId(arg)));
                });
                self.out.push(')');
            }
            SlotKind::Label => {
                self.out.push('^');
                self.out.push_str(self.string(words[0]));
            }
            SlotKind::Pass => {
                self.out.push('(');
                self.pairs(words, |printer, value, ty| {
                    printer.value(ValueId(value));
                    printer.out.push_str(": ");
                    printer.ty(TypeId(ty));
                });
                self.out.push(')');
            }
            SlotKind::Aux => {
                self.out.push('{');
                for (position, entry) in words.chunks_exact(3).enumerate() {
                    if position > 0 {
                        self.out.push_str(", ");
                    }
                    self.out.push_str(self.string(entry[0]));
                    self.out.push_str(" = ");
                    self.value(ValueId(entry[1]));
                    self.out.push_str(" : ");
                    self.ty(TypeId(entry[2]));
                }
                self.out.push('}');
            }
            SlotKind::Compared if words.is_empty() => self.out.push_str("()"),
            SlotKind::Compared => {
                self.out.push('[');
                for (position, &value) in words.iter().enumerate() {
                    self.out.push_str(if position > 0 { ", " } else { "" });
                    self.out
                        .push_str(if position % 2 == 0 { "actual(" } else { "expected(" });
                    self.arg(value);
                    self.out.push(')');
                }
                self.out.push(']');
            }
            SlotKind::Cases(_) => self.cases(words),
            SlotKind::Rows => self.rows(words),
            SlotKind::Pack => self.pairs(words, |printer, align, value| {
                printer.out.push_str("align(");
                printer.attr_id(align);
                printer.out.push_str(") ");
                printer.value(ValueId(value));
            }),
        }
    }

    fn list(&mut self, words: &[u32], mut one: impl FnMut(&mut Self, &u32)) {
        for (position, word) in words.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            one(self, word);
        }
    }

    fn pairs(&mut self, words: &[u32], mut one: impl FnMut(&mut Self, u32, u32)) {
        for (position, pair) in words.chunks_exact(2).enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            one(self, pair[0], pair[1]);
        }
    }

    pub(super) fn args(&mut self, values: impl Iterator<Item = u32>) {
        self.out.push('(');
        for (position, value) in values.enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.arg(value);
        }
        self.out.push(')');
    }

    fn arg(&mut self, value: u32) {
        self.value(ValueId(value));
        self.out.push_str(": ");
        self.ty(self.body.type_of(ValueId(value)));
    }

    fn attr_id(&mut self, attr: u32) {
        let body = self.body;
        self.attr(&body.attrs[AttrId(attr).index()]);
    }

    fn indexed(&mut self, word: u32) {
        match Indexed::from_word(word) {
            Indexed::Value(value) => self.value(value),
            Indexed::Static(attr) => self.attr_id(attr.0),
        }
    }

    fn predicates(&mut self, words: &[u32]) {
        let mut rest = words;
        while let [number, count, tail @ ..] = rest {
            if rest.len() != words.len() {
                self.out.push_str(", ");
            }
            let (arguments, tail) = tail.split_at(*count as usize);
            self.out
                .push_str(Predicate::from_number(*number).map_or("?", Predicate::name));
            self.out.push('(');
            self.list(arguments, |printer, &word| printer.indexed(word));
            self.out.push(')');
            rest = tail;
        }
    }

    fn cases(&mut self, words: &[u32]) {
        self.out.push_str("{\n");
        self.indent += 1;
        for pair in words.chunks_exact(2) {
            self.line_start();
            if pair[0] == u32::MAX {
                self.out.push_str("default ");
            } else {
                self.out.push_str("case ");
                self.attr_id(pair[0]);
                self.out.push(' ');
            }
            self.region(pair[1]);
            self.out.push('\n');
        }
        self.indent -= 1;
        self.line_start();
        self.out.push('}');
    }

    fn rows(&mut self, words: &[u32]) {
        self.out.push_str("{\n");
        self.indent += 1;
        let mut rest = words;
        while let [key, count, tail @ ..] = rest {
            let (values, tail) = tail.split_at(*count as usize);
            self.line_start();
            self.attr_id(*key);
            self.out.push_str(" = (");
            self.list(values, |printer, &word| printer.value(ValueId(word)));
            self.out.push_str(if tail.is_empty() { ")\n" } else { "),\n" });
            rest = tail;
        }
        self.indent -= 1;
        self.line_start();
        self.out.push('}');
    }
}
