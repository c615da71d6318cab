//! Reading one op through its table row.

use super::{Attr, AttrId, Body, Op, OpId, RegionId, Span, Spans, StringId, TypeId, ValueId};
use crate::table::{OpDef, OpTable};

/// An operand list entry that is either a value or a literal, such as `%w[%i, 4]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indexed {
    /// `%i`
    Value(ValueId),
    /// `4`
    Static(AttrId),
}

impl Indexed {
    const STATIC: u32 = 1 << 31;

    /// The entry a word stands for.
    pub fn from_word(word: u32) -> Self {
        match word & Self::STATIC {
            0 => Indexed::Value(ValueId(word)),
            _ => Indexed::Static(AttrId(word & !Self::STATIC)),
        }
    }

    /// The word that stands for the entry.
    pub fn word(self) -> u32 {
        match self {
            Indexed::Value(value) => value.0,
            Indexed::Static(attr) => attr.0 | Self::STATIC,
        }
    }
}

/// One op of a body together with its definition.
#[derive(Clone, Copy)]
pub struct OpView<'a> {
    /// The arenas.
    pub body: &'a Body,
    /// The op's number.
    pub id: OpId,
    /// Its table row, compiled.
    pub def: &'a OpDef,
}

impl<'a> OpView<'a> {
    /// Views op `id` of `body` through the standard table.
    pub fn new(body: &'a Body, id: OpId) -> Self {
        Self::with(OpTable::standard(), body, id)
    }

    /// Views op `id` of `body` through `table`.
    pub fn with(table: &'a OpTable, body: &'a Body, id: OpId) -> Self {
        Self {
            body,
            id,
            def: table.def(body.ops[id.index()].code),
        }
    }

    #[inline]
    fn op(&self) -> &'a Op {
        &self.body.ops[self.id.index()]
    }

    /// The name of the op's kind, such as `index.add`.
    pub fn name(&self) -> &'a str {
        self.def.name
    }

    /// All words, header included.
    #[inline]
    pub fn words(&self) -> &'a [u32] {
        let op = self.op();
        &self.body.words[op.words as usize..(op.words + op.word_count) as usize]
    }

    /// The position in `Body::words` of the content of slot `slot`.
    #[inline]
    pub fn slot_range(&self, slot: usize) -> std::ops::Range<usize> {
        let base = self.op().words as usize;
        if self.def.fixed {
            return base + slot..base + slot + 1;
        }
        let words = self.words();
        let payload = base + self.def.slots.len();
        let start = if slot == 0 { 0 } else { words[slot - 1] };
        payload + start as usize..payload + words[slot] as usize
    }

    /// The content of slot `slot`, also for an op that was given up half way.
    pub(super) fn slot_in_bounds(&self, slot: usize) -> Option<&'a [u32]> {
        let complete = self.op().word_count as usize >= self.def.slots.len();
        complete.then(|| self.slot(slot))
    }

    /// The content of slot `slot`.
    #[inline]
    pub fn slot(&self, slot: usize) -> &'a [u32] {
        &self.body.words[self.slot_range(slot)]
    }

    /// The content of the slot called `name`; empty when the row has none or it was left out.
    pub fn named(&self, name: &str) -> &'a [u32] {
        self.def.slot_named(name).map_or(&[], |slot| self.slot(slot))
    }

    /// The single operand in slot `name`.
    pub fn operand(&self, name: &str) -> Option<ValueId> {
        self.named(name).first().map(|&word| ValueId(word))
    }

    /// The operands in slot `name`.
    pub fn operands(&self, name: &str) -> impl ExactSizeIterator<Item = ValueId> + use<'a> {
        self.named(name).iter().map(|&word| ValueId(word))
    }

    /// The mixed list in slot `name`.
    pub fn indices(&self, name: &str) -> impl ExactSizeIterator<Item = Indexed> + use<'a> {
        self.named(name).iter().map(|&word| Indexed::from_word(word))
    }

    /// The stated type in slot `name`.
    pub fn ty(&self, name: &str) -> Option<TypeId> {
        self.named(name).first().map(|&word| TypeId(word))
    }

    /// The attribute in slot `name`.
    pub fn attr(&self, name: &str) -> Option<&'a Attr> {
        self.named(name)
            .first()
            .map(|&word| &self.body.attrs[word as usize])
    }

    /// The attribute under `key` of the dictionary in slot `name`.
    pub fn key(&self, name: &str, key: &str) -> Option<&'a Attr> {
        let body = self.body;
        let pairs = self.named(name).chunks_exact(2);
        let mut found = pairs.filter(|pair| body.strings.get(StringId(pair[0])) == key);
        found.next().map(|pair| &body.attrs[pair[1] as usize])
    }

    /// Whether the presence flag or optional part `name` was written.
    pub fn has(&self, name: &str) -> bool {
        self.named(name).first().is_some_and(|&word| word != 0)
    }

    /// The word chosen in enumeration slot `name`.
    pub fn choice(&self, name: &str) -> Option<&'a str> {
        let slot = self.def.slot_named(name)?;
        let &word = self.slot(slot).first()?;
        self.def.slots[slot].kind.choices()?.get(word as usize).copied()
    }

    /// The symbol named in slot `name`, without `@`.
    pub fn symbol(&self, name: &str) -> Option<&'a str> {
        self.named(name)
            .first()
            .map(|&word| self.body.strings.get(StringId(word)))
    }

    /// The region in slot `name`.
    pub fn region(&self, name: &str) -> Option<RegionId> {
        self.named(name).first().map(|&word| RegionId(word))
    }

    /// The results.
    pub fn results(&self) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        self.body.results(self.id)
    }

    /// Where word `word` of slot `slot` stands in the text.
    pub fn span(&self, spans: &Spans, slot: usize, word: usize) -> Span {
        let range = self.slot_range(slot);
        match range.clone().nth(word) {
            Some(at) => spans.words()[at],
            None => spans.ops()[self.id.index()],
        }
    }
}
