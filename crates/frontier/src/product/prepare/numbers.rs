//! The scalars of a walk, numbered so that equal numbers are equal values.
//!
//! A constant has one number wherever it comes from, and so has the result of a pure op for given operands: what
//! a compiler does by folding and by merging common subexpressions happens here. Inside a branch that may not be
//! taken more is known about some numbers; leaving the branch takes that back.

use loom_ir::facts::{Known, Term, implied, mirrored};
use loom_ir::fold::Exact;
use loom_ir::{Predicate, Scalar, ValueId};
use rustc_hash::FxHashMap;

use super::value::exact_of;

/// A scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Number(u32);

/// Why a value is not exact: a position in the list of reasons.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Cause(pub u32);

/// A compare, as conditions of branches need it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Compare {
    pub choice: &'static str,
    pub lhs: Number,
    pub rhs: Number,
}

/// A pure op with its operands: what is equal computes the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Computation {
    /// Number of the op's kind.
    pub code: u16,
    /// Types, choices and flags.
    pub form: [u32; 4],
    /// The operands, the rest being zero.
    pub operands: [u32; 3],
}

#[derive(Clone, Copy)]
struct Fact {
    scalar: Scalar,
    known: Known,
    cause: Option<Cause>,
    compare: Option<Compare>,
}

/// All numbers so far.
#[derive(Default)]
pub(super) struct Numbers {
    facts: Vec<Fact>,
    constants: FxHashMap<Exact, Number>,
    computed: FxHashMap<Computation, Number>,
    /// How many branches that may not be taken are open, and what is to be taken back when they are left.
    branches: u32,
    undo: Vec<Undo>,
}

enum Undo {
    Known(Number, Known),
    Computed(Computation),
}

/// Where a branch began.
pub(super) struct Mark(usize);

impl Number {
    /// The operand word of a [`Computation`].
    pub fn word(self) -> u32 {
        self.0 + 1
    }
}

impl Numbers {
    /// Forgets everything but constants.
    pub fn forget(&mut self) {
        self.computed.clear();
        self.undo.clear();
        self.branches = 0;
    }

    /// The number of an exact value.
    pub fn constant(&mut self, exact: Exact) -> Number {
        if let Some(&number) = self.constants.get(&exact) {
            return number;
        }
        let number = self.push(exact.scalar(), Known::of(exact), None);
        self.constants.insert(exact, number);
        number
    }

    /// A byte offset.
    pub fn offset(&mut self, bytes: i64) -> Number {
        self.constant(Exact::Index(Scalar::Offset, bytes))
    }

    /// A new number, of which `known` holds; that of a constant if this leaves one value only.
    pub fn fresh(&mut self, scalar: Scalar, known: Known, cause: Cause) -> Number {
        match exact_of(&known, scalar) {
            Some(exact) => self.constant(exact),
            None => self.push(scalar, known, Some(cause)),
        }
    }

    fn push(&mut self, scalar: Scalar, known: Known, cause: Option<Cause>) -> Number {
        self.facts.push(Fact {
            scalar,
            known,
            cause,
            compare: None,
        });
        Number(self.facts.len() as u32 - 1)
    }

    /// What a computation yielded before.
    pub fn computed(&self, computation: &Computation) -> Option<Number> {
        self.computed.get(computation).copied()
    }

    /// Remembers what a computation yields, as long as the facts hold that it was judged by.
    pub fn compute(&mut self, computation: Computation, number: Number) {
        if self.branches > 0 {
            self.undo.push(Undo::Computed(computation.clone()));
        }
        self.computed.insert(computation, number);
    }

    /// Remembers which compare a condition is.
    pub fn set_compare(&mut self, number: Number, compare: Compare) {
        self.facts[number.0 as usize].compare = Some(compare);
    }

    /// What is known here.
    pub fn known(&self, number: Number) -> Known {
        self.facts[number.0 as usize].known
    }

    /// The type.
    pub fn scalar(&self, number: Number) -> Scalar {
        self.facts[number.0 as usize].scalar
    }

    /// Why the number is not exact; `None` for constants.
    pub fn cause(&self, number: Number) -> Option<Cause> {
        self.facts[number.0 as usize].cause
    }

    /// The exact value, if it is known here.
    pub fn exact(&self, number: Number) -> Option<Exact> {
        let fact = &self.facts[number.0 as usize];
        exact_of(&fact.known, fact.scalar)
    }

    /// The number as the argument of a predicate.
    pub fn term(&self, number: Number) -> Term {
        let fact = &self.facts[number.0 as usize];
        Term {
            known: fact.known,
            value: Some(ValueId(number.0)),
            float: fact.scalar.is_float(),
        }
    }

    /// From here on `predicate` holds of `number` and `others`.
    pub fn assume(&mut self, number: Number, predicate: Predicate, others: &[Known]) {
        let before = self.known(number);
        let after = before.assume(predicate, others);
        if after == before || before.exact.is_some() {
            return;
        }
        if self.branches > 0 {
            self.undo.push(Undo::Known(number, before));
        }
        self.facts[number.0 as usize].known = after;
    }

    /// Enters a branch that is taken when `condition` is `holds`.
    pub fn enter(&mut self, condition: Option<(Number, bool)>) -> Mark {
        self.branches += 1;
        let mark = Mark(self.undo.len());
        if let Some((condition, holds)) = condition {
            let value = Known::of(Exact::bool(holds));
            self.assume(condition, Predicate::Eq, &[value]);
            if let Some(compare) = self.facts[condition.0 as usize].compare {
                self.branch(compare, holds);
            }
        }
        mark
    }

    fn branch(&mut self, Compare { choice, lhs, rhs }: Compare, holds: bool) {
        let (a, b) = (self.known(lhs), self.known(rhs));
        let Some((predicate, not_negative)) = implied(choice, holds, a, b) else {
            return;
        };
        self.assume(lhs, predicate, &[b]);
        if not_negative {
            self.assume(lhs, Predicate::Ge, &[Known::integer(0)]);
        }
        if let Some(turned) = mirrored(predicate) {
            self.assume(rhs, turned, &[a]);
        }
    }

    /// Leaves the branch that began at `mark`.
    pub fn leave(&mut self, mark: Mark) {
        self.branches -= 1;
        while self.undo.len() > mark.0 {
            match self.undo.pop() {
                Some(Undo::Known(number, known)) => self.facts[number.0 as usize].known = known,
                Some(Undo::Computed(computation)) => {
                    self.computed.remove(&computation);
                }
                None => {}
            }
        }
    }
}
