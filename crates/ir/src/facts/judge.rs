//! Predicates over facts.

use super::domain::Known;
use crate::module::ValueId;
use crate::predicate::Predicate;

/// A three-valued answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Truth {
    /// It never holds.
    False,
    /// It may or may not hold.
    Unknown,
    /// It always holds.
    True,
}

impl Truth {
    /// The answer to the opposite question.
    pub fn negated(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
            Truth::True => Truth::False,
        }
    }

    /// Both hold.
    pub fn and(self, other: Truth) -> Truth {
        self.min(other)
    }

    fn of(holds: bool, fails: bool) -> Truth {
        match (holds, fails) {
            (true, _) => Truth::True,
            (_, true) => Truth::False,
            _ => Truth::Unknown,
        }
    }
}

/// An argument of a predicate: what is known about it, and which value it is, if it is one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// The facts.
    pub known: Known,
    /// The value.
    pub value: Option<ValueId>,
    /// Whether it is a float: relations of floats are never proven.
    pub float: bool,
}

impl Term {
    /// An integer constant.
    pub fn integer(value: i64) -> Term {
        Term {
            known: Known::integer(value),
            value: None,
            float: false,
        }
    }
}

/// Judges `predicate` over `terms`. The wrong number of terms is never proven nor refuted.
pub fn judge(predicate: Predicate, terms: &[Term]) -> Truth {
    if terms.len() != predicate.arity() {
        return Truth::Unknown;
    }
    let a = terms[0].known;
    match predicate {
        Predicate::NotNan => return class(terms[0], !a.class.nan, |known| known.class.nan),
        Predicate::NotInf => return class(terms[0], !a.class.infinite, |known| known.class.infinite),
        Predicate::Finite => {
            return class(terms[0], !a.class.nan && !a.class.infinite, |known| {
                known.class.nan || known.class.infinite
            });
        }
        _ => {}
    }
    if terms.iter().any(|term| term.float) {
        return Truth::Unknown;
    }
    let same = terms.len() == 2 && terms[0].value.is_some() && terms[0].value == terms[1].value;
    match predicate {
        Predicate::Eq => equal(terms, same),
        Predicate::Ne => equal(terms, same).negated(),
        Predicate::Lt => less(terms[0], terms[1], same),
        Predicate::Gt => less(terms[1], terms[0], same),
        Predicate::Ge | Predicate::Min => less(terms[0], terms[1], same).negated(),
        Predicate::Le | Predicate::Max => less(terms[1], terms[0], same).negated(),
        Predicate::Mul => multiple(a, terms[1].known),
        Predicate::Pow2 => power_of_two(a),
        Predicate::Range => {
            let (low, high) = (terms[1].known.interval, terms[2].known.interval);
            if low.low > high.high {
                return Truth::False;
            }
            Truth::of(
                a.interval.low >= low.high && a.interval.high <= high.low,
                a.interval.high < low.low || a.interval.low > high.high,
            )
        }
        _ => Truth::Unknown,
    }
}

/// Judges the compare `choice` of `index.cmp` and `scalar.cmpi`, such as `ult`. Unsigned ones of numbers that may
/// be negative depend on the carrier.
pub fn compare(choice: &str, a: Term, b: Term) -> Truth {
    let negative = a.known.interval.low < 0 || b.known.interval.low < 0;
    let same = a.value.is_some() && a.value == b.value;
    if choice.starts_with('u') && negative && !same {
        return Truth::Unknown;
    }
    let predicate = match choice.trim_start_matches(['s', 'u']) {
        "eq" => Predicate::Eq,
        "ne" => Predicate::Ne,
        "lt" => Predicate::Lt,
        "le" => Predicate::Le,
        "gt" => Predicate::Gt,
        "ge" => Predicate::Ge,
        _ => return Truth::Unknown,
    };
    judge(predicate, &[a, b])
}

/// A class predicate: refuted only for an exact value of the excluded class.
fn class(term: Term, holds: bool, excluded: impl Fn(&Known) -> bool) -> Truth {
    Truth::of(holds, term.known.exact.is_some() && excluded(&term.known))
}

fn equal(terms: &[Term], same: bool) -> Truth {
    let (a, b) = (terms[0].known, terms[1].known);
    let misses = |number: Option<i64>, divisor: u64| {
        number.is_some_and(|number| match divisor {
            0 => number != 0,
            divisor => number.unsigned_abs() % divisor != 0,
        })
    };
    Truth::of(
        same || (a.number().is_some() && a.number() == b.number()),
        a.interval.meet(b.interval).is_none()
            || misses(a.number(), b.divisor)
            || misses(b.number(), a.divisor),
    )
}

/// a < b
fn less(a: Term, b: Term, same: bool) -> Truth {
    let (a, b) = (a.known.interval, b.known.interval);
    Truth::of(!same && a.high < b.low, same || a.low >= b.high)
}

/// `mul(a, d)` needs an exact positive divisor; zero and negative numbers count as multiples.
fn multiple(a: Known, divisor: Known) -> Truth {
    let Some(exact) = divisor.number() else {
        return Truth::of(false, divisor.interval.high <= 0);
    };
    if exact <= 0 {
        return Truth::False;
    }
    let step = exact.unsigned_abs();
    // The least multiple at or above the interval's beginning may lie beyond its end.
    let first = a
        .interval
        .low
        .checked_add((-a.interval.low.rem_euclid(exact)).rem_euclid(exact));
    Truth::of(
        a.divisor.is_multiple_of(step),
        first.is_none_or(|first| first > a.interval.high),
    )
}

fn power_of_two(a: Known) -> Truth {
    if let Some(number) = a.number() {
        return Truth::of(number > 0 && number.unsigned_abs().is_power_of_two(), true);
    }
    let low = a.interval.low.max(1).unsigned_abs();
    let next = low.checked_next_power_of_two();
    let none = a.interval.high < 1 || next.is_none_or(|next| next > a.interval.high.unsigned_abs());
    // A power of two is a multiple of a number that is none only if it is a multiple of its odd part.
    let odd = a.divisor != 0 && (a.divisor >> a.divisor.trailing_zeros()) > 1;
    Truth::of(false, none || odd)
}
