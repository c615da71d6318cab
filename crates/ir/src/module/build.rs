//! Assembling one item op by op: the parser, the decoder and every transformation go through here.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::body::type_of;
use super::strings::Interner;
use super::types::BUILTIN;
use super::{
    Anchor, Attr, AttrId, Block, Body, Function, Item, Op, OpId, Region, RegionId, Span, Spans, StringId,
    Trivia, Type, TypeId, Value, ValueId,
};
use crate::table::{Binding, OpDef, ResultSpec, SlotKind};

/// Collects the arenas of one item. [`Builder::finish`] yields the item and readies the builder for the next.
#[derive(Default)]
pub struct Builder {
    pub(crate) strings: Interner,
    types: Vec<Type>,
    type_table: HashTable<u32>,
    attrs: Vec<Attr>,
    values: Vec<Value>,
    ops: Vec<Op>,
    words: Vec<u32>,
    regions: Vec<Region>,
    blocks: Vec<Block>,
    before: Vec<(OpId, Box<str>)>,
    ends: Vec<(super::BlockId, Box<str>)>,
    op_spans: Vec<Span>,
    word_spans: Vec<Span>,
    value_spans: Vec<Span>,
    pending: Vec<u32>,
    pending_spans: Vec<Span>,
    slot_ends: Vec<u32>,
}

/// An op under construction: slots are filled in table order, nested ops come and go in between.
#[derive(Clone, Copy)]
pub struct OpenOp {
    id: OpId,
    words: usize,
    slots: usize,
}

impl Builder {
    /// A builder with room for what a text of `length` bytes usually has, so that arrays seldom grow.
    pub(crate) fn for_text(length: usize) -> Self {
        let (ops, words) = (length / 32, length / 12);
        Builder {
            values: Vec::with_capacity(ops),
            ops: Vec::with_capacity(ops),
            words: Vec::with_capacity(words),
            op_spans: Vec::with_capacity(ops),
            word_spans: Vec::with_capacity(words),
            value_spans: Vec::with_capacity(ops),
            ..Builder::default()
        }
    }

    /// Interns `text`.
    #[inline]
    pub fn string(&mut self, text: &str) -> StringId {
        self.strings.intern(text)
    }

    /// Interns `text[start..end]`.
    #[inline]
    pub(crate) fn string_in(&mut self, text: &str, start: usize, end: usize) -> StringId {
        self.strings.intern_in(text, start, end)
    }

    /// Interns `ty`.
    pub fn ty(&mut self, ty: Type) -> TypeId {
        if !matches!(
            ty,
            Type::Shaped(_) | Type::Pool(_) | Type::Register(_) | Type::Function(_)
        ) && let Some(at) = BUILTIN.iter().position(|builtin| *builtin == ty)
        {
            return TypeId(at as u32);
        }
        let hash = hash(&ty);
        if let Some(&at) = self.type_table.find(hash, |&at| self.types[at as usize] == ty) {
            return TypeId(at + BUILTIN.len() as u32);
        }
        let at = self.types.len() as u32;
        self.types.push(ty);
        let types = &self.types;
        self.type_table
            .insert_unique(hash, at, |&at| self::hash(&types[at as usize]));
        TypeId(at + BUILTIN.len() as u32)
    }

    /// The function type of these parts, unless it is too large: few types could otherwise stand for a text
    /// without end, since parts are shared.
    pub fn function(&mut self, args: Box<[TypeId]>, results: Box<[TypeId]>) -> Option<TypeId> {
        let parts = args.iter().chain(&results);
        let (parts, depth) = parts
            .map(|&part| self.extent(part))
            .fold((0, 0), |all, part| (all.0 + part.0, all.1.max(part.1)));
        let fits = parts <= Function::MAX_PARTS && depth < Function::MAX_DEPTH;
        fits.then(|| self.ty(Type::Function(Function { args, results })))
    }

    /// How many types `id` is made of, and how deep they nest.
    fn extent(&self, id: TypeId) -> (usize, usize) {
        let Type::Function(function) = self.type_of(id) else {
            return (1, 0);
        };
        let parts = function.args.iter().chain(&function.results);
        parts
            .map(|&part| self.extent(part))
            .fold((1, 1), |all, part| (all.0 + part.0, all.1.max(part.1 + 1)))
    }

    /// The type `id` stands for.
    pub fn type_of(&self, id: TypeId) -> &Type {
        type_of(&self.types, id)
    }

    /// Adds an attribute.
    #[inline]
    pub fn attr(&mut self, attr: Attr) -> AttrId {
        self.attrs.push(attr);
        AttrId(self.attrs.len() as u32 - 1)
    }

    /// Adds a value. Results of one op and arguments of one block need consecutive numbers.
    #[inline]
    pub fn value(&mut self, name: StringId, ty: TypeId, span: Span) -> ValueId {
        self.values.push(Value { name, ty });
        self.value_spans.push(span);
        ValueId(self.values.len() as u32 - 1)
    }

    /// The value `id`.
    pub fn value_of(&self, id: ValueId) -> Value {
        self.values[id.index()]
    }

    /// Where value `id` was defined.
    pub fn value_span(&self, id: ValueId) -> Span {
        self.value_spans[id.index()]
    }

    /// Sets the type of `id`: arguments get their numbers before all types of their list are known.
    pub fn set_type(&mut self, id: ValueId, ty: TypeId) {
        self.values[id.index()].ty = ty;
    }

    /// Sets name and type of `id`.
    pub(crate) fn set_value(&mut self, id: ValueId, name: StringId, ty: TypeId) {
        self.values[id.index()] = Value { name, ty };
    }

    /// The number the next value will get.
    pub fn next_value(&self) -> ValueId {
        ValueId(self.values.len() as u32)
    }

    /// The number the next op will get.
    pub fn next_op(&self) -> OpId {
        OpId(self.ops.len() as u32)
    }

    /// Starts an op of kind `def`. Ops opened before the matching [`Builder::close`] are nested in it.
    #[inline]
    pub fn open(&mut self, def: &OpDef) -> OpenOp {
        let id = self.next_op();
        self.ops.push(Op {
            code: def.code,
            results: 0,
            first_result: 0,
            words: 0,
            word_count: 0,
            end: id.0 + 1,
        });
        self.op_spans.push(Span::default());
        let open = OpenOp {
            id,
            words: self.pending.len(),
            slots: self.slot_ends.len(),
        };
        self.slot_ends.resize(open.slots + def.slots.len(), u32::MAX);
        open
    }

    /// Appends a word to the slot being filled.
    #[inline]
    pub fn word(&mut self, word: u32, span: Span) {
        self.pending.push(word);
        self.pending_spans.push(span);
    }

    /// Ends slot `slot` of `open`; all words since the last such call are its content.
    #[inline]
    pub fn end_slot(&mut self, open: OpenOp, slot: usize) {
        self.slot_ends[open.slots + slot] = (self.pending.len() - open.words) as u32;
    }

    /// The words pushed for `open` so far.
    pub fn words(&self, open: OpenOp) -> &[u32] {
        &self.pending[open.words..]
    }

    /// The content of the finished slot `slot` of `open`, empty when it was skipped.
    pub fn slot(&self, open: OpenOp, slot: usize) -> &[u32] {
        let ends = &self.slot_ends[open.slots..open.slots + slot + 1];
        if ends[slot] == u32::MAX {
            return &[];
        }
        let start = ends[..slot]
            .iter()
            .rev()
            .find(|&&end| end != u32::MAX)
            .copied()
            .unwrap_or(0);
        &self.pending[open.words + start as usize..open.words + ends[slot] as usize]
    }

    /// The ranges that belong to [`Builder::slot`].
    pub fn slot_spans(&self, open: OpenOp, slot: usize) -> &[Span] {
        let words = self.slot(open, slot);
        let start = (words.as_ptr() as usize - self.pending.as_ptr() as usize) / size_of::<u32>();
        if words.is_empty() {
            &[]
        } else {
            &self.pending_spans[start..start + words.len()]
        }
    }

    /// The types of the results of `open`, all slots being filled; `named` results are wanted where the
    /// number is open.
    pub fn result_types(&self, def: &OpDef, open: OpenOp, named: usize, types: &mut Vec<TypeId>) {
        for spec in &def.results {
            match *spec {
                ResultSpec::Type(ty) => types.push(ty),
                ResultSpec::Slot(slot) | ResultSpec::Each(slot) => {
                    types.extend(self.slot(open, slot).iter().map(|&word| TypeId(word)));
                }
                ResultSpec::Like(slot) => {
                    types.extend(
                        self.slot(open, slot)
                            .iter()
                            .map(|&word| self.values[word as usize].ty),
                    );
                }
                ResultSpec::Many(ty) => types.resize(named.max(types.len()), ty),
            }
        }
    }

    /// Types the region arguments that take the type of a slot, once that slot has been filled.
    pub fn settle_binds(&mut self, def: &OpDef, open: OpenOp) {
        if !def.binds {
            return;
        }
        for (slot, content) in def.slots.iter().enumerate() {
            let SlotKind::Bind(binding) = content.kind else {
                continue;
            };
            let Some(&value) = self.slot(open, slot).first() else {
                continue;
            };
            let ty = match binding {
                Binding::Type(ty) => Some(ty),
                Binding::Slot(from) => {
                    self.slot(open, from)
                        .first()
                        .map(|&word| match def.slots[from].kind {
                            SlotKind::Type(_) => TypeId(word),
                            _ => self.values[word as usize].ty,
                        })
                }
                Binding::Free => None,
            };
            if let Some(ty) = ty {
                self.values[value as usize].ty = ty;
            }
        }
    }

    /// The number of `open`.
    pub fn id(&self, open: OpenOp) -> OpId {
        open.id
    }

    /// Finishes an op: results `first .. first + count` have been added.
    pub fn close(&mut self, def: &OpDef, open: OpenOp, first: ValueId, count: u16, span: Span) {
        let start = self.words.len() as u32;
        if !def.fixed {
            let count = def.slots.len();
            self.words.resize(start as usize + count, 0);
            self.word_spans.resize(start as usize + count, span);
            let headers = &mut self.words[start as usize..];
            let spans = &mut self.word_spans[start as usize..];
            let pending = &self.pending_spans[open.words..];
            let mut last = 0;
            for ((&end, header), whole) in self.slot_ends[open.slots..].iter().zip(headers).zip(spans) {
                if end != u32::MAX
                    && end != last
                    && let [first, rest @ ..] = &pending[last as usize..end as usize]
                {
                    *whole = Span {
                        start: first.start,
                        end: rest.last().unwrap_or(first).end.max(first.end),
                    };
                    last = end;
                }
                *header = last;
            }
        }
        self.words.extend_from_slice(&self.pending[open.words..]);
        self.word_spans
            .extend_from_slice(&self.pending_spans[open.words..]);
        self.op_spans[open.id.index()] = span;
        self.ops[open.id.index()] = Op {
            code: def.code,
            results: count,
            first_result: first.0,
            words: start,
            word_count: self.words.len() as u32 - start,
            end: self.ops.len() as u32,
        };
        self.drop_open(open);
    }

    /// Gives up an op after a syntax error; the item must then be finished as broken.
    pub fn drop_open(&mut self, open: OpenOp) {
        self.pending.truncate(open.words);
        self.pending_spans.truncate(open.words);
        self.slot_ends.truncate(open.slots);
    }

    /// Adds a region made of `blocks`.
    pub fn region(&mut self, blocks: &[Block]) -> RegionId {
        let first = super::BlockId(self.blocks.len() as u32);
        self.blocks.extend_from_slice(blocks);
        self.regions.push(Region {
            first,
            count: blocks.len() as u32,
        });
        RegionId(self.regions.len() as u32 - 1)
    }

    /// The blocks of `region`.
    pub fn region_blocks(&self, region: RegionId) -> Region {
        self.regions[region.index()]
    }

    /// Appends a predicate's head and a place for its argument count; yields where the head stands.
    pub(crate) fn reserve_pair(&mut self, word: u32, span: Span) -> usize {
        self.word(word, span);
        self.reserve_word(span) - 1
    }

    /// Appends a word to be set by [`Builder::patch`].
    pub(crate) fn reserve_word(&mut self, span: Span) -> usize {
        self.word(0, span);
        self.pending.len() - 1
    }

    /// Sets a reserved word.
    pub(crate) fn patch(&mut self, at: usize, word: u32) {
        self.pending[at] = word;
    }

    /// Takes back the words pushed since `from`.
    pub(crate) fn take_pending(&mut self, from: usize) -> Vec<u32> {
        self.pending_spans.truncate(from);
        self.pending.split_off(from)
    }

    /// The number the next block will get.
    pub(crate) fn next_block(&self) -> super::BlockId {
        super::BlockId(self.blocks.len() as u32)
    }

    pub(crate) fn pending_len(&self) -> usize {
        self.pending.len()
    }

    /// Whether op `op`, the last one added, is called `name` and carries nothing.
    pub(crate) fn is_bare(&self, op: OpId, table: &crate::table::OpTable, name: &str) -> bool {
        let Op {
            code,
            results,
            words,
            word_count,
            end,
            ..
        } = self.ops[op.index()];
        let def = table.def(code);
        let own = &self.words[words as usize..(words + word_count) as usize];
        def.name == name
            && results == 0
            && end as usize == self.ops.len()
            && own.len() == def.slots.len()
            && own.iter().all(|&end| end == 0)
    }

    /// Takes back the last op, which carries nothing; yields the comments before it.
    pub(crate) fn remove_last(&mut self, op: OpId) -> Option<Box<str>> {
        let Op { words, .. } = self.ops[op.index()];
        self.words.truncate(words as usize);
        self.word_spans.truncate(words as usize);
        self.ops.truncate(op.index());
        self.op_spans.truncate(op.index());
        self.before
            .pop_if(|(before, _)| *before == op)
            .map(|(_, text)| text)
    }

    /// Adds comments; calls for ops, and calls for blocks, must come in the order of their numbers.
    pub fn trivia(&mut self, anchor: Anchor, text: Box<str>) {
        match anchor {
            Anchor::Op(op) => self.before.push((op, text)),
            Anchor::End(block) => self.ends.push((block, text)),
        }
    }

    /// Takes the finished item. `base` is its offset in the text, or `None` if it has none.
    pub fn finish(&mut self, base: Option<u32>, broken: bool) -> Item {
        let spans = base.map(|base| {
            let (ops, words) = (self.op_spans.len() as u32, self.word_spans.len() as u32);
            let all = if words < MANY {
                self.op_spans.append(&mut self.word_spans);
                self.op_spans.append(&mut self.value_spans);
                self.op_spans.as_slice().into()
            } else {
                // The ranges of a large item would not fit the room reserved for ops.
                let all = self.op_spans.iter().chain(&self.word_spans);
                all.chain(&self.value_spans).copied().collect()
            };
            Spans {
                base,
                all,
                ops,
                words,
            }
        });
        let item = Item {
            body: Body {
                strings: self.strings.take(),
                types: take_all(&mut self.types),
                attrs: take_all(&mut self.attrs),
                values: self.values.as_slice().into(),
                ops: self.ops.as_slice().into(),
                words: self.words.as_slice().into(),
                regions: self.regions.as_slice().into(),
                blocks: self.blocks.as_slice().into(),
            },
            trivia: Trivia {
                before: take_all(&mut self.before),
                ends: take_all(&mut self.ends),
            },
            spans,
            broken,
        };
        self.type_table.clear();
        self.values.clear();
        self.ops.clear();
        self.words.clear();
        self.regions.clear();
        self.blocks.clear();
        self.op_spans.clear();
        self.word_spans.clear();
        self.value_spans.clear();
        self.pending.clear();
        self.pending_spans.clear();
        self.slot_ends.clear();
        item
    }
}

/// Words from which on an item is large.
const MANY: u32 = 4096;

/// The content of `all`, whose memory is kept.
#[inline]
fn take_all<T>(all: &mut Vec<T>) -> Box<[T]> {
    match all.is_empty() {
        true => Box::default(),
        false => all.drain(..).collect(),
    }
}

fn hash(ty: &Type) -> u64 {
    let mut hasher = FxHasher::default();
    ty.hash(&mut hasher);
    hasher.finish()
}
