//! Bytes to one item. Everything is checked: whatever the bytes, the result is an item that prints, or a
//! [`Malformed`].

use super::item::facet_of;
pub use super::wire::Malformed;
use super::wire::{Read, Reader, Writer};
use crate::module::{Anchor, Block, BlockId, Builder, Item, OpId, RegionId, Span, StringId, TypeId, ValueId};
use crate::symbols::Facet;
use crate::table::{OpDef, OpTable, SlotKind, Traits};

mod tables;

/// The item that [`crate::Symbol::semantic`] and [`crate::Symbol::trivia`] stand for. `trivia` may be empty.
/// The item has no places.
///
/// # Errors
/// When the bytes are not such an encoding.
pub fn decode_item(semantic: &[u8], trivia: &[u8]) -> Result<Item, Malformed> {
    Decoder::new(OpTable::standard()).item(semantic, trivia)
}

/// Deepest admitted nesting, as in the parser.
const MAX_DEPTH: u32 = 200;

/// `semantic` with all facets but `wanted` left out: [`decode_item`] then yields an item without the regions of
/// the others, and reads none of their bytes. The contract is always there.
///
/// # Errors
/// When the bytes are not an item's.
pub fn only_facets(semantic: &[u8], wanted: &[Facet]) -> Result<Vec<u8>, Malformed> {
    let mut file = Reader::new(semantic);
    let mut out = Writer::default();
    for facet in Facet::ALL {
        let bytes = file.block()?;
        out.block(if facet == Facet::Contract || wanted.contains(&facet) {
            bytes
        } else {
            &[]
        });
    }
    if file.left() > 0 {
        file.fail("bytes after the last facet")
    } else {
        Ok(out.bytes)
    }
}

/// The bytes of an item from those of its facets, in the order of [`Facet::ALL`]; those of a facet that is left out
/// are empty.
pub fn join_facets(facets: [&[u8]; 3]) -> Vec<u8> {
    let mut out = Writer::default();
    facets.iter().for_each(|bytes| out.block(bytes));
    out.bytes
}

/// Decodes items; its memory serves one after another.
pub(super) struct Decoder<'a> {
    table: &'a OpTable,
    reader: Reader<'a>,
    builder: Builder,
    strings: Vec<StringId>,
    /// Which strings may stand in text without quotes.
    plain: Vec<bool>,
    /// The highest value that a type has named so far.
    highest: u32,
    types: Vec<TypeId>,
    /// Values by their number in the bytes, and whether they may be used at this point.
    values: Vec<ValueId>,
    alive: Vec<bool>,
    blocks: Vec<Block>,
    result_types: Vec<TypeId>,
    depth: u32,
}

/// The arguments of the region to come.
#[derive(Default)]
struct Bound {
    first: u32,
    count: u32,
    /// Numbers in the bytes of induction variables and carried values: they become visible in the region.
    hidden: std::ops::Range<usize>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(table: &'a OpTable) -> Self {
        Self {
            table,
            reader: Reader::new(&[]),
            builder: Builder::default(),
            strings: Vec::new(),
            plain: Vec::new(),
            highest: 0,
            types: Vec::new(),
            values: Vec::new(),
            alive: Vec::new(),
            blocks: Vec::new(),
            result_types: Vec::new(),
            depth: 0,
        }
    }

    /// The item that `semantic` and `trivia` stand for. After an error the decoder must not be used again.
    pub(super) fn item(&mut self, semantic: &'a [u8], trivia: &[u8]) -> Read<Item> {
        let mut file = Reader::new(semantic);
        let facets = [file.block()?, file.block()?, file.block()?];
        if file.left() > 0 {
            return file.fail("bytes after the last facet");
        }
        self.reader = Reader::new(facets[0]);
        self.strings.clear();
        self.strings.push(StringId::EMPTY);
        self.plain.clear();
        self.plain.push(true);
        self.types.clear();
        self.values.clear();
        self.alive.clear();
        self.highest = 0;
        self.tables()?;
        self.top_op(&facets)?;
        self.trivia(trivia)?;
        Ok(self.builder.finish(None, false))
    }

    /// The contract first, then the regions from their facets, then all slots in order.
    fn top_op(&mut self, facets: &[&'a [u8]; 3]) -> Read<()> {
        let def = self.op_def()?;
        if !def.traits.has(Traits::TOP) {
            return self.reader.fail("an op that does not stand at module level");
        }
        let open = self.builder.open(def);
        let start = self.builder.pending_len();
        let mut bound = Bound::default();
        let mut contents = Vec::with_capacity(def.slots.len());
        let mut regions = Vec::new();
        for (slot, content) in def.slots.iter().enumerate() {
            let count = self.slot_length(def, slot)?;
            if let SlotKind::Region(_) = content.kind {
                if count > 1 {
                    return self.reader.fail("two regions in one place");
                }
                if count == 1 {
                    regions.push((slot, facet_of(content.name), std::mem::take(&mut bound)));
                }
                contents.push(Vec::new());
                continue;
            }
            self.slot(def, slot, count, &mut bound)?;
            contents.push(self.builder.take_pending(start));
        }
        self.end_of_facet()?;
        let (strings, types, values) = (self.strings.len(), self.types.len(), self.values.len());
        for (slot, facet, bound) in regions {
            let bytes = facets[facet as usize];
            if bytes.is_empty() {
                continue;
            }
            self.strings.truncate(strings);
            self.plain.truncate(strings);
            self.types.truncate(types);
            self.values.truncate(values);
            self.alive.truncate(values);
            // A region sees its own arguments and nothing else of the contract.
            let own = bound.first..bound.first + bound.count;
            for (number, value) in self.values.iter().enumerate() {
                self.alive[number] = own.contains(&value.0);
            }
            self.reader = Reader::new(bytes);
            self.tables()?;
            let region = self.region(bound)?;
            self.end_of_facet()?;
            contents[slot].push(region.0);
        }
        for (slot, words) in contents.into_iter().enumerate() {
            words
                .into_iter()
                .for_each(|word| self.builder.word(word, Span::default()));
            self.builder.end_slot(open, slot);
        }
        let first = self.builder.next_value();
        self.builder.close(def, open, first, 0, Span::default());
        Ok(())
    }

    fn end_of_facet(&self) -> Read<()> {
        if self.highest > 0 && self.highest >= self.builder.next_value().0 {
            return self.reader.fail("a type that names an unknown value");
        }
        if self.reader.left() > 0 {
            self.reader.fail("bytes after the end of a facet")
        } else {
            Ok(())
        }
    }

    fn op_def(&mut self) -> Read<&'a OpDef> {
        let code = u16::from(self.reader.u8()?) << 8 | u16::from(self.reader.u8()?);
        let table: &'a OpTable = self.table;
        match table.get(code) {
            Some(def) => Ok(def),
            None => self.reader.fail("unknown op"),
        }
    }

    fn op(&mut self) -> Read<()> {
        let def = self.op_def()?;
        if def.traits.has(Traits::TOP) {
            return self.reader.fail("a module-level op inside a region");
        }
        let many = match def.has_many_results() {
            true => self.reader.count(1)?,
            false => 0,
        };
        let open = self.builder.open(def);
        let mark = self.values.len();
        let mut bound = Bound::default();
        for (slot, content) in def.slots.iter().enumerate() {
            let count = self.slot_length(def, slot)?;
            if let SlotKind::Region(_) = content.kind {
                if count > 1 {
                    return self.reader.fail("two regions in one place");
                }
                if count == 1 {
                    self.builder.settle_binds(def, open);
                    let region = self.region(std::mem::take(&mut bound))?;
                    self.bury(mark);
                    self.builder.word(region.0, Span::default());
                }
            } else {
                self.slot(def, slot, count, &mut bound)?;
            }
            self.builder.end_slot(open, slot);
        }
        self.bury(mark);
        let mut types = std::mem::take(&mut self.result_types);
        self.builder.result_types(def, open, many, &mut types);
        let first = self.builder.next_value();
        let Ok(count) = u16::try_from(types.len()) else {
            return self.reader.fail("too many results");
        };
        for ty in types.drain(..) {
            let name = self.name()?;
            self.define(name, ty);
        }
        self.result_types = types;
        self.builder.close(def, open, first, count, Span::default());
        Ok(())
    }

    fn slot_length(&mut self, def: &OpDef, slot: usize) -> Read<usize> {
        let slot = &def.slots[slot];
        if slot.single {
            return Ok(1);
        }
        let count = self.reader.count(0)?;
        // A word takes at least one byte, save for the halves of pairs.
        let limit = if slot.kind.at_most_one() {
            1
        } else {
            self.reader.left().saturating_mul(2)
        };
        if count > limit {
            self.reader.fail("count out of range")
        } else {
            Ok(count)
        }
    }

    fn region(&mut self, bound: Bound) -> Read<RegionId> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.reader.fail("nesting is too deep");
        }
        self.alive[bound.hidden.clone()].fill(true);
        let outer = self.blocks.len();
        let count = self.reader.count(1)?;
        if count == 0 {
            return self.reader.fail("a region without a block");
        }
        for position in 0..count {
            let mut block = Block {
                label: StringId::EMPTY,
                first_arg: ValueId(bound.first),
                args: bound.count,
                first: self.builder.next_op(),
                end: self.builder.next_op(),
            };
            if position > 0 {
                block.label = self.name()?;
                block.first_arg = self.builder.next_value();
                let args = self.reader.count(2)?;
                block.args = args as u32;
                self.typed_names(args)?;
            }
            for _ in 0..self.reader.count(2)? {
                self.op()?;
            }
            block.end = self.builder.next_op();
            self.blocks.push(block);
        }
        let region = self.builder.region(&self.blocks[outer..]);
        self.blocks.truncate(outer);
        self.depth -= 1;
        Ok(region)
    }

    fn define(&mut self, name: StringId, ty: TypeId) -> ValueId {
        let value = self.builder.value(name, ty, Span::default());
        self.values.push(value);
        self.alive.push(true);
        value
    }

    /// Ends the life of all values numbered `mark` and up.
    fn bury(&mut self, mark: usize) {
        self.alive[mark..].fill(false);
    }

    fn trivia(&mut self, bytes: &[u8]) -> Read<()> {
        let mut reader = Reader::new(bytes);
        if bytes.is_empty() {
            return Ok(());
        }
        let (ops, blocks) = (self.builder.next_op().0, self.builder.next_block().0);
        let mut last = None;
        for _ in 0..reader.count(2)? {
            let op = reader.u32()?;
            if op >= ops || last.is_some_and(|last| last >= op) {
                return reader.fail("a comment out of place");
            }
            last = Some(op);
            let text = comments(&mut reader, op == 0)?;
            self.builder.trivia(Anchor::Op(OpId(op)), text.into());
        }
        let mut last = None;
        for _ in 0..reader.count(2)? {
            let block = reader.u32()?;
            if block >= blocks || last.is_some_and(|last| last >= block) {
                return reader.fail("a comment out of place");
            }
            last = Some(block);
            let text = comments(&mut reader, true)?;
            self.builder.trivia(Anchor::End(BlockId(block)), text.into());
        }
        if reader.left() > 0 {
            reader.fail("bytes after the comments")
        } else {
            Ok(())
        }
    }
}

/// Text in the form of [`crate::Trivia`]; `must` have a comment.
pub(super) fn comments<'a>(reader: &mut Reader<'a>, must: bool) -> Read<&'a str> {
    let text = reader.text()?;
    let fits =
        |line: &str| line.is_empty() || (line.starts_with("//") && line.trim_ascii_end().len() == line.len());
    let mut lines = text.split('\n');
    let blank_run =
        text.contains("\n\n\n") || text.starts_with("\n\n") || (text.ends_with('\n') && !text.is_empty());
    if !lines.all(fits) || blank_run || (must && text.is_empty()) {
        return reader.fail("a comment that is none");
    }
    Ok(text)
}
