//! The launch geometry of kernels: their configuration regions, computed for a workload.
//!
//! Launches of equal workloads share one computation.

use loom_ir::{OpView, ValueId};

use super::numbers::Cause;
use super::scope::Symbol;
use super::value::Value;
use super::walk::{Frame, Walk, Walked};

/// What a configuration yields: workgroup counts and sizes in x, y and z.
#[derive(Clone, Copy)]
pub(super) struct Projection {
    pub counts: [Value; 3],
    pub sizes: [Value; 3],
}

impl<'a> Walk<'a> {
    /// The geometry of `kernel`, launched by `view`; `None` if it has no configuration, which is reported.
    pub(super) fn geometry(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        kernel: Symbol,
    ) -> Walked<Option<Projection>> {
        let root = self.scope.root(kernel);
        let Some(config) = root.region("config") else {
            self.report_no_configuration(frame, view, kernel);
            return Ok(None);
        };
        let workload = frame.all(view, "workload");
        let is_exact = |value: &Value| {
            let exact = value.number().and_then(|number| self.numbers.exact(number));
            exact.is_some()
        };
        let is_shared = workload.iter().all(is_exact);
        let known = self.projections.get(&kernel).filter(|_| is_shared);
        if let Some(known) = known.and_then(|known| known.get(&workload[..])) {
            return Ok(Some(*known));
        }
        let mut inner = self.frame(kernel);
        let arguments: Vec<ValueId> = root.operands("workload").collect();
        for (argument, &value) in arguments.into_iter().zip(&workload) {
            inner.set(argument, value);
        }
        let target = self.target;
        self.target = root.symbol("target").or(target);
        self.enter_call(frame.spot(view));
        let outer = std::mem::take(&mut self.steps);
        let walked = self.region(&mut inner, config);
        self.steps = outer;
        self.leave_call();
        self.target = target;
        let abandoned = self.abandoned.take();
        let end = walked?;
        let value = |name: &str| match (abandoned, end.and_then(|end| end.operand(name))) {
            (Some(cause), _) => Value::Opaque(cause),
            (None, Some(value)) => inner.get(value),
            (None, None) => Value::Opaque(Cause::REPORTED),
        };
        let projection = Projection {
            counts: ["gx", "gy", "gz"].map(value),
            sizes: ["sx", "sy", "sz"].map(value),
        };
        self.leave_frame(inner);
        if is_shared && let Some(projection) = self.lasting(projection) {
            let known = self.projections.entry(kernel).or_default();
            known.insert(workload.into(), projection);
        }
        Ok(Some(projection))
    }

    /// `projection` as it holds for every program: with exact counts, and without sizes that are not exact.
    fn lasting(&self, projection: Projection) -> Option<Projection> {
        let is_exact = |value: &Value| {
            let exact = value.number().and_then(|number| self.numbers.exact(number));
            exact.is_some()
        };
        let sizes = projection.sizes.map(|size| match is_exact(&size) {
            true => size,
            false => Value::Opaque(Cause::REPORTED),
        });
        let counts = projection.counts;
        counts
            .iter()
            .all(is_exact)
            .then_some(Projection { counts, sizes })
    }

    /// Reports sizes of workgroups that no device has: none of them may be zero or negative.
    pub(super) fn check_sizes(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        kernel: Symbol,
        sizes: [Value; 3],
    ) {
        let mut product = Some(1u64);
        for (axis, size) in sizes.into_iter().enumerate() {
            let exact = size
                .number()
                .and_then(|number| self.numbers.exact(number)?.signed());
            match exact {
                Some(size) if size < 1 => {
                    let wrong = format!("has workgroup size {size} in {}", AXES[axis]);
                    return self.report_size(frame, view, kernel, &wrong);
                }
                Some(size) => {
                    product = product.and_then(|product| product.checked_mul(size as u64));
                }
                None => return,
            }
        }
        if product.is_none_or(|items| items > u64::from(u32::MAX)) {
            self.report_size(
                frame,
                view,
                kernel,
                "has more than 4294967295 items in a workgroup",
            );
        }
    }
}

/// The names of dimensions.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];
