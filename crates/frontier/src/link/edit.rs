//! Changing one item: a slot of its op, the names it mentions, its first comment, ops of its body.

use loom_ir::{
    Anchor, Attr, AttrId, Builder, Item, Layout, Op, OpDef, OpId, OpTable, OpView, Param, SlotKind, StringId,
    Type, Value, ValueId,
};

/// A copy of an item that is being changed. The copy has no places: it stands in no file.
pub(crate) struct Edit {
    item: Item,
}

impl Edit {
    /// Begins with a copy of `item`.
    pub fn of(item: &Item) -> Edit {
        let mut item = item.clone();
        item.spans = None;
        Edit { item }
    }

    /// The changed item.
    pub fn finish(self) -> Item {
        self.item
    }

    /// The item as it is so far.
    pub fn item(&self) -> &Item {
        &self.item
    }

    /// The top-level op.
    pub fn root(&self) -> OpView<'_> {
        self.item.root(OpTable::standard())
    }

    /// Sets the content of slot `name` of the top-level op, which must have such a slot.
    pub fn set(&mut self, name: &str, words: &[u32]) {
        let view = self.root();
        let Some(changed) = view.def.slot_named(name) else {
            return;
        };
        let (mut ends, mut content) = (Vec::new(), Vec::new());
        for slot in 0..view.def.slots.len() {
            content.extend_from_slice(if slot == changed { words } else { view.slot(slot) });
            ends.push(content.len() as u32);
        }
        debug_assert!(
            !view.def.fixed,
            "only rows with a slot header have slots that may be empty"
        );
        let body = &mut self.item.body;
        let mut all = std::mem::take(&mut body.words).into_vec();
        let root = &mut body.ops[0];
        // The top-level op is closed last, so its words are the last ones.
        all.truncate(root.words as usize);
        all.append(&mut ends);
        all.append(&mut content);
        root.word_count = all.len() as u32 - root.words;
        body.words = all.into();
    }

    /// Sets or clears the optional word `name`; nothing happens where the op has no such word.
    pub fn set_presence(&mut self, name: &str, on: bool) {
        if self.root().def.slot_named(name).is_some() && self.root().has(name) != on {
            self.set(name, if on { &[1] } else { &[] });
        }
    }

    /// Replaces the op at `at`, which has no regions, by one of kind `def` with the same results. `slots` are the
    /// contents of its slots by name; those not listed stay empty.
    pub fn replace_op(&mut self, at: OpId, def: &OpDef, slots: &[(&str, Vec<u32>)]) {
        let (words, word_count) = self.add_words(def, slots);
        let op = &mut self.item.body.ops[at.index()];
        *op = Op {
            code: def.code,
            words,
            word_count,
            ..*op
        };
    }

    /// Puts an op of kind `def` before the op at `at`, which then stands one later. What stood before that op in
    /// the text now stands before the new one. `results` are the names and types of the new op's results.
    pub fn insert_op(
        &mut self,
        at: OpId,
        def: &OpDef,
        slots: &[(&str, Vec<u32>)],
        results: &[Value],
    ) -> Vec<ValueId> {
        let (words, word_count) = self.add_words(def, slots);
        let body = &mut self.item.body;
        let first = body.values.len() as u32;
        let mut values = std::mem::take(&mut body.values).into_vec();
        values.extend_from_slice(results);
        body.values = values.into();
        let later = |op: &mut u32| *op += u32::from(*op > at.0);
        let mut ops = std::mem::take(&mut body.ops).into_vec();
        ops.iter_mut().for_each(|op| later(&mut op.end));
        let op = Op {
            code: def.code,
            results: results.len() as u16,
            first_result: first,
            words,
            word_count,
            end: at.0 + 1,
        };
        ops.insert(at.index(), op);
        body.ops = ops.into();
        for block in body.blocks.iter_mut() {
            later(&mut block.first.0);
            later(&mut block.end.0);
        }
        for (op, _) in &mut self.item.trivia.before {
            later(&mut op.0);
        }
        (first..first + results.len() as u32).map(ValueId).collect()
    }

    /// Adds the words of an op ahead of those of the top-level op, which stay the last ones.
    fn add_words(&mut self, def: &OpDef, slots: &[(&str, Vec<u32>)]) -> (u32, u32) {
        let (mut ends, mut content) = (Vec::new(), Vec::new());
        for slot in &def.slots {
            let given = slots.iter().find(|(name, _)| *name == slot.name);
            content.extend_from_slice(given.map_or(&[], |(_, words)| words));
            ends.push(content.len() as u32);
        }
        let mut words = if def.fixed { Vec::new() } else { ends };
        words.append(&mut content);
        let (body, count) = (&mut self.item.body, words.len() as u32);
        let at = body.ops[0].words;
        let mut all = std::mem::take(&mut body.words).into_vec();
        all.splice(at as usize..at as usize, words);
        body.words = all.into();
        body.ops[0].words += count;
        (at, count)
    }

    /// Adds an attribute.
    pub fn attr(&mut self, attr: Attr) -> AttrId {
        let mut attrs = std::mem::take(&mut self.item.body.attrs).into_vec();
        attrs.push(attr);
        self.item.body.attrs = attrs.into();
        AttrId(self.item.body.attrs.len() as u32 - 1)
    }

    /// Adds a string.
    pub fn string(&mut self, text: &str) -> StringId {
        if let Some(id) = self.item.body.strings.find(text) {
            return id;
        }
        let mut builder = Builder::default();
        for known in self.item.body.strings.iter() {
            builder.string(known);
        }
        let id = builder.string(text);
        self.item.body.strings = builder.finish(None, false).body.strings;
        id
    }

    /// Replaces the names of symbols, the item's own included: `new` yields the new name of what is called so.
    pub fn rename<'n>(&mut self, own: Option<&str>, new: impl Fn(&str) -> Option<&'n str>) {
        let table = OpTable::standard();
        let (mut mentions, mut definition) = (Vec::new(), None);
        for op in 0..self.item.body.ops.len() as u32 {
            let view = OpView::with(table, &self.item.body, OpId(op));
            for (slot, content) in view.def.slots.iter().enumerate() {
                match content.kind {
                    SlotKind::Symbol(_) => mentions.extend(view.slot_range(slot)),
                    SlotKind::Define if op == 0 => definition = view.slot_range(slot).next(),
                    _ => {}
                }
            }
        }
        for at in mentions {
            let name = self.item.body.text(StringId(self.item.body.words[at])).to_owned();
            if let Some(new) = new(&name) {
                self.item.body.words[at] = self.string(new).0;
            }
        }
        if let (Some(at), Some(own)) = (definition, own) {
            self.item.body.words[at] = self.string(own).0;
        }
        for at in 0..self.item.body.attrs.len() {
            if let Some(changed) = self.renamed(&self.item.body.attrs[at].clone(), &new) {
                self.item.body.attrs[at] = changed;
            }
        }
        for at in 0..self.item.body.types.len() {
            let Type::Shaped(mut shaped) = self.item.body.types[at].clone() else {
                continue;
            };
            let Some(Layout::Attr(layout)) = &shaped.layout else {
                continue;
            };
            if let Some(changed) = self.renamed(&layout.clone(), &new) {
                shaped.layout = Some(Layout::Attr(changed));
                self.item.body.types[at] = Type::Shaped(shaped);
            }
        }
    }

    /// `attr` with new names, if any of its symbols has one.
    fn renamed<'n>(&mut self, attr: &Attr, new: &impl Fn(&str) -> Option<&'n str>) -> Option<Attr> {
        match attr {
            Attr::Symbol(name) => {
                let new = new(self.item.body.text(*name))?;
                Some(Attr::Symbol(self.string(new)))
            }
            Attr::List(list) => {
                let mut list = list.clone();
                self.any(list.iter_mut(), new).then_some(Attr::List(list))
            }
            Attr::Dict(pairs) => {
                let mut pairs = pairs.clone();
                self.any(pairs.iter_mut().map(|pair| &mut pair.1), new)
                    .then_some(Attr::Dict(pairs))
            }
            Attr::Ref { name, params } => {
                let mut params: Box<[Param]> = params.clone();
                let changed = self.any(params.iter_mut().map(|param| &mut param.value), new);
                changed.then_some(Attr::Ref { name: *name, params })
            }
            _ => None,
        }
    }

    fn any<'n, 'a>(
        &mut self,
        attrs: impl Iterator<Item = &'a mut Attr>,
        new: &impl Fn(&str) -> Option<&'n str>,
    ) -> bool {
        let mut changed = false;
        for attr in attrs {
            if let Some(other) = self.renamed(attr, new) {
                *attr = other;
                changed = true;
            }
        }
        changed
    }

    /// Sets the comment before the item; the empty text stands for none.
    pub fn set_comment(&mut self, text: &str) {
        let mut before = std::mem::take(&mut self.item.trivia.before).into_vec();
        before.retain(|(op, _)| op.0 != 0);
        if !text.is_empty() {
            before.insert(0, (OpId(0), text.into()));
        }
        self.item.trivia.before = before.into();
    }
}

/// The comment before an item; empty if there is none.
pub(crate) fn comment(item: &Item) -> &str {
    item.trivia.at(Anchor::Op(OpId(0))).unwrap_or("")
}
