//! How an op is written, for people: help texts and hover.

use super::syntax::{Element, Form, OpDef, Slot, SlotKind, Step};

impl OpDef {
    /// The form of the op in one line, such as `index.cast %input : type to type`. Optional parts stand between
    /// `[` and `]`, alternatives are separated by `|`.
    pub fn usage(&self) -> String {
        let mut out = self.name.to_owned();
        let mut first = !self.glued;
        self.steps_usage(&self.steps, &mut out, &mut first);
        out
    }

    fn steps_usage(&self, steps: &[Step], out: &mut String, first: &mut bool) {
        for step in steps {
            let text = match &step.element {
                Element::Literal(text) => (*text).to_owned(),
                Element::Slot(slot) => slot_usage(&self.slots[*slot]),
                Element::Angle(slots) => {
                    let parts: Vec<String> =
                        slots.iter().map(|&slot| slot_usage(&self.slots[slot])).collect();
                    format!("<{}>", parts.join(", "))
                }
                Element::Optional(steps) => {
                    let mut inner = String::new();
                    self.steps_usage(steps, &mut inner, &mut false);
                    format!("[{}]", inner.trim_start())
                }
            };
            let glued = matches!(&step.element, Element::Angle(_))
                || matches!(&step.element, Element::Slot(slot) if matches!(self.slots[*slot].kind, SlotKind::Args | SlotKind::Carries | SlotKind::Pass));
            if !glued && (step.space || *first) && !text.is_empty() {
                out.push(' ');
            }
            *first = false;
            out.push_str(&text);
        }
    }
}

fn slot_usage(slot: &Slot) -> String {
    let name = slot.name;
    match &slot.kind {
        SlotKind::Operand(_) | SlotKind::Bind(_) => format!("%{name}"),
        SlotKind::Operands(_) => format!("%{name}, .."),
        SlotKind::Indexed(_) => format!("[{name}, ..]"),
        SlotKind::Type(_) => "type".to_owned(),
        SlotKind::Types(_) => "types".to_owned(),
        SlotKind::Attr(form) => match form {
            Form::Int => "integer",
            Form::Float => "float",
            Form::Number => "number",
            Form::Literal => "literal",
            Form::String => "\"text\"",
            Form::Word => "word",
            Form::Ref => "#name",
            Form::List => "[..]",
            Form::Any => "value",
        }
        .to_owned(),
        SlotKind::Choice(words) => words.join("|"),
        SlotKind::MaybeChoice(words) => format!("[{}]", words.join("|")),
        SlotKind::Presence(word) => format!("[{word}]"),
        SlotKind::Flags(words) => format!("[{}]", words.join("|")),
        SlotKind::Symbol(_) => format!("@{name}"),
        SlotKind::Define => "@name".to_owned(),
        SlotKind::Dict(Some(keys)) => {
            let optional = keys.iter().all(|key| key.optional);
            let entries: Vec<String> = keys.iter().map(|key| format!("{} = ..", key.key)).collect();
            let text = format!("{{{}}}", entries.join(", "));
            if optional { format!("[{text}]") } else { text }
        }
        SlotKind::Dict(None) => "{key = value, ..}".to_owned(),
        SlotKind::Args => "(%name: type, ..)".to_owned(),
        SlotKind::Results => "types".to_owned(),
        SlotKind::Where => "predicate(..), ..".to_owned(),
        SlotKind::Region(_) => "{ .. }".to_owned(),
        SlotKind::TypedArg => format!("%{name}: type"),
        SlotKind::Carries => "(%name = %init : type, ..)".to_owned(),
        SlotKind::Label => "^label".to_owned(),
        SlotKind::Pass => "(%value: type, ..)".to_owned(),
        SlotKind::Cases(_) => "{ case 0 { .. } default { .. } }".to_owned(),
        SlotKind::Rows => "{ 0 = (%value, ..), .. }".to_owned(),
        SlotKind::Pack => "align(16) %size, ..".to_owned(),
        SlotKind::Aux => "{key = %value : type}".to_owned(),
        SlotKind::Compared => "[actual(%a: type), expected(%b: type)]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::OpTable;

    #[test]
    fn usage_reads_like_the_op() {
        let usage = |name| OpTable::standard().find(name).unwrap().usage() + "\n";
        let ops = [
            "index.cast",
            "scalar.addf",
            "scf.for",
            "view.load",
            "func.call",
            "kernel.launch.config",
        ];
        expect![[r#"
            index.cast %input : type to type
            scalar.addf<[reassoc|nnan|ninf|nsz|arcp|contract|afn]> %lhs, %rhs : type
            scf.for %iv = [%lower to %upper step %step](%name = %init : type, ..) [-> (types)] [pipeline(%pipeline)] [unroll][(%factor)] [schedule(linear|interleaved|recurrence)] { .. }
            view.load<[volatile]> %view[indices, ..] [{cache_scope = .., cache_temporal = ..}] : type -> type
            func.call [pure] [inline|noinline] @callee(%args, ..) : (types) [-> (types)]
            kernel.launch.config workgroups(%gx, %gy, %gz) workgroup_size(%sx, %sy, %sz) [cluster_size(%cx, %cy, %cz)] : type
        "#]].assert_eq(&ops.map(usage).concat());
    }
}
