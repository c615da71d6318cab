//! The domain of facts about one value.

use crate::fold::Exact;
use crate::module::{Scalar, Type};
use crate::predicate::Predicate;

/// A closed interval of signed 64 bit numbers, never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// Least possible value.
    pub low: i64,
    /// Greatest possible value.
    pub high: i64,
}

impl Interval {
    /// Every number.
    pub const ALL: Interval = Interval {
        low: i64::MIN,
        high: i64::MAX,
    };

    /// The interval of one number.
    pub fn of(value: i64) -> Interval {
        Interval {
            low: value,
            high: value,
        }
    }

    /// The numbers in both, if there are any.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Interval { low, high })
    }

    /// The least interval that contains both.
    pub fn join(self, other: Interval) -> Interval {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// Which special values a float may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatClass {
    /// It may be a NaN.
    pub nan: bool,
    /// It may be an infinity.
    pub infinite: bool,
}

/// What is known about a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Known {
    /// Integers and indices lie here; an `iN` counts as signed.
    pub interval: Interval,
    /// Integers and indices are multiples of this; 0 for the number 0 alone, 1 for anything.
    pub divisor: u64,
    /// Special float values that are possible.
    pub class: FloatClass,
    /// The value itself, if it is known.
    pub exact: Option<Exact>,
}

impl Known {
    /// Nothing is known.
    pub const NOTHING: Known = Known {
        interval: Interval::ALL,
        divisor: 1,
        class: FloatClass {
            nan: true,
            infinite: true,
        },
        exact: None,
    };

    /// What its type says about a value.
    pub fn of_type(ty: &Type) -> Known {
        let interval = match ty {
            Type::Scalar(Scalar::Offset) => Interval {
                low: 0,
                high: i64::MAX,
            },
            Type::Scalar(Scalar::I1) => Interval { low: 0, high: 1 },
            Type::Scalar(Scalar::I8) => Interval {
                low: i8::MIN.into(),
                high: i8::MAX.into(),
            },
            Type::Scalar(Scalar::I16) => Interval {
                low: i16::MIN.into(),
                high: i16::MAX.into(),
            },
            Type::Scalar(Scalar::I32) => Interval {
                low: i32::MIN.into(),
                high: i32::MAX.into(),
            },
            _ => Interval::ALL,
        };
        Known {
            interval,
            ..Known::NOTHING
        }
    }

    /// The facts of an exact value.
    pub fn of(exact: Exact) -> Known {
        match exact.signed() {
            Some(value) => Known {
                interval: Interval::of(value),
                divisor: value.unsigned_abs(),
                exact: Some(exact),
                ..Known::NOTHING
            },
            None => {
                let is = |name: &str| {
                    let flags = crate::fold::Flags::default();
                    let name = format!("scalar.{name}");
                    crate::fold::fold(&name, None, flags, &[exact.scalar()], &[exact])
                        == Some(Exact::bool(true))
                };
                let class = FloatClass {
                    nan: is("isnanf"),
                    infinite: is("isinff"),
                };
                Known {
                    class,
                    exact: Some(exact),
                    ..Known::NOTHING
                }
            }
        }
    }

    /// The facts of an integer constant whose type does not matter.
    pub fn integer(value: i64) -> Known {
        Known::of(Exact::Index(Scalar::Index, value))
    }

    /// A number from `low` to `high`.
    pub fn between(low: i64, high: i64) -> Known {
        Known {
            interval: Interval { low, high },
            ..Known::NOTHING
        }
    }

    /// The number, when the interval has only one.
    pub fn number(&self) -> Option<i64> {
        (self.interval.low == self.interval.high).then_some(self.interval.low)
    }

    /// What holds for a value that is one of the two.
    pub fn join(self, other: Known) -> Known {
        Known {
            interval: self.interval.join(other.interval),
            divisor: gcd(self.divisor, other.divisor),
            class: FloatClass {
                nan: self.class.nan || other.class.nan,
                infinite: self.class.infinite || other.class.infinite,
            },
            exact: if self.exact == other.exact {
                self.exact
            } else {
                None
            },
        }
    }

    /// The facts with the promise that `predicate` holds for the value and `others`, the predicate's further
    /// arguments. A promise that contradicts the facts leaves them as they are: the place is never reached.
    pub fn assume(self, predicate: Predicate, others: &[Known]) -> Known {
        let first = others.first().map_or(Interval::ALL, |other| other.interval);
        let wanted = match predicate {
            Predicate::Eq => first,
            Predicate::Lt => Interval {
                low: i64::MIN,
                high: first.high.saturating_sub(1),
            },
            Predicate::Le | Predicate::Max => Interval {
                low: i64::MIN,
                high: first.high,
            },
            Predicate::Gt => Interval {
                low: first.low.saturating_add(1),
                high: i64::MAX,
            },
            Predicate::Ge | Predicate::Min => Interval {
                low: first.low,
                high: i64::MAX,
            },
            Predicate::Pow2 => Interval {
                low: 1,
                high: i64::MAX,
            },
            Predicate::Range => Interval {
                low: first.low,
                high: others.get(1).map_or(i64::MAX, |high| high.interval.high),
            },
            Predicate::Ne => match (others.first().and_then(Known::number), self.interval) {
                (Some(hole), Interval { low, high }) if hole == low && low < high => {
                    Interval { low: low + 1, high }
                }
                (Some(hole), Interval { low, high }) if hole == high && low < high => {
                    Interval { low, high: high - 1 }
                }
                _ => Interval::ALL,
            },
            _ => Interval::ALL,
        };
        let divisor = match predicate {
            Predicate::Eq => others.first().map_or(1, |other| other.divisor),
            Predicate::Mul => match others.first().and_then(Known::number) {
                Some(divisor) if divisor > 0 => divisor.unsigned_abs(),
                _ => 1,
            },
            _ => 1,
        };
        let class = FloatClass {
            nan: self.class.nan && !matches!(predicate, Predicate::NotNan | Predicate::Finite),
            infinite: self.class.infinite && !matches!(predicate, Predicate::NotInf | Predicate::Finite),
        };
        let exact = match predicate {
            Predicate::Eq => self.exact.or(others.first().and_then(|other| other.exact)),
            _ => self.exact,
        };
        let interval = self.interval.meet(wanted).unwrap_or(self.interval);
        Known {
            interval,
            divisor: lcm(self.divisor, divisor),
            class,
            exact,
        }
        .tightened()
    }

    /// The same facts with the interval's ends on multiples of the divisor.
    pub(super) fn tightened(mut self) -> Known {
        let Ok(step) = i64::try_from(self.divisor) else {
            return self;
        };
        if step > 1 {
            let low = self
                .interval
                .low
                .checked_add((-self.interval.low.rem_euclid(step)).rem_euclid(step));
            let high = self
                .interval
                .high
                .checked_sub(self.interval.high.rem_euclid(step));
            if let (Some(low), Some(high)) = (low, high)
                && low <= high
            {
                self.interval = Interval { low, high };
            }
        }
        if let Some(number) = self.number()
            && self.divisor == 1
        {
            self.divisor = number.unsigned_abs();
        }
        self
    }
}

/// The greatest common divisor; 0 is a multiple of everything.
pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The least common multiple, or one of the two when it is out of range.
pub(super) fn lcm(a: u64, b: u64) -> u64 {
    if a == 0 || b == 0 {
        return 0;
    }
    (a / gcd(a, b)).checked_mul(b).unwrap_or(a)
}
