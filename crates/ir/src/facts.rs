//! What is known about values without running anything: intervals, divisors, float classes, and three-valued
//! judgement of predicates over them (loom-language 2.1, 2.2).
//!
//! **Invariant:** unknown is not false. A judgement of [`Truth::True`] or [`Truth::False`] holds for every
//! execution that keeps the promises of the module; everything else is [`Truth::Unknown`].

pub use domain::{FloatClass, Interval, Known};
pub use item::{ItemFacts, implied, loop_index, mirrored};
pub use judge::{Term, Truth, compare, judge};
pub use transfer::of_result;

mod domain;
mod item;
mod judge;
mod transfer;

#[cfg(test)]
mod tests;
