//! Contracts of families and providers, and the final rule by which one is chosen (loom-language 3.2).

use loom_base::Diagnostic;
use loom_ir::facts::{Known, Term, Truth, judge};
use loom_ir::{Attr, Body, Indexed, Item, OpTable, Predicate, ValueId};

use super::Decision;
use crate::config::Literal;
use crate::index::SymbolId;
use crate::predicates::predicates;
use crate::product::codes;

/// A provider that may be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The provider.
    pub id: SymbolId,
    /// Its name, without `@`.
    pub name: Box<str>,
    /// Higher numbers are tried first.
    pub priority: i64,
    /// What it needs.
    pub needs: Conjunction,
}

/// Conditions all of which must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conjunction {
    /// Whether the target suits.
    pub target: Truth,
    /// Predicates over arguments and results.
    pub clauses: Vec<Clause>,
}

/// A predicate of a `where`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The predicate.
    pub predicate: Predicate,
    /// Its arguments.
    pub terms: Vec<ClauseTerm>,
}

/// An argument of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClauseTerm {
    /// The argument of the template at this position.
    Argument(u32),
    /// Something else the contract names: a result.
    Result,
    /// A literal.
    Literal(Literal),
}

/// Why no provider is chosen.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Unresolved {
    /// The family has no provider at all.
    NoProvider,
    /// The contract of the family is broken.
    Rejected,
    /// All providers are ruled out.
    NoMatch,
    /// Some provider may suit, none is certain to.
    Unproven,
    /// These candidates suit, and none of them has the higher priority.
    Ambiguous(Vec<u32>),
}

impl Default for Conjunction {
    fn default() -> Self {
        Conjunction {
            target: Truth::True,
            clauses: Vec::new(),
        }
    }
}

impl Conjunction {
    /// Adds the conditions of `other` that are not among these.
    pub(super) fn join(&mut self, other: Conjunction) {
        self.target = self.target.and(other.target);
        for clause in other.clauses {
            if !self.clauses.contains(&clause) {
                self.clauses.push(clause);
            }
        }
    }

    /// The arguments that the clauses name.
    pub fn arguments(&self) -> impl Iterator<Item = u32> + '_ {
        let terms = self.clauses.iter().flat_map(|clause| &clause.terms);
        terms.filter_map(|term| match term {
            ClauseTerm::Argument(argument) => Some(*argument),
            _ => None,
        })
    }

    /// Whether a clause names a result.
    pub fn names_results(&self) -> bool {
        let mut terms = self.clauses.iter().flat_map(|clause| &clause.terms);
        terms.any(|term| *term == ClauseTerm::Result)
    }

    /// Whether all conditions hold of `arguments`.
    pub fn judge(&self, arguments: &[Term]) -> Truth {
        let clauses = self.clauses.iter().map(|clause| clause.judge(arguments));
        clauses.fold(self.target, Truth::and)
    }
}

impl Clause {
    /// Whether the predicate holds of `arguments`.
    pub fn judge(&self, arguments: &[Term]) -> Truth {
        let nothing = Term {
            known: Known::NOTHING,
            value: None,
            float: false,
        };
        let term = |term: &ClauseTerm| match term {
            ClauseTerm::Argument(argument) => arguments.get(*argument as usize).copied().unwrap_or(nothing),
            ClauseTerm::Result => nothing,
            ClauseTerm::Literal(literal) => crate::predicates::constant(&literal.attr()),
        };
        // No predicate takes more.
        let mut terms = [nothing; 3];
        for (place, given) in terms.iter_mut().zip(&self.terms) {
            *place = term(given);
        }
        judge(self.predicate, &terms[..self.terms.len().min(3)])
    }

    /// The predicate as source spells it, with `argument` spelling the template's arguments.
    pub fn text(&self, argument: impl Fn(u32) -> String) -> String {
        let term = |term: &ClauseTerm| match term {
            ClauseTerm::Argument(position) => argument(*position),
            ClauseTerm::Result => "a result".to_owned(),
            ClauseTerm::Literal(Literal::Int(value)) => value.to_string(),
            ClauseTerm::Literal(Literal::Bool(value)) => value.to_string(),
            ClauseTerm::Literal(Literal::Float(bits)) => format!("{:?}", f64::from_bits(*bits)),
        };
        let terms: Vec<String> = self.terms.iter().map(term).collect();
        format!("{}({})", self.predicate.name(), terms.join(", "))
    }
}

impl Candidate {
    pub(super) fn new(id: SymbolId, name: &str, item: &Item, target: Option<&str>) -> Self {
        let priority = match item.root(OpTable::standard()).attr("priority") {
            Some(Attr::Int(priority)) => *priority,
            _ => 0,
        };
        Candidate {
            id,
            name: name.into(),
            priority,
            needs: conjunction(item, target),
        }
    }
}

/// The conditions in the contract `item`; `target` is that of the symbol around the application.
pub(super) fn conjunction(item: &Item, target: Option<&str>) -> Conjunction {
    let view = item.root(OpTable::standard());
    let suits = match (view.symbol("target"), target) {
        (None, _) => Truth::True,
        (Some(_), None) => Truth::Unknown,
        (Some(wanted), Some(target)) if wanted == target => Truth::True,
        _ => Truth::False,
    };
    // Nothing is known of a target's features before one is chosen.
    let requires = match view.attr("requires") {
        Some(Attr::List(list)) if !list.is_empty() => Truth::Unknown,
        _ => Truth::True,
    };
    let own: Vec<ValueId> = view.operands("args").collect();
    let clause = |(predicate, arguments): (Predicate, Vec<Indexed>)| Clause {
        predicate,
        terms: arguments
            .iter()
            .map(|&argument| term(&item.body, &own, argument))
            .collect(),
    };
    Conjunction {
        target: suits.and(requires),
        clauses: predicates(view, "where").map(clause).collect(),
    }
}

fn term(body: &Body, own: &[ValueId], argument: Indexed) -> ClauseTerm {
    match argument {
        Indexed::Value(value) => match own.iter().position(|own| *own == value) {
            Some(position) => ClauseTerm::Argument(position as u32),
            None => ClauseTerm::Result,
        },
        Indexed::Static(attr) => ClauseTerm::Literal(match body.attrs[attr.index()] {
            Attr::Int(value) => Literal::Int(value),
            Attr::Bool(value) => Literal::Bool(value),
            Attr::Float(bits) => Literal::Float(bits),
            // Predicates take no other literals.
            _ => Literal::Float(f64::NAN.to_bits()),
        }),
    }
}

/// Chooses among `candidates`: of those that certainly suit, the only one of the highest priority.
pub(in crate::product) fn rank(
    contract: &Conjunction,
    candidates: &[Candidate],
    arguments: &[Term],
) -> Result<u32, Unresolved> {
    match contract.judge(arguments) {
        Truth::False => return Err(Unresolved::Rejected),
        Truth::Unknown => return Err(Unresolved::Unproven),
        Truth::True => {}
    }
    let mut best: Option<u32> = None;
    let mut rivals: Vec<u32> = Vec::new();
    let mut may_suit = false;
    for (position, candidate) in candidates.iter().enumerate() {
        match candidate.needs.judge(arguments) {
            Truth::True => {}
            Truth::Unknown => {
                may_suit = true;
                continue;
            }
            Truth::False => continue,
        }
        let leading = best.map(|best| candidates[best as usize].priority);
        match leading {
            Some(leading) if candidate.priority == leading => rivals.push(position as u32),
            Some(leading) if candidate.priority < leading => {}
            _ => {
                best = Some(position as u32);
                rivals.clear();
            }
        }
    }
    match (best, may_suit) {
        (Some(best), _) if rivals.is_empty() => Ok(best),
        (Some(best), _) => {
            rivals.insert(0, best);
            Err(Unresolved::Ambiguous(rivals))
        }
        (None, true) => Err(Unresolved::Unproven),
        (None, false) => Err(Unresolved::NoMatch),
    }
}

impl Unresolved {
    /// The diagnostic, without a place.
    pub(in crate::product) fn diagnostic(&self, decision: &Decision) -> Diagnostic {
        let Decision {
            application,
            family,
            candidates,
            ..
        } = decision;
        let decision = format!("kernel decision {application} for template family @{family}");
        let (code, message, help) = match self {
            Unresolved::NoProvider => (
                codes::NO_PROVIDER,
                format!("{decision} has no ranked provider"),
                format!("supply a library with a provider of the family, `template.def<@{family}>`"),
            ),
            Unresolved::Rejected => (
                codes::FAMILY_REJECTS,
                format!("{decision} breaks the contract of the family"),
                "launch the kernel with arguments that keep the `where` of the family, or weaken it"
                    .to_owned(),
            ),
            Unresolved::NoMatch => (
                codes::NO_MATCH,
                format!("{decision} has no provider that suits"),
                "add a provider whose `where` admits these arguments, or a fallback without one".to_owned(),
            ),
            Unresolved::Unproven => (
                codes::UNPROVEN_DECISION,
                format!("{decision} has no provider that certainly suits"),
                "add a fallback provider without `where`, or say more with `where` or `index.assume`"
                    .to_owned(),
            ),
            Unresolved::Ambiguous(best) => {
                let names = best
                    .iter()
                    .map(|&it| format!("@{}", candidates[it as usize].name));
                let names: Vec<String> = names.collect();
                let names = names.join(" and ");
                (
                    codes::AMBIGUOUS_DECISION,
                    format!("{decision} has ambiguous best-priority providers: {names} all suit"),
                    format!(
                        "give one of {names} the higher `priority`, or a `where` that excludes the other"
                    ),
                )
            }
        };
        Diagnostic::error(code, message).help(help)
    }
}
