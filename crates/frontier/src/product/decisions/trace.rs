//! Tracing values of a kernel to its launch arguments.

use loom_ir::facts::ItemFacts;
use loom_ir::{Item, OpId, OpTable, OpView, Scalar, ValueId, walk};

use super::input::{Affine, Input};

/// A sum of more terms than this counts as computed.
const TERMS: usize = 64;

/// Every value of `item`, a kernel, as it follows from launch arguments.
pub(super) fn trace(item: &Item, facts: &ItemFacts<'_>) -> Vec<Input> {
    let body = &item.body;
    let mut trace = Trace {
        item,
        facts,
        inputs: vec![Input::Computed; body.values.len()],
    };
    let arguments = item.root(OpTable::standard()).operands("args");
    for (position, value) in arguments.enumerate() {
        trace.inputs[value.index()] = Input::Argument(position as u32);
    }
    for op in 1..body.ops.len() as u32 {
        trace.op(OpView::with(OpTable::standard(), body, OpId(op)));
    }
    trace.inputs
}

struct Trace<'a> {
    item: &'a Item,
    facts: &'a ItemFacts<'a>,
    inputs: Vec<Input>,
}

impl Trace<'_> {
    fn op(&mut self, op: OpView<'_>) {
        if matches!(op.name(), "index.assume" | "scalar.assume") {
            for (source, result) in op.operands("values").zip(op.results()) {
                self.inputs[result.index()] = self.inputs[source.index()].clone();
            }
            return;
        }
        let chooses = matches!(op.name(), "template.apply" | "template.call");
        let results = op.results();
        if results.len() == 0 {
            return;
        }
        let is_chosen = |value: ValueId| self.inputs[value.index()] == Input::Chosen;
        if chooses || walk::operands(op).any(is_chosen) {
            for result in results {
                self.inputs[result.index()] = Input::Chosen;
            }
            return;
        }
        if let Some(affine) = self.affine(op).filter(|affine| affine.terms.len() <= TERMS) {
            for result in results {
                self.inputs[result.index()] = Input::Affine(affine.clone());
            }
        }
    }

    /// The op's result as a sum, if it is one. Index arithmetic is that of mathematical integers.
    fn affine(&self, op: OpView<'_>) -> Option<Affine> {
        let operand = |name: &str| self.integer(op.operand(name)?);
        match op.name() {
            "index.add" => operand("lhs")?.plus(&operand("rhs")?, 1),
            "index.sub" => operand("lhs")?.plus(&operand("rhs")?, -1),
            "index.mul" => operand("lhs")?.times(&operand("rhs")?),
            "index.madd" => operand("a")?.times(&operand("b")?)?.plus(&operand("c")?, 1),
            "index.scale" => operand("index")?.times(&operand("stride")?),
            "index.cast" => {
                let (source, result) = (op.operand("input")?, op.results().next()?);
                self.keeps_number(source, result)
                    .then(|| operand("input"))
                    .flatten()
            }
            _ => None,
        }
    }

    /// Whether a conversion yields the number it was given: into `index` and `offset` it does, but integers
    /// narrower than an `offset` are taken as unsigned. Out of them bits may be lost.
    fn keeps_number(&self, source: ValueId, result: ValueId) -> bool {
        let body = &self.item.body;
        let scalar = |value| body.ty(body.type_of(value)).scalar();
        match (scalar(source), scalar(result)) {
            (Some(_), Some(Scalar::Index)) => true,
            (Some(source), Some(Scalar::Offset)) => {
                source.is_index_like() || matches!(source, Scalar::I1 | Scalar::I64)
            }
            _ => false,
        }
    }

    /// An integer value as a sum.
    fn integer(&self, value: ValueId) -> Option<Affine> {
        let body = &self.item.body;
        let scalar = body.ty(body.type_of(value)).scalar()?;
        if scalar.is_float() {
            return None;
        }
        if let Some(exact) = self.facts.known(value).exact {
            return exact.signed().map(Affine::constant);
        }
        match &self.inputs[value.index()] {
            Input::Argument(position) => Some(Affine::argument(*position)),
            Input::Affine(affine) => Some(affine.clone()),
            Input::Constant(exact) => exact.signed().map(Affine::constant),
            Input::Computed | Input::Chosen | Input::Ignored => None,
        }
    }
}
