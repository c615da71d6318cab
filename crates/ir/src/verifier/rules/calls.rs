//! Calls and launches against the contracts they name.
//!
//! Types of two items are compared by structure; an extent that is a value stands for whatever the other side
//! has there, since the contract's arguments are not the caller's.

use loom_base::Diagnostic;

use super::Verifier;
use crate::module::{Body, Dim, Item, OpView, ShapeKind, Type, TypeId, ValueId};

impl<'a> Verifier<'a> {
    /// The item that the symbol in slot `slot` names.
    pub(super) fn callee(&self, view: OpView<'a>, slot: &str) -> Option<&'a Item> {
        let name = view.symbol(slot)?;
        let item = &self.module.items[self.names.get(name)?.item];
        (!item.broken).then_some(&**item)
    }

    pub(super) fn call(&mut self, view: OpView<'a>, slot: &str) {
        let Some(callee) = self.callee(view, slot) else {
            return;
        };
        let contract = callee.root(self.table);
        self.arguments(view, "args", callee, "args");
        let declared: Vec<TypeId> = contract
            .named("results")
            .chunks_exact(2)
            .map(|pair| TypeId(pair[1]))
            .collect();
        let stated: Vec<TypeId> = view.named("R").iter().map(|&word| TypeId(word)).collect();
        if declared.len() != stated.len() {
            let message = format!(
                "'results' has {} values but '@{}' has {}",
                stated.len(),
                view.symbol(slot).unwrap_or(""),
                declared.len()
            );
            return self.contract_fault(
                view,
                "R",
                0,
                callee,
                "STRUCTURE/013",
                message,
                "state the results of the contract",
            );
        }
        for (position, (&declared, &stated)) in declared.iter().zip(&stated).enumerate() {
            if !fits((view.body, stated), (&callee.body, declared)) {
                let message = format!(
                    "'result {position}' type {} does not match 'contract result {position}' type {}",
                    self.type_text(stated),
                    crate::printer::type_text(&callee.body, declared)
                );
                self.contract_fault(
                    view,
                    "R",
                    position,
                    callee,
                    "TYPE/001",
                    message,
                    "state the results of the contract",
                );
            }
        }
        if view.has("pure") && view.def.name == "func.call" && !contract.has("pure") {
            let message = format!(
                "pure call of '@{}', which is not pure",
                view.symbol(slot).unwrap_or("")
            );
            self.contract_fault(
                view,
                "pure",
                0,
                callee,
                "STRUCTURE/034",
                message,
                "remove `pure`, or make the function pure",
            );
        }
    }

    /// A provider has the arguments and results of its family.
    pub(super) fn provider(&mut self, view: OpView<'a>) {
        let Some(family) = self.callee(view, "family") else {
            return;
        };
        self.arguments(view, "args", family, "args");
        let results = |view: OpView<'a>| {
            view.named("results")
                .chunks_exact(2)
                .map(|pair| TypeId(pair[1]))
                .collect::<Vec<_>>()
        };
        let (own, declared) = (results(view), results(family.root(self.table)));
        if own.len() != declared.len() {
            let message = format!(
                "'results' has {} values but 'results' of the contract has {}",
                own.len(),
                declared.len()
            );
            let help = "declare the results of the template";
            return self.contract_fault(view, "results", 0, family, "STRUCTURE/013", message, help);
        }
        for (position, (&own, &declared)) in own.iter().zip(&declared).enumerate() {
            if !fits((view.body, own), (&family.body, declared)) {
                let message = format!(
                    "'result {position}' type {} does not match 'contract result {position}' type {}",
                    self.type_text(own),
                    crate::printer::type_text(&family.body, declared)
                );
                let help = "declare the results of the template";
                self.contract_fault(
                    view,
                    "results",
                    position * 2 + 1,
                    family,
                    "TYPE/001",
                    message,
                    help,
                );
            }
        }
    }

    pub(super) fn launch(&mut self, view: OpView<'a>, slot: &str) {
        let Some(callee) = self.callee(view, slot) else {
            return;
        };
        let contract = callee.root(self.table);
        self.arguments(view, "args", callee, "args");
        for (given, expected) in [("workload", "workload"), ("specialization", "specialization")] {
            if view.def.slot_named(given).is_some() && contract.def.slot_named(expected).is_some() {
                self.arguments(view, given, callee, expected);
            }
        }
        if view.def.name == "kernel.dispatch" {
            self.counts(view);
        }
    }

    /// One to three workgroup counts, or one view of three `i32`.
    fn counts(&mut self, view: OpView<'a>) {
        let counts = view.named("counts");
        let indirect = counts.len() == 1
            && matches!(
                view.body.ty(view.body.type_of(ValueId(counts[0]))),
                Type::Shaped(_)
            );
        if indirect {
            let Type::Shaped(shaped) = view.body.ty(view.body.type_of(ValueId(counts[0]))) else {
                return;
            };
            let three = shaped.kind == ShapeKind::View
                && *shaped.dims == [Dim::Static(3)]
                && shaped.element.name() == "i32";
            if !three {
                let ty = view.body.type_of(ValueId(counts[0]));
                let message = format!(
                    "operand 'counts 0' has type {}, expected index or view<3xi32>",
                    self.type_text(ty)
                );
                self.fault_at(
                    view,
                    "counts",
                    0,
                    "TYPE/003",
                    message,
                    "indirect counts are three i32",
                );
            }
            return;
        }
        if counts.is_empty() || counts.len() > 3 {
            let message = format!(
                "'counts' has {} values but 'workgroup' has 3 dimensions",
                counts.len()
            );
            return self.fault(
                view,
                "counts",
                "STRUCTURE/013",
                message,
                "give one to three counts",
            );
        }
        if let Some(slot) = view.def.slot_named("counts") {
            for (position, &count) in counts.iter().enumerate() {
                self.expect_type(
                    view,
                    slot,
                    position,
                    view.body.type_of(ValueId(count)),
                    TypeId::INDEX,
                );
            }
        }
    }

    fn arguments(&mut self, view: OpView<'a>, given: &str, callee: &'a Item, expected: &str) {
        let contract = callee.root(self.table);
        let values = view.named(given);
        let parameters = contract.named(expected);
        let is_launch = view.def.name.contains("launch") || view.def.name.contains("dispatch");
        if values.len() != parameters.len() {
            let message = format!(
                "'{given}' has {} values but '{expected}' of the contract has {}",
                values.len(),
                parameters.len()
            );
            return self.contract_fault(
                view,
                given,
                0,
                callee,
                "STRUCTURE/013",
                message,
                "pass one value per argument of the contract",
            );
        }
        for (position, (&value, &parameter)) in values.iter().zip(parameters).enumerate() {
            let actual = view.body.type_of(ValueId(value));
            let wanted = callee.body.type_of(ValueId(parameter));
            let (a, b) = (view.body.ty(actual), callee.body.ty(wanted));
            // A launch passes storage for a buffer: a view of it, or in checks a tensor.
            let storage = is_launch
                && *b == Type::Buffer
                && matches!(a, Type::Shaped(shaped) if matches!(shaped.kind, ShapeKind::View | ShapeKind::Tensor));
            if !storage && !fits((view.body, actual), (&callee.body, wanted)) {
                let kind = if is_launch {
                    "kernel ABI argument"
                } else {
                    "contract argument"
                };
                let message = format!(
                    "'argument {position}' type {} does not match '{kind} {position}' type {}",
                    self.type_text(actual),
                    crate::printer::type_text(&callee.body, wanted)
                );
                self.contract_fault(
                    view,
                    given,
                    position,
                    callee,
                    "TYPE/001",
                    message,
                    "pass values of the contract's types",
                );
            }
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one place that knows how a contract fault looks"
    )]
    fn contract_fault(
        &mut self,
        view: OpView<'a>,
        name: &str,
        word: usize,
        callee: &'a Item,
        code: &'static str,
        message: String,
        help: &str,
    ) {
        let defining = callee.op(self.table).defines.map_or(0, |(slot, _)| slot);
        let range = callee.range(|spans| callee.root(self.table).span(spans, defining, 0));
        let diagnostic = Diagnostic::error(code, message)
            .related("the contract", self.file, range)
            .help(help);
        match view.def.slot_named(name) {
            Some(slot) if word < view.slot(slot).len() => self.at_word(view, slot, word, diagnostic),
            _ => self.at_op(view, diagnostic),
        }
    }

    /// The values of a return are those that the function declares.
    pub(super) fn returned(&mut self, view: OpView<'a>) {
        let Some(&top) = self.ancestors.first() else {
            return;
        };
        let top = self.view(top);
        if top.def.slot_named("results").is_none() {
            return;
        }
        let declared: Vec<TypeId> = top
            .named("results")
            .chunks_exact(2)
            .map(|pair| TypeId(pair[1]))
            .collect();
        let given: Vec<TypeId> = view
            .operands("values")
            .map(|value| view.body.type_of(value))
            .collect();
        if declared.len() != given.len() {
            let message = format!(
                "'{}' returns {} values but '{}' declares {}",
                view.def.name,
                given.len(),
                top.def.name,
                declared.len()
            );
            return self.fault(
                view,
                "values",
                "STRUCTURE/008",
                message,
                "return one value per declared result",
            );
        }
        for (position, (&given, &declared)) in given.iter().zip(&declared).enumerate() {
            // An extent of a declared result may be computed in the body.
            if given != declared && !fits((view.body, given), (view.body, declared)) {
                let message = format!(
                    "value {position} has type {}, expected {}",
                    self.type_text(given),
                    self.type_text(declared)
                );
                self.fault_at(
                    view,
                    "values",
                    position,
                    "TYPE/009",
                    message,
                    "return values of the declared types",
                );
            }
        }
    }

    pub(super) fn global_type(&mut self, view: OpView<'a>) {
        let Some(callee) = self.callee(view, "global") else {
            return;
        };
        let target = callee.root(self.table);
        let Some(ty) = view.ty("T") else { return };
        let (expected, wanted) = match target.ty("T") {
            Some(declared) => (
                fits((view.body, ty), (&callee.body, declared)),
                crate::printer::type_text(&callee.body, declared),
            ),
            None => (ty == TypeId::BUFFER, "buffer".to_owned()),
        };
        if !expected {
            let message = format!("result has type {}, expected {wanted}", self.type_text(ty));
            self.fault(
                view,
                "T",
                "TYPE/004",
                message,
                format!("the global has type {wanted}"),
            );
        }
    }
}

/// Whether a value of type `actual` fits a contract's `wanted`: extents and layouts that are values fit anything.
fn fits(actual: (&Body, TypeId), wanted: (&Body, TypeId)) -> bool {
    match (actual.0.ty(actual.1), wanted.0.ty(wanted.1)) {
        (Type::Function(a), Type::Function(b)) => [(&a.args, &b.args), (&a.results, &b.results)]
            .into_iter()
            .all(|(a, b)| {
                let mut parts = a.iter().zip(b);
                a.len() == b.len() && parts.all(|(&a, &b)| fits((actual.0, a), (wanted.0, b)))
            }),
        (Type::Unknown, _) | (_, Type::Unknown) => true,
        (Type::Shaped(a), Type::Shaped(b)) => {
            let dims = a.dims.len() == b.dims.len()
                && a.dims.iter().zip(&b.dims).all(|pair| match pair {
                    (Dim::Static(a), Dim::Static(b)) => a == b,
                    _ => true,
                });
            // Layouts are compared as far as both are there; those that are values fit anything.
            let layout = a.layout.is_none() == b.layout.is_none();
            a.kind == b.kind && a.element == b.element && dims && layout && a.align == b.align
        }
        (Type::Pool(_), Type::Pool(_)) => true,
        (a, b) => a == b,
    }
}
