//! The promises of contracts: kept by callers, relied upon by callees.

use loom_ir::facts::{Known, Term, Truth, judge, mirrored};
use loom_ir::{Attr, Indexed, Item, OpTable, OpView, Predicate, ValueId};

use super::numbers::Number;
use super::scope::Symbol;
use super::value::Value;
use super::walk::{Frame, Walk};
use crate::predicates::{constant, predicates};
use crate::product::Spot;

/// One predicate of a contract or assumption, judged for certain values.
pub(super) struct Clause {
    pub predicate: Predicate,
    pub arguments: Vec<Indexed>,
    pub truth: Truth,
}

impl<'a> Walk<'a> {
    /// The predicates in slot `slot` of `view`, an op of `item`, for values that `number` knows.
    pub(super) fn clauses(
        &self,
        view: OpView<'_>,
        slot: &str,
        number: impl Fn(ValueId) -> Option<Number>,
    ) -> Vec<Clause> {
        let clause = |(predicate, arguments): (Predicate, Vec<Indexed>)| {
            let term = |argument: &Indexed| self.term(view, *argument, &number);
            let terms: Vec<Term> = arguments.iter().map(term).collect();
            Clause {
                predicate,
                truth: judge(predicate, &terms),
                arguments,
            }
        };
        predicates(view, slot).map(clause).collect()
    }

    fn term(&self, view: OpView<'_>, argument: Indexed, number: impl Fn(ValueId) -> Option<Number>) -> Term {
        match argument {
            Indexed::Static(attr) => constant(&view.body.attrs[attr.index()]),
            Indexed::Value(value) => match number(value) {
                Some(number) => self.numbers.term(number),
                None => {
                    let scalar = view.body.ty(view.body.type_of(value)).scalar();
                    Term {
                        known: Known::NOTHING,
                        value: None,
                        float: scalar.is_some_and(|scalar| scalar.is_float()),
                    }
                }
            },
        }
    }

    /// Reports the predicates of `callee` that the values `bound` contradict; from here on the others hold.
    pub(super) fn keep_contract(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        callee: Symbol,
        bound: &[(ValueId, Value)],
    ) {
        if !self.scope.root(callee).named("where").is_empty() {
            self.keep_contract_at(frame.spot(view), callee, bound);
        }
    }

    /// The same for values that are passed at `at`.
    pub(super) fn keep_contract_at(&mut self, at: Spot, callee: Symbol, bound: &[(ValueId, Value)]) {
        let root = self.scope.root(callee);
        for clause in self.clauses(root, "where", number_in(bound)) {
            if clause.truth == Truth::False {
                let spot = self.scope.spot(callee);
                let text = self.clause_text(root, &clause, number_in(bound));
                self.report_contradiction(at, text, Some((callee, spot)));
            }
        }
        self.promise(callee, bound);
    }

    /// From here on the predicates of `callee` hold of the values `bound`.
    pub(super) fn promise(&mut self, callee: Symbol, bound: &[(ValueId, Value)]) {
        let root = self.scope.root(callee);
        if !root.named("where").is_empty() {
            self.rely(root, "where", number_in(bound));
        }
    }

    /// Reports what an assumption has wrong; from here on the rest holds.
    pub(super) fn keep_assumption(&mut self, frame: &Frame<'a>, view: OpView<'a>) {
        let number = |value: ValueId| frame.number(value);
        for clause in self.clauses(view, "predicates", number) {
            if clause.truth == Truth::False {
                let text = self.clause_text(view, &clause, number);
                self.report_contradiction(frame.spot(view), text, None);
            }
        }
        self.rely(view, "predicates", number);
    }

    fn rely(&mut self, view: OpView<'_>, slot: &str, number: impl Fn(ValueId) -> Option<Number>) {
        for (predicate, arguments) in predicates(view, slot) {
            for (position, &argument) in arguments.iter().enumerate() {
                let Indexed::Value(value) = argument else { continue };
                let turned = match position {
                    0 => Some(predicate),
                    1 => mirrored(predicate),
                    _ => None,
                };
                let (Some(number_of), Some(predicate)) = (number(value), turned) else {
                    continue;
                };
                let others = arguments
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != position);
                let others: Vec<Known> = others
                    .map(|(_, &other)| self.term(view, other, &number).known)
                    .collect();
                self.numbers.assume(number_of, predicate, &others);
            }
        }
    }

    /// A clause as it is written, with the values that are known: `ge(%n, 8) with %n = 4`.
    pub(super) fn clause_text(
        &self,
        view: OpView<'_>,
        clause: &Clause,
        number: impl Fn(ValueId) -> Option<Number>,
    ) -> (String, Vec<String>) {
        let body = view.body;
        let (mut words, mut values) = (Vec::new(), Vec::new());
        for argument in &clause.arguments {
            match *argument {
                Indexed::Static(attr) => words.push(literal(&body.attrs[attr.index()])),
                Indexed::Value(value) => {
                    let name = format!("%{}", body.text(body.values[value.index()].name));
                    let known = number(value).map(|number| self.numbers.known(number));
                    if let Some(known) = known {
                        values.push(described(&name, &known));
                    }
                    words.push(name);
                }
            }
        }
        values.dedup();
        (
            format!("{}({})", clause.predicate.name(), words.join(", ")),
            values,
        )
    }
}

/// What is known of a value, in words.
fn described(name: &str, known: &Known) -> String {
    let (low, high) = (known.interval.low, known.interval.high);
    let class = known.class;
    match known.number() {
        _ if known.exact.is_some_and(|exact| exact.signed().is_none()) => {
            let what = match (class.nan, class.infinite) {
                (true, _) => "NaN",
                (_, true) => "infinite",
                _ => "a finite number",
            };
            format!("{name} is {what}")
        }
        Some(number) => format!("{name} is {number}"),
        None if known.interval != loom_ir::facts::Interval::ALL => {
            let end = |number: i64| match number {
                i64::MIN | i64::MAX => "..".to_owned(),
                number => number.to_string(),
            };
            format!("{name} lies between {} and {}", end(low), end(high))
        }
        None if known.divisor > 1 => format!("{name} is a multiple of {}", known.divisor),
        None => format!("of {name} nothing is known"),
    }
}

fn literal(attr: &Attr) -> String {
    match attr {
        Attr::Int(value) => value.to_string(),
        Attr::Bool(value) => value.to_string(),
        Attr::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
        _ => "?".to_owned(),
    }
}

/// Finds the number of an argument.
pub(super) fn number_in(bound: &[(ValueId, Value)]) -> impl Fn(ValueId) -> Option<Number> {
    move |value| {
        let found = bound.iter().find(|(argument, _)| *argument == value);
        found.and_then(|(_, value)| value.number())
    }
}

/// Whether the provider or family `item` takes as many arguments as are passed.
pub(super) fn takes(item: &Item, count: usize) -> bool {
    item.root(OpTable::standard()).named("args").len() == count
}
