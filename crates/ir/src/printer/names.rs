//! Which values cannot print under their authored name (loom-language 1.4).
//!
//! Names that clash only arise in assembled items: two values of one scope share a name, or an outer value is
//! used where an inner one of the same name hides it. Each value of such a pair prints as `%name$<number>`;
//! unnamed values print as `%<number>`. The number counts definitions in the order of the text.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{
    Body, Dim, Indexed, Item, Layout, OpId, OpView, RegionId, StringId, Type, TypeId, ValueId,
};
use crate::table::{OpTable, SlotKind};

pub(crate) type Renamed = FxHashMap<ValueId, String>;

/// The values of `item` that print under another name than their own, with that name.
pub(crate) fn renamed(table: &OpTable, item: &Item) -> Renamed {
    let body = &item.body;
    let unnamed = body.values.iter().any(|value| value.name == StringId::EMPTY);
    // Text that was parsed resolves every name already.
    if item.spans.is_some() && !unnamed {
        return Renamed::default();
    }
    let mut walk = Walk {
        table,
        body,
        visible: FxHashMap::default(),
        scopes: vec![Vec::new()],
        clashing: FxHashSet::default(),
        order: Vec::new(),
    };
    walk.op(OpId(0));
    if walk.clashing.is_empty() && !unnamed {
        return Renamed::default();
    }
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let authored: FxHashSet<&str> = body.values.iter().map(|value| body.text(value.name)).collect();
    let mut renamed = Renamed::default();
    for (number, &id) in walk.order.iter().enumerate() {
        let mut name = match body.text(body.values[id.index()].name) {
            "" => number.to_string(),
            name if walk.clashing.contains(&id) => format!("{name}${number}"),
            _ => continue,
        };
        while authored.contains(name.as_str()) || !taken.insert(name.clone()) {
            name.push('$');
        }
        renamed.insert(id, name);
    }
    renamed
}

/// A visible value, and how deep the scope is that defined it.
type Visible = (ValueId, usize);

struct Walk<'a> {
    table: &'a OpTable,
    body: &'a Body,
    visible: FxHashMap<StringId, Visible>,
    /// What each open scope defined, with what it hid.
    scopes: Vec<Vec<(StringId, Option<Visible>)>>,
    clashing: FxHashSet<ValueId>,
    /// All values in the order of the text.
    order: Vec<ValueId>,
}

impl Walk<'_> {
    fn define(&mut self, value: ValueId) {
        self.order.push(value);
        let name = self.body.values[value.index()].name;
        if name == StringId::EMPTY {
            return;
        }
        let depth = self.scopes.len();
        let hidden = self.visible.insert(name, (value, depth));
        if let Some((earlier, at)) = hidden
            && at == depth
        {
            self.clashing.insert(earlier);
            self.clashing.insert(value);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name, hidden));
        }
    }

    fn used(&mut self, value: ValueId) {
        let name = self.body.values[value.index()].name;
        match self.visible.get(&name) {
            Some(&(visible, _)) if visible != value && name != StringId::EMPTY => {
                self.clashing.insert(visible);
                self.clashing.insert(value);
            }
            _ => {}
        }
    }

    fn used_type(&mut self, ty: TypeId) {
        let body = self.body;
        match body.ty(ty) {
            Type::Pool(Dim::Value(value)) => self.used(*value),
            Type::Shaped(shaped) => {
                for dim in &shaped.dims {
                    if let Dim::Value(value) = dim {
                        self.used(*value);
                    }
                }
                if let Some(Layout::Value(value)) = shaped.layout {
                    self.used(value);
                }
            }
            _ => {}
        }
    }

    fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn leave(&mut self) {
        for (name, hidden) in self.scopes.pop().into_iter().flatten().rev() {
            match hidden {
                Some(outer) => self.visible.insert(name, outer),
                None => self.visible.remove(&name),
            };
        }
    }

    fn op(&mut self, op: OpId) {
        let view = OpView::with(self.table, self.body, op);
        // Arguments of a region are defined in its scope, which opens with the first of them.
        let mut open = false;
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
                SlotKind::Args | SlotKind::Bind(_) | SlotKind::TypedArg | SlotKind::Compared => {
                    self.open(&mut open);
                    words.iter().for_each(|&word| self.define(ValueId(word)));
                    words
                        .iter()
                        .for_each(|&word| self.used_type(self.body.type_of(ValueId(word))));
                }
                SlotKind::Results => {
                    for pair in words.chunks_exact(2) {
                        if pair[0] != u32::MAX {
                            self.open(&mut open);
                            self.define(ValueId(pair[0]));
                        }
                        self.used_type(TypeId(pair[1]));
                    }
                }
                SlotKind::Carries => {
                    words.chunks_exact(2).for_each(|pair| self.used(ValueId(pair[1])));
                    self.open(&mut open);
                    words
                        .chunks_exact(2)
                        .for_each(|pair| self.define(ValueId(pair[0])));
                }
                SlotKind::Pass => words.chunks_exact(2).for_each(|pair| self.used(ValueId(pair[0]))),
                SlotKind::Region(_) => {
                    self.open(&mut open);
                    self.region(RegionId(words.first().copied().unwrap_or(u32::MAX)));
                    self.close(&mut open);
                }
                SlotKind::Cases(_) => {
                    for pair in words.chunks_exact(2) {
                        self.open(&mut open);
                        self.region(RegionId(pair[1]));
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
            self.define(result);
        }
    }

    fn open(&mut self, open: &mut bool) {
        if !*open {
            self.enter();
            *open = true;
        }
    }

    fn close(&mut self, open: &mut bool) {
        if *open {
            self.leave();
            *open = false;
        }
    }

    fn used_index(&mut self, word: u32) {
        if let Indexed::Value(value) = Indexed::from_word(word) {
            self.used(value);
        }
    }

    fn region(&mut self, region: RegionId) {
        if region.0 == u32::MAX {
            return;
        }
        let body = self.body;
        for (position, block) in body.blocks_of(region).enumerate() {
            let record = body.blocks[block.index()];
            if position > 0 {
                for argument in 0..record.args {
                    self.define(ValueId(record.first_arg.0 + argument));
                }
            }
            for op in body.ops_of(block) {
                self.op(op);
            }
        }
    }
}
