//! Facts of all values of one item: one pass in program order, and path facts of the branches around a place.

use rustc_hash::FxHashMap;

use super::domain::{Interval, Known};
use super::judge::{Term, Truth, judge};
use super::transfer::of_result;
use crate::fold::{Exact, fold_op};
use crate::module::{Attr, AttrId, Indexed, Item, OpId, OpView, RegionId, Type, ValueId};
use crate::predicate::Predicate;
use crate::table::SlotKind;
use crate::walk::Definitions;

/// A promise that holds for the ops of a region.
struct PathFact {
    first: OpId,
    end: OpId,
    predicate: Predicate,
    other: Operand,
}

#[derive(Clone, Copy)]
enum Operand {
    Value(ValueId),
    Number(i64),
}

/// What is known about the values of one item.
///
/// Sources: constants, folding, arithmetic, `where` clauses, assumptions, bound configuration values, and inside
/// a region of `scf.if` the compare that selects it (loom-language 2.2).
pub struct ItemFacts<'a> {
    item: &'a Item,
    values: Vec<Known>,
    /// By the value they speak of.
    paths: FxHashMap<ValueId, Vec<PathFact>>,
    definitions: Definitions,
    /// What is known of the target's subgroup size everywhere.
    subgroup_size: Known,
    /// The results that stand for it.
    subgroup_sizes: Vec<ValueId>,
}

impl<'a> ItemFacts<'a> {
    /// The facts of `item`, with the configuration values that `config` knows.
    pub fn of(item: &'a Item, config: impl Fn(&str) -> Option<Exact>) -> Self {
        Self::on_target(item, config, None)
    }

    /// The same, for a target with subgroups of `subgroup_size` lanes if that is known.
    pub fn on_target(
        item: &'a Item,
        config: impl Fn(&str) -> Option<Exact>,
        subgroup_size: Option<u32>,
    ) -> Self {
        let body = &item.body;
        let values = body.values.iter().map(|value| Known::of_type(body.ty(value.ty)));
        let mut facts = Self {
            item,
            values: values.collect(),
            paths: FxHashMap::default(),
            definitions: Definitions::of(body),
            subgroup_size: subgroup_size
                .map_or(Known::between(1, i64::MAX), |size| Known::integer(size.into())),
            subgroup_sizes: Vec::new(),
        };
        for number in 0..body.ops.len() as u32 {
            facts.op(OpView::new(body, OpId(number)), &config);
        }
        facts
    }

    /// What is known about `value` wherever it is defined.
    pub fn known(&self, value: ValueId) -> Known {
        self.values[value.index()]
    }

    /// What is known about `value` at `op`, given the branches taken to get there.
    pub fn known_at(&self, op: OpId, value: ValueId) -> Known {
        let mut known = self.known(value);
        let paths = self.paths.get(&value).into_iter().flatten();
        for path in paths.filter(|path| path.first <= op && op < path.end) {
            let other = match path.other {
                Operand::Value(other) => self.known(other),
                Operand::Number(number) => Known::integer(number),
            };
            known = known.assume(path.predicate, &[other]);
        }
        known
    }

    /// What is known at `op` about the target's subgroup size: that of the whole item, and what the branches taken
    /// to get there say.
    pub fn subgroup_size_at(&self, op: OpId) -> Known {
        let sizes = self.subgroup_sizes.iter();
        sizes.fold(self.subgroup_size, |known, &size| {
            known.assume(Predicate::Eq, &[self.known_at(op, size)])
        })
    }

    /// The exact value of `value` at `op`, if it is known.
    pub fn exact_at(&self, op: OpId, value: ValueId) -> Option<Exact> {
        let known = self.known_at(op, value);
        known.exact.or_else(|| {
            let scalar = self.item.body.ty(self.item.body.type_of(value)).scalar()?;
            Exact::from_literal(&Attr::Int(known.number()?), scalar)
        })
    }

    /// Judges `predicate` over an argument list of a `where` clause or assumption, as seen at `op`.
    pub fn judge_at(&self, op: OpId, predicate: Predicate, arguments: &[Indexed]) -> Truth {
        let terms: Vec<Term> = arguments
            .iter()
            .map(|&argument| self.term(op, argument))
            .collect();
        judge(predicate, &terms)
    }

    /// A predicate argument as a term.
    pub fn term(&self, op: OpId, argument: Indexed) -> Term {
        let body = &self.item.body;
        match argument {
            Indexed::Value(value) => {
                let float = matches!(body.ty(body.type_of(value)), Type::Scalar(scalar) if scalar.is_float());
                Term {
                    known: self.known_at(op, value),
                    value: Some(value),
                    float,
                }
            }
            Indexed::Static(attr) => match self.number(attr) {
                Some(number) => Term::integer(number),
                None => Term {
                    known: Known::NOTHING,
                    value: None,
                    float: true,
                },
            },
        }
    }

    fn number(&self, attr: AttrId) -> Option<i64> {
        match &self.item.body.attrs[attr.index()] {
            Attr::Int(value) => Some(*value),
            Attr::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    fn op(&mut self, view: OpView<'a>, config: &impl Fn(&str) -> Option<Exact>) {
        self.declared(view);
        let results: Vec<ValueId> = view.results().collect();
        match (view.def.name, results.as_slice()) {
            ("config.get", [result]) => {
                if let Some(exact) = view.symbol("key").and_then(config) {
                    self.values[result.index()] = Known::of(exact);
                }
            }
            ("target.subgroup.size", [result]) => {
                self.values[result.index()] = self.subgroup_size;
                self.subgroup_sizes.push(*result);
            }
            ("index.assume" | "scalar.assume", results) => self.assumption(view, results),
            ("scf.if", _) => self.branch(view),
            ("scf.for", _) => self.counted(view),
            (_, [result]) => {
                let of_type = self.values[result.index()];
                let known = match fold_op(view, |value| self.exact_at(view.id, value)) {
                    Some(exact) => Known::of(exact),
                    None => of_result(view, of_type, |value| self.known_at(view.id, value)),
                };
                self.values[result.index()] = known;
            }
            _ => {}
        }
        // Results of a branch are known once both of its regions are: they come later in the list of ops.
        if view.def.traits.has(crate::table::Traits::TERMINATOR) {
            self.yielded(view);
        }
    }

    /// `where` clauses of the item itself.
    fn declared(&mut self, view: OpView<'a>) {
        if view.def.slot_named("where").is_none() {
            return;
        }
        for (predicate, arguments) in predicates(view, "where") {
            for (position, &argument) in arguments.iter().enumerate() {
                self.promise(view.id, predicate, &arguments, position, argument, None);
            }
        }
    }

    fn assumption(&mut self, view: OpView<'a>, results: &[ValueId]) {
        let sources: Vec<ValueId> = view.operands("values").collect();
        for (&source, &result) in sources.iter().zip(results) {
            self.values[result.index()] = self.known_at(view.id, source);
        }
        for (predicate, arguments) in predicates(view, "predicates") {
            for (position, &argument) in arguments.iter().enumerate() {
                let Indexed::Value(value) = argument else { continue };
                if let Some(at) = sources.iter().position(|&source| source == value) {
                    self.promise(
                        view.id,
                        predicate,
                        &arguments,
                        position,
                        argument,
                        Some(results[at]),
                    );
                }
            }
        }
    }

    /// Refines `target`, or the argument itself, by the promise that `predicate` holds.
    fn promise(
        &mut self,
        op: OpId,
        predicate: Predicate,
        arguments: &[Indexed],
        position: usize,
        argument: Indexed,
        target: Option<ValueId>,
    ) {
        let Indexed::Value(value) = argument else { return };
        let target = target.unwrap_or(value);
        let others: Vec<Known> = arguments
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != position)
            .map(|(_, &other)| self.term(op, other).known)
            .collect();
        let turned = match position {
            0 => Some(predicate),
            1 => mirrored(predicate),
            _ => None,
        };
        if let Some(predicate) = turned {
            self.values[target.index()] = self.values[target.index()].assume(predicate, &others);
        }
    }

    /// Inside a region of a branch its compare holds, or does not.
    fn branch(&mut self, view: OpView<'a>) {
        let Some(condition) = view.operand("condition") else {
            return;
        };
        let Some(definition) = self.definitions.result_of(condition) else {
            return;
        };
        let compare = OpView::new(&self.item.body, definition);
        if !matches!(compare.def.name, "index.cmp" | "scalar.cmpi") {
            return;
        }
        let (Some(a), Some(b), Some(choice)) = (
            compare.operand("lhs"),
            compare.operand("rhs"),
            compare.choice("predicate"),
        ) else {
            return;
        };
        for (region, holds) in [("then", true), ("else", false)] {
            let Some(region) = view.region(region) else {
                continue;
            };
            let Some((predicate, not_negative)) = implied(choice, holds, self.known(a), self.known(b)) else {
                continue;
            };
            self.path(region, a, predicate, b);
            if let Some(turned) = mirrored(predicate) {
                self.path(region, b, turned, a);
            }
            if not_negative {
                self.path_number(region, a, Predicate::Ge, 0);
            }
        }
    }

    fn path(&mut self, region: RegionId, value: ValueId, predicate: Predicate, other: ValueId) {
        self.push(region, value, predicate, Operand::Value(other));
    }

    fn path_number(&mut self, region: RegionId, value: ValueId, predicate: Predicate, number: i64) {
        self.push(region, value, predicate, Operand::Number(number));
    }

    fn push(&mut self, region: RegionId, value: ValueId, predicate: Predicate, other: Operand) {
        let body = &self.item.body;
        for block in body.blocks_of(region) {
            let block = body.blocks[block.index()];
            let path = PathFact {
                first: block.first,
                end: block.end,
                predicate,
                other,
            };
            self.paths.entry(value).or_default().push(path);
        }
    }

    /// The index of a loop runs from its lower bound to below its upper one in steps.
    fn counted(&mut self, view: OpView<'a>) {
        let at = |name: &str| view.operand(name).map(|value| self.known_at(view.id, value));
        let (Some(lower), Some(upper), Some(step)) = (at("lower"), at("upper"), at("step")) else {
            return;
        };
        let Some(&iv) = view.named("iv").first() else {
            return;
        };
        self.values[iv as usize] = loop_index(lower, upper, step);
    }

    /// Joins what the regions of an `scf.if` yield into its results.
    fn yielded(&mut self, view: OpView<'a>) {
        if view.def.name != "scf.yield" {
            return;
        }
        let body = &self.item.body;
        // The parent is the innermost op whose range holds the yield.
        let parent = (0..view.id.0)
            .rev()
            .find(|&op| body.ops[op as usize].end > view.id.0);
        let Some(parent) = parent.map(|op| OpView::new(body, OpId(op))) else {
            return;
        };
        if parent.def.name != "scf.if" {
            return;
        }
        let first_region = parent.region("then").is_some_and(|region| {
            body.blocks_of(region).any(|block| {
                let block = body.blocks[block.index()];
                block.first <= view.id && view.id < block.end
            })
        });
        for (result, value) in parent.results().zip(view.operands("values")).collect::<Vec<_>>() {
            let known = Known {
                exact: self.exact_at(view.id, value),
                ..self.known_at(view.id, value)
            };
            let current = self.values[result.index()];
            self.values[result.index()] = if first_region { known } else { current.join(known) };
        }
    }
}

/// The predicates of a slot with their arguments.
pub(super) fn predicates(view: OpView<'_>, slot: &str) -> Vec<(Predicate, Vec<Indexed>)> {
    let mut found = Vec::new();
    let is_where = view
        .def
        .slot_named(slot)
        .is_some_and(|slot| matches!(view.def.slots[slot].kind, SlotKind::Where));
    let mut rest = if is_where { view.named(slot) } else { &[] };
    while let [number, count, tail @ ..] = rest {
        let (arguments, tail) = tail.split_at(*count as usize);
        if let Some(predicate) = Predicate::from_number(*number) {
            found.push((
                predicate,
                arguments.iter().map(|&word| Indexed::from_word(word)).collect(),
            ));
        }
        rest = tail;
    }
    found
}

/// The facts of the index of a loop from `lower` to below `upper`.
pub fn loop_index(lower: Known, upper: Known, step: Known) -> Known {
    let high = upper.interval.high.saturating_sub(1).max(lower.interval.low);
    let known = Known {
        interval: Interval {
            low: lower.interval.low,
            high,
        },
        divisor: super::domain::gcd(lower.divisor, step.divisor),
        ..Known::NOTHING
    };
    known.tightened()
}

/// The predicate that says the same of the second argument about the first.
pub fn mirrored(predicate: Predicate) -> Option<Predicate> {
    match predicate {
        Predicate::Eq | Predicate::Ne => Some(predicate),
        Predicate::Lt => Some(Predicate::Gt),
        Predicate::Le | Predicate::Max => Some(Predicate::Ge),
        Predicate::Gt => Some(Predicate::Lt),
        Predicate::Ge | Predicate::Min => Some(Predicate::Le),
        _ => None,
    }
}

/// What a compare of `a` with `b` says of the two when it `holds` or fails, and whether it says that `a` is not
/// negative. Unsigned ones speak of signed numbers only when neither side can be negative, or when they hold
/// below a bound that cannot be.
pub fn implied(choice: &str, holds: bool, a: Known, b: Known) -> Option<(Predicate, bool)> {
    let (a, b) = (a.interval, b.interval);
    let unsigned = choice.starts_with('u');
    let bounded = holds && matches!(choice, "ult" | "ule") && b.low >= 0;
    if unsigned && !bounded && (a.low < 0 || b.low < 0) {
        return None;
    }
    let predicate = match choice.trim_start_matches(['s', 'u']) {
        "eq" => Predicate::Eq,
        "ne" => Predicate::Ne,
        "lt" => Predicate::Lt,
        "le" => Predicate::Le,
        "gt" => Predicate::Gt,
        _ => Predicate::Ge,
    };
    if holds {
        return Some((predicate, bounded));
    }
    let opposite = match predicate {
        Predicate::Eq => Predicate::Ne,
        Predicate::Ne => Predicate::Eq,
        Predicate::Lt => Predicate::Ge,
        Predicate::Le => Predicate::Gt,
        Predicate::Gt => Predicate::Le,
        _ => Predicate::Lt,
    };
    Some((opposite, false))
}
