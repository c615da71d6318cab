//! The notation in which rows give their syntax, compiled once into steps.
//!
//! The text of a row is what a user types after the op's name, with these placeholders; blanks in it are
//! printed as they stand, and one stands after the name unless the text begins with `(`, `<` or `~`:
//!
//! | placeholder | stands for |
//! |---|---|
//! | `$x:T` | an operand; `T` names the type slot, or a type, that it must have |
//! | `$x*:T` | operands separated by commas, possibly none |
//! | `$x[]:T` | `[%i, 3]`: values and integer literals |
//! | `!T(a\|b)`, `!T*(a\|b)` | a stated type, or types separated by commas, with the admitted classes |
//! | `#x=form` | an attribute: `int float number lit string word ref list any` |
//! | `%x=a\|b`, `%x=set` | one of several words, written out or as a named set |
//! | `+word`, `+x=a\|b` | an optional word, or at most one of several |
//! | `@x=kind\|kind`, `@!kind` | a symbol reference, the symbol that the op defines |
//! | `<a,&set,?@x=kind>` | placeholders in angle brackets; `&set` is an optional set of flags joined by `\|`; `?` marks a part that may be missing |
//! | `{a:int,b:word?}`, `{*}` | a dictionary with these keys (`?`: optional), any dictionary |
//! | `(? .. ?)` | a part that may be left out; its first literal decides |
//! | `ARGS:x` | `(%a: T, ..)`; defines the arguments of the region that follows |
//! | `RESULTS:x` | `(T, %r: T)` after an arrow, or nothing |
//! | `WHERE:x` | predicates in brackets |
//! | `REGION:x(t\|~u)` | a region that ends in `t`, or in `u` which is left out when it has no operands |
//! | `BIND:x:T` | `%i`: a region argument of the type in `T` |
//! | `TYPED:x` | `%i: T`: one argument with its type |
//! | `CARRIES:x` | `(%a = %init : T, ..)`, or nothing: region arguments with initial values |
//! | `LABEL:x`, `PASS:x` | `^label`; `(%a: T, ..)`, or nothing: values passed to a block |
//! | `AUX:x` | `{key = %v : T, ..}`, or nothing: named operands with their types |
//! | `COMPARED:x` | `[actual(%x: T), expected(%y: T)]` or `()`: region arguments in pairs |
//! | `CASES:x(t)`, `ROWS:x`, `PACK:x` | the bodies of `scf.switch`, `scf.lookup`, `buffer.pack` |

use super::class::Class;
use super::row::{Refers, Row, Rule, Traits};
use crate::module::TypeId;

/// A compiled row.
pub struct OpDef {
    /// Number of the op, part of the bytecode format.
    pub code: u16,
    /// Full name.
    pub name: &'static str,
    /// How it is written.
    pub steps: Vec<Step>,
    /// What it carries, in the order of the text.
    pub slots: Vec<Slot>,
    /// Whether every slot is exactly one word: such ops have no slot header.
    pub fixed: bool,
    /// Types of the results.
    pub results: Vec<ResultSpec>,
    /// Effects and placement.
    pub traits: Traits,
    /// Further checks.
    pub rules: &'static [Rule],
    /// One line for people.
    pub doc: &'static str,
    /// Kind of the symbol it defines, and the slot with its name.
    pub defines: Option<(usize, super::SymbolKind)>,
    /// Whether any slot holds regions.
    pub nests: bool,
    /// Whether no blank stands after the name.
    pub glued: bool,
}

/// One element of the syntax, with the blank before it.
pub struct Step {
    /// Whether a blank precedes it in canonical text.
    pub space: bool,
    /// What stands there.
    pub element: Element,
}

/// An element of the syntax.
pub enum Element {
    /// A keyword or punctuation.
    Literal(&'static str),
    /// The content of a slot.
    Slot(usize),
    /// Slots in angle brackets, separated by commas; left out when all are empty.
    Angle(Vec<usize>),
    /// Steps that may be left out together.
    Optional(Vec<Step>),
}

/// One thing that an op carries.
pub struct Slot {
    /// Name, unique within the row.
    pub name: &'static str,
    /// What kind of thing.
    pub kind: SlotKind,
    /// Whether it stands in an optional part.
    pub optional: bool,
}

impl Slot {
    /// Whether the slot is exactly one word in every op.
    pub fn always_single(&self) -> bool {
        !self.optional && self.kind.single()
    }

    /// Whether angle brackets may leave the slot out.
    pub fn may_be_missing(&self) -> bool {
        self.optional || matches!(self.kind, SlotKind::Flags(_) | SlotKind::Presence(_))
    }
}

/// Which type an operand must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// Any.
    Free,
    /// The type, or at the same position the type, in this slot.
    Slot(usize),
    /// This very type.
    Type(TypeId),
}

/// Form of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Form {
    Int,
    Float,
    Number,
    Literal,
    String,
    Word,
    Ref,
    List,
    Any,
}

/// One key that a dictionary may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeySpec {
    /// The key.
    pub key: &'static str,
    /// Form of the value.
    pub form: Form,
    /// The admitted words of a `Word` value; empty for any.
    pub words: &'static [&'static str],
    /// Whether the key may be missing.
    pub optional: bool,
}

/// What a slot holds; the words are described in brackets.
pub enum SlotKind {
    /// One operand [value].
    Operand(Binding),
    /// Operands [values].
    Operands(Binding),
    /// Values and literals [`Indexed`].
    Indexed(Binding),
    /// A stated type [type].
    Type(Class),
    /// Stated types [types].
    Types(Class),
    /// An attribute [attribute].
    Attr(Form),
    /// One of these words [position].
    Choice(&'static [&'static str]),
    /// At most one of these words [position].
    MaybeChoice(&'static [&'static str]),
    /// An optional word [1 when present].
    Presence(&'static str),
    /// A set of these words [bits, absent when empty].
    Flags(&'static [&'static str]),
    /// A reference [string].
    Symbol(Refers),
    /// The op's own symbol [string].
    Define,
    /// A dictionary [key, attribute pairs, sorted by key]; `None` admits any keys.
    Dict(Option<Vec<KeySpec>>),
    /// Arguments [values].
    Args,
    /// Declared results [value or `u32::MAX`, type pairs].
    Results,
    /// Predicates [predicate, argument count, `Indexed` arguments].
    Where,
    /// A region [region].
    Region(RegionSpec),
    /// A region argument [value].
    Bind(Binding),
    /// An argument that states its type [value].
    TypedArg,
    /// Region arguments with initial values [argument, operand pairs].
    Carries,
    /// A block label [string].
    Label,
    /// Values for a block [value, type pairs].
    Pass,
    /// `case 0 { .. } default { .. }` [attribute or `u32::MAX`, region pairs].
    Cases(RegionSpec),
    /// `0 = (%a, %b)` rows [attribute, count, values].
    Rows,
    /// `align(16) %a` [attribute, value pairs].
    Pack,
    /// `{key = %v : T}` [string, value, type triples].
    Aux,
    /// `[actual(%x: T), expected(%y: T)]` or `()`: region arguments [values].
    Compared,
}

/// How a region ends.
#[derive(Clone, Debug)]
pub struct RegionSpec {
    /// The admitted terminators.
    pub ends: Vec<&'static str>,
    /// The terminator that is left out when it has no operands.
    pub implicit: Option<&'static str>,
}

/// Types of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultSpec {
    /// One result of this type.
    Type(TypeId),
    /// One result of the type in this slot.
    Slot(usize),
    /// One result per type of this slot.
    Each(usize),
    /// Any number of results of this type.
    Many(TypeId),
    /// One result per operand of this slot, of the operand's type.
    Like(usize),
}

impl SlotKind {
    /// The words of a choice or flag slot.
    pub fn choices(&self) -> Option<&'static [&'static str]> {
        match self {
            SlotKind::Choice(words) | SlotKind::MaybeChoice(words) | SlotKind::Flags(words) => Some(words),
            _ => None,
        }
    }

    /// Whether the slot never holds more than one word.
    pub fn at_most_one(&self) -> bool {
        self.single()
            || matches!(
                self,
                SlotKind::MaybeChoice(_) | SlotKind::Presence(_) | SlotKind::Flags(_)
            )
    }

    fn single(&self) -> bool {
        matches!(
            self,
            SlotKind::Operand(_)
                | SlotKind::Type(_)
                | SlotKind::Attr(_)
                | SlotKind::Choice(_)
                | SlotKind::Symbol(_)
                | SlotKind::Define
                | SlotKind::Region(_)
                | SlotKind::Bind(_)
                | SlotKind::TypedArg
                | SlotKind::Label
        )
    }
}

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
        OpDef {
            code,
            name: row.name,
            steps,
            fixed: slots.iter().all(Slot::always_single),
            slots,
            results,
            traits: row.traits,
            rules: row.rules,
            doc: row.doc,
            defines,
            nests,
            glued,
        }
    }

    /// Whether the number of results does not follow from the slots.
    pub fn has_many_results(&self) -> bool {
        self.results
            .iter()
            .any(|spec| matches!(spec, ResultSpec::Many(_)))
    }

    /// The number of the slot called `name`.
    pub fn slot_named(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.name == name)
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

/// Sets of words that several rows share.
fn named_words(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "icmp" => &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"],
        "fcmp" => &[
            "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
        ],
        "axis" => &["x", "y", "z"],
        "fast" => &["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"],
        "wrap" => &["nsw", "nuw"],
        "volatile" => &["volatile"],
        "noftz" => &["noftz"],
        "reduction" => &[
            "addi", "addf", "muli", "mulf", "minsi", "maxsi", "minui", "maxui", "andi", "ori", "xori",
            "minimumf", "maximumf", "minnumf", "maxnumf",
        ],
        "atomic" => &[
            "xchgi", "xchgf", "addi", "addf", "subi", "andi", "ori", "xori", "minsi", "maxsi", "minui",
            "maxui", "minimumf", "maximumf", "minnumf", "maxnumf",
        ],
        "ordering" => &["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
        "scope" => &["thread", "subgroup", "workgroup", "device", "system"],
        "space" => &[
            "private",
            "workgroup",
            "global",
            "constant",
            "host",
            "descriptor",
            "generic",
            "unknown",
        ],
        _ => return None,
    })
}
