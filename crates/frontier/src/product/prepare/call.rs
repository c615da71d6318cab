//! Calls of functions, providers and command programs: walked in place, with the caller's values.

use loom_ir::{OpView, ValueId};

use super::numbers::Cause;
use super::scope::Symbol;
use super::value::Value;
use super::walk::{Frame, Walk, Walked};

impl<'a> Walk<'a> {
    pub(super) fn call_function(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        self.call(frame, view, "callee", &[("args", "args")])
    }

    pub(super) fn launch_program(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        let pairs = [("specialization", "specialization"), ("args", "args")];
        self.call(frame, view, "program", &pairs)
    }

    /// Walks the symbol in slot `slot`, whose arguments in the second slot of each pair are those in the first.
    fn call(
        &mut self,
        frame: &mut Frame<'a>,
        view: OpView<'a>,
        slot: &str,
        pairs: &[(&str, &str)],
    ) -> Walked {
        let Some(callee) = view.symbol(slot).and_then(|name| self.scope.find(name)) else {
            self.set_unknown(frame, view, Cause::REPORTED);
            return Ok(());
        };
        let bound = self.bind(frame, view, callee, pairs);
        self.keep_contract(frame, view, callee, &bound);
        self.inline(frame, view, callee, &bound)
    }

    /// The arguments of `callee` with the values that `view` passes.
    pub(super) fn bind(
        &self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        callee: Symbol,
        pairs: &[(&str, &str)],
    ) -> Vec<(ValueId, Value)> {
        let contract = self.scope.root(callee);
        let mut bound = Vec::new();
        for (given, declared) in pairs {
            let values = view.operands(given).map(|value| frame.get(value));
            bound.extend(contract.operands(declared).zip(values));
        }
        bound
    }

    /// Walks the body of `callee` in the place of `view`.
    pub(super) fn inline(
        &mut self,
        frame: &mut Frame<'a>,
        view: OpView<'a>,
        callee: Symbol,
        bound: &[(ValueId, Value)],
    ) -> Walked {
        let root = self.scope.root(callee);
        let Some(body) = root.region("body") else {
            self.report_not_inlined(frame, view, callee, "callee_missing_body");
            self.set_unknown(frame, view, Cause::REPORTED);
            return Ok(());
        };
        if self.active.contains(&callee) {
            self.report_not_inlined(frame, view, callee, "required_cycle");
            self.set_unknown(frame, view, Cause::REPORTED);
            return Ok(());
        }
        let mut inner = self.frame(callee);
        bound
            .iter()
            .for_each(|&(argument, value)| inner.set(argument, value));
        let target = self.target;
        self.target = root.symbol("target").or(target);
        self.enter_call(frame.spot(view));
        self.active.push(callee);
        // What a body does one after another stays so where it is called among commands that run at once.
        let outer = (std::mem::take(&mut self.steps), self.is_concurrent);
        self.is_concurrent = false;
        let walked = self.region(&mut inner, body);
        let steps = std::mem::replace(&mut self.steps, outer.0);
        self.is_concurrent = outer.1;
        self.active.pop();
        self.leave_call();
        self.target = target;
        let end = walked?;
        self.add_group(steps, false);
        match (self.abandoned.take(), end) {
            (Some(cause), _) => self.set_unknown(frame, view, cause),
            (None, Some(end)) => self.set_results(frame, view, &inner.all(end, "values")),
            (None, None) => self.set_results(frame, view, &[]),
        }
        self.leave_frame(inner);
        Ok(())
    }
}
