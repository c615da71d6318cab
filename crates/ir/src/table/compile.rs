//! Rows into [`OpDef`]s: reading the notation of [`super::syntax`].

use super::class::Class;
use super::row::{Refers, Row};
use super::syntax::{Binding, Element, Form, KeySpec, OpDef, RegionSpec, ResultSpec, Slot, SlotKind, Step};
use super::words::named_words;
use crate::module::TypeId;

impl OpDef {
    /// Compiles `row`.
    pub(super) fn compile(row: &Row, code: u16) -> OpDef {
        let glued = row.syntax.starts_with('~');
        let mut compiler = Compiler {
            rest: row.syntax.trim_start_matches('~'),
            name: row.name,
            slots: Vec::new(),
            bindings: Vec::new(),
            optional: 0,
        };
        let steps = compiler.steps();
        let Compiler {
            mut slots, bindings, ..
        } = compiler;
        let find = |slots: &[Slot], name: &str| slots.iter().position(|slot| slot.name == name);
        for (slot, name) in bindings {
            let binding = match find(&slots, name) {
                // `$buffer:buffer` means the type: an operand is not bound to itself.
                Some(at) if at != slot => Binding::Slot(at),
                _ => Binding::Type(type_named(name, row.name)),
            };
            match &mut slots[slot].kind {
                SlotKind::Operand(to)
                | SlotKind::Operands(to)
                | SlotKind::Indexed(to)
                | SlotKind::Bind(to) => *to = binding,
                _ => unreachable!("only operands are bound"),
            }
        }
        let results = row
            .results
            .split(',')
            .filter(|spec| !spec.is_empty())
            .map(|spec| {
                let spec = spec.trim();
                match (spec.strip_suffix('*'), spec.strip_suffix('?')) {
                    (Some(name), _) => match find(&slots, name) {
                        Some(slot) => ResultSpec::Each(slot),
                        None => ResultSpec::Many(type_named(name, row.name)),
                    },
                    (_, Some(name)) => ResultSpec::Like(find(&slots, name).expect("an operand slot")),
                    _ => match find(&slots, spec) {
                        Some(slot) => ResultSpec::Slot(slot),
                        None => ResultSpec::Type(type_named(spec, row.name)),
                    },
                }
            });
        let results = results.collect();
        let defines = slots
            .iter()
            .position(|slot| matches!(slot.kind, SlotKind::Define))
            .map(|slot| {
                let kind = super::SymbolKind::ALL
                    .into_iter()
                    .find(|kind| kind.name() == slots[slot].name);
                (slot, kind.expect("a symbol kind"))
            });
        let nests = slots
            .iter()
            .any(|slot| matches!(slot.kind, SlotKind::Region(_) | SlotKind::Cases(_)));
        let binds = slots.iter().any(|slot| matches!(slot.kind, SlotKind::Bind(_)));
        OpDef {
            code,
            name: row.name,
            syntax: row.syntax,
            steps,
            fixed: slots.iter().all(|slot| slot.single),
            slots,
            results,
            traits: row.traits,
            rules: row.rules,
            doc: row.doc,
            defines,
            nests,
            binds,
            glued,
        }
    }
}

fn type_named(name: &str, row: &str) -> TypeId {
    TypeId::builtin(name).unwrap_or_else(|| panic!("{row}: no slot or type {name}"))
}

struct Compiler {
    rest: &'static str,
    name: &'static str,
    slots: Vec<Slot>,
    bindings: Vec<(usize, &'static str)>,
    optional: u32,
}

impl Compiler {
    fn steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        loop {
            let trimmed = self.rest.trim_start();
            let space = trimmed.len() != self.rest.len();
            self.rest = trimmed;
            if self.rest.is_empty() || self.eat("?)") {
                return steps;
            }
            let element = self.element();
            steps.push(Step { space, element });
        }
    }

    fn element(&mut self) -> Element {
        if self.eat("(?") {
            self.optional += 1;
            let steps = self.steps();
            self.optional -= 1;
            return Element::Optional(steps);
        }
        if self.rest.starts_with('<') && self.rest[1..].starts_with(['%', '#', '@', '&', '+']) {
            self.eat("<");
            let mut slots = Vec::new();
            loop {
                let missing = u32::from(self.eat("?"));
                self.optional += missing;
                slots.push(self.placeholder().expect("a placeholder"));
                self.optional -= missing;
                if !self.eat(",") {
                    break;
                }
            }
            assert!(self.eat(">"), "{}: unclosed <", self.name);
            return Element::Angle(slots);
        }
        if let Some(slot) = self.placeholder() {
            return Element::Slot(slot);
        }
        Element::Literal(self.literal())
    }

    /// A placeholder, if one comes next.
    fn placeholder(&mut self) -> Option<usize> {
        let first = self.rest.chars().next()?;
        let next = self.rest[first.len_utf8()..].chars().next();
        match first {
            '$' => {
                self.skip(1);
                let name = self.word();
                let kind = if self.eat("*") {
                    SlotKind::Operands(Binding::Free)
                } else if self.eat("[]") {
                    SlotKind::Indexed(Binding::Free)
                } else {
                    SlotKind::Operand(Binding::Free)
                };
                let slot = self.slot(name, kind);
                self.binding(slot);
                Some(slot)
            }
            '!' => {
                self.skip(1);
                let name = self.word();
                let many = self.eat("*");
                let class = if self.eat("(") {
                    Class::parse(self.until(")"))
                } else {
                    Class::ANY
                };
                Some(self.slot(
                    name,
                    if many {
                        SlotKind::Types(class)
                    } else {
                        SlotKind::Type(class)
                    },
                ))
            }
            '#' => {
                self.skip(1);
                let name = self.word();
                assert!(self.eat("="), "{}: form of {name}", self.name);
                let form = form_named(self.word());
                Some(self.slot(name, SlotKind::Attr(form)))
            }
            '%' => {
                self.skip(1);
                let name = self.word();
                assert!(self.eat("="), "{}: words of {name}", self.name);
                let words = self.words();
                Some(self.slot(name, SlotKind::Choice(words)))
            }
            '+' => {
                self.skip(1);
                let name = self.word();
                if self.eat("=") {
                    let words = self.words();
                    return Some(self.slot(name, SlotKind::MaybeChoice(words)));
                }
                Some(self.slot(name, SlotKind::Presence(name)))
            }
            '&' => {
                self.skip(1);
                let name = self.word();
                Some(self.slot(name, SlotKind::Flags(named_words(name).expect("a set of flags"))))
            }
            '@' => {
                self.skip(1);
                if self.eat("!") {
                    let kind = self.word();
                    return Some(self.slot(kind, SlotKind::Define));
                }
                let name = self.word();
                assert!(self.eat("="), "{}: kinds of {name}", self.name);
                let kinds = Refers::parse(self.alternatives());
                Some(self.slot(name, SlotKind::Symbol(kinds)))
            }
            '{' if next.is_some_and(|c| c == '*' || c.is_ascii_lowercase()) => {
                self.skip(1);
                let keys = self.until("}");
                let keys = (keys != "*").then(|| keys.split(',').map(key_spec).collect());
                Some(self.slot("dict", SlotKind::Dict(keys)))
            }
            'A'..='Z' => Some(self.special()),
            _ => None,
        }
    }

    fn special(&mut self) -> usize {
        let what = self.until(":");
        let name = self.word();
        match what {
            "ARGS" => self.slot(name, SlotKind::Args),
            "RESULTS" => self.slot(name, SlotKind::Results),
            "WHERE" => self.slot(name, SlotKind::Where),
            "REGION" => {
                let spec = self.region_spec();
                self.slot(name, SlotKind::Region(spec))
            }
            "CASES" => {
                let spec = self.region_spec();
                self.slot(name, SlotKind::Cases(spec))
            }
            "BIND" => {
                let slot = self.slot(name, SlotKind::Bind(Binding::Free));
                self.binding(slot);
                slot
            }
            "TYPED" => self.slot(name, SlotKind::TypedArg),
            "CARRIES" => self.slot(name, SlotKind::Carries),
            "LABEL" => self.slot(name, SlotKind::Label),
            "PASS" => self.slot(name, SlotKind::Pass),
            "ROWS" => self.slot(name, SlotKind::Rows),
            "PACK" => self.slot(name, SlotKind::Pack),
            "AUX" => self.slot(name, SlotKind::Aux),
            "COMPARED" => self.slot(name, SlotKind::Compared),
            _ => panic!("{}: unknown placeholder {what}", self.name),
        }
    }

    fn region_spec(&mut self) -> RegionSpec {
        let mut spec = RegionSpec {
            ends: Vec::new(),
            implicit: None,
        };
        if self.eat("(") {
            for end in self.until(")").split('|') {
                let name = end.strip_prefix('~').unwrap_or(end);
                if name.len() != end.len() {
                    spec.implicit = Some(name);
                }
                spec.ends.push(name);
            }
        }
        spec
    }

    fn binding(&mut self, slot: usize) {
        if self.rest.starts_with(':') && self.rest[1..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            self.skip(1);
            let name = self.word();
            self.bindings.push((slot, name));
        }
    }

    fn slot(&mut self, name: &'static str, kind: SlotKind) -> usize {
        assert!(
            self.slots.iter().all(|slot| slot.name != name),
            "{}: two slots {name}",
            self.name
        );
        self.slots.push(Slot {
            name,
            single: self.optional == 0 && kind.single(),
            kind,
            optional: self.optional > 0,
        });
        self.slots.len() - 1
    }

    fn words(&mut self) -> &'static [&'static str] {
        let text = self.alternatives();
        named_words(text).unwrap_or_else(|| text.split('|').collect::<Vec<_>>().leak())
    }

    fn literal(&mut self) -> &'static str {
        if self.rest.starts_with("->") {
            return self.take(2);
        }
        let word = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(self.rest.len());
        self.take(word.max(1))
    }

    fn alternatives(&mut self) -> &'static str {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || "_|.".contains(c)))
            .unwrap_or(self.rest.len());
        self.take(end)
    }

    fn word(&mut self) -> &'static str {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(self.rest.len());
        assert!(end > 0, "{}: a name expected before {:?}", self.name, self.rest);
        self.take(end)
    }

    fn until(&mut self, end: &str) -> &'static str {
        let at = self
            .rest
            .find(end)
            .unwrap_or_else(|| panic!("{}: no {end}", self.name));
        let text = self.take(at);
        self.skip(end.len());
        text
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest.starts_with(text);
        if found {
            self.skip(text.len());
        }
        found
    }

    fn take(&mut self, length: usize) -> &'static str {
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        text
    }

    fn skip(&mut self, length: usize) {
        self.rest = &self.rest[length..];
    }
}

fn key_spec(text: &'static str) -> KeySpec {
    let (key, form) = text
        .split_once(':')
        .unwrap_or_else(|| panic!("form of key {text}"));
    let optional = form.ends_with('?');
    let form = form.trim_end_matches('?');
    match named_words(form) {
        Some(words) => KeySpec {
            key,
            form: Form::Word,
            words,
            optional,
        },
        None if form.contains('|') => KeySpec {
            key,
            form: Form::Word,
            words: form.split('|').collect::<Vec<_>>().leak(),
            optional,
        },
        None => KeySpec {
            key,
            form: form_named(form),
            words: &[],
            optional,
        },
    }
}

fn form_named(name: &str) -> Form {
    match name {
        "int" => Form::Int,
        "float" => Form::Float,
        "number" => Form::Number,
        "lit" => Form::Literal,
        "string" => Form::String,
        "word" => Form::Word,
        "ref" => Form::Ref,
        "list" => Form::List,
        "any" => Form::Any,
        _ => panic!("unknown attribute form {name}"),
    }
}
