//! Kernels: placement, barriers, tokens, launch geometry (loom-ops 2.7, 3).

use loom_base::{Diagnostic, Severity};

use super::{Verifier, integer, lanes};
use crate::module::{OpView, Type, TypeId, ValueId};

impl<'a> Verifier<'a> {
    pub(super) fn inside(&mut self, view: OpView<'a>, names: &[&str]) {
        let around = self
            .ancestors
            .iter()
            .any(|&op| names.contains(&self.view(op).def.name));
        if !around {
            let expected = names
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(" or ");
            let message = format!("'{}' stands outside {expected}", view.def.name);
            self.fault(
                view,
                "",
                "STRUCTURE/029",
                message,
                format!("move it into {expected}"),
            );
        }
    }

    pub(super) fn directly_inside(&mut self, view: OpView<'a>, name: &str) {
        let direct = self.ancestors.len() == 1 && self.view(self.ancestors[0]).def.name == name;
        let in_config = self.regions.last()
            == self
                .ancestors
                .first()
                .and_then(|&op| self.view(op).region("config"))
                .as_ref();
        if !direct || in_config {
            let message = format!(
                "'{}' does not stand directly in the body of `{name}`",
                view.def.name
            );
            self.fault(
                view,
                "",
                "STRUCTURE/029",
                message,
                format!("move it to the top level of a `{name}` body"),
            );
        }
    }

    pub(super) fn kernel_only(&mut self, view: OpView<'a>) {
        let Some(&top) = self.ancestors.first() else {
            return;
        };
        let top = self.view(top);
        // The launch configuration is computed before there is a kernel to ask about.
        let in_config = self.regions.first() == top.region("config").as_ref();
        let allowed = match top.def.name {
            "kernel.def" => !in_config,
            "template.def" => true,
            "func.def" => top.choice("inlining") == Some("inline"),
            _ => false,
        };
        if !allowed {
            let message = format!("'{}' stands outside a kernel", view.def.name);
            self.fault(
                view,
                "",
                "STRUCTURE/029",
                message,
                "move it into a kernel, a provider, or a function marked `inline`",
            );
        }
    }

    pub(super) fn barrier(&mut self, view: OpView<'a>) {
        let (Some(memory), Some(scope), Some(ordering)) = (
            view.choice("memory"),
            view.choice("scope"),
            view.choice("ordering"),
        ) else {
            return;
        };
        let exists = matches!(scope, "subgroup" | "workgroup")
            && match memory {
                "workgroup" => ordering == "acq_rel",
                "global" => matches!(ordering, "acquire" | "release" | "acq_rel"),
                _ => false,
            };
        if !exists {
            let message = format!(
                "attribute 'memory' value {memory} must satisfy a barrier combination with {scope} and {ordering}"
            );
            let help = "workgroup memory with acq_rel, or global memory with acquire, release or acq_rel; scope subgroup or workgroup";
            return self.fault(view, "memory", "STRUCTURE/014", message, help);
        }
        self.uniform_control(view, scope, Severity::Error);
    }

    /// A linear result has exactly one user, which is a `user`.
    pub(super) fn used_once(&mut self, view: OpView<'a>, user: &'static str) {
        for result in view.results() {
            let users = self.users(result);
            let range = self.item.range(|spans| spans.values()[result.index()]);
            // A group or phase that was waited for is gone.
            let waits = users.iter().filter(|op| op.def.name.ends_with(".wait")).count();
            if waits > 1 && waits == users.len() {
                let first = self.op_range(users[0].id);
                let message = format!("'{}' result is used after it was consumed", view.def.name);
                let diagnostic = Diagnostic::error("DOMINANCE/002", message)
                    .related("consumed here", self.file, first)
                    .help("wait once");
                self.at_op(users[1], diagnostic);
            } else if users.len() != 1 {
                let message = format!(
                    "'{}' result has {} uses, expected exactly one",
                    view.def.name,
                    users.len()
                );
                let diagnostic =
                    Diagnostic::error("DOMINANCE/009", message).help(format!("use it in one `{user}`"));
                self.add(view, range, diagnostic);
            } else if users[0].def.name != user {
                let message = format!(
                    "'{}' result is used by '{}', expected '{user}'",
                    view.def.name, users[0].def.name
                );
                let other = self.op_range(users[0].id);
                let diagnostic = Diagnostic::error("DOMINANCE/010", message)
                    .related("used here", self.file, other)
                    .help(format!("use it in one `{user}`"));
                self.add(view, range, diagnostic);
            }
        }
    }

    /// Nothing else waits between the two halves of a barrier, as far as they stand in one run of ops.
    pub(super) fn split_barrier(&mut self, view: OpView<'a>) {
        let waits: Vec<_> = view.results().flat_map(|phase| self.users(phase)).collect();
        let &[wait] = waits.as_slice() else { return };
        let between: Vec<_> = (view.id.0 + 1..wait.id.0)
            .map(|number| self.view(crate::module::OpId(number)))
            .collect();
        if between.iter().any(|op| op.def.name.starts_with("cfg.")) {
            return;
        }
        for other in between {
            if matches!(other.def.name, "kernel.barrier" | "kernel.barrier.arrive") {
                let message = format!(
                    "'{}' must appear outside '{}' and its wait",
                    other.def.name, view.def.name
                );
                let range = self.op_range(view.id);
                let diagnostic = Diagnostic::error("STRUCTURE/030", message)
                    .related("arrived here", self.file, range)
                    .help("move it before the arrival or behind the wait");
                self.at_op(other, diagnostic);
            }
        }
    }

    fn users(&self, value: ValueId) -> Vec<OpView<'a>> {
        let mut users = Vec::new();
        for number in 0..self.item.body.ops.len() as u32 {
            let op = self.view(crate::module::OpId(number));
            let mentions = crate::walk::operands(op)
                .filter(|&operand| operand == value)
                .count();
            users.extend(std::iter::repeat_n(op, mentions));
        }
        users
    }

    pub(super) fn async_copy(&mut self, view: OpView<'a>) {
        let size = |name: &str| {
            let shaped = self.shape(view, name)?;
            lanes(shaped)?.checked_mul(shaped.element.bytes())
        };
        match (size("S"), size("D")) {
            (Some(from), Some(to)) if from == to => {}
            (Some(from), Some(to)) => {
                let message = format!("operand 'target' has {to} bytes, expected {from} bytes");
                self.fault(
                    view,
                    "target",
                    "TYPE/003",
                    message,
                    "both views have one byte size",
                );
            }
            (None, _) => {
                let message = format!(
                    "operand 'source' has type {}, expected a static size",
                    self.stated_text(view, "S")
                );
                self.fault(
                    view,
                    "source",
                    "TYPE/003",
                    message,
                    "copy views with literal extents",
                );
            }
            (_, None) => {
                let message = format!(
                    "operand 'target' has type {}, expected a static size",
                    self.stated_text(view, "D")
                );
                self.fault(
                    view,
                    "target",
                    "TYPE/003",
                    message,
                    "copy views with literal extents",
                );
            }
        }
    }

    pub(super) fn clusters(&mut self, view: OpView<'a>) {
        self.key_at_least(view, "cluster_size", 1);
        if view.key("dict", "cluster_stride").is_some() && view.key("dict", "cluster_size").is_none() {
            let message = "attribute 'cluster_stride' must satisfy presence of 'cluster_size'".to_owned();
            self.fault_at_key(
                view,
                "cluster_stride",
                "STRUCTURE/014",
                message,
                "add `cluster_size = ..`",
            );
        }
    }

    /// Sizes that are constants are at least 1 and do not exceed 2^32-1 together (loom-ops 7.4).
    pub(super) fn geometry(&mut self, view: OpView<'a>) {
        let mut product = Some(1i64);
        for name in ["sx", "sy", "sz", "cx", "cy", "cz"] {
            let Some(size) = view.operand(name).and_then(|value| self.constant(value)) else {
                continue;
            };
            if size < 1 {
                let message = format!("attribute '{name}' value {size} must satisfy at least one item");
                self.fault(
                    view,
                    name,
                    "STRUCTURE/014",
                    message,
                    "a workgroup has at least one item per dimension",
                );
            } else if name.starts_with('s') {
                product = product.and_then(|product| product.checked_mul(size));
                if product.is_none_or(|product| product > u32::MAX.into()) {
                    let message = format!(
                        "attribute '{name}' value {size} must satisfy at most 2^32-1 items per workgroup"
                    );
                    self.fault(view, name, "STRUCTURE/014", message, "make the workgroup smaller");
                    return;
                }
            }
        }
        for name in ["gx", "gy", "gz"] {
            if let Some(count) = view.operand(name).and_then(|value| self.constant(value))
                && !(0..=i64::from(u32::MAX)).contains(&count)
            {
                let message = format!("attribute '{name}' value {count} must satisfy 0 to 2^32-1 workgroups");
                self.fault(
                    view,
                    name,
                    "STRUCTURE/014",
                    message,
                    "a launch has at most 2^32-1 workgroups per dimension",
                );
            }
        }
    }

    /// The integer that `value` is, when a constant op defines it.
    pub(super) fn constant(&self, value: ValueId) -> Option<i64> {
        let op = self.defining(value)?;
        match op.def.name {
            "index.constant" | "scalar.constant" | "vector.constant" => integer(op.attr("value")),
            _ => None,
        }
    }

    /// The op whose result `value` is.
    pub(in crate::verifier) fn defining(&self, value: ValueId) -> Option<OpView<'a>> {
        self.definitions.result_of(value).map(|op| self.view(op))
    }

    /// Extents are indices (loom-ops 7.4).
    pub(in crate::verifier) fn index_dims(&mut self, view: OpView<'a>, slot: usize, word: usize, ty: TypeId) {
        let Type::Shaped(shaped) = view.body.ty(ty) else {
            return;
        };
        for dim in &shaped.dims {
            let crate::module::Dim::Value(value) = dim else {
                continue;
            };
            let ty = view.body.type_of(*value);
            if ty != TypeId::INDEX && ty != TypeId::UNKNOWN {
                let name = view.body.text(view.body.values[value.index()].name);
                let message = format!(
                    "dimension '%{name}' has type {}, expected index",
                    self.type_text(ty)
                );
                let diagnostic = Diagnostic::error("TYPE/010", message).help("cast the extent to index");
                self.at_word(view, slot, word, diagnostic);
            }
        }
    }
}
