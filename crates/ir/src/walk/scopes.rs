//! Every definition and use of an item's values, scope by scope.

use crate::module::{Body, Indexed, OpId, OpView, RegionId, TypeId, ValueId};
use crate::table::{OpTable, SlotKind};

/// What [`scopes`] reports, in the order of the text.
pub(crate) trait Scopes {
    /// A scope begins inside the current one.
    fn enter(&mut self);
    /// The innermost scope ends.
    fn leave(&mut self);
    /// `value` is defined in the innermost scope.
    fn define(&mut self, value: ValueId);
    /// `op` uses `value`, in one of its types perhaps.
    fn used(&mut self, op: OpId, value: ValueId);
}

/// Walks all scopes of `body`.
pub(crate) fn scopes(table: &OpTable, body: &Body, visitor: &mut impl Scopes) {
    let mut walk = Walk {
        table,
        body,
        visitor,
        op: OpId(0),
    };
    walk.op(OpId(0));
}

struct Walk<'a, V> {
    table: &'a OpTable,
    body: &'a Body,
    visitor: &'a mut V,
    /// The op whose parts are being visited.
    op: OpId,
}

impl<V: Scopes> Walk<'_, V> {
    fn used(&mut self, value: ValueId) {
        self.visitor.used(self.op, value);
    }

    fn used_type(&mut self, ty: TypeId) {
        super::type_values(self.body, ty).for_each(|value| self.used(value));
    }

    fn op(&mut self, op: OpId) {
        let view = OpView::with(self.table, self.body, op);
        self.op = op;
        // Arguments of a region are defined in its scope, which opens with the first of them. Induction
        // variables and carried values become visible only in the region.
        let (mut open, mut bound) = (false, Vec::new());
        for (slot, content) in view.def.slots.iter().enumerate() {
            let words = view.slot(slot);
            match &content.kind {
                SlotKind::Operand(_) | SlotKind::Operands(_) => {
                    words.iter().for_each(|&word| self.used(ValueId(word)))
                }
                SlotKind::Indexed(_) => words.iter().for_each(|&word| self.used_index(word)),
                SlotKind::Type(_) | SlotKind::Types(_) => {
                    words.iter().for_each(|&word| self.used_type(TypeId(word)))
                }
                SlotKind::Where => {
                    let mut rest = words;
                    while let [_, count, tail @ ..] = rest {
                        let (arguments, tail) = tail.split_at(*count as usize);
                        arguments.iter().for_each(|&word| self.used_index(word));
                        rest = tail;
                    }
                }
                SlotKind::Args | SlotKind::TypedArg | SlotKind::Compared => {
                    self.open(&mut open);
                    words.iter().for_each(|&word| self.visitor.define(ValueId(word)));
                    words
                        .iter()
                        .for_each(|&word| self.used_type(self.body.type_of(ValueId(word))));
                }
                SlotKind::Results => {
                    for pair in words.chunks_exact(2) {
                        if pair[0] != u32::MAX {
                            self.open(&mut open);
                            self.visitor.define(ValueId(pair[0]));
                        }
                        self.used_type(TypeId(pair[1]));
                    }
                }
                SlotKind::Bind(_) => bound.extend(words.iter().map(|&word| ValueId(word))),
                SlotKind::Carries => {
                    words.chunks_exact(2).for_each(|pair| self.used(ValueId(pair[1])));
                    bound.extend(words.chunks_exact(2).map(|pair| ValueId(pair[0])));
                }
                SlotKind::Pass => words.chunks_exact(2).for_each(|pair| self.used(ValueId(pair[0]))),
                SlotKind::Region(_) => {
                    self.open(&mut open);
                    for value in bound.drain(..) {
                        self.visitor.define(value);
                        self.used_type(self.body.type_of(value));
                    }
                    words.iter().for_each(|&word| self.region(RegionId(word)));
                    self.op = op;
                    self.close(&mut open);
                }
                SlotKind::Cases(_) => {
                    for pair in words.chunks_exact(2) {
                        self.open(&mut open);
                        self.region(RegionId(pair[1]));
                        self.op = op;
                        self.close(&mut open);
                    }
                }
                SlotKind::Rows => {
                    let mut rest = words;
                    while let [_, count, tail @ ..] = rest {
                        let (values, tail) = tail.split_at(*count as usize);
                        values.iter().for_each(|&word| self.used(ValueId(word)));
                        rest = tail;
                    }
                }
                SlotKind::Aux => words
                    .chunks_exact(3)
                    .for_each(|entry| self.used(ValueId(entry[1]))),
                SlotKind::Pack => words.chunks_exact(2).for_each(|pair| self.used(ValueId(pair[1]))),
                SlotKind::Attr(_)
                | SlotKind::Choice(_)
                | SlotKind::MaybeChoice(_)
                | SlotKind::Presence(_)
                | SlotKind::Flags(_)
                | SlotKind::Symbol(_)
                | SlotKind::Define
                | SlotKind::Dict(_)
                | SlotKind::Label => {}
            }
        }
        self.close(&mut open);
        for result in self.body.results(op) {
            self.visitor.define(result);
        }
    }

    fn open(&mut self, open: &mut bool) {
        if !*open {
            self.visitor.enter();
            *open = true;
        }
    }

    fn close(&mut self, open: &mut bool) {
        if *open {
            self.visitor.leave();
            *open = false;
        }
    }

    fn used_index(&mut self, word: u32) {
        if let Indexed::Value(value) = Indexed::from_word(word) {
            self.used(value);
        }
    }

    fn region(&mut self, region: RegionId) {
        let body = self.body;
        for (position, block) in body.blocks_of(region).enumerate() {
            let record = body.blocks[block.index()];
            if position > 0 {
                for argument in 0..record.args {
                    self.visitor.define(ValueId(record.first_arg.0 + argument));
                }
            }
            for op in body.ops_of(block) {
                self.op(op);
            }
        }
    }
}
