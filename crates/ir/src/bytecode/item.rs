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
use crate::module::{Block, Body, Item, OpId, OpView, RegionId, StringId, TypeId, ValueId};
use crate::printer::{Renamed, renamed};
use crate::symbols::{Facet, Reference};
use crate::table::{OpTable, Slot, SlotKind};

/// What [`Encoder::item`] found, besides the bytes it leaves in [`Encoder::semantic`] and [`Encoder::trivia`].
pub(crate) struct Encoded {
    pub facets: [Range<u32>; 3],
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

    /// Encodes `item`.
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
            known_strings: 1,
            known_types: 0,
            place: ("", ""),
            renamed: renamed(self.table, item),
            extra: Vec::new(),
        };
        let encoded = encoder.whole();
        encode_trivia(item, &mut encoder.scratch.trivia);
        self.scratch = encoder.scratch;
        encoded
    }

    /// The bytes of the item that was encoded last.
    pub(crate) fn semantic(&self) -> &[u8] {
        &self.scratch.semantic.bytes
    }

    /// The comments and blank lines of that item; empty when it has none.
    pub(crate) fn trivia(&self) -> &[u8] {
        &self.scratch.trivia.bytes
    }
}

impl ItemEncoder<'_> {
    fn whole(&mut self) -> Encoded {
        self.scratch.strings.set(0, 0);
        self.op(OpId(0), true);
        let mut semantic = std::mem::take(&mut self.scratch.semantic);
        semantic.bytes.clear();
        let mut ranges = [0..0, 0..0, 0..0];
        let mut written = 0;
        self.end_facet(&mut semantic, &mut ranges[0]);
        let (strings, types, value) = (self.scratch.strings.len, self.scratch.types.len, self.next_value);
        (self.known_strings, self.known_types) = (strings, types);
        let mut regions = std::mem::take(&mut self.scratch.regions);
        // Facets stand in their fixed order, which is that of the regions in every row.
        for (region, facet) in regions.drain(..) {
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
        (self.scratch.semantic, self.scratch.regions) = (semantic, regions);
        Encoded {
            facets: ranges,
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

fn encode_trivia(item: &Item, out: &mut Writer) {
    out.bytes.clear();
    if item.trivia.before.is_empty() && item.trivia.ends.is_empty() {
        return;
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
}

/// Stands for an entry without an old number.
pub(super) const NONE: u32 = u32::MAX;

/// New numbers by old number.
#[derive(Default)]
pub(super) struct Table {
    pub(super) numbers: Vec<u32>,
    pub(super) order: Vec<u32>,
    pub(super) len: usize,
}

impl Table {
    pub(super) fn reset(&mut self, size: usize) {
        self.numbers.clear();
        self.numbers.resize(size, u32::MAX);
        self.order.clear();
        self.len = 0;
    }

    pub(super) fn get(&self, old: u32) -> Option<u32> {
        let new = self.numbers[old as usize];
        (new != u32::MAX).then_some(new)
    }

    pub(super) fn set(&mut self, old: u32, new: u32) {
        self.numbers[old as usize] = new;
        self.order.push(old);
        self.len += 1;
    }

    pub(super) fn truncate(&mut self, len: usize) {
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
pub(super) struct Scratch {
    pub(super) out: Writer,
    pub(super) strings: Table,
    pub(super) types: Table,
    pub(super) string_bytes: Writer,
    pub(super) type_bytes: Writer,
    pub(super) values: Vec<u32>,
    /// The facets that are finished.
    pub(super) semantic: Writer,
    pub(super) trivia: Writer,
    /// Regions of the top-level op, to be written as facets of their own.
    pub(super) regions: Vec<(RegionId, Facet)>,
}

/// Encodes one item.
pub(super) struct ItemEncoder<'a> {
    pub(super) table: &'a OpTable,
    pub(super) body: &'a Body,
    pub(super) scratch: Scratch,
    pub(super) next_value: u32,
    pub(super) facet: Facet,
    pub(super) references: Vec<Reference>,
    /// Sizes of the tables that the facet continues.
    pub(super) known_strings: usize,
    pub(super) known_types: usize,
    /// Op and slot being written.
    pub(super) place: (&'static str, &'static str),
    /// Names that print with a number are stored as they print: text and bytes then mean the same.
    pub(super) renamed: Renamed,
    /// Numbers of such names that no string of the item spells.
    pub(super) extra: Vec<(String, u32)>,
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
        let (slots, words) = (&view.def.slots, view.words());
        if view.def.fixed {
            for (content, word) in slots.iter().zip(words.chunks_exact(1)) {
                self.slot_or_facet(view, content, word, top);
            }
        } else {
            let (ends, payload) = words.split_at(slots.len());
            let mut start = 0;
            for (content, &end) in slots.iter().zip(ends) {
                if end == start {
                    self.scratch.out.u8(0);
                    continue;
                }
                if !content.single {
                    self.scratch.out.uint((end - start).into());
                }
                let words = &payload[start as usize..end as usize];
                self.slot_or_facet(view, content, words, top);
                start = end;
            }
        }
        for result in self.body.results(op) {
            self.define(result);
            self.value_name(result);
        }
    }

    #[inline]
    fn slot_or_facet(&mut self, view: OpView<'_>, content: &Slot, words: &[u32], top: bool) {
        if !(top && matches!(content.kind, SlotKind::Region(_))) {
            return self.slot(view, content, words);
        }
        let facet = facet_of(content.name);
        let regions = words.iter().map(|&word| (RegionId(word), facet));
        self.scratch.regions.extend(regions);
    }

    fn slot(&mut self, view: OpView<'_>, content: &Slot, words: &[u32]) {
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
        self.scratch.out.uint(body.regions[region.index()].count.into());
        for (position, id) in body.blocks_of(region).enumerate() {
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
            self.scratch.out.uint(body.ops_of(id).count() as u64);
            body.ops_of(id).for_each(|op| self.op(op, false));
        }
    }
}
