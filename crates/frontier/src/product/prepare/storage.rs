//! Buffers, views and layouts: which bytes of which root a value stands for (loom-ops 1.3, 2.4, 2.5).

use loom_ir::facts::Known;
use loom_ir::fold::Exact;
use loom_ir::{
    Attr, Body, Dim, Indexed, Layout as TypeLayout, OpView, Scalar, Shaped, Type, TypeId, ValueId,
};

use super::numbers::{Cause, Number};
use super::reasons::Why;
use super::value::{Layout, Storage, Value};
use super::walk::{Frame, Walk};
use crate::product::{Root, Site};

/// Alignment of transient storage that states none: that of the widest scalar access.
const NATURAL_ALIGNMENT: u64 = 16;

/// An allocation that was met; whether it is needed shows later.
pub(super) struct Pending {
    pub name: Box<str>,
    /// Its size, if that is exact.
    pub bytes: Result<u64, Option<Number>>,
    pub align: u64,
    pub is_global: bool,
    pub site: Site,
}

impl<'a> Walk<'a> {
    pub(super) fn allocate(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let Some(result) = view.results().next() else {
            return;
        };
        let bytes = view.operand("bytes").map(|bytes| frame.get(bytes));
        let number = bytes.and_then(Value::number);
        let exact = number.and_then(|number| self.numbers.exact(number)?.signed());
        let align = match view.attr("align") {
            Some(Attr::Int(align)) => u64::try_from(*align).unwrap_or(NATURAL_ALIGNMENT),
            _ => NATURAL_ALIGNMENT,
        };
        let at = self.allocations.len() as u32;
        let site = self.site(frame.spot(view));
        self.allocations.push(Pending {
            name: name_of(frame.body(), result),
            bytes: exact.and_then(|bytes| u64::try_from(bytes).ok()).ok_or(number),
            align,
            is_global: view.choice("space") == Some("global"),
            site,
        });
        self.steps.push(crate::product::Step::Allocate(at));
        let storage = Storage {
            root: Root::Allocation(at),
            offset: self.numbers.offset(0),
            length: None,
        };
        frame.set(result, Value::Storage(storage));
    }

    pub(super) fn view(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let (Some(buffer), Some(base), Some(result)) = (
            view.operand("buffer"),
            view.operand("base"),
            view.results().next(),
        ) else {
            return;
        };
        let ty = view.body.type_of(result);
        let value = match frame.get(buffer) {
            Value::Storage(storage) => {
                let base = frame.get(base);
                let moved = self.moved(frame, view, storage, base);
                let length = self.bytes_of(frame, ty);
                Value::Storage(Storage { length, ..moved })
            }
            other => self.opaque(other),
        };
        frame.set(result, value);
    }

    pub(super) fn subview(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let (Some(source), Some(result)) = (view.operand("view"), view.results().next()) else {
            return;
        };
        let value = match frame.get(source) {
            Value::Storage(storage) => {
                let origin = self.origin(frame, view, source);
                let moved = self.moved(frame, view, storage, origin);
                let length = self.bytes_of(frame, view.body.type_of(result));
                Value::Storage(Storage { length, ..moved })
            }
            other => self.opaque(other),
        };
        frame.set(result, value);
    }

    pub(super) fn refine(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let (Some(source), Some(result)) = (view.operand("view"), view.results().next()) else {
            return;
        };
        let value = match frame.get(source) {
            Value::Storage(storage) => {
                let length = self.bytes_of(frame, view.body.type_of(result)).or(storage.length);
                Value::Storage(Storage { length, ..storage })
            }
            other => self.opaque(other),
        };
        frame.set(result, value);
    }

    pub(super) fn length(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let Some(buffer) = view.operand("buffer") else {
            return;
        };
        let known = match frame.get(buffer) {
            Value::Storage(Storage {
                length: Some(bytes), ..
            }) => Some(bytes),
            Value::Storage(Storage {
                root: Root::Allocation(at),
                offset,
                ..
            }) => {
                let start = self.numbers.exact(offset).and_then(Exact::signed);
                let bytes = self.allocations[at as usize].bytes.ok();
                bytes
                    .zip(start)
                    .and_then(|(bytes, start)| bytes.checked_sub(start as u64))
            }
            _ => None,
        };
        match known.and_then(|bytes| i64::try_from(bytes).ok()) {
            Some(bytes) => {
                let number = self.numbers.offset(bytes);
                self.set_results(frame, view, &[Value::Scalar(number)]);
            }
            None => {
                let cause = self.because(frame.spot(view), Why::Unfolded(view.def.name));
                self.set_unknown(frame, view, cause);
            }
        }
    }

    /// Parts one after another, each at a multiple of its alignment; the total is one of the largest alignment.
    pub(super) fn pack(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let (mut end, mut largest) = (Some(0u64), 1);
        let (mut offsets, mut cause) = (Vec::new(), None);
        for pair in view.named("parts").chunks_exact(2) {
            let align = match view.body.attrs.get(pair[0] as usize) {
                Some(Attr::Int(align)) => u64::try_from(*align).unwrap_or(1).max(1),
                _ => 1,
            };
            largest = largest.max(align);
            let start = end.and_then(|end| end.checked_next_multiple_of(align));
            offsets.push(start);
            let part = ValueId(pair[1]);
            let bytes = self
                .integer(frame, part)
                .and_then(|bytes| u64::try_from(bytes).ok());
            if bytes.is_none() {
                cause = cause.or(self.cause(frame.get(part)));
            }
            end = start
                .zip(bytes)
                .and_then(|(start, bytes)| start.checked_add(bytes));
        }
        let total = end.and_then(|end| end.checked_next_multiple_of(largest));
        let cause = match cause {
            Some(cause) => cause,
            None => self.because(frame.spot(view), Why::Unfolded(view.def.name)),
        };
        let values: Vec<Value> = [total]
            .into_iter()
            .chain(offsets)
            .map(
                |offset| match offset.and_then(|offset| i64::try_from(offset).ok()) {
                    Some(offset) => Value::Scalar(self.numbers.offset(offset)),
                    None => {
                        let known = Known::of_type(&Type::Scalar(Scalar::Offset));
                        Value::Scalar(self.numbers.fresh(Scalar::Offset, known, cause))
                    }
                },
            )
            .collect();
        self.set_results(frame, view, &values);
    }

    pub(super) fn same_buffers(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let values: Vec<Value> = loom_ir::walk::operands(view)
            .map(|value| frame.get(value))
            .collect();
        self.set_results(frame, view, &values);
    }

    pub(super) fn layout(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) {
        let layout = match view.def.name {
            "encoding.layout.dense" => Layout::Dense,
            _ => {
                let strides: Option<Vec<Number>> = view
                    .indices("strides")
                    .map(|stride| match stride {
                        Indexed::Value(value) => frame.number(value),
                        Indexed::Static(attr) => match &view.body.attrs[attr.index()] {
                            Attr::Int(stride) => {
                                Some(self.numbers.constant(Exact::Index(Scalar::Index, *stride)))
                            }
                            _ => None,
                        },
                    })
                    .collect();
                self.strides.push(strides.unwrap_or_default().into());
                Layout::Strided(self.strides.len() as u32 - 1)
            }
        };
        self.set_results(frame, view, &[Value::Layout(layout)]);
    }

    /// `storage` from `by` bytes on.
    fn moved(&mut self, frame: &Frame<'a>, view: OpView<'a>, storage: Storage, by: Value) -> Storage {
        let exact = |number| self.numbers.exact(number).and_then(Exact::signed);
        let number = by.number();
        let sum = exact(storage.offset)
            .zip(number.and_then(exact))
            .and_then(|(start, by)| start.checked_add(by))
            .filter(|&sum| sum >= 0);
        let offset = match sum {
            Some(sum) => self.numbers.offset(sum),
            None => {
                let cause = self.numbers.cause(storage.offset).or(self.cause(by));
                let cause = match cause {
                    Some(cause) => cause,
                    None => self.because(frame.spot(view), Why::Unfolded(view.def.name)),
                };
                let known = Known::of_type(&Type::Scalar(Scalar::Offset));
                self.numbers.fresh(Scalar::Offset, known, cause)
            }
        };
        Storage { offset, ..storage }
    }

    /// Where a window begins, in bytes and by the strides of the view it is a window of.
    fn origin(&mut self, frame: &Frame<'a>, view: OpView<'a>, source: ValueId) -> Value {
        let shaped = match view.body.ty(view.body.type_of(source)) {
            Type::Shaped(shaped) => shaped,
            _ => return Value::Opaque(Cause::REPORTED),
        };
        let strides = self.strides_of(frame, shaped);
        let (mut sum, mut cause) = (Some(0i64), None);
        for (axis, index) in view.indices("offsets").enumerate() {
            let index = match self.indexed(frame, index) {
                Ok(0) => continue,
                Ok(index) => Some(index),
                Err(number) => {
                    cause = cause.or(number.and_then(|number| self.numbers.cause(number)));
                    None
                }
            };
            let stride = match strides.get(axis) {
                Some(Ok(stride)) => Some(*stride),
                Some(Err(number)) => {
                    cause = cause.or(number.and_then(|number| self.numbers.cause(number)));
                    None
                }
                None => None,
            };
            let step = index
                .zip(stride)
                .and_then(|(index, stride)| index.checked_mul(stride));
            sum = sum.zip(step).and_then(|(sum, step)| sum.checked_add(step));
        }
        let bytes = sum.and_then(|sum| sum.checked_mul(shaped.element.bytes() as i64));
        match (bytes, cause) {
            // An origin before the view is judged where the whole offset is.
            (Some(bytes), _) => Value::Scalar(self.numbers.constant(Exact::Index(Scalar::Index, bytes))),
            (None, Some(cause)) => Value::Opaque(cause),
            (None, None) => Value::Opaque(self.because(frame.spot(view), Why::Unfolded(view.def.name))),
        }
    }

    /// The element strides of a view; where one is not exact, the number that is to blame.
    fn strides_of(&self, frame: &Frame<'a>, shaped: &Shaped) -> Vec<Result<i64, Option<Number>>> {
        if let Some(strides) = self.stated_strides(frame, shaped) {
            return strides;
        }
        let mut strides = vec![Ok(1); shaped.dims.len()];
        for axis in (1..shaped.dims.len()).rev() {
            strides[axis - 1] = match (strides[axis], self.extent(frame, shaped.dims[axis])) {
                (Ok(inner), Ok(extent)) => i64::checked_mul(inner, extent).ok_or(None),
                (Err(blamed), _) | (_, Err(blamed)) => Err(blamed),
            };
        }
        strides
    }

    /// The strides of a layout that states them; `None` for a dense one.
    fn stated_strides(&self, frame: &Frame<'a>, shaped: &Shaped) -> Option<Vec<Result<i64, Option<Number>>>> {
        let unknown = || Some(vec![Err(None); shaped.dims.len()]);
        match shaped.layout.as_ref()? {
            TypeLayout::Value(value) => match frame.get(*value) {
                Value::Layout(Layout::Dense) => None,
                Value::Layout(Layout::Strided(at)) => {
                    let exact = |&number| {
                        self.numbers
                            .exact(number)
                            .and_then(Exact::signed)
                            .ok_or(Some(number))
                    };
                    Some(self.strides[at as usize].iter().map(exact).collect())
                }
                _ => unknown(),
            },
            TypeLayout::Attr(Attr::Ref { name, params }) => match frame.body().text(*name) {
                "encoding.layout.dense" => None,
                "encoding.layout.strided" => {
                    let stated = params.iter().find_map(|param| match &param.value {
                        Attr::List(list) => Some(list),
                        _ => None,
                    });
                    let number = |attr: &Attr| match attr {
                        Attr::Int(stride) => Ok(*stride),
                        _ => Err(None),
                    };
                    stated
                        .map(|list| list.iter().map(number).collect())
                        .or_else(unknown)
                }
                _ => unknown(),
            },
            TypeLayout::Attr(_) => unknown(),
        }
    }

    fn extent(&self, frame: &Frame<'a>, dim: Dim) -> Result<i64, Option<Number>> {
        match dim {
            Dim::Static(extent) => i64::try_from(extent).map_err(|_| None),
            Dim::Value(value) => self.integer(frame, value).ok_or(frame.number(value)),
        }
    }

    /// How many bytes a view of type `ty` reaches over, if that is exact.
    pub(super) fn bytes_of(&self, frame: &Frame<'a>, ty: TypeId) -> Option<u64> {
        let Type::Shaped(shaped) = frame.body().ty(ty) else {
            return None;
        };
        let extents = shaped.dims.iter().map(|&dim| self.extent(frame, dim).ok());
        let extents: Vec<u64> = extents
            .map(|extent| u64::try_from(extent?).ok())
            .collect::<Option<_>>()?;
        if extents.contains(&0) {
            return Some(0);
        }
        let mut last = 0u64;
        for (extent, stride) in extents.iter().zip(self.strides_of(frame, shaped)) {
            let stride = u64::try_from(stride.ok()?).ok()?;
            last = last.checked_add((extent - 1).checked_mul(stride)?)?;
        }
        last.checked_add(1)?.checked_mul(shaped.element.bytes())
    }

    /// Storage that is not known has a reason.
    fn opaque(&self, value: Value) -> Value {
        Value::Opaque(self.cause(value).unwrap_or(Cause::REPORTED))
    }
}

/// The authored name of a value, without `%`.
pub(super) fn name_of(body: &Body, value: ValueId) -> Box<str> {
    body.text(body.values[value.index()].name).into()
}
