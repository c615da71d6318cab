//! Views (loom-ops 2.4).

use super::row::{Row, Rule, Traits};

const P: Traits = Traits::PURE;
const R: Traits = Traits::READ;
const W: Traits = Traits::WRITE;
const RW: Traits = Traits::READ.and(Traits::WRITE);

pub(super) const ROWS: &[Row] = &[
    Row::new("view.load", "<&volatile> $view:V$indices[]:index {cache_scope:word?,cache_temporal:word?} : !V(view) -> !R(scalar)", "R", R, "Reads one element.")
        .rules(&[Rule::Access, Rule::CachePair]),
    Row::new("view.store", "<&volatile> $value:T, $view:V$indices[]:index {cache_scope:word?,cache_temporal:word?} : !T(scalar), !V(view)", "", W, "Writes one element.")
        .rules(&[Rule::Access, Rule::CachePair]),
    Row::new("view.subview", "$view:V$offsets[]:index : !V(view) -> !R(view)", "R", P, "A window of a view.").rules(&[Rule::Subview]),
    Row::new("view.refine", "$view:V : !V(view) -> !R(view)", "R", P, "The same view with more known about it.")
        .rules(&[Rule::Refine]),
    Row::new("view.prefetch", "$view:V$indices[]:index {intent:read|write,locality:word?} : !V(view)", "", Traits::HINT, "Suggests that an element will be used.")
        .rules(&[Rule::Access]),
    Row::new("view.atomic.reduce", "<%kind=atomic,&noftz> $value:T, $view:V$indices[]:index {ordering:ordering,scope:scope} : !T(int|float|index|offset), !V(view)", "", RW, "Combines a value with memory atomically.")
        .rules(&[Rule::Access, Rule::AtomicKind]),
    Row::new("view.atomic.rmw", "<%kind=atomic,&noftz> $value:T, $view:V$indices[]:index {ordering:ordering,scope:scope} : !T(int|float|index|offset), !V(view) -> !R(scalar)", "R", RW, "Combines a value with memory and yields the old one.")
        .rules(&[Rule::Access, Rule::AtomicKind]),
    Row::new("view.atomic.cmpxchg", "$expected:T, $value:T, $view:V$indices[]:index {failure_ordering:ordering,scope:scope,success_ordering:ordering} : !T(int|float|index|offset), !V(view) -> !R(scalar)", "R", RW, "Replaces a value if it is the expected one; yields the old one.")
        .rules(&[Rule::Access, Rule::ExchangeOrder]),
    Row::new("view.atomic.load", "$view:V$indices[]:index {ordering:relaxed|acquire|seq_cst,scope:scope} : !V(view) -> !R(scalar)", "R", R.and(Traits::OBSERVABLE), "Reads one element atomically.")
        .rules(&[Rule::Access]),
    Row::new("view.atomic.store", "$value:T, $view:V$indices[]:index {ordering:relaxed|release|seq_cst,scope:scope} : !T(scalar), !V(view)", "", W.and(Traits::OBSERVABLE), "Writes one element atomically.")
        .rules(&[Rule::Access]),
];
