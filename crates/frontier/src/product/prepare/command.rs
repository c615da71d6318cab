//! Launches and dispatches as commands, and the storage they name.

use loom_ir::fold::Exact;
use loom_ir::{Attr, OpView, Type, ValueId};

use super::needs::Needed;
use super::numbers::Cause;
use super::project::AXES;
use super::reasons::Why;
use super::scope::Symbol;
use super::storage::name_of;
use super::value::{Storage, Value};
use super::walk::{Frame, Walk, Walked};
use crate::product::{Argument, BufferRef, Command, Counts, Dispatch, Parameter, Root, Step};

impl<'a> Walk<'a> {
    pub(super) fn launch_kernel(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        let Some(kernel) = view.symbol("kernel").and_then(|name| self.scope.find(name)) else {
            return Ok(());
        };
        self.keep_launch_contract(frame, view, kernel);
        let Some(geometry) = self.geometry(frame, view, kernel)? else {
            return Ok(());
        };
        self.check_sizes(frame, view, kernel, geometry.sizes);
        let counts = self.direct(frame, view, kernel, &geometry.counts);
        self.command(frame, view, kernel, counts.map(Counts::Direct));
        Ok(())
    }

    pub(super) fn dispatch(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let Some(entry) = view.symbol("kernel").and_then(|name| self.scope.find(name)) else {
            return;
        };
        self.keep_launch_contract(frame, view, entry);
        if view.operand("sx").is_some() {
            self.report_dispatch_size(frame, view, entry);
            return;
        }
        let counts = frame.all(view, "counts");
        let first = view.operands("counts").next();
        let is_view =
            first.is_some_and(|first| matches!(view.body.ty(view.body.type_of(first)), Type::Shaped(_)));
        let counts = match is_view {
            true => {
                let storage = self.placed(frame, view, Needed::CountsView { entry }, counts[0]);
                storage.map(Counts::Indirect)
            }
            false => self.direct(frame, view, entry, &counts).map(Counts::Direct),
        };
        self.command(frame, view, entry, counts);
    }

    /// Reports device arguments that contradict the contract of the kernel.
    fn keep_launch_contract(&mut self, frame: &Frame<'a>, view: OpView<'a>, kernel: Symbol) {
        if !self.scope.root(kernel).named("where").is_empty() {
            let bound = self.bind(frame, view, kernel, &[("args", "args")]);
            self.keep_contract(frame, view, kernel, &bound);
        }
    }

    /// Exact counts, those that are missing being 1; `None` if one is not exact, which is reported.
    fn direct(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        kernel: Symbol,
        counts: &[Value],
    ) -> Option<[u32; 3]> {
        let mut found = Some([1; 3]);
        for (axis, &count) in counts.iter().enumerate().take(3) {
            let exact = count
                .number()
                .and_then(|number| self.numbers.exact(number)?.signed());
            let count = match exact.map(u32::try_from) {
                Some(Ok(count)) => Some(count),
                Some(Err(_)) => {
                    let value = exact.unwrap_or_default();
                    self.report_count_range(frame, view, kernel, AXES[axis], value);
                    None
                }
                None => {
                    let axis = AXES[axis];
                    self.need(frame, view, Needed::Count { kernel, axis }, count);
                    None
                }
            };
            found = found.zip(count).map(|(mut counts, count)| {
                counts[axis] = count;
                counts
            });
        }
        found
    }

    /// Adds a command, unless something about it has been reported.
    fn command(&mut self, frame: &Frame<'a>, view: OpView<'a>, kernel: Symbol, counts: Option<Counts>) {
        let values = frame.all(view, "args");
        let mut arguments = Vec::with_capacity(values.len());
        for (position, value) in values.into_iter().enumerate() {
            let needed = Needed::Argument { kernel, position };
            arguments.push(match value {
                Value::Scalar(number) => match self.numbers.exact(number) {
                    Some(exact) => Some(Argument::Scalar(exact)),
                    None => {
                        self.need(frame, view, needed, value);
                        None
                    }
                },
                _ => self.placed(frame, view, needed, value).map(Argument::Buffer),
            });
        }
        let callee = self.scope.callee(kernel).clone();
        let arguments: Option<Box<[Argument]>> = arguments.into_iter().collect();
        // A command that cannot be made keeps its place, so that control above it is judged as if it were there.
        let dispatch = Dispatch {
            callee,
            counts: counts.unwrap_or(Counts::Direct([0; 3])),
            arguments: arguments.unwrap_or_default(),
        };
        let site = self.site(frame.spot(view));
        self.steps.push(Step::Command(Command { dispatch, site }));
    }

    /// The bytes that a storage value stands for; `None` if they are not exact, which is reported.
    fn placed(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        needed: Needed,
        value: Value,
    ) -> Option<BufferRef> {
        let Value::Storage(Storage { root, offset, length }) = value else {
            self.need(frame, view, needed, value);
            return None;
        };
        if let Root::Allocation(at) = root {
            self.need_allocation(frame, view, needed, at)?;
        }
        match self.numbers.exact(offset).and_then(Exact::signed) {
            Some(start) => Some(BufferRef {
                root,
                offset: start as u64,
                length,
            }),
            None => {
                self.need(frame, view, needed, Value::Scalar(offset));
                None
            }
        }
    }

    pub(super) fn parameter(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let Some(result) = view.results().next() else {
            return;
        };
        let value = match self.parameter_of(frame, view, result) {
            Ok(at) => Value::Storage(Storage {
                root: Root::Parameter(at),
                offset: self.numbers.offset(0),
                length: Some(self.parameters[at as usize].bytes),
            }),
            // What is wrong with a parameter matters where it is used.
            Err(why) => Value::Opaque(match why {
                Some(why) => self.because(frame.spot(view), why),
                None => Cause::REPORTED,
            }),
        };
        frame.set(result, value);
    }

    fn parameter_of(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        result: ValueId,
    ) -> Result<u32, Option<Why>> {
        let storage = view.operand("storage").map(|storage| frame.get(storage));
        let binding = match storage {
            Some(Value::Storage(Storage {
                root: Root::Binding(binding),
                offset,
                length: None,
            })) if self.numbers.exact(offset).and_then(Exact::signed) == Some(0) => binding,
            Some(Value::Opaque(Cause::REPORTED)) | None => return Err(None),
            _ => return Err(Some(Why::ParameterStorage)),
        };
        let key = self.key(frame, view).map_err(Some)?;
        let ty = view.body.type_of(result);
        let bytes = self
            .bytes_of(frame, ty)
            .ok_or(Some(Why::ParameterSize(key.clone())))?;
        let at = self.parameters.len() as u32;
        let known = *self.keys.entry((binding, key.clone(), bytes)).or_insert(at);
        if known < at {
            return Ok(known);
        }
        let site = self.site(frame.spot(view));
        self.parameters.push(Parameter {
            key,
            binding,
            bytes,
            site,
        });
        Ok(at)
    }

    /// The key of a parameter: its pattern with each `{}` replaced by an exact decimal.
    fn key(&self, frame: &Frame<'a>, view: OpView<'a>) -> Result<Box<str>, Why> {
        let pattern = match view.attr("key") {
            Some(Attr::String(text)) => view.body.text(*text),
            _ => "",
        };
        let arguments: Vec<ValueId> = view.operands("arguments").collect();
        let holes = pattern.matches("{}").count();
        if holes != arguments.len() {
            return Err(Why::KeyArguments(holes, arguments.len()));
        }
        let mut key = String::new();
        let mut pieces = pattern.split("{}");
        key.push_str(pieces.next().unwrap_or(""));
        for (piece, argument) in pieces.zip(arguments) {
            let exact = self.integer(frame, argument);
            let Some(number) = exact.filter(|&number| number >= 0) else {
                let name = name_of(view.body, argument);
                return Err(Why::KeyValue(name, exact, self.cause(frame.get(argument))));
            };
            key.push_str(&number.to_string());
            key.push_str(piece);
        }
        Ok(key.into())
    }

    /// What an effect means in a command program.
    pub(super) fn effect(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        self.report_effect(frame, view);
        self.set_unknown(frame, view, Cause::REPORTED);
    }
}
