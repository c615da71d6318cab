//! From a link to flat programs (loom-language 5.1, 5.2): everything inlined, projected, unrolled and folded.
//!
//! A program is *walked*: its ops are met in the order in which they would be executed, with what is known of
//! their values, and the commands met on the way are the program. Nothing is rewritten. The walk needs bodies of
//! programs, functions and providers, configurations of kernels, and contracts; it never sees a kernel's body.

use std::sync::Arc;

use loom_base::{Diagnostic, Outcome};
use loom_ir::fold::Exact;
use loom_ir::{OpId, ShapeKind, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::{Binding, Program, Root, Site, Spot};
use crate::index::{Catalog, SymbolId};
use crate::link::Linked;
use numbers::{Cause, Numbers};
use reasons::{Reason, Why};
use scope::{Scope, Symbol};
use storage::name_of;
use value::{Storage, Value};
use walk::{Frame, Walk};

mod actions;
mod call;
pub mod codes;
mod command;
mod contract;
mod control;
mod needs;
mod numbers;
mod project;
mod pure;
mod reasons;
mod report;
mod scope;
mod select;
mod simplify;
mod storage;
mod sweep;
mod value;
mod walk;

/// How many ops one program may walk; unrolled loops and repeated calls count each time.
const WORK_LIMIT: u64 = 1 << 20;

/// How deeply calls and regions may nest.
const DEPTH_LIMIT: u32 = 256;

/// Prepares the programs of one link. What they have in common is computed once.
pub struct Preparation<'a> {
    walk: Walk<'a>,
}

impl<'a> Preparation<'a> {
    /// Readies `linked`, made under [`crate::DependencyPolicy::RequestedFacets`], for preparing its programs.
    /// `catalog` is what it was linked from; it is asked for names and, by diagnostics, for places.
    pub fn new(catalog: &'a dyn Catalog, linked: &'a Linked) -> Preparation<'a> {
        let nowhere = Spot::of(
            SymbolId {
                provider: 0,
                ordinal: 0,
            },
            OpId(0),
        );
        let reported = Reason::reported(Site {
            at: nowhere,
            through: Arc::default(),
        });
        let walk = Walk {
            scope: Scope::new(catalog, linked),
            numbers: Numbers::default(),
            reasons: vec![reported],
            strides: Vec::new(),
            projections: FxHashMap::default(),
            configuration: FxHashMap::default(),
            through: Vec::new(),
            chain: None,
            active: Vec::new(),
            target: None,
            depth: 0,
            work: 0,
            work_limit: WORK_LIMIT,
            steps: Vec::new(),
            is_concurrent: false,
            spare: Vec::new(),
            abandoned: None,
            allocations: Vec::new(),
            parameters: Vec::new(),
            keys: FxHashMap::default(),
            diagnostics: Vec::new(),
            reported: Vec::new(),
            said: FxHashSet::default(),
        };
        Preparation { walk }
    }

    /// The same with another limit on the ops that one program may walk; it is a million unless set.
    pub fn with_work_limit(mut self, ops: u64) -> Preparation<'a> {
        self.walk.work_limit = ops;
        self
    }

    /// The program that `root` defines. Its specialization arguments stay unknown.
    ///
    /// # Errors
    /// `LOWERING`, `PROGRAM` and `STRUCTURE` diagnostics ([`codes`]) when something about its commands is not
    /// exact, a call cannot be inlined, a template has no provider, or facts contradict each other.
    pub fn program(&mut self, root: SymbolId) -> Outcome<Program> {
        self.specialized(root, &[])
    }

    /// The program that `root` defines when its first specialization arguments have these values; `None` leaves
    /// one unknown.
    ///
    /// # Errors
    /// Those of [`Preparation::program`], and `PROGRAM/005` when a value is none of its argument's type.
    pub fn specialized(&mut self, root: SymbolId, values: &[Option<Exact>]) -> Outcome<Program> {
        let walk = &mut self.walk;
        walk.reset();
        let Some(symbol) = walk.program_of(root) else {
            return Outcome::failure(std::mem::take(&mut walk.diagnostics));
        };
        let bindings = walk.program(symbol, values);
        let diagnostics = std::mem::take(&mut walk.diagnostics);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Outcome::failure(diagnostics);
        }
        let name = walk.scope.name(symbol).into();
        let id = walk.scope.id(symbol);
        let program = walk.swept(name, id, bindings);
        Outcome::checked(program, diagnostics)
    }
}

/// Prepares the program that `root` defines; see [`Preparation`].
///
/// # Errors
/// Those of [`Preparation::program`].
pub fn prepare_program(catalog: &dyn Catalog, linked: &Linked, root: SymbolId) -> Outcome<Program> {
    Preparation::new(catalog, linked).program(root)
}

impl<'a> Walk<'a> {
    /// Forgets the former program; what holds for all of them stays: constants, and what follows from them alone.
    fn reset(&mut self) {
        self.numbers.forget();
        self.configuration.clear();
        self.strides.clear();
        self.reasons.truncate(1);
        self.through.clear();
        self.chain = None;
        self.active.clear();
        self.target = None;
        (self.depth, self.work) = (0, 0);
        self.steps.clear();
        self.is_concurrent = false;
        self.abandoned = None;
        self.allocations.clear();
        self.parameters.clear();
        self.keys.clear();
        self.diagnostics.clear();
        self.reported.clear();
        self.said.clear();
    }

    /// The item of `root`, if it is a program with a body; otherwise that is reported.
    fn program_of(&mut self, root: SymbolId) -> Option<Symbol> {
        let found = self.scope.of(root);
        if let Some(symbol) = found
            && self.scope.root(symbol).def.name == "command.program.def"
        {
            return Some(symbol);
        }
        let catalog = self.scope.catalog;
        let name = &catalog.record(root).name;
        let diagnostic = match found {
            Some(_) => Diagnostic::error(
                codes::ROOT,
                format!("'@{name}' is no command program with a body"),
            )
            .help("name a `command.program.def`, or link the module that defines it"),
            None => Diagnostic::error(codes::ROOT, format!("'@{name}' is not part of the link"))
                .help("link it as a root"),
        };
        let place = catalog.place(root);
        self.diagnostics
            .push(diagnostic.at(catalog.provider_name(root), place));
        None
    }

    /// Walks the program `symbol` for the values of its first arguments that are given; yields its bindings.
    fn program(&mut self, symbol: Symbol, values: &[Option<Exact>]) -> Box<[Binding]> {
        let root = self.scope.root(symbol);
        let mut frame = self.frame(symbol);
        self.target = root.symbol("target");
        let specialization: Vec<ValueId> = root.operands("specialization").collect();
        for (position, argument) in specialization.into_iter().enumerate() {
            let spot = frame.spot(root).word(root.def, "specialization", position);
            let name = name_of(frame.body(), argument);
            let ty = root.body.type_of(argument);
            let given = values.get(position).copied().flatten();
            let value = match given {
                Some(exact) if root.body.ty(ty).scalar() == Some(exact.scalar()) => {
                    Value::Scalar(self.numbers.constant(exact))
                }
                Some(_) => {
                    self.report_value(symbol, &name, spot);
                    Value::Opaque(Cause::REPORTED)
                }
                None => {
                    let cause = self.because(spot, Why::Argument(name));
                    Value::unknown(root.body, ty, cause, &mut self.numbers)
                }
            };
            frame.set(argument, value);
        }
        let bindings = self.bindings(&mut frame, symbol);
        let bound: Vec<(ValueId, Value)> = root
            .operands("specialization")
            .map(|argument| (argument, frame.get(argument)))
            .collect();
        self.keep_contract_at(self.scope.spot(symbol), symbol, &bound);
        self.active.push(symbol);
        if let Some(body) = root.region("body") {
            // A walk that halts has said why.
            let _ = self.region(&mut frame, body);
        }
        bindings
    }

    /// Binds the launch arguments.
    fn bindings(&mut self, frame: &mut Frame<'a>, symbol: Symbol) -> Box<[Binding]> {
        let root = self.scope.root(symbol);
        let mut bindings = Vec::new();
        for (position, argument) in root.operands("args").enumerate() {
            let name = name_of(frame.body(), argument);
            let at = frame.spot(root).word(root.def, "args", position);
            let ty = root.body.type_of(argument);
            let is_storage = match root.body.ty(ty) {
                Type::Buffer => true,
                Type::Shaped(shaped) => shaped.kind == ShapeKind::View,
                _ => false,
            };
            if !is_storage {
                self.report_binding(symbol, &name, at);
            }
            let length = self.bytes_of(frame, ty);
            let storage = Storage {
                root: Root::Binding(position as u32),
                offset: self.numbers.offset(0),
                length,
            };
            frame.set(argument, Value::Storage(storage));
            let site = self.site(at);
            bindings.push(Binding { name, site });
        }
        bindings.into()
    }
}

#[cfg(test)]
mod tests;
