//! The in-memory form of a module: one self-contained arena per top-level op.
//!
//! An [`Item`] owns everything below one top-level op: strings, types, attributes, values and ops. Items never
//! point into each other, they refer to other items by symbol name. So a link composes items without touching
//! them, and an edit of one symbol leaves every other symbol's item as it was.
//!
//! Ops stand in preorder: the ops nested in op `i` are `i + 1 .. ops[i].end`. What an op carries besides results
//! is a list of `u32` words, divided into the slots its table row declares ([`crate::OpDef::slots`]).

use std::sync::Arc;

pub use attr::{Attr, Param};
pub use body::{Block, Body, Op, Region, Value};
pub use build::{Builder, OpenOp};
pub use few::Few;
pub use ids::{AttrId, BlockId, OpId, RegionId, StringId, TypeId, ValueId};
pub use strings::Strings;
pub use trivia::{Anchor, Trivia};
#[cfg(test)]
pub(crate) use types::builtin_name;
pub(crate) use types::builtin_types;
pub use types::{Dim, EncodingRole, Function, Layout, Register, Scalar, ShapeKind, Shaped, Token, Type};
pub use view::{Indexed, OpView};

mod attr;
mod body;
mod build;
mod few;
mod ids;
mod strings;
mod trivia;
mod types;
mod view;

pub(crate) use strings::{key, place};

/// A parsed, decoded or assembled module: its top-level ops in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Module {
    /// The top-level ops in order.
    pub items: Vec<Arc<Item>>,
    /// Comments after the last op, in the form of [`Trivia`].
    pub trailing: Box<str>,
}

/// One top-level op with everything nested in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// What the op means.
    pub body: Body,
    /// Comments and blank lines.
    pub trivia: Trivia,
    /// Where everything stood in the text; absent for items that were decoded or assembled.
    pub spans: Option<Spans>,
    /// Set when a syntax error was reported inside: such an item is neither verified nor encoded.
    pub broken: bool,
}

/// Byte ranges of the text an item was parsed from, relative to [`Spans::base`]. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spans {
    /// Offset of the item in its file.
    pub base: u32,
    /// The ranges of ops, then words, then values.
    all: Arc<[Span]>,
    /// How many of each of the first two.
    ops: u32,
    words: u32,
}

impl Spans {
    /// One range per op.
    pub fn ops(&self) -> &[Span] {
        &self.all[..self.ops as usize]
    }

    /// One range per word of [`Body::words`]; that of a slot's header word covers the whole slot.
    pub fn words(&self) -> &[Span] {
        &self.all[self.ops as usize..][..self.words as usize]
    }

    /// One range per value: where its name was defined.
    pub fn values(&self) -> &[Span] {
        &self.all[self.ops as usize + self.words as usize..]
    }
}

/// A half-open byte range relative to the start of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

impl Item {
    /// The top-level op through the standard table.
    pub fn root<'a>(&'a self, table: &'a crate::table::OpTable) -> OpView<'a> {
        OpView::with(table, &self.body, OpId(0))
    }

    /// The definition of the top-level op.
    pub fn op<'a>(&self, table: &'a crate::table::OpTable) -> &'a crate::table::OpDef {
        table.def(self.body.ops[0].code)
    }

    /// Kind and name of the symbol the item defines, if its op defines one.
    pub fn symbol(&self) -> Option<(crate::table::SymbolKind, &str)> {
        self.symbol_in(crate::table::OpTable::standard())
    }

    pub(crate) fn symbol_in<'a>(
        &'a self,
        table: &crate::table::OpTable,
    ) -> Option<(crate::table::SymbolKind, &'a str)> {
        let def = table.def(self.body.ops.first()?.code);
        let (slot, kind) = def.defines?;
        let view = OpView {
            body: &self.body,
            id: OpId(0),
            def,
        };
        let &name = view.slot_in_bounds(slot)?.first()?;
        Some((kind, self.body.strings.get(StringId(name))))
    }

    /// The range of `span` in the file, or an empty range at its start when the item has no text.
    pub fn range(&self, span: impl FnOnce(&Spans) -> Span) -> std::ops::Range<u32> {
        match &self.spans {
            Some(spans) => {
                let Span { start, end } = span(spans);
                spans.base + start..spans.base + end
            }
            None => 0..0,
        }
    }
}
