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
use super::row::{Refers, Rule, Traits};
use crate::module::TypeId;

/// A compiled row.
pub struct OpDef {
    /// Number of the op, part of the bytecode format.
    pub code: u16,
    /// Full name.
    pub name: &'static str,
    /// The row's syntax text, for people.
    pub syntax: &'static str,
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
    /// Whether any slot is a region argument that takes its type from elsewhere.
    pub binds: bool,
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
    /// Whether the slot is exactly one word in every op.
    pub single: bool,
}

impl Slot {
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

/// What a slot holds, and what its words are.
pub enum SlotKind {
    /// One operand. Words: value.
    Operand(Binding),
    /// Operands. Words: values.
    Operands(Binding),
    /// Values and literals. Words: [`crate::Indexed`].
    Indexed(Binding),
    /// A stated type. Words: type.
    Type(Class),
    /// Stated types. Words: types.
    Types(Class),
    /// An attribute. Words: attribute.
    Attr(Form),
    /// One of these words. Words: position.
    Choice(&'static [&'static str]),
    /// At most one of these words. Words: position.
    MaybeChoice(&'static [&'static str]),
    /// An optional word. Words: 1 when present.
    Presence(&'static str),
    /// A set of these words. Words: bits, absent when empty.
    Flags(&'static [&'static str]),
    /// A reference. Words: string.
    Symbol(Refers),
    /// The op's own symbol. Words: string.
    Define,
    /// A dictionary [key, attribute pairs, sorted by key]; `None` admits any keys.
    Dict(Option<Vec<KeySpec>>),
    /// Arguments. Words: values.
    Args,
    /// Declared results. Words: value or `u32::MAX`, type pairs.
    Results,
    /// Predicates. Words: predicate, argument count, [`crate::Indexed`] arguments.
    Where,
    /// A region. Words: region.
    Region(RegionSpec),
    /// A region argument. Words: value.
    Bind(Binding),
    /// An argument that states its type. Words: value.
    TypedArg,
    /// Region arguments with initial values. Words: argument, operand pairs.
    Carries,
    /// A block label. Words: string.
    Label,
    /// Values for a block. Words: value, type pairs.
    Pass,
    /// `case 0 { .. } default { .. }`. Words: attribute or `u32::MAX`, region pairs.
    Cases(RegionSpec),
    /// `0 = (%a, %b)` rows. Words: attribute, count, values.
    Rows,
    /// `align(16) %a`. Words: attribute, value pairs.
    Pack,
    /// `{key = %v : T}`. Words: string, value, type triples.
    Aux,
    /// `[actual(%x: T), expected(%y: T)]` or `()`: region arguments. Words: values.
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

    pub(super) fn single(&self) -> bool {
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
