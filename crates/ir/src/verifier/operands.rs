//! Operand types against the types the op states, stated types against the row's classes, counts, keys.

use std::fmt;

use loom_base::Diagnostic;

use super::Verifier;
use crate::module::{Attr, Indexed, OpView, StringId, Type, TypeId, ValueId};
use crate::table::{Binding, Class, Form, KeySpec, ResultSpec, SlotKind};

impl<'a> Verifier<'a> {
    pub(super) fn operands(&mut self, view: OpView<'a>) {
        for (slot, content) in view.def.slots.iter().enumerate() {
            match &content.kind {
                SlotKind::Operand(binding) | SlotKind::Operands(binding) => self.bound(view, slot, *binding),
                SlotKind::Indexed(binding) => self.indices(view, slot, *binding),
                SlotKind::Type(class) | SlotKind::Types(class) => {
                    self.class(view, slot, *class);
                    for (word, &ty) in view.slot(slot).iter().enumerate() {
                        self.type_fits(view, slot, word, TypeId(ty));
                    }
                }
                SlotKind::Args | SlotKind::TypedArg => {
                    for (word, &value) in view.slot(slot).iter().enumerate() {
                        self.type_fits(view, slot, word, view.body.type_of(ValueId(value)));
                    }
                }
                SlotKind::Aux => self.aux(view, slot),
                SlotKind::Dict(Some(keys)) => self.keys(view, slot, keys),
                SlotKind::Carries => self.carried(view, slot),
                _ => {}
            }
        }
    }

    fn bound(&mut self, view: OpView<'a>, slot: usize, binding: Binding) {
        let words = view.slot(slot);
        match binding {
            Binding::Free => {}
            Binding::Type(expected) => {
                for (position, &word) in words.iter().enumerate() {
                    self.expect_type(view, slot, position, view.body.type_of(ValueId(word)), expected);
                }
            }
            Binding::Slot(from) => {
                let stated = view.slot(from);
                match view.def.slots[from].kind {
                    SlotKind::Types(_) => self.stated_list(view, slot, from, stated),
                    SlotKind::Type(_) => {
                        for position in 0..words.len() {
                            self.stated(view, slot, position, from, 0);
                        }
                    }
                    _ => {
                        if let Some(&other) = stated.first() {
                            let expected = view.body.type_of(ValueId(other));
                            for position in 0..words.len() {
                                self.same_as(view, slot, position, expected, view.def.slots[from].name);
                            }
                        }
                    }
                }
            }
        }
    }

    fn stated_list(&mut self, view: OpView<'a>, slot: usize, from: usize, stated: &[u32]) {
        let words = view.slot(slot);
        if words.len() != stated.len() {
            let (a, b) = (view.def.slots[slot].name, "types");
            let message = format!("'{a}' has {} values but '{b}' has {}", words.len(), stated.len());
            let diagnostic =
                Diagnostic::error("STRUCTURE/013", message).help("state one type per operand, in order");
            if stated.is_empty() {
                self.at_slot(view, slot, diagnostic)
            } else {
                self.at_slot(view, from, diagnostic)
            }
            return;
        }
        (0..words.len()).for_each(|position| self.stated(view, slot, position, from, position));
    }

    /// The operand has the type the op states for it.
    fn stated(&mut self, view: OpView<'a>, slot: usize, position: usize, from: usize, at: usize) {
        let Some(&stated) = view.slot(from).get(at) else {
            return;
        };
        self.same_as(view, slot, position, TypeId(stated), "stated");
    }

    fn same_as(&mut self, view: OpView<'a>, slot: usize, position: usize, expected: TypeId, other: &str) {
        let value = ValueId(view.slot(slot)[position]);
        let actual = view.body.type_of(value);
        if actual == expected || actual == TypeId::UNKNOWN || expected == TypeId::UNKNOWN {
            return;
        }
        let field = self.field(view, slot, position);
        let message = format!(
            "'{field}' type {} does not match '{other}' type {}",
            self.type_text(actual),
            self.type_text(expected)
        );
        let range = self.item.range(|spans| spans.values()[value.index()]);
        let diagnostic = Diagnostic::error("TYPE/001", message)
            .related("the value is defined here", self.file, range)
            .help("no type is converted implicitly: state the type the value has, or cast it");
        self.at_word(view, slot, position, diagnostic);
    }

    /// `name`, or `name N` for one of several.
    fn field(&self, view: OpView<'a>, slot: usize, position: usize) -> String {
        let content = &view.def.slots[slot];
        if content.kind.at_most_one() {
            content.name.to_owned()
        } else {
            format!("{} {position}", content.name)
        }
    }

    pub(super) fn expect_type(
        &mut self,
        view: OpView<'a>,
        slot: usize,
        position: usize,
        actual: TypeId,
        expected: TypeId,
    ) {
        if actual == expected || actual == TypeId::UNKNOWN {
            return;
        }
        let field = self.field(view, slot, position);
        let expected = self.type_text(expected);
        let message = format!(
            "operand '{field}' has type {}, expected {expected}",
            self.type_text(actual)
        );
        let help = format!("`{}` takes a value of type {expected} here", view.def.name);
        self.at_word(
            view,
            slot,
            position,
            Diagnostic::error("TYPE/003", message).help(help),
        );
    }

    fn indices(&mut self, view: OpView<'a>, slot: usize, binding: Binding) {
        let Binding::Type(expected) = binding else { return };
        for (position, &word) in view.slot(slot).iter().enumerate() {
            if let Indexed::Value(value) = Indexed::from_word(word) {
                self.expect_type(view, slot, position, view.body.type_of(value), expected);
            }
        }
    }

    /// A stated type is in the class the row admits. The fault is an operand's if one is bound to the type.
    fn class(&mut self, view: OpView<'a>, slot: usize, class: Class) {
        if class == Class::ANY {
            return;
        }
        for (position, &word) in view.slot(slot).iter().enumerate() {
            let ty = TypeId(word);
            if class.contains(view.body.ty(ty)) {
                continue;
            }
            let operand = view.def.slots.iter().position(|content| match content.kind {
                SlotKind::Operand(binding) | SlotKind::Operands(binding) => binding == Binding::Slot(slot),
                _ => false,
            });
            // Lanewise vector ops state their result's type.
            let operand = operand.filter(|_| {
                let is_result = view.def.results.contains(&ResultSpec::Slot(slot));
                !(is_result && view.def.name.starts_with("vector."))
            });
            let (text, expected) = (self.type_text(ty), class.describe());
            let help = format!("`{}` works on {expected}", view.def.name);
            match operand {
                Some(operand) => {
                    let name = view.def.slots[operand].name;
                    let message = format!("operand '{name}' has type {text}, expected {expected}");
                    // The operand itself is to blame only if it has the type that is stated.
                    let word = position.min(view.slot(operand).len().saturating_sub(1));
                    let value = view
                        .slot(operand)
                        .get(word)
                        .map(|&value| view.body.type_of(ValueId(value)));
                    let (slot, word) = if value == Some(ty) {
                        (operand, word)
                    } else {
                        (slot, position)
                    };
                    self.at_word(
                        view,
                        slot,
                        word,
                        Diagnostic::error("TYPE/003", message).help(help),
                    );
                }
                None => {
                    let message = format!("result has type {text}, expected {expected}");
                    self.at_word(
                        view,
                        slot,
                        position,
                        Diagnostic::error("TYPE/004", message).help(help),
                    );
                }
            }
        }
    }

    fn keys(&mut self, view: OpView<'a>, slot: usize, keys: &[KeySpec]) {
        let words = view.slot(slot);
        for spec in keys {
            let found = words
                .chunks_exact(2)
                .position(|pair| view.body.text(StringId(pair[0])) == spec.key);
            match found {
                None if spec.optional => {}
                None => {
                    let message = format!(
                        "attribute '{}' has kind {}, expected {}",
                        spec.key,
                        Kind::ABSENT,
                        form_kind(spec.form)
                    );
                    let help = format!("add `{} = ..` to the dictionary", spec.key);
                    self.at_op_or_slot(view, slot, Diagnostic::error("TYPE/005", message).help(help));
                }
                Some(pair) => {
                    let attr = &view.body.attrs[words[pair * 2 + 1] as usize];
                    if !form_admits(spec.form, attr) {
                        let (actual, expected) = (attr_kind(attr), form_kind(spec.form));
                        let message =
                            format!("attribute '{}' has kind {actual}, expected {expected}", spec.key);
                        let help = format!("`{}` takes {}", spec.key, form_words(spec.form));
                        self.at_word(
                            view,
                            slot,
                            pair * 2 + 1,
                            Diagnostic::error("TYPE/005", message).help(help),
                        );
                    }
                }
            }
        }
        for (position, pair) in words.chunks_exact(2).enumerate() {
            let key = view.body.text(StringId(pair[0]));
            if keys.iter().all(|spec| spec.key != key) {
                let known: Vec<_> = keys.iter().map(|spec| spec.key).collect();
                let diagnostic = Diagnostic::error(
                    "STRUCTURE/003",
                    format!("'{}' has no attribute '{key}'", view.def.name),
                )
                .help(format!("known keys: {}", known.join(", ")));
                self.at_word(view, slot, position * 2, diagnostic);
            }
        }
    }

    fn at_op_or_slot(&mut self, view: OpView<'a>, slot: usize, diagnostic: Diagnostic) {
        if view.slot(slot).is_empty() {
            self.at_op(view, diagnostic)
        } else {
            self.at_slot(view, slot, diagnostic)
        }
    }

    /// Extents and layout of a type.
    fn type_fits(&mut self, view: OpView<'a>, slot: usize, word: usize, ty: TypeId) {
        match view.body.ty(ty) {
            Type::Shaped(shaped) => {
                self.layout(view, slot, word, shaped);
                self.index_dims(view, slot, word, ty);
            }
            Type::Function(function) => {
                let parts = function.args.iter().chain(&function.results);
                parts.for_each(|&part| self.type_fits(view, slot, word, part));
            }
            _ => {}
        }
    }

    fn aux(&mut self, view: OpView<'a>, slot: usize) {
        for (position, entry) in view.slot(slot).chunks_exact(3).enumerate() {
            let (actual, stated) = (view.body.type_of(ValueId(entry[1])), TypeId(entry[2]));
            if actual != stated && actual != TypeId::UNKNOWN {
                let key = view.body.text(StringId(entry[0]));
                let message = format!(
                    "'{key}' type {} does not match 'stated' type {}",
                    self.type_text(actual),
                    self.type_text(stated)
                );
                let diagnostic = Diagnostic::error("TYPE/001", message).help("state the type the value has");
                self.at_word(view, slot, position * 3 + 1, diagnostic);
            }
        }
    }

    fn carried(&mut self, view: OpView<'a>, slot: usize) {
        for (position, pair) in view.slot(slot).chunks_exact(2).enumerate() {
            let (stated, actual) = (
                view.body.type_of(ValueId(pair[0])),
                view.body.type_of(ValueId(pair[1])),
            );
            if stated != actual && actual != TypeId::UNKNOWN {
                let message = format!(
                    "'{} {position}' type {} does not match 'stated' type {}",
                    view.def.slots[slot].name,
                    self.type_text(actual),
                    self.type_text(stated)
                );
                let diagnostic =
                    Diagnostic::error("TYPE/001", message).help("state the type the initial value has");
                self.at_word(view, slot, position * 2 + 1, diagnostic);
            }
        }
    }
}

/// The kind of an attribute, as messages number and name it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind(pub u32);

impl Kind {
    pub(super) const ABSENT: Kind = Kind(0);
    pub(super) const INTEGER: Kind = Kind(1);
    pub(super) const FLOAT: Kind = Kind(2);
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 10] = [
            "absent",
            "integer",
            "float",
            "string",
            "list",
            "word",
            "symbol",
            "dictionary",
            "reference",
            "boolean",
        ];
        write!(f, "{} ({})", self.0, NAMES[self.0 as usize])
    }
}

/// The kind of `attr`. A boolean is an integer to those who admit it.
pub(super) fn attr_kind(attr: &Attr) -> Kind {
    Kind(match attr {
        Attr::Int(_) => 1,
        Attr::Float(_) => 2,
        Attr::String(_) => 3,
        Attr::List(_) => 4,
        Attr::Word(_) => 5,
        Attr::Symbol(_) => 6,
        Attr::Dict(_) => 7,
        Attr::Ref { .. } => 8,
        Attr::Bool(_) => 9,
    })
}

fn form_kind(form: Form) -> Kind {
    Kind(match form {
        Form::Int | Form::Number | Form::Literal | Form::Any => 1,
        Form::Float => 2,
        Form::String => 3,
        Form::List => 4,
        Form::Word => 5,
        Form::Ref => 8,
    })
}

fn form_words(form: Form) -> &'static str {
    match form {
        Form::Int => "an integer",
        Form::Float => "a float",
        Form::Number | Form::Literal => "a number",
        Form::String => "a string",
        Form::List => "a list",
        Form::Word => "a word",
        Form::Ref => "a `#` reference",
        Form::Any => "any value",
    }
}

fn form_admits(form: Form, attr: &Attr) -> bool {
    match form {
        Form::Int => matches!(attr, Attr::Int(_)),
        Form::Float => matches!(attr, Attr::Float(_)),
        Form::Number => matches!(attr, Attr::Int(_) | Attr::Float(_)),
        Form::Literal => matches!(
            attr,
            Attr::Int(_) | Attr::Float(_) | Attr::Bool(_) | Attr::String(_)
        ),
        Form::String => matches!(attr, Attr::String(_)),
        Form::List => matches!(attr, Attr::List(_)),
        Form::Word => matches!(attr, Attr::Word(_)),
        Form::Ref => matches!(attr, Attr::Ref { .. }),
        Form::Any => true,
    }
}
