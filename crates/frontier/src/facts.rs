//! What is known of integer and float values, and whether predicates follow from it (loom-language 2).
//!
//! Three-valued throughout: what does not follow is unknown, never false.

use loom_ir::{Attr, Predicate};

pub(crate) use body::{argument, default_of, predicates, value_facts};

mod body;

/// Whether a predicate holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Truth {
    /// Never.
    False,
    /// Nothing follows.
    Unknown,
    /// Always.
    True,
}

impl Truth {
    /// Whether both hold.
    pub fn and(self, other: Truth) -> Truth {
        self.min(other)
    }

    fn known(holds: bool) -> Truth {
        if holds { Truth::True } else { Truth::False }
    }
}

/// What is known of one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Facts {
    /// An integer, index or offset.
    Integer(Integer),
    /// A float of which the value is known: its bits as a double.
    Float(u64),
    /// Nothing.
    Unknown,
}

/// A set of integers: those between two bounds that are multiples of a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Integer {
    low: i64,
    high: i64,
    /// At least one.
    divisor: u64,
    /// Whether all are powers of two.
    power: bool,
}

impl Integer {
    /// Any integer.
    pub const ANY: Integer = Integer {
        low: i64::MIN,
        high: i64::MAX,
        divisor: 1,
        power: false,
    };

    /// One integer.
    pub fn exact(value: i64) -> Integer {
        Integer {
            low: value,
            high: value,
            divisor: value.unsigned_abs().max(1),
            power: is_power(value),
        }
    }

    /// The only one, if it is known.
    pub fn value(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    fn between(self, low: i64, high: i64) -> Integer {
        let (low, high) = (self.low.max(low), self.high.min(high));
        // Contradictory promises say nothing: what follows from them is not for here to use.
        if low > high {
            return self;
        }
        match low == high {
            true => Integer::exact(low),
            false => Integer { low, high, ..self },
        }
    }
}

impl Facts {
    /// What is known of a literal.
    pub fn of(literal: &Attr) -> Facts {
        match *literal {
            Attr::Int(value) => Facts::Integer(Integer::exact(value)),
            Attr::Bool(value) => Facts::Integer(Integer::exact(value.into())),
            Attr::Float(bits) => Facts::Float(bits),
            _ => Facts::Unknown,
        }
    }

    /// What is known when `predicate` is promised of the value, the other arguments being `others`.
    pub fn given(self, predicate: Predicate, others: &[Facts]) -> Facts {
        let integer = match self {
            Facts::Integer(integer) => integer,
            Facts::Unknown => Integer::ANY,
            Facts::Float(_) => return self,
        };
        let bounds = |at: usize| match others.get(at) {
            Some(Facts::Integer(other)) => Some(*other),
            _ => None,
        };
        let (min, max) = (i64::MIN, i64::MAX);
        let narrowed = match (predicate, bounds(0)) {
            (Predicate::Eq, Some(other)) => integer.between(other.low, other.high),
            (Predicate::Lt, Some(other)) => integer.between(min, other.high.saturating_sub(1)),
            (Predicate::Le | Predicate::Max, Some(other)) => integer.between(min, other.high),
            (Predicate::Gt, Some(other)) => integer.between(other.low.saturating_add(1), max),
            (Predicate::Ge | Predicate::Min, Some(other)) => integer.between(other.low, max),
            (Predicate::Range, Some(low)) => match bounds(1) {
                Some(high) => integer.between(low.low, high.high),
                None => integer,
            },
            (Predicate::Mul, Some(other)) => match other.value() {
                Some(divisor) if divisor > 0 => {
                    let divisor = least_common_multiple(integer.divisor, divisor.unsigned_abs());
                    Integer { divisor, ..integer }
                }
                _ => integer,
            },
            (Predicate::Pow2, _) => Integer {
                power: true,
                ..integer.between(1, max)
            },
            _ => return self,
        };
        Facts::Integer(narrowed)
    }
}

/// Whether `predicate` holds of `arguments`. `same` says whether the first two are one value.
pub fn holds(predicate: Predicate, arguments: &[Facts], same: bool) -> Truth {
    if same {
        match predicate {
            Predicate::Eq | Predicate::Le | Predicate::Ge | Predicate::Min | Predicate::Max => {
                return Truth::True;
            }
            Predicate::Ne | Predicate::Lt | Predicate::Gt => return Truth::False,
            _ => {}
        }
    }
    match arguments {
        [Facts::Float(bits)] => {
            let value = f64::from_bits(*bits);
            match predicate {
                Predicate::NotNan => Truth::known(!value.is_nan()),
                Predicate::NotInf => Truth::known(!value.is_infinite()),
                Predicate::Finite => Truth::known(value.is_finite()),
                _ => Truth::Unknown,
            }
        }
        [Facts::Integer(a)] if predicate == Predicate::Pow2 => is_power_of_two(*a),
        [Facts::Integer(a), Facts::Integer(b)] => relation(predicate, *a, *b),
        [a, Facts::Integer(b)] if predicate == Predicate::Mul && b.value().is_some_and(|it| it <= 0) => {
            debug_assert!(!matches!(a, Facts::Integer(_)));
            Truth::False
        }
        [a, low, high] if predicate == Predicate::Range => {
            let (at_least, at_most) = (*low, *high);
            if let (Facts::Integer(low), Facts::Integer(high)) = (low, high)
                && low.low > high.high
            {
                return Truth::False;
            }
            holds(Predicate::Ge, &[*a, at_least], false).and(holds(Predicate::Le, &[*a, at_most], false))
        }
        _ => Truth::Unknown,
    }
}

fn relation(predicate: Predicate, a: Integer, b: Integer) -> Truth {
    let decide = |always: bool, never: bool| match (always, never) {
        (true, _) => Truth::True,
        (_, true) => Truth::False,
        _ => Truth::Unknown,
    };
    let equal = || {
        let apart = a.high < b.low || b.high < a.low || misses(a, b) || misses(b, a);
        decide(a.value().is_some() && a.value() == b.value(), apart)
    };
    match predicate {
        Predicate::Eq => equal(),
        Predicate::Ne => match equal() {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
        },
        Predicate::Lt => decide(a.high < b.low, a.low >= b.high),
        Predicate::Le | Predicate::Max => decide(a.high <= b.low, a.low > b.high),
        Predicate::Gt => decide(a.low > b.high, a.high <= b.low),
        Predicate::Ge | Predicate::Min => decide(a.low >= b.high, a.high < b.low),
        Predicate::Mul => match b.value() {
            Some(divisor) if divisor <= 0 => Truth::False,
            Some(divisor) => {
                let always = a.value() == Some(0) || a.divisor.is_multiple_of(divisor.unsigned_abs());
                decide(always, a.value().is_some())
            }
            None => Truth::Unknown,
        },
        _ => Truth::Unknown,
    }
}

/// Whether the known value of `a` is no multiple of what `b` is a multiple of.
fn misses(a: Integer, b: Integer) -> bool {
    a.value()
        .is_some_and(|value| !value.unsigned_abs().is_multiple_of(b.divisor))
}

fn is_power_of_two(a: Integer) -> Truth {
    match a.value() {
        Some(value) => Truth::known(is_power(value)),
        None if a.power => Truth::True,
        None if a.high <= 0 => Truth::False,
        None => Truth::Unknown,
    }
}

fn is_power(value: i64) -> bool {
    value > 0 && value.unsigned_abs().is_power_of_two()
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    (a / greatest_common_divisor(a, b)).checked_mul(b).unwrap_or(a)
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests;
