//! What is wrong with a program, said at the place in the sources that is to blame.

use loom_base::Diagnostic;
use loom_ir::OpView;

use super::numbers::Cause;
use super::scope::Symbol;
use super::value::Value;
use super::walk::{Frame, Walk};
use super::{DEPTH_LIMIT, codes};
use crate::product::{Site, Spot};

/// Why a value is not exact.
pub(super) struct Reason {
    why: Why,
    site: Site,
}

/// The kinds of reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// What made it unknown has been reported.
    Reported,
    /// It depends on this specialization argument of the root.
    Argument(Box<str>),
    /// It depends on this configuration symbol, which has no value.
    Config(Box<str>),
    /// It is the result of an op that does not fold.
    Unfolded(&'static str),
    /// It leaves control that is not known.
    Residual(Residual),
    /// It is a parameter of something that is no launch argument.
    ParameterStorage,
    /// It is a parameter of unknown size, under this key.
    ParameterSize(Box<str>),
    /// It is a parameter whose key has so many places for so many arguments.
    KeyArguments(usize, usize),
    /// It is a parameter whose key has an argument that is not exact, or negative.
    KeyValue(Box<str>, Option<i64>, Option<Cause>),
}

/// Control that depends on values that are not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Residual {
    Branch,
    Switch,
    Loop,
    Unroll,
    While,
    Jump,
}

/// What an exact value is needed for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Needed {
    Count { kernel: Symbol, axis: &'static str },
    Argument { kernel: Symbol, position: usize },
    CountsView { entry: Symbol },
}

impl Cause {
    /// The cause of what follows from a mistake that has been reported.
    pub const REPORTED: Cause = Cause(0);
}

impl Reason {
    /// The reason of [`Cause::REPORTED`].
    pub fn reported(site: Site) -> Reason {
        Reason {
            why: Why::Reported,
            site,
        }
    }
}

impl<'a> Walk<'a> {
    /// The site of `at`, reached through the calls that are open.
    pub(super) fn site(&mut self, at: Spot) -> Site {
        let through = self
            .chain
            .get_or_insert_with(|| self.through.iter().rev().copied().collect());
        let through = through.clone();
        Site { at, through }
    }

    /// Enters the call at `at`.
    pub(super) fn enter_call(&mut self, at: Spot) {
        self.through.push(at);
        self.chain = None;
    }

    /// Leaves the innermost call.
    pub(super) fn leave_call(&mut self) {
        self.through.pop();
        self.chain = None;
    }

    /// A new reason.
    pub(super) fn because(&mut self, at: Spot, why: Why) -> Cause {
        let site = self.site(at);
        self.reasons.push(Reason { why, site });
        Cause(self.reasons.len() as u32 - 1)
    }

    /// Why `value` is not exact.
    pub(super) fn cause(&self, value: Value) -> Option<Cause> {
        match value {
            Value::Scalar(number) => self.numbers.cause(number),
            Value::Opaque(cause) => Some(cause),
            Value::Storage(storage) => self.numbers.cause(storage.offset),
            Value::Layout(_) => None,
        }
    }

    /// Adds `diagnostic` at `site`, with the calls that lead there; the same once only.
    fn report(&mut self, code: &'static str, site: &Site, diagnostic: Diagnostic) {
        if !self.said.insert((code, site.at)) {
            return;
        }
        let place = |spot: Spot| spot.place(self.scope.catalog);
        self.diagnostics.push(site.mark(diagnostic, &place));
        self.reported.push((code, site.at));
    }

    /// Takes back everything that was said since there were `kept` diagnostics.
    pub(super) fn withdraw(&mut self, kept: usize) {
        self.diagnostics.truncate(kept);
        for said in self.reported.drain(kept..) {
            self.said.remove(&said);
        }
    }

    fn here(&mut self, code: &'static str, at: Spot, diagnostic: Diagnostic) {
        let site = self.site(at);
        self.report(code, &site, diagnostic);
    }

    /// `diagnostic` with a further place.
    fn related(&self, diagnostic: Diagnostic, label: &str, at: Spot) -> Diagnostic {
        let place = at.place(self.scope.catalog);
        diagnostic.related(label, &place.file, place.range)
    }

    /// Reports that `value` is not exact although `needed`.
    pub(super) fn need(&mut self, frame: &Frame<'a>, view: OpView<'a>, needed: Needed, value: Value) {
        let at = self.needed_at(frame, view, needed);
        let cause = self.cause(value);
        let why = cause.map(|cause| self.reasons[cause.0 as usize].why.clone());
        let site = cause.map(|cause| self.reasons[cause.0 as usize].site.clone());
        match (why, site) {
            (Some(Why::Reported), _) => {}
            (Some(Why::Residual(kind)), Some(site)) => self.residual_at(&site, kind, Some(at)),
            (Some(why), Some(site)) => match self.parameter_fault(&why) {
                Some(diagnostic) => {
                    let diagnostic = self.related(diagnostic, "needed here", at);
                    self.report(codes::PARAMETER, &site, diagnostic);
                }
                None => {
                    let (code, diagnostic) = self.needed_fault(view, needed);
                    let diagnostic = self.related(diagnostic, &because(&why), site.at);
                    self.here(code, at, diagnostic);
                }
            },
            _ => {
                let (code, diagnostic) = self.needed_fault(view, needed);
                self.here(code, at, diagnostic);
            }
        }
    }

    fn needed_at(&self, frame: &Frame<'a>, view: OpView<'a>, needed: Needed) -> Spot {
        let spot = frame.spot(view);
        match needed {
            Needed::Count { axis, .. } => {
                let position = super::project::AXES.iter().position(|it| *it == axis);
                let has = position.filter(|&position| position < view.named("counts").len());
                has.map_or(spot, |position| spot.word(view.def, "counts", position))
            }
            Needed::Argument { position, .. } => spot.word(view.def, "args", position),
            Needed::CountsView { .. } => spot.word(view.def, "counts", 0),
        }
    }

    fn needed_fault(&self, view: OpView<'a>, needed: Needed) -> (&'static str, Diagnostic) {
        match needed {
            Needed::Count { kernel, axis } => {
                let name = self.scope.name(kernel);
                let message = format!(
                    "command-program preparation requires workgroup-count dimension {axis} of @{name} to be an exact unsigned 32-bit value"
                );
                let help = "compute it from constants, configuration and arguments that the callers know";
                (codes::COUNT, Diagnostic::error(codes::COUNT, message).help(help))
            }
            Needed::Argument { kernel, position } => {
                let name = self.scope.name(kernel);
                let value = view.operands("args").nth(position);
                let ty = value.map_or_else(String::new, |it| {
                    loom_ir::type_text(view.body, view.body.type_of(it))
                });
                let message = format!(
                    "portable command-program lowering cannot encode argument {position} of @{name} with type {ty}; it requires an exact scalar bit pattern or an exact range of storage"
                );
                let help = "pass a value that is exact at this launch, or read it from storage in the kernel";
                (
                    codes::ARGUMENT,
                    Diagnostic::error(codes::ARGUMENT, message).help(help),
                )
            }
            Needed::CountsView { entry } => {
                let name = self.scope.name(entry);
                let message = format!(
                    "portable command-program lowering cannot place the workgroup-count view for @{name}; it requires an exact byte offset in a launch argument, a parameter or an allocation"
                );
                let help = "take the view at an exact offset";
                (
                    codes::COUNTS_VIEW,
                    Diagnostic::error(codes::COUNTS_VIEW, message).help(help),
                )
            }
        }
    }

    fn parameter_fault(&self, why: &Why) -> Option<Diagnostic> {
        let error = |message: String| Diagnostic::error(codes::PARAMETER, message);
        Some(match why {
            Why::ParameterStorage => {
                error("a parameter is read from something that is no launch argument of the root".to_owned())
                    .help("read parameters from the whole of a buffer that the host binds")
            }
            Why::ParameterSize(key) => error(format!("parameter '{key}' has a view of unknown size"))
                .help("give its view extents and strides that are exact"),
            Why::KeyArguments(holes, given) => error(format!(
                "parameter key has {holes} places `{{}}` but {given} arguments"
            ))
            .help("pass one argument for each `{}` of the key"),
            Why::KeyValue(name, value, cause) => {
                let diagnostic = error(format!(
                    "parameter key requires '%{name}' to be an exact number that is not negative"
                ))
                .help("fill keys with constants, configuration and arguments that the callers know");
                let diagnostic = match value {
                    Some(value) => diagnostic.note(format!("it is {value}")),
                    None => diagnostic,
                };
                match cause {
                    Some(cause) => {
                        let reason = &self.reasons[cause.0 as usize];
                        self.related(diagnostic, &because(&reason.why), reason.site.at)
                    }
                    None => diagnostic,
                }
            }
            _ => return None,
        })
    }

    /// Makes sure that an allocation can be placed; reports it at the allocation.
    pub(super) fn need_allocation(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        needed: Needed,
        at: u32,
    ) -> Option<()> {
        let pending = &self.allocations[at as usize];
        let (site, bytes, is_global) = (pending.site.clone(), pending.bytes, pending.is_global);
        let user = self.needed_at(frame, view, needed);
        if !is_global {
            let message = "storage of a command program must be global";
            let diagnostic = Diagnostic::error(codes::ALLOCATION, message);
            let diagnostic = diagnostic.help("write `buffer.alloca<global>`; other spaces belong to kernels");
            let diagnostic = self.related(diagnostic, "used here", user);
            self.report(codes::ALLOCATION, &site, diagnostic);
            return None;
        }
        let Err(number) = bytes else { return Some(()) };
        let cause = number.and_then(|number| self.numbers.cause(number));
        let reason = cause.map(|cause| {
            let reason = &self.reasons[cause.0 as usize];
            (reason.why.clone(), reason.site.clone())
        });
        match reason {
            Some((Why::Reported, _)) => {}
            Some((Why::Residual(kind), control)) => self.residual_at(&control, kind, Some(user)),
            reason => {
                let message = "an allocation requires an exact size in bytes";
                let mut diagnostic = Diagnostic::error(codes::ALLOCATION, message);
                if let Some((why, origin)) = reason {
                    diagnostic = self.related(diagnostic, &because(&why), origin.at);
                }
                let diagnostic = self.related(diagnostic, "used here", user);
                let help = "compute it from constants, configuration and arguments that the callers know";
                self.report(codes::ALLOCATION, &site, diagnostic.help(help));
            }
        }
        None
    }

    /// Reports control at `at` that is not known although commands stand below it.
    pub(super) fn report_residual(&mut self, at: Spot, kind: Residual, needed: Option<Spot>) {
        let site = self.site(at);
        self.residual_at(&site, kind, needed);
    }

    fn residual_at(&mut self, site: &Site, kind: Residual, needed: Option<Spot>) {
        let (name, help) = match kind {
            Residual::Branch => (
                "scf.if",
                "make its condition exact, or launch a kernel that decides",
            ),
            Residual::Switch => ("scf.switch", "make its selector exact"),
            Residual::Loop => ("scf.for", "make its bounds exact and write `unroll`"),
            Residual::Unroll => ("scf.for", "make its bounds and its step exact"),
            Residual::While => ("scf.while", "write an `scf.for` with exact bounds and `unroll`"),
            Residual::Jump => ("cfg.cond_br", "make its condition exact"),
        };
        let (code, message) = match kind {
            Residual::Unroll => (
                codes::TRIP_COUNT,
                "attribute 'unroll' value 0 must satisfy exact static trip count".to_owned(),
            ),
            _ => (
                codes::RESIDUAL,
                format!("source operation `{name}` is not representable in a portable command schedule"),
            ),
        };
        let mut diagnostic = Diagnostic::error(code, message).help(help);
        if let Some(needed) = needed {
            diagnostic = self.related(diagnostic, "needed here", needed);
        }
        self.report(code, site, diagnostic);
    }

    /// Reports a clause that is contradicted, given as text and values, of the contract of a symbol.
    pub(super) fn report_contradiction(
        &mut self,
        at: Spot,
        (clause, values): (String, Vec<String>),
        contract: Option<(Symbol, Spot)>,
    ) {
        let whose = match contract {
            Some((symbol, _)) => format!("the contract of '@{}'", self.scope.name(symbol)),
            None => "an assumption".to_owned(),
        };
        let message = format!("`{clause}` of {whose} does not hold here");
        let mut diagnostic = Diagnostic::error(codes::CONTRADICTION, message);
        if !values.is_empty() {
            diagnostic = diagnostic.note(values.join(", "));
        }
        diagnostic = match contract {
            Some((_, spot)) => self
                .related(diagnostic, "the contract", spot)
                .help("pass values that the contract admits, or widen the contract"),
            None => diagnostic.help("remove the assumption, or the code that contradicts it"),
        };
        self.here(codes::CONTRADICTION, at, diagnostic);
    }

    pub(super) fn report_not_inlined(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        callee: Symbol,
        why: &str,
    ) {
        let message = format!(
            "inline-callables cannot inline {} to @{}: {why}",
            view.def.name,
            self.scope.name(callee)
        );
        let diagnostic = Diagnostic::error(codes::INLINE, message);
        let diagnostic = match why {
            "required_cycle" => self
                .related(
                    diagnostic,
                    "the symbol that needs itself",
                    self.scope.spot(callee),
                )
                .help("break the cycle: what a program does must be finite when it is compiled"),
            _ => self
                .related(diagnostic, "declared here", self.scope.spot(callee))
                .help("link the module that defines it"),
        };
        self.here(codes::INLINE, frame.spot(view), diagnostic);
    }

    /// Reports a kernel that is launched for a workload but has no configuration, at its declaration.
    pub(super) fn report_no_configuration(&mut self, frame: &Frame<'a>, view: OpView<'a>, kernel: Symbol) {
        let message = format!(
            "command-program preparation cannot configure the kernel declaration @{}",
            self.scope.name(kernel)
        );
        let diagnostic = Diagnostic::error(codes::NO_CONFIGURATION, message);
        let diagnostic = self.related(diagnostic, "launched here", frame.spot(view));
        let help = "provide the kernel's definition, or repair the declaration or the library it comes from; \
                    an entry that the host provides is dispatched with physical counts";
        let site = self.site(self.scope.spot(kernel));
        self.report(codes::NO_CONFIGURATION, &site, diagnostic.help(help));
    }

    pub(super) fn report_count_range(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        kernel: Symbol,
        axis: &'static str,
        value: i64,
    ) {
        let message = format!(
            "command-program preparation requires workgroup-count dimension {axis} of @{} within the unsigned 32-bit range",
            self.scope.name(kernel)
        );
        let diagnostic = Diagnostic::error(codes::COUNT, message).note(format!("it is {value}"));
        let diagnostic = diagnostic.help("launch from 0 to 4294967295 workgroups in each dimension");
        let at = self.needed_at(frame, view, Needed::Count { kernel, axis });
        self.here(codes::COUNT, at, diagnostic);
    }

    pub(super) fn report_size(&mut self, frame: &Frame<'a>, view: OpView<'a>, kernel: Symbol, wrong: &str) {
        let message = format!("@{} {wrong}", self.scope.name(kernel));
        let diagnostic = Diagnostic::error(codes::SIZE, message);
        let diagnostic = self.related(diagnostic, "the kernel", self.scope.spot(kernel));
        let diagnostic = diagnostic.help("compute sizes of at least 1 in the launch configuration");
        self.here(codes::SIZE, frame.spot(view), diagnostic);
    }

    pub(super) fn report_dispatch_size(&mut self, frame: &Frame<'a>, view: OpView<'a>, entry: Symbol) {
        let message = format!(
            "portable command-program lowering cannot carry the dispatch-time workgroup size for @{}",
            self.scope.name(entry)
        );
        let diagnostic = Diagnostic::error(codes::DISPATCH_SIZE, message);
        let diagnostic = diagnostic.help("leave `workgroup_size` out: the executable entry has its size");
        let at = frame.spot(view).word(view.def, "sx", 0);
        self.here(codes::DISPATCH_SIZE, at, diagnostic);
    }

    pub(super) fn report_effect(&mut self, frame: &Frame<'a>, view: OpView<'a>) {
        let message = format!(
            "'{}' has observable effects in a command-program body but does not represent an explicit command",
            view.def.name
        );
        let diagnostic = Diagnostic::error(codes::EFFECT, message);
        let diagnostic = diagnostic.help("do the work in a kernel that the program launches");
        self.here(codes::EFFECT, frame.spot(view), diagnostic);
    }

    /// Reports that no provider can be chosen; `seen` says of each what there is to say.
    pub(super) fn report_selection(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        code: &str,
        seen: &[(Symbol, String)],
    ) {
        let (slot, what) = match view.def.name {
            "template.apply" => ("family", "template family"),
            _ => ("callee", "template provider"),
        };
        let name = view.symbol(slot).unwrap_or("");
        let message = format!(
            "select-templates cannot resolve {} against {what} <{name}>: {code}",
            view.def.name
        );
        let mut diagnostic = Diagnostic::error(codes::SELECTION, message);
        for (symbol, reason) in seen {
            let label = format!("'@{}' {reason}", self.scope.name(*symbol));
            diagnostic = self.related(diagnostic, &label, self.scope.spot(*symbol));
        }
        let help = match code {
            "no_provider" => "link a module that provides the template for these arguments",
            "ambiguous" => "give the provider that is meant a higher priority, or narrow the contracts",
            "missing_facts" => {
                "make the arguments known: by constants, contracts, `index.assume`, or a provider without conditions"
            }
            "materialization_blocked" => "link a module that has the provider's body, or lower its priority",
            "exact_call_rejected" => "call a provider whose contract admits these arguments",
            _ => "pass arguments that a contract admits, or add a provider for these",
        };
        self.here(codes::SELECTION, frame.spot(view), diagnostic.help(help));
    }

    pub(super) fn report_requirement(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        provider: Symbol,
        requirement: &str,
    ) {
        let name = self.scope.name(provider);
        let message = format!("requirement `{requirement}` of template provider @{name} is not proven");
        let diagnostic = Diagnostic::error(codes::REQUIREMENT, message);
        let diagnostic = self.related(diagnostic, "the provider", self.scope.spot(provider));
        let help =
            "add a provider without the requirement, or apply the template where the requirement is known";
        self.here(codes::REQUIREMENT, frame.spot(view), diagnostic.help(help));
    }

    pub(super) fn report_binding(&mut self, program: Symbol, name: &str, at: Spot) {
        let program = self.scope.name(program);
        let message = format!("launch argument '%{name}' of '@{program}' is no storage");
        let diagnostic = Diagnostic::error(codes::BINDING, message).note("the host binds buffers and views");
        let help = "make it a specialization argument, or read it from a buffer in the kernels";
        self.here(codes::BINDING, at, diagnostic.help(help));
    }

    pub(super) fn report_work(&mut self, at: Spot) {
        let message = format!("preparing the program takes more than {} steps", self.work_limit);
        let diagnostic = Diagnostic::error(codes::WORK, message);
        let diagnostic = diagnostic.help("unroll fewer iterations, or loop inside a kernel");
        self.here(codes::WORK, at, diagnostic);
    }

    pub(super) fn report_depth(&mut self, at: Spot) {
        let message = format!("calls and regions are nested more than {DEPTH_LIMIT} levels deep");
        let diagnostic = Diagnostic::error(codes::DEPTH, message);
        self.here(
            codes::DEPTH,
            at,
            diagnostic.help("call fewer programs one through another"),
        );
    }
}

/// A reason as a label of its place.
fn because(why: &Why) -> String {
    match why {
        Why::Argument(name) => {
            format!("it depends on '%{name}', which is not known when the program is compiled")
        }
        Why::Config(name) => format!("it depends on configuration '@{name}', which has no value"),
        Why::Unfolded(op) => format!("it depends on this `{op}`, which has no exact value here"),
        _ => "it depends on this".to_owned(),
    }
}
