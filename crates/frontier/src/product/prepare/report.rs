//! What is wrong with a program, said at the place in the sources that is to blame.

use loom_base::Diagnostic;
use loom_ir::OpView;

use super::needs::Needed;
use super::scope::Symbol;
use super::walk::{Frame, Walk};
use super::{DEPTH_LIMIT, codes};
use crate::product::{Site, Spot};

impl<'a> Walk<'a> {
    /// Adds `diagnostic` at `site`, with the calls that lead there; the same once only.
    pub(super) fn report(&mut self, code: &'static str, site: &Site, diagnostic: Diagnostic) {
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

    pub(super) fn here(&mut self, code: &'static str, at: Spot, diagnostic: Diagnostic) {
        let site = self.site(at);
        self.report(code, &site, diagnostic);
    }

    /// `diagnostic` with a further place.
    pub(super) fn related(&self, diagnostic: Diagnostic, label: &str, at: Spot) -> Diagnostic {
        let place = at.place(self.scope.catalog);
        diagnostic.related(label, &place.file, place.range)
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

    pub(super) fn report_value(&mut self, program: Symbol, name: &str, at: Spot) {
        let program = self.scope.name(program);
        let message = format!("the value given for '%{name}' of '@{program}' is none of its type");
        let diagnostic = Diagnostic::error(codes::ROOT, message);
        self.here(
            codes::ROOT,
            at,
            diagnostic.help("give a value of the argument's type"),
        );
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
