//! What an op mentions, whatever its kind: operands, types, regions, in the order of its slots.

use crate::module::{Body, Dim, Indexed, Layout, OpId, OpView, RegionId, Type, TypeId, ValueId};
use crate::table::SlotKind;

pub(crate) use scopes::{Scopes, scopes};

mod scopes;

/// The values that an op uses itself; those in its regions and in its types are not among them.
pub fn operands<'a>(op: OpView<'a>) -> impl Iterator<Item = ValueId> + use<'a> {
    let mut values = Vec::new();
    for (slot, content) in op.def.slots.iter().enumerate() {
        let words = op.slot(slot);
        match &content.kind {
            SlotKind::Operand(_) | SlotKind::Operands(_) => {
                values.extend(words.iter().map(|&word| ValueId(word)))
            }
            SlotKind::Indexed(_) => values.extend(words.iter().filter_map(|&word| indexed(word))),
            SlotKind::Where => {
                let mut rest = words;
                while let [_, count, tail @ ..] = rest {
                    let (arguments, tail) = tail.split_at(*count as usize);
                    values.extend(arguments.iter().filter_map(|&word| indexed(word)));
                    rest = tail;
                }
            }
            SlotKind::Carries | SlotKind::Pack => {
                values.extend(words.chunks_exact(2).map(|pair| ValueId(pair[1])))
            }
            SlotKind::Pass => values.extend(words.chunks_exact(2).map(|pair| ValueId(pair[0]))),
            SlotKind::Aux => values.extend(words.chunks_exact(3).map(|entry| ValueId(entry[1]))),
            SlotKind::Rows => {
                let mut rest = words;
                while let [_, count, tail @ ..] = rest {
                    let (row, tail) = tail.split_at(*count as usize);
                    values.extend(row.iter().map(|&word| ValueId(word)));
                    rest = tail;
                }
            }
            _ => {}
        }
    }
    values.into_iter()
}

fn indexed(word: u32) -> Option<ValueId> {
    match Indexed::from_word(word) {
        Indexed::Value(value) => Some(value),
        Indexed::Static(_) => None,
    }
}

/// The regions of an op, in order.
pub fn regions<'a>(op: OpView<'a>) -> impl Iterator<Item = RegionId> + use<'a> {
    let slots = op.def.slots.iter().enumerate();
    slots.flat_map(move |(slot, content)| {
        let words = op.slot(slot);
        let step = match content.kind {
            SlotKind::Region(_) => 1,
            SlotKind::Cases(_) => 2,
            _ => 0,
        };
        let words: &[u32] = if step == 0 { &[] } else { words };
        words
            .chunks_exact(step.max(1))
            .map(|chunk| RegionId(chunk[chunk.len() - 1]))
            .collect::<Vec<_>>()
    })
}

/// The values that a type mentions.
pub fn type_values(body: &Body, ty: TypeId) -> impl Iterator<Item = ValueId> + use<> {
    let mut values = Vec::new();
    collect_type_values(body, ty, &mut values);
    values.into_iter()
}

fn collect_type_values(body: &Body, ty: TypeId, values: &mut Vec<ValueId>) {
    match body.ty(ty) {
        Type::Function(function) => {
            let parts = function.args.iter().chain(&function.results);
            parts.for_each(|&part| collect_type_values(body, part, values));
        }
        Type::Pool(Dim::Value(value)) => values.push(*value),
        Type::Shaped(shaped) => {
            values.extend(shaped.dims.iter().filter_map(|dim| match dim {
                Dim::Value(value) => Some(*value),
                Dim::Static(_) => None,
            }));
            if let Some(Layout::Value(value)) = shaped.layout {
                values.push(value);
            }
        }
        _ => {}
    }
}

/// Which op defines which value.
pub struct Definitions {
    results: Vec<u32>,
}

impl Definitions {
    /// The definitions of `body`.
    pub fn of(body: &Body) -> Definitions {
        let mut results = vec![u32::MAX; body.values.len()];
        for (number, op) in body.ops.iter().enumerate() {
            let first = op.first_result as usize;
            results[first..first + usize::from(op.results)].fill(number as u32);
        }
        Definitions { results }
    }

    /// The op whose result `value` is; `None` for arguments.
    pub fn result_of(&self, value: ValueId) -> Option<OpId> {
        let op = self.results[value.index()];
        (op != u32::MAX).then_some(OpId(op))
    }
}
