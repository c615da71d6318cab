//! Well-formed modules from random numbers, driven by the op table.
//!
//! Every row can come out: operands are values of the types the row asks for, made up as arguments of the
//! function around; words, flags, attributes and optional parts are chosen freely. What comes out parses; whether
//! it verifies is up to the rules of the rows.

use std::fmt::Write;

use super::choices::Choices;
use super::material::{TYPES, attr, type_in};
use crate::predicate::Predicate;
use crate::table::{Binding, Element, OpDef, OpTable, RegionSpec, ResultSpec, SlotKind, Step, Traits};

/// The text of a module with one function that holds an op for each `(row, seed)`, and one item per seed for rows
/// that stand at module level.
pub(super) fn module_text(rows: &[(usize, u64)]) -> String {
    let table = OpTable::standard();
    let defs: Vec<&OpDef> = table.iter().collect();
    let mut out = String::new();
    let mut body = Body::default();
    for (number, &(row, seed)) in rows.iter().enumerate() {
        let def = defs[row % defs.len()];
        let mut choices = Choices::new(seed);
        if def.traits.has(Traits::TOP) {
            let mut item = Body {
                name: format!("{number}"),
                ..Body::default()
            };
            item.trivia(&mut choices, &mut out);
            item.op(&mut choices, def, 1);
            out.push_str(&item.text);
            out.push('\n');
        } else if !def.traits.has(Traits::TERMINATOR) {
            body.op(&mut choices, def, 0);
            body.trivia_here(&mut choices);
        }
    }
    let args: Vec<String> = body
        .args
        .iter()
        .map(|(name, ty)| format!("%{name}: {ty}"))
        .collect();
    let _ = write!(
        out,
        "func.def @body({}) {{\n{}func.return }}\n// end\n",
        args.join(", "),
        body.text
    );
    out
}

/// The body of one function, with the arguments it turned out to need.
#[derive(Default)]
struct Body {
    name: String,
    text: String,
    args: Vec<(String, String)>,
    values: usize,
}

impl Body {
    fn trivia(&self, choices: &mut Choices<'_>, out: &mut String) {
        match choices.below(4) {
            0 => out.push_str("\n\n"),
            1 => out.push_str("// a comment \n"),
            2 => out.push_str("\n//one\n\n\n// two\n"),
            _ => {}
        }
    }

    fn trivia_here(&mut self, choices: &mut Choices<'_>) {
        let mut text = std::mem::take(&mut self.text);
        self.trivia(choices, &mut text);
        self.text = text;
    }

    fn fresh(&mut self) -> String {
        self.values += 1;
        format!("v{}", self.values)
    }

    /// A value of type `ty`.
    fn value(&mut self, choices: &mut Choices<'_>, ty: &str) -> String {
        let known: Vec<String> = self
            .args
            .iter()
            .filter(|(_, known)| known == ty)
            .map(|(name, _)| name.clone())
            .collect();
        if !known.is_empty() && choices.maybe() {
            return known[choices.below(known.len())].clone();
        }
        let name = self.fresh();
        self.args.push((name.clone(), ty.to_owned()));
        name
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push(' ');
    }

    fn op(&mut self, choices: &mut Choices<'_>, def: &OpDef, depth: u32) {
        // Types of all type slots first: operands come before them in the text.
        let types: Vec<Vec<String>> = def
            .slots
            .iter()
            .map(|slot| match slot.kind {
                SlotKind::Type(class) => vec![type_in(choices, class)],
                SlotKind::Types(class) => (0..1 + choices.below(2))
                    .map(|_| type_in(choices, class))
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        let mut op = OpText {
            types,
            skipped: vec![false; def.slots.len()],
            operand_types: vec![String::new(); def.slots.len()],
        };
        let start = self.text.len();
        let _ = write!(self.text, "{} ", def.name);
        self.steps(choices, def, &mut op, &def.steps, depth);
        let many = choices.below(3);
        let results: usize = def
            .results
            .iter()
            .map(|spec| match *spec {
                ResultSpec::Type(_) | ResultSpec::Like(_) => 1,
                ResultSpec::Slot(slot) | ResultSpec::Each(slot) => {
                    if op.skipped[slot] {
                        0
                    } else {
                        op.types[slot].len()
                    }
                }
                ResultSpec::Many(_) => many,
            })
            .sum();
        // Unnamed results are as good as named ones, but only where their number is fixed.
        if results > 0 && (def.has_many_results() || choices.below(8) > 0) {
            let names: Vec<String> = (0..results).map(|_| format!("%{}", self.fresh())).collect();
            self.text.insert_str(start, &format!("{} = ", names.join(", ")));
        }
        self.push("");
    }

    fn steps(&mut self, choices: &mut Choices<'_>, def: &OpDef, op: &mut OpText, steps: &[Step], depth: u32) {
        for step in steps {
            match &step.element {
                Element::Literal(text) => self.push(text),
                Element::Slot(slot) => self.slot(choices, def, op, *slot, depth),
                Element::Angle(slots) => {
                    let given: Vec<usize> = slots
                        .iter()
                        .copied()
                        .filter(|&slot| !def.slots[slot].may_be_missing() || choices.maybe())
                        .collect();
                    slots
                        .iter()
                        .filter(|slot| !given.contains(slot))
                        .for_each(|&slot| op.skipped[slot] = true);
                    if given.is_empty() {
                        continue;
                    }
                    self.push("<");
                    for (position, &slot) in given.iter().enumerate() {
                        if position > 0 {
                            self.push(",");
                        }
                        self.slot(choices, def, op, slot, depth);
                    }
                    self.push(">");
                }
                Element::Optional(steps) => {
                    let first = match steps.first().map(|step| &step.element) {
                        Some(Element::Slot(slot)) => Some(&def.slots[*slot].kind),
                        _ => None,
                    };
                    // A configuration value states its type either with a name or without.
                    let left_out = match first {
                        Some(SlotKind::TypedArg) => true,
                        Some(SlotKind::Type(_)) => false,
                        _ => !def.nests && choices.maybe(),
                    };
                    if left_out {
                        skip(steps, op);
                    } else {
                        self.steps(choices, def, op, steps, depth);
                    }
                }
            }
        }
    }

    fn slot(&mut self, choices: &mut Choices<'_>, def: &OpDef, op: &mut OpText, slot: usize, depth: u32) {
        match &def.slots[slot].kind {
            SlotKind::Operand(binding) => {
                let ty = self.operand_type(choices, def, op, *binding, 0);
                let value = self.value(choices, &ty);
                op.operand_types[slot] = ty;
                let _ = write!(self.text, "%{value} ");
            }
            SlotKind::Operands(binding) => {
                let count = match *binding {
                    Binding::Slot(from) => op.types[from].len(),
                    _ => choices.below(3),
                };
                let types: Vec<String> = (0..count)
                    .map(|at| self.operand_type(choices, def, op, *binding, at))
                    .collect();
                let values: Vec<String> = types
                    .iter()
                    .map(|ty| format!("%{}", self.value(choices, ty)))
                    .collect();
                self.push(&values.join(", "));
            }
            SlotKind::Indexed(_) => {
                let count = choices.below(3);
                let entries: Vec<String> = (0..count)
                    .map(|_| {
                        if choices.maybe() {
                            "0".to_owned()
                        } else {
                            format!("%{}", self.value(choices, "index"))
                        }
                    })
                    .collect();
                let _ = write!(self.text, "[{}] ", entries.join(", "));
            }
            SlotKind::Type(_) | SlotKind::Types(_) => {
                let text = op.types[slot].join(", ");
                self.push(&text);
            }
            SlotKind::Attr(form) => {
                let text = attr(choices, *form, 0);
                self.push(&text);
            }
            SlotKind::Choice(words) => {
                let word = choices.pick(words);
                self.push(word);
            }
            SlotKind::MaybeChoice(words) => {
                if choices.maybe() {
                    let word = choices.pick(words);
                    self.push(word);
                }
            }
            SlotKind::Presence(word) => {
                if choices.maybe() {
                    self.push(word);
                }
            }
            SlotKind::Flags(words) => {
                let set: Vec<&str> = (0..1 + choices.below(3)).map(|_| choices.pick(words)).collect();
                self.push(&set.join("|"));
            }
            SlotKind::Symbol(_) => self.push("@body"),
            SlotKind::Define => {
                let _ = write!(self.text, "@item{} ", self.name);
            }
            SlotKind::Dict(None) => self.push("{zeta = [1, 2.5, \"x\\n\"], alpha = #a.b<c=1, 2>}"),
            SlotKind::Dict(Some(keys)) => {
                let mut entries = Vec::new();
                for key in keys.iter().rev() {
                    if key.optional && choices.maybe() {
                        continue;
                    }
                    let value = match key.words {
                        [] => attr(choices, key.form, 0),
                        words => choices.pick(words).to_owned(),
                    };
                    entries.push(format!("{} = {value}", key.key));
                }
                if !entries.is_empty() {
                    let _ = write!(self.text, "{{{}}} ", entries.join(", "));
                }
            }
            SlotKind::Args => {
                let count = choices.below(3);
                let names: Vec<String> = (0..count).map(|_| self.fresh()).collect();
                let args: Vec<String> = names
                    .iter()
                    .map(|name| match names.last() {
                        // A dimension may name a later argument.
                        Some(last) if choices.below(4) == 0 && last != name => {
                            format!("%{name}: tensor<[%{last}]x4xf32>")
                        }
                        _ => format!("%{name}: {}", choices.pick(TYPES)),
                    })
                    .collect();
                let _ = write!(self.text, "({}) ", args.join(", "));
            }
            SlotKind::Results => {
                let named = self.fresh();
                let first = choices.pick(TYPES);
                let second = choices.pick(TYPES);
                let _ = write!(self.text, "{first}, %{named}: {second} ");
            }
            SlotKind::Where => {
                let count = 1 + choices.below(2);
                let predicates: Vec<String> = (0..count)
                    .map(|_| {
                        let predicate = Predicate::ALL[choices.below(Predicate::ALL.len())];
                        let arguments: Vec<&str> = (0..predicate.arity())
                            .map(|_| choices.pick(&["1", "16", "2.5"]))
                            .collect();
                        format!("{}({})", predicate.name(), arguments.join(", "))
                    })
                    .collect();
                self.push(&predicates.join(", "));
            }
            SlotKind::Region(spec) => self.region(choices, spec, depth),
            SlotKind::Bind(_) => {
                let name = self.fresh();
                let _ = write!(self.text, "%{name} ");
            }
            SlotKind::TypedArg => {
                let name = self.fresh();
                let _ = write!(self.text, "%{name}: {} ", choices.pick(TYPES));
            }
            SlotKind::Carries => {
                let count = choices.below(3);
                let entries: Vec<String> = (0..count)
                    .map(|_| {
                        let ty = choices.pick(TYPES);
                        let init = self.value(choices, ty);
                        format!("%{} = %{init} : {ty}", self.fresh())
                    })
                    .collect();
                if !entries.is_empty() {
                    let _ = write!(self.text, "({}) ", entries.join(", "));
                }
            }
            SlotKind::Label => self.push("^label"),
            SlotKind::Pass => {
                let ty = choices.pick(TYPES);
                let value = self.value(choices, ty);
                let _ = write!(self.text, "(%{value}: {ty}) ");
            }
            SlotKind::Cases(spec) => {
                self.push("{");
                for key in 0..choices.below(3) {
                    let _ = write!(self.text, "case {key} ");
                    self.region(choices, spec, depth);
                }
                self.push("default");
                self.region(choices, spec, depth);
                self.push("}");
            }
            SlotKind::Rows => {
                let rows: Vec<String> = (0..choices.below(3))
                    .map(|key| {
                        format!(
                            "{key} = (%{}, %{})",
                            self.value(choices, "index"),
                            self.value(choices, "f32")
                        )
                    })
                    .collect();
                let _ = write!(self.text, "{{{}}} ", rows.join(", "));
            }
            SlotKind::Pack => {
                let parts: Vec<String> = (0..1 + choices.below(2))
                    .map(|_| format!("align(16) %{}", self.value(choices, "offset")))
                    .collect();
                self.push(&parts.join(", "));
            }
            SlotKind::Aux => {
                if choices.maybe() {
                    let value = self.value(choices, "vector<4xf32>");
                    let _ = write!(self.text, "{{scale = %{value} : vector<4xf32>}} ");
                }
            }
            SlotKind::Compared => {
                if choices.maybe() {
                    let (a, b) = (self.fresh(), self.fresh());
                    let _ = write!(self.text, "[actual(%{a}: f32), expected(%{b}: f32)] ");
                } else {
                    self.push("()");
                }
            }
        }
    }

    fn operand_type(
        &self,
        choices: &mut Choices<'_>,
        def: &OpDef,
        op: &OpText,
        binding: Binding,
        at: usize,
    ) -> String {
        match binding {
            Binding::Free => choices.pick(TYPES).to_owned(),
            Binding::Type(ty) => crate::module::builtin_name(ty),
            Binding::Slot(from) => match def.slots[from].kind {
                SlotKind::Type(_) => op.types[from][0].clone(),
                SlotKind::Types(_) => op.types[from]
                    .get(at)
                    .cloned()
                    .unwrap_or_else(|| "index".to_owned()),
                _ => op.operand_types[from].clone(),
            },
        }
    }

    fn region(&mut self, choices: &mut Choices<'_>, spec: &RegionSpec, depth: u32) {
        self.push("{");
        // Top-level ops do not see the function's arguments, so their regions hold constants only.
        for _ in 0..choices.below(3) {
            let name = self.fresh();
            let _ = write!(
                self.text,
                "%{name} = index.constant {} : index ",
                choices.below(100)
            );
            self.trivia_here(choices);
        }
        if depth == 0 && choices.below(3) == 0 {
            let def = OpTable::standard().find("scf.if");
            if let Some(def) = def {
                self.op(choices, def, 1);
            }
        }
        let end = spec
            .ends
            .iter()
            .find(|end| !matches!(**end, "cfg.br" | "cfg.cond_br"));
        match end.copied() {
            Some("kernel.launch.config") => {
                let name = self.fresh();
                let _ = write!(
                    self.text,
                    "%{name} = index.constant 1 : index kernel.launch.config workgroups(%{name}, %{name}, %{name}) workgroup_size(%{name}, %{name}, %{name}) : index "
                );
            }
            Some("check.compare" | "scf.condition") => {
                let name = self.fresh();
                let _ = write!(
                    self.text,
                    "%{name} = scalar.constant true : i1 scf.condition %{name} : i1 "
                );
            }
            Some(end) if spec.implicit.is_none() || choices.maybe() => self.push(end),
            _ => {}
        }
        self.push("}");
        self.text.push('\n');
    }
}

/// What has been chosen for one op.
struct OpText {
    types: Vec<Vec<String>>,
    skipped: Vec<bool>,
    operand_types: Vec<String>,
}

fn skip(steps: &[Step], op: &mut OpText) {
    for step in steps {
        match &step.element {
            Element::Slot(slot) => op.skipped[*slot] = true,
            Element::Angle(slots) => slots.iter().for_each(|&slot| op.skipped[slot] = true),
            Element::Optional(steps) => skip(steps, op),
            Element::Literal(_) => {}
        }
    }
}
