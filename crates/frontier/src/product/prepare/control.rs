//! Branches and loops: followed where they are known, judged by what they would do where they are not.
//!
//! Control that stays unknown is no mistake as long as nothing depends on it. It is one when a command stands
//! below it, or when a value that leaves it is needed.

use loom_ir::facts::{Known, loop_index};
use loom_ir::fold::Exact;
use loom_ir::{Attr, OpView, RegionId, Scalar, ValueId};

use super::numbers::{Cause, Number};
use super::reasons::{Residual, Why};
use super::value::Value;
use super::walk::{Frame, Halt, Walk, Walked};
use crate::product::Step;

/// Loops without `unroll` that are longer are not computed.
const COMPUTED_TRIPS: i128 = 1 << 16;

/// What a region did that may not be reached.
struct Tried {
    /// What it yields, with what was known about it there.
    values: Vec<(Value, Option<Known>)>,
    commands: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn branches(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        let Some(condition) = view.operand("condition") else {
            return Ok(());
        };
        let (then, otherwise) = (view.region("then"), view.region("else"));
        if let Some(taken) = self.decided(frame, condition) {
            return self.take(frame, view, if taken { then } else { otherwise });
        }
        let number = frame.number(condition);
        let sides = [(then, true), (otherwise, false)].map(|(region, holds)| (region, Some((number, holds))));
        self.residual(frame, view, sides.to_vec(), Residual::Branch)
    }

    pub(super) fn switch(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        let Some(selector) = view.operand("selector") else {
            return Ok(());
        };
        let cases: Vec<(u32, RegionId)> = view
            .named("cases")
            .chunks_exact(2)
            .map(|pair| (pair[0], RegionId(pair[1])))
            .collect();
        let region_of = |selected: i64| {
            let is_it = |key: u32| {
                let attr = view.body.attrs.get(key as usize);
                attr == Some(&Attr::Int(selected))
            };
            let case = cases.iter().find(|(key, _)| is_it(*key));
            let default = cases.iter().find(|(key, _)| *key == u32::MAX);
            case.or(default).map(|(_, region)| *region)
        };
        match (self.integer(frame, selector), &cases[..]) {
            // Where there is only the default, the selector does not matter.
            (_, [(u32::MAX, only)]) => self.take(frame, view, Some(*only)),
            (Some(selected), _) => self.take(frame, view, region_of(selected)),
            (None, _) => {
                let sides = cases.iter().map(|&(_, region)| (Some(region), None)).collect();
                self.residual(frame, view, sides, Residual::Switch)
            }
        }
    }

    /// Walks the region that is reached for certain.
    fn take(&mut self, frame: &mut Frame<'a>, view: OpView<'a>, region: Option<RegionId>) -> Walked {
        let values = match region {
            Some(region) => self.region(frame, region)?.map(|end| frame.all(end, "values")),
            None => None,
        };
        self.set_results(frame, view, &values.unwrap_or_default());
        Ok(())
    }

    /// Judges regions of which one may be reached, each if its condition holds.
    #[allow(
        clippy::type_complexity,
        reason = "a region with the number it depends on, and how"
    )]
    fn residual(
        &mut self,
        frame: &mut Frame<'a>,
        view: OpView<'a>,
        sides: Vec<(Option<RegionId>, Option<(Option<Number>, bool)>)>,
        kind: Residual,
    ) -> Walked {
        let before = self.diagnostics.len();
        let mut tried = Vec::new();
        for (region, condition) in sides {
            let condition = condition.and_then(|(number, holds)| Some((number?, holds)));
            tried.push(self.attempt(frame, region, condition)?);
        }
        if tried.iter().any(|side| side.commands) {
            self.withdraw(before);
            self.report_residual(frame.spot(view), kind, None);
            self.set_unknown(frame, view, Cause::REPORTED);
            return Ok(());
        }
        let cause = self.because(frame.spot(view), Why::Residual(kind));
        let mut values = Vec::new();
        for at in 0..view.results().len() {
            let side = tried.iter().map(|side| side.values.get(at).copied());
            let side: Option<Vec<_>> = side.collect();
            values.push(side.map_or(Value::Opaque(cause), |side| self.joined_with(&side, cause)));
        }
        self.set_results(frame, view, &values);
        Ok(())
    }

    /// One of `values`, of which this was known where they were made.
    fn joined_with(&mut self, values: &[(Value, Option<Known>)], cause: Cause) -> Value {
        let plain: Vec<Value> = values.iter().map(|(value, _)| *value).collect();
        let known: Option<Vec<Known>> = values.iter().map(|(_, known)| *known).collect();
        let same = plain.iter().all(|value| *value == plain[0]);
        match (plain[0], known) {
            (Value::Scalar(number), Some(known)) if !same => {
                let scalar = self.numbers.scalar(number);
                let known = known.into_iter().reduce(Known::join).unwrap_or(Known::NOTHING);
                Value::Scalar(self.numbers.fresh(scalar, known, cause))
            }
            _ => self.joined(&plain, cause),
        }
    }

    /// Walks a region that may not be reached, and forgets its commands.
    fn attempt(
        &mut self,
        frame: &mut Frame<'a>,
        region: Option<RegionId>,
        condition: Option<(Number, bool)>,
    ) -> Walked<Tried> {
        let Some(region) = region else {
            return Ok(Tried {
                values: Vec::new(),
                commands: false,
            });
        };
        let outer = std::mem::take(&mut self.steps);
        let mark = self.numbers.enter(condition);
        let walked = self.region(frame, region);
        let steps = std::mem::replace(&mut self.steps, outer);
        let values = match &walked {
            Ok(Some(end)) => frame.all(*end, "values"),
            _ => Vec::new(),
        };
        let values = values.into_iter().map(|value| {
            let known = value.number().map(|number| self.numbers.known(number));
            (value, known)
        });
        let values = values.collect();
        self.numbers.leave(mark);
        walked?;
        Ok(Tried {
            values,
            commands: has_commands(&steps),
        })
    }

    pub(super) fn counted(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        let at = |name: &str| view.operand(name).and_then(|value| frame.number(value));
        let (Some(lower), Some(upper), Some(step)) = (at("lower"), at("upper"), at("step")) else {
            self.set_unknown(frame, view, Cause::REPORTED);
            return Ok(());
        };
        let exact = |number| self.numbers.exact(number).and_then(Exact::signed);
        let is_bare = view.has("unroll") && view.operand("factor").is_none();
        let kind = if is_bare { Residual::Unroll } else { Residual::Loop };
        let (low, high, by) = (exact(lower), exact(upper), exact(step));
        let trips = match (low, high) {
            (Some(low), Some(high)) if low >= high => Some(0),
            (Some(low), Some(high)) => {
                let distance = i128::from(high) - i128::from(low);
                by.filter(|&by| by > 0)
                    .map(|by| (distance + i128::from(by) - 1) / i128::from(by))
            }
            _ => None,
        };
        let factor = view
            .operand("factor")
            .and_then(|factor| self.integer(frame, factor));
        let (Some(trips), Some(low)) = (trips, low) else {
            return self.unknown_loop(frame, view, [lower, upper, step], kind);
        };
        let expands = is_bare || trips <= 1 || factor.is_some_and(|factor| i128::from(factor) >= trips);
        if !expands && trips > COMPUTED_TRIPS {
            return self.unknown_loop(frame, view, [lower, upper, step], kind);
        }
        if trips > i128::from(self.work_limit - self.work) {
            self.report_work(frame.spot(view));
            return Err(Halt);
        }
        let scalar = self.numbers.scalar(lower);
        self.iterate(frame, view, (scalar, low, by.unwrap_or(1), trips), expands)
    }

    /// Walks all iterations of a loop. Unless it `expands`, none may have commands.
    fn iterate(
        &mut self,
        frame: &mut Frame<'a>,
        view: OpView<'a>,
        (scalar, low, by, trips): (Scalar, i64, i64, i128),
        expands: bool,
    ) -> Walked {
        let (Some(region), Some(&index)) = (view.region("body"), view.named("iv").first()) else {
            return Ok(());
        };
        let mut carried = carried(frame, view);
        let before = (self.steps.len(), self.diagnostics.len());
        for trip in 0..trips {
            // Each index lies below the upper bound, so it is representable.
            let value = (i128::from(low) + trip * i128::from(by)) as i64;
            let number = self.numbers.constant(Exact::Index(scalar, value));
            frame.set(ValueId(index), Value::Scalar(number));
            for &(argument, value) in &carried {
                frame.set(argument, value);
            }
            let end = self.region(frame, region)?;
            let yielded = end.map_or_else(Vec::new, |end| frame.all(end, "values"));
            carried
                .iter_mut()
                .zip(yielded)
                .for_each(|((_, value), new)| *value = new);
            if !expands && has_commands(&self.steps[before.0..]) {
                self.steps.truncate(before.0);
                self.withdraw(before.1);
                self.report_residual(frame.spot(view), Residual::Loop, None);
                self.set_unknown(frame, view, Cause::REPORTED);
                return Ok(());
            }
        }
        let values: Vec<Value> = carried.iter().map(|(_, value)| *value).collect();
        self.set_results(frame, view, &values);
        Ok(())
    }

    /// A loop of which it is not known how often it runs.
    fn unknown_loop(
        &mut self,
        frame: &mut Frame<'a>,
        view: OpView<'a>,
        [lower, upper, step]: [Number; 3],
        kind: Residual,
    ) -> Walked {
        let cause = self.because(frame.spot(view), Why::Residual(kind));
        let known = [lower, upper, step].map(|number| self.numbers.known(number));
        let index = loop_index(known[0], known[1], known[2]);
        let scalar = self.numbers.scalar(lower);
        let number = self.numbers.fresh(scalar, index, cause);
        if let Some(&index) = view.named("iv").first() {
            frame.set(ValueId(index), Value::Scalar(number));
        }
        for (argument, _) in carried(frame, view) {
            let ty = view.body.type_of(argument);
            let value = Value::unknown(view.body, ty, cause, &mut self.numbers);
            frame.set(argument, value);
        }
        let before = self.diagnostics.len();
        let tried = self.attempt(frame, view.region("body"), None)?;
        if tried.commands {
            self.withdraw(before);
            self.report_residual(frame.spot(view), kind, None);
            self.set_unknown(frame, view, Cause::REPORTED);
        } else {
            self.set_unknown(frame, view, cause);
        }
        Ok(())
    }

    pub(super) fn while_loop(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        let (Some(test), Some(body)) = (view.region("before"), view.region("after")) else {
            return Ok(());
        };
        let mut carried = carried(frame, view);
        let before = (self.steps.len(), self.diagnostics.len());
        for _ in 0..COMPUTED_TRIPS {
            for &(argument, value) in &carried {
                frame.set(argument, value);
            }
            let Some(end) = self.region(frame, test)? else {
                return Ok(());
            };
            let passed = frame.all(end, "values");
            let goes_on = end
                .operand("condition")
                .and_then(|condition| self.decided(frame, condition));
            let Some(goes_on) = goes_on else { break };
            if !goes_on {
                self.set_results(frame, view, &passed);
                return Ok(());
            }
            for (argument, value) in view.operands("args").zip(passed) {
                frame.set(argument, value);
            }
            let end = self.region(frame, body)?;
            let yielded = end.map_or_else(Vec::new, |end| frame.all(end, "values"));
            carried
                .iter_mut()
                .zip(yielded)
                .for_each(|((_, value), new)| *value = new);
            if has_commands(&self.steps[before.0..]) {
                break;
            }
        }
        // It is not known when the loop ends, or it has commands.
        let cause = self.because(frame.spot(view), Why::Residual(Residual::While));
        for argument in carried
            .iter()
            .map(|(argument, _)| *argument)
            .chain(view.operands("args"))
        {
            let ty = view.body.type_of(argument);
            let value = Value::unknown(view.body, ty, cause, &mut self.numbers);
            frame.set(argument, value);
        }
        let mut commands = has_commands(&self.steps[before.0..]);
        for region in [test, body] {
            commands |= self.attempt(frame, Some(region), None)?.commands;
        }
        if commands {
            self.steps.truncate(before.0);
            self.withdraw(before.1);
            self.report_residual(frame.spot(view), Residual::While, None);
        }
        self.set_unknown(frame, view, if commands { Cause::REPORTED } else { cause });
        Ok(())
    }

    /// A branch between blocks that is not known: harmless if no block behind it has effects.
    pub(super) fn undecided_branch(&mut self, frame: &Frame<'a>, view: OpView<'a>, region: RegionId) {
        let body = frame.body();
        let blocks = body.blocks_of(region).map(|block| body.blocks[block.index()]);
        let mut ops = blocks.flat_map(|block| block.first.0..block.end.0);
        let pure = |op: u32| {
            let view = OpView::new(body, loom_ir::OpId(op));
            let traits = view.def.traits;
            let plain = loom_ir::Traits::PURE.and(loom_ir::Traits::TERMINATOR);
            traits.any(plain) || view.has("pure")
        };
        match ops.all(pure) {
            true => {
                let cause = self.because(frame.spot(view), Why::Residual(Residual::Jump));
                self.abandoned = Some(cause);
            }
            false => {
                self.report_residual(frame.spot(view), Residual::Jump, None);
                self.abandoned = Some(Cause::REPORTED);
            }
        }
    }
}

/// The region arguments of a loop with their initial values.
fn carried<'a>(frame: &Frame<'a>, view: OpView<'a>) -> Vec<(ValueId, Value)> {
    let pairs = view.named("inits").chunks_exact(2);
    pairs
        .map(|pair| (ValueId(pair[0]), frame.get(ValueId(pair[1]))))
        .collect()
}

/// Whether any of `steps` does something.
pub(super) fn has_commands(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Command(_) => true,
        Step::Allocate(_) => false,
        Step::Serial(steps) | Step::Concurrent(steps) => has_commands(steps),
    })
}
