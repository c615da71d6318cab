//! The walk: one pass over the ops of a program as they would be executed, with what is known of their values.
//!
//! Calls are walked in place with the caller's values, loops once per iteration, branches along the side that is
//! taken; what comes out is the list of commands met on the way. So inlining, unrolling, folding, merging and
//! the removal of dead code are one thing, and nothing is rewritten.

use std::sync::Arc;

use loom_ir::{BlockId, Body, Indexed, Item, OpId, OpView, RegionId, StringId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::DEPTH_LIMIT;
use super::actions::{Action, action};
use super::numbers::{Cause, Number, Numbers};
use super::project::Projection;
use super::reasons::Reason;
use super::scope::{Scope, Symbol};
use super::storage::Pending;
use super::value::Value;
use crate::index::SymbolId;
use crate::product::{Parameter, Spot, Step};

/// The walk cannot go on; the reason has been reported.
pub(super) struct Halt;

/// What a step of the walk yields.
pub(super) type Walked<T = ()> = Result<T, Halt>;

/// The state of a walk.
pub(super) struct Walk<'a> {
    pub scope: Scope<'a>,
    pub numbers: Numbers,
    pub reasons: Vec<Reason>,
    /// The element strides of layouts.
    pub strides: Vec<Box<[Number]>>,
    /// The geometry of kernels for workloads met before.
    pub projections: FxHashMap<Symbol, FxHashMap<Box<[Value]>, Projection>>,
    /// Configuration values that are not known.
    pub configuration: FxHashMap<Symbol, Value>,

    /// The calls that lead here, outermost first, and the symbols that are being walked.
    pub through: Vec<Spot>,
    /// The same, innermost first, as sites of commands share it.
    pub chain: Option<Arc<[Spot]>>,
    pub active: Vec<Symbol>,
    /// The target of the innermost symbol that has one.
    pub target: Option<&'a str>,
    pub depth: u32,
    pub work: u64,
    pub work_limit: u64,
    /// The steps of the group being walked, and whether they run at once.
    pub steps: Vec<Step>,
    pub is_concurrent: bool,
    /// Memory of frames that were left.
    pub spare: Vec<Vec<Option<Value>>>,
    /// Why the body that was just walked could not be followed to its end.
    pub abandoned: Option<Cause>,
    pub allocations: Vec<Pending>,
    pub parameters: Vec<Parameter>,
    /// The parameters by binding, key and size.
    pub keys: FxHashMap<(u32, Box<str>, u64), u32>,
    pub diagnostics: Vec<loom_base::Diagnostic>,
    /// What has been said where, beside the diagnostics.
    pub reported: Vec<(&'static str, Spot)>,
    pub said: FxHashSet<(&'static str, Spot)>,
}

/// A symbol being walked, with the values of its ops so far.
pub(super) struct Frame<'a> {
    pub item: &'a Item,
    pub id: SymbolId,
    values: Vec<Option<Value>>,
}

impl<'a> Frame<'a> {
    pub fn body(&self) -> &'a Body {
        &self.item.body
    }

    pub fn set(&mut self, value: ValueId, to: Value) {
        self.values[value.index()] = Some(to);
    }

    /// The value of `value`. One that is used before it is defined is unknown: modules are verified elsewhere.
    pub fn get(&self, value: ValueId) -> Value {
        self.values[value.index()].unwrap_or(Value::Opaque(Cause::REPORTED))
    }

    /// Its number, if it is a scalar.
    pub fn number(&self, value: ValueId) -> Option<Number> {
        self.get(value).number()
    }

    /// The values in slot `name` of `view`.
    pub fn all(&self, view: OpView<'a>, name: &str) -> Vec<Value> {
        view.operands(name).map(|value| self.get(value)).collect()
    }

    /// The place of `view`.
    pub fn spot(&self, view: OpView<'a>) -> Spot {
        Spot::of(self.id, view.id)
    }
}

impl<'a> Walk<'a> {
    /// A frame for `symbol`.
    pub fn frame(&mut self, symbol: Symbol) -> Frame<'a> {
        let item = self.scope.item(symbol);
        let mut values = self.spare.pop().unwrap_or_default();
        values.resize(item.body.values.len(), None);
        Frame {
            item,
            id: self.scope.id(symbol),
            values,
        }
    }

    /// Gives a frame back.
    pub fn leave_frame(&mut self, frame: Frame<'a>) {
        let mut values = frame.values;
        values.clear();
        self.spare.push(values);
    }

    /// Walks a region; yields its terminator unless that was left out.
    pub fn region(&mut self, frame: &mut Frame<'a>, region: RegionId) -> Walked<Option<OpView<'a>>> {
        let body = frame.body();
        let blocks = body.regions[region.index()];
        let mut block = blocks.first;
        self.deeper(frame)?;
        let terminator = loop {
            let terminator = self.block(frame, block)?;
            let branch = terminator.filter(|view| view.def.name.starts_with("cfg."));
            let Some(branch) = branch else { break terminator };
            match self.branch(frame, branch, region)? {
                Some(next) => block = next,
                None => break None,
            }
        };
        self.depth -= 1;
        Ok(terminator)
    }

    fn block(&mut self, frame: &mut Frame<'a>, block: BlockId) -> Walked<Option<OpView<'a>>> {
        let body = frame.body();
        for op in body.ops_of(block) {
            let view = OpView::new(body, op);
            self.work += 1;
            if self.work > self.work_limit {
                self.report_work(frame.spot(view));
                return Err(Halt);
            }
            if !self.op(frame, view)? {
                return Ok(Some(view));
            }
        }
        Ok(None)
    }

    fn deeper(&mut self, frame: &Frame<'a>) -> Walked {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            self.report_depth(Spot::of(frame.id, OpId(0)));
            return Err(Halt);
        }
        Ok(())
    }

    /// Walks one op; whether the block goes on behind it.
    fn op(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked<bool> {
        match action(view.def) {
            Action::Constant => self.constant(frame, view),
            Action::Pure => self.pure(frame, view),
            Action::Config => self.config(frame, view),
            Action::Assume => self.assume(frame, view),
            Action::Select => self.select_value(frame, view),
            Action::Lookup => self.lookup(frame, view),
            Action::If => self.branches(frame, view)?,
            Action::For => self.counted(frame, view)?,
            Action::While => self.while_loop(frame, view)?,
            Action::Switch => self.switch(frame, view)?,
            Action::Serial => self.group(frame, view, false)?,
            Action::Concurrent => self.group(frame, view, true)?,
            Action::LaunchProgram => self.launch_program(frame, view)?,
            Action::LaunchKernel => self.launch_kernel(frame, view)?,
            Action::Dispatch => self.dispatch(frame, view),
            Action::Parameter => self.parameter(frame, view),
            Action::CallFunction => self.call_function(frame, view)?,
            Action::CallProvider => self.call_provider(frame, view)?,
            Action::Apply => self.apply(frame, view)?,
            Action::Allocate => self.allocate(frame, view),
            Action::View => self.view(frame, view),
            Action::Subview => self.subview(frame, view),
            Action::Refine => self.refine(frame, view),
            Action::Length => self.length(frame, view),
            Action::Pack => self.pack(frame, view),
            Action::SameBuffers => self.same_buffers(frame, view),
            Action::Dense | Action::Strided => self.layout(frame, view),
            Action::Terminator => return Ok(false),
            Action::Nothing => {}
            Action::Effect => self.effect(frame, view),
        }
        Ok(true)
    }

    /// A group of commands.
    fn group(&mut self, frame: &mut Frame<'a>, view: OpView<'a>, concurrent: bool) -> Walked {
        let Some(region) = view.region("body") else {
            return Ok(());
        };
        let outer = (std::mem::take(&mut self.steps), self.is_concurrent);
        self.is_concurrent = concurrent;
        let walked = self.region(frame, region);
        let steps = std::mem::replace(&mut self.steps, outer.0);
        self.is_concurrent = outer.1;
        walked?;
        self.add_group(steps, concurrent);
        Ok(())
    }

    /// Adds the steps of a group to the group around it, as one step where that matters.
    pub fn add_group(&mut self, mut steps: Vec<Step>, concurrent: bool) {
        if steps.len() < 2 || concurrent == self.is_concurrent {
            self.steps.append(&mut steps);
        } else if concurrent {
            self.steps.push(Step::Concurrent(steps));
        } else {
            self.steps.push(Step::Serial(steps));
        }
    }

    /// Binds the results of `view`.
    pub fn set_results(&mut self, frame: &mut Frame<'a>, view: OpView<'a>, values: &[Value]) {
        for (position, result) in view.results().enumerate() {
            let value = values.get(position).copied();
            frame.set(result, value.unwrap_or(Value::Opaque(Cause::REPORTED)));
        }
    }

    /// Binds the results of `view` to unknown values.
    pub fn set_unknown(&mut self, frame: &mut Frame<'a>, view: OpView<'a>, cause: Cause) {
        let body = frame.body();
        for result in view.results() {
            let value = Value::unknown(body, body.type_of(result), cause, &mut self.numbers);
            frame.set(result, value);
        }
    }

    /// Follows a branch between blocks; `None` when it is not known where it goes.
    fn branch(
        &mut self,
        frame: &mut Frame<'a>,
        view: OpView<'a>,
        region: RegionId,
    ) -> Walked<Option<BlockId>> {
        let slots = match view.operand("condition") {
            None => ("target", "values"),
            Some(condition) => match self.decided(frame, condition) {
                Some(true) => ("then", "then_values"),
                Some(false) => ("else", "else_values"),
                None => {
                    self.undecided_branch(frame, view, region);
                    return Ok(None);
                }
            },
        };
        let body = frame.body();
        let label = view.named(slots.0).first().map(|&word| StringId(word));
        let target = body
            .blocks_of(region)
            .find(|block| Some(body.blocks[block.index()].label) == label);
        let Some(target) = target else { return Ok(None) };
        let passed = view.named(slots.1).chunks_exact(2);
        let passed: Vec<Value> = passed.map(|pair| frame.get(ValueId(pair[0]))).collect();
        let first = body.blocks[target.index()].first_arg;
        let count = body.blocks[target.index()].args as usize;
        for (position, value) in passed.into_iter().take(count).enumerate() {
            frame.set(ValueId(first.0 + position as u32), value);
        }
        Ok(Some(target))
    }

    /// The exact value of a condition.
    pub fn decided(&self, frame: &Frame<'a>, condition: ValueId) -> Option<bool> {
        let exact = self.numbers.exact(frame.number(condition)?)?;
        Some(exact.bits() == 1)
    }

    /// The exact integer of `value`.
    pub fn integer(&self, frame: &Frame<'a>, value: ValueId) -> Option<i64> {
        self.numbers.exact(frame.number(value)?)?.signed()
    }

    /// The exact integer of an index list entry, or the number that is not exact.
    pub fn indexed(&self, frame: &Frame<'a>, index: Indexed) -> Result<i64, Option<Number>> {
        match index {
            Indexed::Static(attr) => match &frame.body().attrs[attr.index()] {
                loom_ir::Attr::Int(value) => Ok(*value),
                _ => Err(None),
            },
            Indexed::Value(value) => self.integer(frame, value).ok_or(frame.number(value)),
        }
    }
}
