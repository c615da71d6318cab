//! Whether two contracts of one symbol agree (loom-language 4.4).
//!
//! Values correspond by position in the argument lists, whatever they are called. Predicates may differ: they
//! are joined.

use loom_ir::{Attr, Body, Dim, Item, Layout, OpTable, OpView, Param, StringId, Type, TypeId, ValueId};
use rustc_hash::FxHashMap;

/// Where the values of one item are in another: argument for argument.
pub(super) type Correspondence = FxHashMap<ValueId, ValueId>;

/// Why two contracts disagree.
pub(super) struct Disagreement {
    /// What differs, such as `arg type at index 0`.
    pub what: String,
    /// The value in the first contract that shows it.
    pub here: Option<ValueId>,
    /// The value in the second.
    pub there: Option<ValueId>,
}

/// The argument lists of symbols, with the word for one of their arguments. A contract may lack some.
const LISTS: [(&str, &str); 3] = [
    ("workload", "workload arg"),
    ("specialization", "specialization arg"),
    ("args", "arg"),
];

/// Compares the contract of `declared` with that of `defined`; yields where the former's values are in the latter.
pub(super) fn compare(declared: &Item, defined: &Item) -> Result<Correspondence, Disagreement> {
    let table = OpTable::standard();
    let (one, other) = (declared.root(table), defined.root(table));
    let mut at = Correspondence::default();
    let has = |view: OpView<'_>, list: &str| view.def.slot_named(list).is_some();
    let lists = || {
        LISTS
            .iter()
            .filter(|(list, _)| has(one, list) && has(other, list))
    };
    for (list, word) in lists() {
        let (ours, theirs) = (one.operands(list), other.operands(list));
        if ours.len() != theirs.len() {
            let what = format!("{word} count: {} and {}", ours.len(), theirs.len());
            return Err(Disagreement {
                what,
                here: one.operands(list).next(),
                there: other.operands(list).next(),
            });
        }
        at.extend(ours.zip(theirs));
    }
    results(one, other, &mut at)?;
    let same = Same {
        one: &declared.body,
        other: &defined.body,
        at: &at,
    };
    for (list, word) in lists() {
        for (index, (here, there)) in one.operands(list).zip(other.operands(list)).enumerate() {
            if !same.types(one.body.type_of(here), other.body.type_of(there)) {
                let what = format!("{word} type at index {index}");
                return Err(Disagreement {
                    what,
                    here: Some(here),
                    there: Some(there),
                });
            }
        }
    }
    let pairs = one
        .named("results")
        .chunks_exact(2)
        .zip(other.named("results").chunks_exact(2));
    for (index, (ours, theirs)) in pairs.enumerate() {
        if !same.types(TypeId(ours[1]), TypeId(theirs[1])) {
            let what = format!("result type at index {index}");
            return Err(Disagreement {
                what,
                here: None,
                there: None,
            });
        }
    }
    modifiers(one, other)?;
    let imports = ["library", "symbol"].map(|slot| one.attr(slot).zip(other.attr(slot)));
    if imports
        .into_iter()
        .flatten()
        .any(|(ours, theirs)| !same.attrs(ours, theirs))
    {
        return Err(Disagreement {
            what: "import".to_owned(),
            here: None,
            there: None,
        });
    }
    Ok(at)
}

/// Results correspond by position; those without a name have no value.
fn results(one: OpView<'_>, other: OpView<'_>, at: &mut Correspondence) -> Result<(), Disagreement> {
    let (ours, theirs) = (one.named("results"), other.named("results"));
    if ours.len() != theirs.len() {
        let what = format!("result count: {} and {}", ours.len() / 2, theirs.len() / 2);
        return Err(Disagreement {
            what,
            here: None,
            there: None,
        });
    }
    for (ours, theirs) in ours.chunks_exact(2).zip(theirs.chunks_exact(2)) {
        if ours[0] != u32::MAX && theirs[0] != u32::MAX {
            at.insert(ValueId(ours[0]), ValueId(theirs[0]));
        }
    }
    Ok(())
}

/// A promise of purity must be kept by a definition, and two targets must be one.
fn modifiers(one: OpView<'_>, other: OpView<'_>) -> Result<(), Disagreement> {
    let disagree = |what: &str| {
        Err(Disagreement {
            what: what.to_owned(),
            here: None,
            there: None,
        })
    };
    let is_definition = other
        .def
        .slots
        .iter()
        .any(|slot| matches!(slot.kind, loom_ir::SlotKind::Region(_)));
    if is_definition && one.has("pure") && !other.has("pure") {
        return disagree("purity: the definition is not pure");
    }
    match (one.symbol("target"), other.symbol("target")) {
        (Some(ours), Some(theirs)) if ours != theirs => disagree("target"),
        _ => Ok(()),
    }
}

/// Whether things of two items mean the same.
pub(super) struct Same<'a> {
    pub one: &'a Body,
    pub other: &'a Body,
    pub at: &'a Correspondence,
}

impl Same<'_> {
    /// Whether two types are equal.
    pub fn types(&self, one: TypeId, other: TypeId) -> bool {
        match (self.one.ty(one), self.other.ty(other)) {
            (Type::Shaped(one), Type::Shaped(other)) => {
                let mut dims = one.dims.iter().zip(&other.dims);
                let layouts = match (&one.layout, &other.layout) {
                    (None, None) => true,
                    (Some(Layout::Attr(one)), Some(Layout::Attr(other))) => self.attrs(one, other),
                    (Some(Layout::Value(one)), Some(Layout::Value(other))) => self.values(*one, *other),
                    _ => false,
                };
                one.kind == other.kind
                    && one.element == other.element
                    && one.align == other.align
                    && one.dims.len() == other.dims.len()
                    && dims.all(|(one, other)| self.dims(*one, *other))
                    && layouts
            }
            (Type::Pool(one), Type::Pool(other)) => self.dims(*one, *other),
            (Type::Function(one), Type::Function(other)) => {
                [(&one.args, &other.args), (&one.results, &other.results)]
                    .into_iter()
                    .all(|(one, other)| {
                        let mut parts = one.iter().zip(other);
                        one.len() == other.len() && parts.all(|(one, other)| self.types(*one, *other))
                    })
            }
            (one, other) => one == other,
        }
    }

    /// Whether two attributes are equal.
    pub fn attrs(&self, one: &Attr, other: &Attr) -> bool {
        match (one, other) {
            (Attr::String(a), Attr::String(b))
            | (Attr::Word(a), Attr::Word(b))
            | (Attr::Symbol(a), Attr::Symbol(b)) => self.texts(*a, *b),
            (Attr::List(a), Attr::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(one, other)| self.attrs(one, other))
            }
            (Attr::Dict(a), Attr::Dict(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|(one, other)| self.texts(one.0, other.0) && self.attrs(&one.1, &other.1))
            }
            (
                Attr::Ref {
                    name: a,
                    params: of_a,
                },
                Attr::Ref {
                    name: b,
                    params: of_b,
                },
            ) => {
                let same = |(one, other): (&Param, &Param)| {
                    self.texts(one.key, other.key) && self.attrs(&one.value, &other.value)
                };
                self.texts(*a, *b) && of_a.len() == of_b.len() && of_a.iter().zip(of_b).all(same)
            }
            (one, other) => one == other,
        }
    }

    fn texts(&self, one: StringId, other: StringId) -> bool {
        self.one.text(one) == self.other.text(other)
    }

    fn dims(&self, one: Dim, other: Dim) -> bool {
        match (one, other) {
            (Dim::Value(one), Dim::Value(other)) => self.values(one, other),
            (one, other) => one == other,
        }
    }

    fn values(&self, one: ValueId, other: ValueId) -> bool {
        self.at.get(&one) == Some(&other)
    }
}
