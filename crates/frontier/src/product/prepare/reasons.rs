//! Why values are not exact, and where that comes from.

use super::numbers::Cause;
use super::value::Value;
use super::walk::Walk;
use crate::product::{Site, Spot};

/// Why a value is not exact.
pub(super) struct Reason {
    pub why: Why,
    pub site: Site,
}

/// The kinds of reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// What made it unknown has been reported.
    Reported,
    /// It depends on this specialization argument of the root.
    Argument(Box<str>),
    /// It depends on this configuration symbol, which has no value.
    Config(Box<str>),
    /// It is the result of an op that does not fold.
    Unfolded(&'static str),
    /// It leaves control that is not known.
    Residual(Residual),
    /// It is a parameter of something that is no launch argument.
    ParameterStorage,
    /// It is a parameter of unknown size, under this key.
    ParameterSize(Box<str>),
    /// It is a parameter whose key has so many places for so many arguments.
    KeyArguments(usize, usize),
    /// It is a parameter whose key has an argument that is not exact, or negative.
    KeyValue(Box<str>, Option<i64>, Option<Cause>),
}

/// Control that depends on values that are not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Residual {
    Branch,
    Switch,
    Loop,
    Unroll,
    While,
    Jump,
}

impl Cause {
    /// The cause of what follows from a mistake that has been reported.
    pub const REPORTED: Cause = Cause(0);
}

impl Reason {
    /// The reason of [`Cause::REPORTED`].
    pub fn reported(site: Site) -> Reason {
        Reason {
            why: Why::Reported,
            site,
        }
    }
}

impl<'a> Walk<'a> {
    /// The site of `at`, reached through the calls that are open.
    pub(super) fn site(&mut self, at: Spot) -> Site {
        let through = self
            .chain
            .get_or_insert_with(|| self.through.iter().rev().copied().collect());
        let through = through.clone();
        Site { at, through }
    }

    /// Enters the call at `at`.
    pub(super) fn enter_call(&mut self, at: Spot) {
        self.through.push(at);
        self.chain = None;
    }

    /// Leaves the innermost call.
    pub(super) fn leave_call(&mut self) {
        self.through.pop();
        self.chain = None;
    }

    /// A new reason.
    pub(super) fn because(&mut self, at: Spot, why: Why) -> Cause {
        let site = self.site(at);
        self.reasons.push(Reason { why, site });
        Cause(self.reasons.len() as u32 - 1)
    }

    /// Why `value` is not exact.
    pub(super) fn cause(&self, value: Value) -> Option<Cause> {
        match value {
            Value::Scalar(number) => self.numbers.cause(number),
            Value::Opaque(cause) => Some(cause),
            Value::Storage(storage) => self.numbers.cause(storage.offset),
            Value::Layout(_) => None,
        }
    }
}

/// A reason as a label of its place.
pub(super) fn because(why: &Why) -> String {
    match why {
        Why::Argument(name) => {
            format!("it depends on '%{name}', which is not known when the program is compiled")
        }
        Why::Config(name) => format!("it depends on configuration '@{name}', which has no value"),
        Why::Unfolded(op) => format!("it depends on this `{op}`, which has no exact value here"),
        _ => "it depends on this".to_owned(),
    }
}
