//! The arenas of one item.

use super::types::BUILTIN;
use super::{Attr, BlockId, Few, OpId, RegionId, StringId, Strings, Type, TypeId, ValueId};

/// Everything that an item means; comments and places are kept beside it.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// Names and string literals.
    pub strings: Strings,
    /// The types with parameters; [`Body::ty`] resolves ids.
    pub types: Box<[Type]>,
    /// Attributes.
    pub attrs: Box<[Attr]>,
    /// All values: arguments and results in order of definition.
    pub values: Box<[Value]>,
    /// Ops in preorder; op 0 is the item itself.
    pub ops: Box<[Op]>,
    /// The slots of all ops.
    pub words: Box<[u32]>,
    /// Regions.
    pub regions: Few<Region>,
    /// Blocks.
    pub blocks: Few<Block>,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// Authored name without `%`; empty when unnamed.
    pub name: StringId,
    /// Type.
    pub ty: TypeId,
}

/// An op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Op {
    /// Number of the table row ([`crate::OpTable`]).
    pub code: u16,
    /// How many results.
    pub results: u16,
    /// The first result; results have consecutive numbers.
    pub first_result: u32,
    /// First word in [`Body::words`].
    pub words: u32,
    /// Number of words.
    pub word_count: u32,
    /// One past the last op nested in this one.
    pub end: u32,
}

/// A region: consecutive blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The entry block.
    pub first: BlockId,
    /// Number of blocks, at least one.
    pub count: u32,
}

/// A block: arguments and consecutive ops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Label without `^`; empty for an entry block without one.
    pub label: StringId,
    /// First argument; arguments have consecutive numbers.
    pub first_arg: ValueId,
    /// Number of arguments.
    pub args: u32,
    /// First op.
    pub first: OpId,
    /// One past the last op, nested ones included.
    pub end: OpId,
}

impl Body {
    /// The type of `id`.
    pub fn ty(&self, id: TypeId) -> &Type {
        type_of(&self.types, id)
    }

    /// The type of value `id`.
    pub fn type_of(&self, id: ValueId) -> TypeId {
        self.values[id.index()].ty
    }

    /// The text of string `id`.
    pub fn text(&self, id: StringId) -> &str {
        self.strings.get(id)
    }

    /// The blocks of `region`.
    pub fn blocks_of(&self, region: RegionId) -> impl Iterator<Item = BlockId> + use<> {
        let Region { first, count } = self.regions[region.index()];
        (first.0..first.0 + count).map(BlockId)
    }

    /// The direct ops of `block`, in order.
    pub fn ops_of(&self, block: BlockId) -> impl Iterator<Item = OpId> + '_ {
        let Block { first, end, .. } = self.blocks[block.index()];
        let mut next = first.0;
        std::iter::from_fn(move || {
            (next < end.0).then(|| {
                let op = OpId(next);
                next = self.ops[op.index()].end;
                op
            })
        })
    }

    /// The results of `op`.
    pub fn results(&self, op: OpId) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        let op = self.ops[op.index()];
        (op.first_result..op.first_result + u32::from(op.results)).map(ValueId)
    }
}

pub(crate) fn type_of(types: &[Type], id: TypeId) -> &Type {
    match BUILTIN.get(id.index()) {
        Some(ty) => ty,
        None => &types[id.index() - BUILTIN.len()],
    }
}
