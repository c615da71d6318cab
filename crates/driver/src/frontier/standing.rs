//! Whether the parent of a request succeeded: one flag, set once, read by all requests of a parent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// What became of the product that published a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The parent is still being built: nothing may be bound to it yet.
    Provisional,
    /// The parent succeeded: the bindings hold.
    Committed,
    /// The parent failed or was given up: the bindings never hold. The request itself stays valid.
    Abandoned,
}

/// A shared number. The model in the tests puts another one in its place.
pub(super) trait Flag: Send + Sync {
    /// Zero.
    fn zero() -> Self;
    /// The number now.
    fn load(&self) -> u8;
    /// Makes a zero `value`; anything else stays.
    fn settle(&self, value: u8);
}

impl Flag for AtomicU8 {
    fn zero() -> Self {
        AtomicU8::new(0)
    }

    fn load(&self) -> u8 {
        AtomicU8::load(self, Ordering::Acquire)
    }

    fn settle(&self, value: u8) {
        let _ = self.compare_exchange(0, value, Ordering::AcqRel, Ordering::Acquire);
    }
}

const COMMITTED: u8 = 1;
const ABANDONED: u8 = 2;

/// The parent's end. Dropped without [`commit`](Self::commit), the parent has failed.
pub(super) struct Parent<F: Flag = AtomicU8>(Arc<F>);

/// A request's end.
#[derive(Debug)]
pub(super) struct Child<F: Flag = AtomicU8>(Arc<F>);

impl<F: Flag> Parent<F> {
    /// A parent that is being built.
    pub(super) fn new() -> Self {
        Parent(Arc::new(F::zero()))
    }

    /// The end for one more request.
    pub(super) fn child(&self) -> Child<F> {
        Child(Arc::clone(&self.0))
    }

    /// The parent succeeded.
    pub(super) fn commit(self) {
        self.0.settle(COMMITTED);
    }
}

impl<F: Flag> Drop for Parent<F> {
    fn drop(&mut self) {
        self.0.settle(ABANDONED);
    }
}

impl<F: Flag> Clone for Child<F> {
    fn clone(&self) -> Self {
        Child(Arc::clone(&self.0))
    }
}

impl<F: Flag> Child<F> {
    /// What became of the parent.
    pub(super) fn standing(&self) -> Standing {
        match self.0.load() {
            COMMITTED => Standing::Committed,
            ABANDONED => Standing::Abandoned,
            _ => Standing::Provisional,
        }
    }
}
