//! One item to bytes: facet by facet, everything renumbered in order of first mention.
//!
//! ```text
//! item    = contract configuration implementation            each: length, then bytes; length 0 when absent
//! facet   = strings types stream
//! strings = count { length bytes }       those the earlier contract does not have
//! types   = count { type }               likewise
//! ```
//! The configuration and the implementation each continue the contract's tables and value numbers, so that
//! either can be read without the other, and an edit of one leaves the bytes of the other as they were.

use std::ops::Range;

use super::wire::{Writer, uint_length};
use crate::module::{
    Attr, Block, Body, Dim, Indexed, Item, Layout, OpId, OpView, RegionId, StringId, Type, TypeId, ValueId,
};
use crate::printer::{Renamed, renamed};
use crate::symbols::{Facet, Reference};
use crate::table::{OpTable, SlotKind};

/// The bytes of one item and what they mention.
pub(crate) struct Encoded {
    pub semantic: Vec<u8>,
    pub facets: [Range<u32>; 3],
    pub trivia: Vec<u8>,
    pub references: Vec<Reference>,
}

impl<'t> Encoder<'t> {
    /// An encoder for items whose ops are those of `table`; its memory serves one item after another.
    pub(crate) fn new(table: &'t OpTable) -> Self {
        Self {
            table,
            scratch: Scratch::default(),
        }
    }

    /// The bytes of `item`.
    pub(crate) fn item(&mut self, item: &Item) -> Encoded {
        let body = &item.body;
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.strings.reset(body.strings.len());
        scratch.types.reset(body.types.len());
        scratch.values.clear();
        scratch.values.resize(body.values.len(), u32::MAX);
        let mut encoder = ItemEncoder {
            table: self.table,
            body,
            scratch,
            next_value: 0,
            facet: Facet::Contract,
            references: Vec::new(),
            regions: Vec::new(),
            known_strings: 1,
            known_types: 0,
            place: ("", ""),
            renamed: renamed(self.table, item),
            extra: Vec::new(),
        };
        let encoded = encoder.whole(item);
        self.scratch = encoder.scratch;
        encoded
    }
}

impl ItemEncoder<'_> {
    fn whole(&mut self, item: &Item) -> Encoded {
        self.scratch.strings.set(0, 0);
        self.op(OpId(0), true);
        let mut semantic = Writer {
            bytes: Vec::with_capacity(self.scratch.out.bytes.len() * 4),
        };
        let mut ranges = [0..0, 0..0, 0..0];
        let mut written = 0;
        self.end_facet(&mut semantic, &mut ranges[0]);
        let (strings, types, value) = (self.scratch.strings.len, self.scratch.types.len, self.next_value);
        (self.known_strings, self.known_types) = (strings, types);
        // Facets stand in their fixed order, which is that of the regions in every row.
        for (region, facet) in std::mem::take(&mut self.regions) {
            self.scratch.strings.truncate(strings);
            self.extra.retain(|(_, number)| (*number as usize) < strings);
            self.scratch.types.truncate(types);
            self.next_value = value;
            self.facet = facet;
            self.region(region);
            while written + 1 < facet as usize {
                written += 1;
                semantic.u8(0);
                let end = semantic.bytes.len() as u32;
                ranges[written] = end..end;
            }
            written = facet as usize;
            self.end_facet(&mut semantic, &mut ranges[written]);
        }
        while written + 1 < ranges.len() {
            written += 1;
            semantic.u8(0);
            let end = semantic.bytes.len() as u32;
            ranges[written] = end..end;
        }
        Encoded {
            semantic: semantic.bytes,
            facets: ranges,
            trivia: encode_trivia(item),
            references: std::mem::take(&mut self.references),
        }
    }
}

/// The facet that a region slot of a top-level op belongs to.
pub(super) fn facet_of(slot: &str) -> Facet {
    if slot == "config" {
        Facet::Configuration
    } else {
        Facet::Implementation
    }
}

fn encode_trivia(item: &Item) -> Vec<u8> {
    let mut out = Writer::default();
    if item.trivia.before.is_empty() && item.trivia.ends.is_empty() {
        return out.bytes;
    }
    out.uint(item.trivia.before.len() as u64);
    for (op, text) in &item.trivia.before {
        out.uint(op.0.into());
        out.block(text.as_bytes());
    }
    out.uint(item.trivia.ends.len() as u64);
    for (block, text) in &item.trivia.ends {
        out.uint(block.0.into());
        out.block(text.as_bytes());
    }
    out.bytes
}

/// Stands for an entry without an old number.
const NONE: u32 = u32::MAX;

/// New numbers by old number.
#[derive(Default)]
struct Table {
    numbers: Vec<u32>,
    order: Vec<u32>,
    len: usize,
}

impl Table {
    fn reset(&mut self, size: usize) {
        self.numbers.clear();
        self.numbers.resize(size, u32::MAX);
        self.order.clear();
        self.len = 0;
    }

    fn get(&self, old: u32) -> Option<u32> {
        let new = self.numbers[old as usize];
        (new != u32::MAX).then_some(new)
    }

    fn set(&mut self, old: u32, new: u32) {
        self.numbers[old as usize] = new;
        self.order.push(old);
        self.len += 1;
    }

    fn truncate(&mut self, len: usize) {
        while self.len > len {
            if let Some(old) = self.order.pop()
                && old != NONE
            {
                self.numbers[old as usize] = u32::MAX;
            }
            self.len -= 1;
        }
    }
}

/// Encodes items, one after another.
pub(crate) struct Encoder<'t> {
    pub(crate) table: &'t OpTable,
    scratch: Scratch,
}

/// Memory that is used again for the next item.
#[derive(Default)]
struct Scratch {
    out: Writer,
    strings: Table,
    types: Table,
    string_bytes: Writer,
    type_bytes: Writer,
    values: Vec<u32>,
}

struct ItemEncoder<'a> {
    table: &'a OpTable,
    body: &'a Body,
    scratch: Scratch,
    next_value: u32,
    facet: Facet,
    references: Vec<Reference>,
    /// Regions of the top-level op, to be written as facets of their own.
    regions: Vec<(RegionId, Facet)>,
    /// Sizes of the tables that the facet continues.
    known_strings: usize,
    known_types: usize,
    /// Op and slot being written.
    place: (&'static str, &'static str),
    /// Names that print with a number are stored as they print: text and bytes then mean the same.
    renamed: Renamed,
    /// Numbers of such names that no string of the item spells.
    extra: Vec<(String, u32)>,
}

impl ItemEncoder<'_> {
    /// Appends the facet that has been written, with its length, to `semantic`.
    fn end_facet(&mut self, semantic: &mut Writer, range: &mut Range<u32>) {
        let Scratch {
            out,
            strings,
            types,
            string_bytes,
            type_bytes,
            ..
        } = &mut self.scratch;
        let (strings, types) = (
            (strings.len - self.known_strings) as u64,
            (types.len - self.known_types) as u64,
        );
        let parts = string_bytes.bytes.len() + type_bytes.bytes.len() + out.bytes.len();
        semantic.uint((uint_length(strings) + uint_length(types) + parts) as u64);
        let start = semantic.bytes.len() as u32;
        semantic.uint(strings);
        semantic.bytes.append(&mut string_bytes.bytes);
        semantic.uint(types);
        semantic.bytes.append(&mut type_bytes.bytes);
        semantic.bytes.append(&mut out.bytes);
        *range = start..semantic.bytes.len() as u32;
    }

    /// Writes an op. The regions of the top-level op are put off.
    fn op(&mut self, op: OpId, top: bool) {
        let view = OpView::with(self.table, self.body, op);
        let record = self.body.ops[op.index()];
        self.scratch.out.u8((record.code >> 8) as u8);
        self.scratch.out.u8(record.code as u8);
        let has_many = view.def.has_many_results();
        if has_many {
            self.scratch.out.uint(record.results.into());
        }
        for (slot, content) in view.def.slots.iter().enumerate() {
            let words = view.slot(slot);
            if !content.always_single() {
                self.scratch.out.uint(words.len() as u64);
            }
            if top && let SlotKind::Region(_) = content.kind {
                for &word in words {
                    self.regions.push((RegionId(word), facet_of(content.name)));
                }
                continue;
            }
            self.slot(view, slot, words);
        }
        for result in self.body.results(op) {
            self.define(result);
            self.value_name(result);
        }
    }

    fn slot(&mut self, view: OpView<'_>, slot: usize, words: &[u32]) {
        let content = &view.def.slots[slot];
        self.place = (view.def.name, content.name);
        match &content.kind {
            SlotKind::Operand(_) | SlotKind::Operands(_) => {
                words.iter().for_each(|&word| self.value(ValueId(word)))
            }
            SlotKind::Indexed(_) => words.iter().for_each(|&word| self.indexed(word)),
            SlotKind::Type(_) | SlotKind::Types(_) => words.iter().for_each(|&word| self.ty(TypeId(word))),
            SlotKind::Attr(_) => words
                .iter()
                .for_each(|&word| self.attr(&self.body.attrs[word as usize])),
            SlotKind::Choice(_) | SlotKind::MaybeChoice(_) | SlotKind::Presence(_) | SlotKind::Flags(_) => {
                words.iter().for_each(|&word| self.scratch.out.uint(word.into()));
            }
            SlotKind::Symbol(_) => {
                for &word in words {
                    self.refer(StringId(word));
                    self.text(StringId(word));
                }
            }
            SlotKind::Define | SlotKind::Label => words.iter().for_each(|&word| self.text(StringId(word))),
            SlotKind::Dict(_) => {
                for pair in words.chunks_exact(2) {
                    self.text(StringId(pair[0]));
                    self.attr(&self.body.attrs[pair[1] as usize]);
                }
            }
            SlotKind::Args | SlotKind::Bind(_) | SlotKind::TypedArg | SlotKind::Compared => {
                words.iter().for_each(|&word| self.define(ValueId(word)));
                words.iter().for_each(|&word| self.typed_name(ValueId(word)));
            }
            SlotKind::Results => {
                for pair in words.chunks_exact(2) {
                    if pair[0] == u32::MAX {
                        self.scratch.out.u8(0);
                        self.ty(TypeId(pair[1]));
                    } else {
                        self.scratch.out.u8(1);
                        self.define(ValueId(pair[0]));
                        self.typed_name(ValueId(pair[0]));
                    }
                }
            }
            SlotKind::Where => {
                let mut rest = words;
                while let [number, count, tail @ ..] = rest {
                    let (arguments, tail) = tail.split_at(*count as usize);
                    self.scratch.out.uint((*number).into());
                    self.scratch.out.uint((*count).into());
                    arguments.iter().for_each(|&word| self.indexed(word));
                    rest = tail;
                }
            }
            SlotKind::Region(_) => words.iter().for_each(|&word| self.region(RegionId(word))),
            SlotKind::Carries => {
                for pair in words.chunks_exact(2) {
                    self.value(ValueId(pair[1]));
                    self.define(ValueId(pair[0]));
                    self.typed_name(ValueId(pair[0]));
                }
            }
            SlotKind::Pass => {
                for pair in words.chunks_exact(2) {
                    self.value(ValueId(pair[0]));
                    self.ty(TypeId(pair[1]));
                }
            }
            SlotKind::Aux => {
                for entry in words.chunks_exact(3) {
                    self.text(StringId(entry[0]));
                    self.value(ValueId(entry[1]));
                    self.ty(TypeId(entry[2]));
                }
            }
            SlotKind::Cases(_) => {
                for pair in words.chunks_exact(2) {
                    if pair[0] == u32::MAX {
                        self.scratch.out.u8(0);
                    } else {
                        self.scratch.out.u8(1);
                        self.attr(&self.body.attrs[pair[0] as usize]);
                    }
                    self.region(RegionId(pair[1]));
                }
            }
            SlotKind::Rows => {
                let mut rest = words;
                while let [key, count, tail @ ..] = rest {
                    let (values, tail) = tail.split_at(*count as usize);
                    self.attr(&self.body.attrs[*key as usize]);
                    self.scratch.out.uint((*count).into());
                    values.iter().for_each(|&word| self.value(ValueId(word)));
                    rest = tail;
                }
            }
            SlotKind::Pack => {
                for pair in words.chunks_exact(2) {
                    self.attr(&self.body.attrs[pair[0] as usize]);
                    self.value(ValueId(pair[1]));
                }
            }
        }
    }

    fn region(&mut self, region: RegionId) {
        let body = self.body;
        let blocks: Vec<_> = body.blocks_of(region).collect();
        self.scratch.out.uint(blocks.len() as u64);
        for (position, id) in blocks.into_iter().enumerate() {
            let Block {
                label,
                first_arg,
                args,
                ..
            } = body.blocks[id.index()];
            if position > 0 {
                self.text(label);
                self.scratch.out.uint(args.into());
                (0..args).for_each(|argument| self.define(ValueId(first_arg.0 + argument)));
                (0..args).for_each(|argument| self.typed_name(ValueId(first_arg.0 + argument)));
            }
            let ops: Vec<OpId> = body.ops_of(id).collect();
            self.scratch.out.uint(ops.len() as u64);
            ops.into_iter().for_each(|op| self.op(op, false));
        }
    }

    fn define(&mut self, value: ValueId) {
        self.scratch.values[value.index()] = self.next_value;
        self.next_value += 1;
    }

    fn typed_name(&mut self, value: ValueId) {
        self.value_name(value);
        self.ty(self.body.type_of(value));
    }

    fn value_name(&mut self, value: ValueId) {
        let Some(name) = self.renamed.get(&value) else {
            return self.text(self.body.values[value.index()].name);
        };
        if let Some(id) = self.body.strings.find(name) {
            return self.text(id);
        }
        let number = match self.extra.iter().find(|(known, _)| known == name) {
            Some((_, number)) => *number,
            None => {
                let number = self.scratch.strings.len as u32;
                self.scratch.strings.len += 1;
                self.scratch.strings.order.push(NONE);
                self.scratch.string_bytes.block(name.as_bytes());
                self.extra.push((name.clone(), number));
                number
            }
        };
        self.scratch.out.uint(number.into());
    }

    fn value(&mut self, value: ValueId) {
        // Most operands were defined just before: the distance is the shorter number.
        let number = self.scratch.values[value.index()];
        self.scratch
            .out
            .uint(u64::from(self.next_value.wrapping_sub(number)));
    }

    fn indexed(&mut self, word: u32) {
        match Indexed::from_word(word) {
            Indexed::Value(value) => {
                let number = self.scratch.values[value.index()];
                self.scratch
                    .out
                    .uint(u64::from(self.next_value.wrapping_sub(number)) << 1);
            }
            Indexed::Static(attr) => {
                self.scratch.out.uint(1);
                self.attr(&self.body.attrs[attr.index()]);
            }
        }
    }

    fn text(&mut self, id: StringId) {
        let number = self.string(id);
        self.scratch.out.uint(number);
    }

    fn string(&mut self, id: StringId) -> u64 {
        if let Some(number) = self.scratch.strings.get(id.0) {
            return number.into();
        }
        let number = self.scratch.strings.len as u32;
        self.scratch.strings.set(id.0, number);
        self.scratch.string_bytes.block(self.body.text(id).as_bytes());
        number.into()
    }

    fn refer(&mut self, id: StringId) {
        let (symbol, (op, slot)) = (self.body.text(id).into(), self.place);
        self.references.push(Reference {
            symbol,
            op,
            slot,
            facet: self.facet,
        });
    }

    fn ty(&mut self, id: TypeId) {
        let number = self.type_number(id);
        self.scratch.out.uint(number);
    }

    fn type_number(&mut self, id: TypeId) -> u64 {
        let builtin = crate::module::builtin_types();
        if id.index() < builtin {
            return u64::from(id.0);
        }
        let own = id.0 - builtin as u32;
        if let Some(number) = self.scratch.types.get(own) {
            return u64::from(number) + builtin as u64;
        }
        let number = self.scratch.types.len as u32;
        self.scratch.types.set(own, number);
        let mut bytes = std::mem::take(&mut self.scratch.type_bytes);
        match self.body.ty(id) {
            Type::Pool(dim) => {
                bytes.u8(4);
                self.dim(&mut bytes, *dim);
            }
            Type::Shaped(shaped) => {
                bytes.u8(shaped.kind as u8);
                bytes.u8(shaped.element as u8);
                bytes.uint(shaped.dims.len() as u64);
                shaped.dims.iter().for_each(|&dim| self.dim(&mut bytes, dim));
                bytes.uint(shaped.align.unwrap_or(0));
                match &shaped.layout {
                    None => bytes.u8(0),
                    Some(Layout::Value(value)) => {
                        bytes.u8(1);
                        bytes.uint(self.scratch.values[value.index()].into());
                    }
                    Some(Layout::Attr(attr)) => {
                        bytes.u8(2);
                        std::mem::swap(&mut self.scratch.out, &mut bytes);
                        self.attr(attr);
                        std::mem::swap(&mut self.scratch.out, &mut bytes);
                    }
                }
            }
            _ => bytes.u8(5),
        }
        self.scratch.type_bytes = bytes;
        u64::from(number) + builtin as u64
    }

    fn dim(&mut self, bytes: &mut Writer, dim: Dim) {
        match dim {
            // Extents are below 2^63.
            Dim::Static(extent) => bytes.uint(extent << 1),
            Dim::Value(value) => bytes.uint(u64::from(self.scratch.values[value.index()]) << 1 | 1),
        }
    }

    fn attr(&mut self, attr: &Attr) {
        match attr {
            Attr::Bool(value) => self.scratch.out.u8(u8::from(*value)),
            Attr::Int(value) => {
                self.scratch.out.u8(2);
                self.scratch.out.int(*value);
            }
            Attr::Float(bits) => {
                self.scratch.out.u8(3);
                self.scratch.out.bytes.extend_from_slice(&bits.to_le_bytes());
            }
            Attr::String(id) => self.tagged(4, *id),
            Attr::Word(id) => self.tagged(5, *id),
            Attr::Symbol(id) => {
                self.refer(*id);
                self.tagged(6, *id);
            }
            Attr::List(list) => {
                self.scratch.out.u8(7);
                self.scratch.out.uint(list.len() as u64);
                list.iter().for_each(|attr| self.attr(attr));
            }
            Attr::Dict(pairs) => {
                self.scratch.out.u8(8);
                self.scratch.out.uint(pairs.len() as u64);
                for (key, attr) in pairs {
                    self.text(*key);
                    self.attr(attr);
                }
            }
            Attr::Ref { name, params } => {
                self.tagged(9, *name);
                self.scratch.out.uint(params.len() as u64);
                for param in params {
                    self.text(param.key);
                    self.attr(&param.value);
                }
            }
        }
    }

    fn tagged(&mut self, tag: u8, id: StringId) {
        self.scratch.out.u8(tag);
        self.text(id);
    }
}
