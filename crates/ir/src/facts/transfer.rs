//! Facts of results from facts of operands.

use super::domain::{Interval, Known, gcd};
use crate::module::{OpView, ValueId};

/// The facts of the single result of `op`, whose type says `of_type`; `operand` gives those of its operands. What
/// folds is the business of [`crate::fold`].
pub fn of_result(op: OpView<'_>, of_type: Known, operand: impl Fn(ValueId) -> Known) -> Known {
    let operands: Vec<Known> = crate::walk::operands(op).map(operand).collect();
    let known = match (op.def.name, operands.as_slice()) {
        ("index.add" | "scalar.addi", [a, b]) => sum(*a, *b, i64::checked_add),
        ("index.sub" | "scalar.subi", [a, b]) => sum(
            *a,
            Known {
                interval: b.interval,
                ..*b
            },
            |_, _| None,
        )
        .with_interval(difference(a.interval, b.interval)),
        ("index.mul" | "index.scale" | "scalar.muli", [a, b]) => product(*a, *b),
        ("index.madd", [a, b, c]) => sum(product(*a, *b), *c, i64::checked_add),
        ("index.shli" | "scalar.shli", [a, b]) => match b.number() {
            Some(count @ 0..=62) => product(*a, Known::integer(1 << count)),
            _ => Known::NOTHING,
        },
        ("index.div", [a, b]) => quotient(*a, *b),
        ("index.rem", [a, b]) => remainder(*a, *b),
        ("index.min" | "scalar.minsi", [a, b]) => Known {
            interval: Interval {
                low: a.interval.low.min(b.interval.low),
                high: a.interval.high.min(b.interval.high),
            },
            divisor: gcd(a.divisor, b.divisor),
            ..Known::NOTHING
        },
        ("index.max" | "scalar.maxsi", [a, b]) => Known {
            interval: Interval {
                low: a.interval.low.max(b.interval.low),
                high: a.interval.high.max(b.interval.high),
            },
            divisor: gcd(a.divisor, b.divisor),
            ..Known::NOTHING
        },
        ("index.andi" | "scalar.andi", [a, b]) => match (a.interval.low >= 0, b.interval.low >= 0) {
            (false, false) => Known::NOTHING,
            (true, false) => Known::between(0, a.interval.high),
            (false, true) => Known::between(0, b.interval.high),
            (true, true) => Known::between(0, a.interval.high.min(b.interval.high)),
        },
        ("index.shrsi" | "index.shrui", [a, b]) if a.interval.low >= 0 && b.interval.low >= 0 => {
            Known::between(0, a.interval.high)
        }
        // A conversion that keeps the number keeps what is known about it.
        ("index.cast" | "scalar.extsi", [a]) if of_type.interval.meet(a.interval) == Some(a.interval) => {
            Known { exact: None, ..*a }
        }
        ("scalar.extui", [a]) if a.interval.low >= 0 => Known { exact: None, ..*a },
        ("scf.select", [_, a, b]) => a.join(*b),
        (name, _) if name.ends_with(".count") || name.ends_with(".size") => Known::between(1, i64::MAX),
        (name, _) if name.starts_with("kernel.") && (name.ends_with(".id") || name.ends_with(".flat_id")) => {
            Known::between(0, i64::MAX)
        }
        ("scalar.sitofp" | "scalar.uitofp", [_]) => Known {
            class: super::FloatClass {
                nan: false,
                infinite: true,
            },
            ..Known::NOTHING
        },
        _ => Known::NOTHING,
    };
    // What wraps around may be anything of the type; an end that was clamped has wrapped.
    let Interval { low, high } = known.interval;
    let clamped = low == i64::MIN || high == i64::MAX;
    let wraps = op.def.name.starts_with("scalar.")
        && (clamped || of_type.interval.meet(known.interval) != Some(known.interval));
    match wraps {
        true => Known {
            class: known.class,
            ..of_type
        },
        false => {
            let interval = known.interval.meet(of_type.interval).unwrap_or(of_type.interval);
            known.with_interval(interval).tightened()
        }
    }
}

impl Known {
    fn with_interval(self, interval: Interval) -> Known {
        Known {
            interval,
            exact: None,
            ..self
        }
    }
}

/// An end that cannot be represented is no end: the result then is an error of the program, or wraps.
fn clamp(low: Option<i64>, high: Option<i64>) -> Interval {
    Interval {
        low: low.unwrap_or(i64::MIN),
        high: high.unwrap_or(i64::MAX),
    }
}

fn sum(a: Known, b: Known, add: fn(i64, i64) -> Option<i64>) -> Known {
    let interval = clamp(
        add(a.interval.low, b.interval.low),
        add(a.interval.high, b.interval.high),
    );
    Known {
        interval,
        divisor: gcd(a.divisor, b.divisor),
        ..Known::NOTHING
    }
}

fn difference(a: Interval, b: Interval) -> Interval {
    clamp(a.low.checked_sub(b.high), a.high.checked_sub(b.low))
}

fn product(a: Known, b: Known) -> Known {
    let ends = [
        a.interval.low.checked_mul(b.interval.low),
        a.interval.low.checked_mul(b.interval.high),
        a.interval.high.checked_mul(b.interval.low),
        a.interval.high.checked_mul(b.interval.high),
    ];
    let all: Option<Vec<i64>> = ends.into_iter().collect();
    let interval = match all {
        Some(ends) => Interval {
            low: ends.iter().copied().min().unwrap_or(i64::MIN),
            high: ends.iter().copied().max().unwrap_or(i64::MAX),
        },
        // Factors that are not negative have a product that is not.
        None if a.interval.low >= 0 && b.interval.low >= 0 => Interval {
            low: a.interval.low.saturating_mul(b.interval.low),
            high: i64::MAX,
        },
        None => Interval::ALL,
    };
    let divisor = a
        .divisor
        .checked_mul(b.divisor)
        .unwrap_or_else(|| a.divisor.max(b.divisor));
    Known {
        interval,
        divisor,
        ..Known::NOTHING
    }
}

/// A negative dividend or a divisor that is not positive is an error of the program (loom-ops 2.1).
fn quotient(a: Known, b: Known) -> Known {
    let (low, high) = (a.interval.low.max(0), a.interval.high.max(0));
    let (least, most) = (b.interval.low.max(1), b.interval.high.max(1));
    let divisor = match b.number() {
        Some(by) if by > 0 && a.divisor.is_multiple_of(by.unsigned_abs()) => a.divisor / by.unsigned_abs(),
        _ => 1,
    };
    Known {
        divisor,
        ..Known::between(low / most, high / least)
    }
}

fn remainder(a: Known, b: Known) -> Known {
    let high = a.interval.high.max(0).min(b.interval.high.max(1) - 1);
    match b.number() {
        Some(by) if by > 0 && a.divisor.is_multiple_of(by.unsigned_abs()) => Known::integer(0),
        // A number below the divisor is its own remainder.
        _ if a.interval.low >= 0 && a.interval.high < b.interval.low => Known { exact: None, ..a },
        _ => Known {
            divisor: gcd(a.divisor, b.divisor),
            ..Known::between(0, high)
        },
    }
}
