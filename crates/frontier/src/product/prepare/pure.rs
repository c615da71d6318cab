//! Ops without effects on scalars: exact folding, facts, and values that are equal by construction.

use loom_ir::facts::{Known, Truth, compare, of_result};
use loom_ir::fold::{Exact, fold_exact};
use loom_ir::{Attr, AttrId, OpView, Scalar, SlotKind, TypeId, ValueId, walk};

use super::numbers::{Cause, Compare, Computation, Number};
use super::reasons::Why;
use super::simplify::simplified;
use super::value::Value;
use super::walk::{Frame, Walk};

impl<'a> Walk<'a> {
    pub(super) fn constant(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let Some(result) = view.results().next() else {
            return;
        };
        let scalar = view.body.ty(view.body.type_of(result)).scalar();
        let exact = scalar.zip(view.attr("value"));
        match exact.and_then(|(scalar, value)| Exact::from_literal(value, scalar)) {
            Some(exact) => frame.set(result, Value::Scalar(self.numbers.constant(exact))),
            // The verifier has said what is wrong with the literal.
            None => self.set_unknown(frame, view, Cause::REPORTED),
        }
    }

    pub(super) fn pure(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let mut results = view.results();
        let result = results.next();
        let scalar = result.and_then(|result| view.body.ty(view.body.type_of(result)).scalar());
        let (Some(result), Some(scalar), None) = (result, scalar, results.next()) else {
            return self.not_folded(frame, view);
        };
        let number = match computation(frame, view) {
            Some((computation, operands, count)) => match self.numbers.computed(&computation) {
                Some(number) => number,
                None => {
                    let number = self.number_of(frame, view, scalar, &operands[..count]);
                    self.numbers.compute(computation, number);
                    number
                }
            },
            None => {
                let operands = walk::operands(view).map(|value| frame.number(value));
                let operands: Option<Vec<Number>> = operands.collect();
                let Some(operands) = operands else {
                    return self.not_folded(frame, view);
                };
                self.number_of(frame, view, scalar, &operands)
            }
        };
        frame.set(result, Value::Scalar(number));
    }

    /// The number of the result of a pure op.
    fn number_of(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        scalar: Scalar,
        operands: &[Number],
    ) -> Number {
        if let Some(exact) = self.exact_result(view, scalar, operands) {
            return self.numbers.constant(exact);
        }
        match simplified(&mut self.numbers, view.def.name, scalar, operands) {
            Some(number) => number,
            None => self.new_number(frame, view, scalar, operands),
        }
    }

    fn exact_result(&self, view: OpView<'a>, scalar: Scalar, operands: &[Number]) -> Option<Exact> {
        let mut few = [Exact::bool(false); 3];
        let known = match few.get_mut(..operands.len()) {
            Some(few) => {
                let exact = few.iter_mut().zip(operands).try_for_each(|(exact, &number)| {
                    *exact = self.numbers.exact(number)?;
                    Some(())
                });
                exact.and_then(|()| fold_exact(view, few))
            }
            None => {
                let exact: Option<Vec<Exact>> = operands
                    .iter()
                    .map(|&number| self.numbers.exact(number))
                    .collect();
                exact.and_then(|exact| fold_exact(view, &exact))
            }
        };
        if let Some(exact) = known {
            // Bit fields fold at 64 bits.
            return match exact {
                Exact::Int(_, bits) if exact.scalar() != scalar => Some(Exact::int(scalar, bits)),
                _ => Some(exact),
            };
        }
        let (choice, [lhs, rhs]) = (compare_choice(view)?, operands) else {
            return None;
        };
        match compare(choice, self.numbers.term(*lhs), self.numbers.term(*rhs)) {
            Truth::True => Some(Exact::bool(true)),
            Truth::False => Some(Exact::bool(false)),
            Truth::Unknown => None,
        }
    }

    fn new_number(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        scalar: Scalar,
        operands: &[Number],
    ) -> Number {
        let of_type = Known::of_type(view.body.ty(scalar.type_id()));
        let is_exact = |&number: &Number| self.numbers.exact(number).is_some();
        let known = match operands.iter().all(is_exact) {
            // A precondition is broken, or the result is the target's affair.
            true => of_type,
            false => of_result(view, of_type, |value| {
                let number = frame.number(value);
                number.map_or(Known::NOTHING, |number| self.numbers.known(number))
            }),
        };
        let cause = operands.iter().find_map(|&operand| self.numbers.cause(operand));
        let cause = match cause {
            Some(cause) => cause,
            None => self.because(frame.spot(view), Why::Unfolded(view.def.name)),
        };
        let number = self.numbers.fresh(scalar, known, cause);
        if let (Some(choice), [lhs, rhs]) = (compare_choice(view), operands) {
            let (lhs, rhs) = (*lhs, *rhs);
            self.numbers.set_compare(number, Compare { choice, lhs, rhs });
        }
        number
    }

    /// Results of an op on values that are no scalars.
    fn not_folded(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let cause = walk::operands(view).find_map(|value| self.cause(frame.get(value)));
        let cause = match cause {
            Some(cause) => cause,
            None => self.because(frame.spot(view), Why::Unfolded(view.def.name)),
        };
        self.set_unknown(frame, view, cause);
    }

    pub(super) fn config(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let Some(result) = view.results().next() else {
            return;
        };
        let name = view.symbol("key").unwrap_or("");
        let ty = view.body.type_of(result);
        if let Some(exact) = self.scope.config(name)
            && view.body.ty(ty).scalar() == Some(exact.scalar())
        {
            return frame.set(result, Value::Scalar(self.numbers.constant(exact)));
        }
        // Whoever reads it reads the same, and keeps what the declarations promise.
        let Some(symbol) = self.scope.find(name) else {
            return self.set_unknown(frame, view, Cause::REPORTED);
        };
        let known = self.configuration.get(&symbol).copied();
        let value = match known {
            Some(value) => value,
            None => {
                let cause = self.because(self.scope.spot(symbol), Why::Config(name.into()));
                let value = Value::unknown(view.body, ty, cause, &mut self.numbers);
                let declared = self.scope.root(symbol).operand("value");
                let bound: Vec<_> = declared.into_iter().map(|it| (it, value)).collect();
                self.promise(symbol, &bound);
                self.configuration.insert(symbol, value);
                value
            }
        };
        frame.set(result, value);
    }

    pub(super) fn assume(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let sources: Vec<(ValueId, Value)> = view
            .operands("values")
            .map(|value| (value, frame.get(value)))
            .collect();
        self.keep_assumption(frame, view);
        let values: Vec<Value> = sources.iter().map(|&(_, value)| self.settled(value)).collect();
        self.set_results(frame, view, &values);
    }

    /// The same value, as a constant if only one is left.
    pub(super) fn settled(&mut self, value: Value) -> Value {
        let exact = value.number().and_then(|number| self.numbers.exact(number));
        exact.map_or(value, |exact| Value::Scalar(self.numbers.constant(exact)))
    }

    pub(super) fn select_value(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let (Some(condition), Some(on_true), Some(on_false)) = (
            view.operand("condition"),
            view.operand("true"),
            view.operand("false"),
        ) else {
            return;
        };
        let (on_true, on_false) = (frame.get(on_true), frame.get(on_false));
        let value = match self.decided(frame, condition) {
            Some(true) => on_true,
            Some(false) => on_false,
            None => {
                let cause = self.cause(frame.get(condition)).unwrap_or(Cause::REPORTED);
                self.joined(&[on_true, on_false], cause)
            }
        };
        self.set_results(frame, view, &[value]);
    }

    pub(super) fn lookup(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let Some(selector) = view.operand("selector") else {
            return;
        };
        let mut rows = Vec::new();
        let mut rest = view.named("rows");
        while let [key, count, tail @ ..] = rest {
            let (row, tail) = tail.split_at(*count as usize);
            rows.push((AttrId(*key), row));
            rest = tail;
        }
        let default = view.named("default");
        let get =
            |word: Option<&u32>| word.map_or(Value::Opaque(Cause::REPORTED), |&it| frame.get(ValueId(it)));
        let values: Vec<Value> = match self.integer(frame, selector) {
            Some(selected) => {
                let is_it = |key: AttrId| view.body.attrs[key.index()] == Attr::Int(selected);
                let row = rows.iter().find(|(key, _)| is_it(*key));
                row.map_or(default, |(_, row)| row)
                    .iter()
                    .map(|word| get(Some(word)))
                    .collect()
            }
            None => {
                let cause = self.cause(frame.get(selector)).unwrap_or(Cause::REPORTED);
                let column = |at: usize| {
                    let rows = rows.iter().map(|(_, row)| row.get(at));
                    rows.chain([default.get(at)]).map(get).collect::<Vec<Value>>()
                };
                let columns: Vec<_> = (0..view.results().len()).map(column).collect();
                columns.iter().map(|column| self.joined(column, cause)).collect()
            }
        };
        self.set_results(frame, view, &values);
    }

    /// A value that is one of `values`.
    pub(super) fn joined(&mut self, values: &[Value], cause: Cause) -> Value {
        let numbers: Option<Vec<_>> = values.iter().map(|value| value.number()).collect();
        match (values, numbers) {
            ([first, rest @ ..], _) if rest.iter().all(|other| other == first) => *first,
            (_, Some(numbers)) if !numbers.is_empty() => {
                let known = numbers.iter().map(|&number| self.numbers.known(number));
                let known = known.reduce(Known::join).unwrap_or(Known::NOTHING);
                let scalar = self.numbers.scalar(numbers[0]);
                Value::Scalar(self.numbers.fresh(scalar, known, cause))
            }
            _ => Value::Opaque(cause),
        }
    }
}

fn compare_choice(view: OpView<'_>) -> Option<&'static str> {
    if !matches!(view.def.name, "index.cmp" | "scalar.cmpi") {
        return None;
    }
    let slot = view.def.slot_named("predicate")?;
    // The table's words live as long as the table.
    let choices: &'static [&'static str] = match view.def.slots[slot].kind {
        SlotKind::Choice(words) => words,
        _ => return None,
    };
    choices.get(*view.slot(slot).first()? as usize).copied()
}

/// What makes two ops of one kind compute the same, and the operands with their count; `None` when that is more
/// than a few scalars, types and words.
fn computation(frame: &Frame<'_>, view: OpView<'_>) -> Option<(Computation, [Number; 3], usize)> {
    let (mut form, mut used) = ([0; 4], 0);
    let (mut operands, mut count) = ([Number::default(); 3], 0);
    for (slot, content) in view.def.slots.iter().enumerate() {
        let words = view.slot(slot);
        let word = match content.kind {
            SlotKind::Operand(_) | SlotKind::Operands(_) => {
                for &word in words {
                    *operands.get_mut(count)? = frame.number(ValueId(word))?;
                    count += 1;
                }
                continue;
            }
            // Numbers of scalar types are the same in all items.
            SlotKind::Type(_) => {
                let ty = TypeId(*words.first()?);
                view.body.ty(ty).scalar()?;
                ty.0
            }
            SlotKind::Choice(_) | SlotKind::MaybeChoice(_) | SlotKind::Flags(_) | SlotKind::Presence(_) => {
                words.first().map_or(0, |word| word + 1)
            }
            _ => return None,
        };
        *form.get_mut(used)? = word;
        used += 1;
    }
    let mut words = [0; 3];
    for (word, operand) in words.iter_mut().zip(&operands[..count]) {
        *word = operand.word();
    }
    let computation = Computation {
        code: view.def.code,
        form,
        operands: words,
    };
    Some((computation, operands, count))
}
