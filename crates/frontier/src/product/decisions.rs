//! What a kernel decides by its launch arguments (loom-language 5.5).
//!
//! Every reachable `template.apply` of a kernel's body is a decision. Decisions know how their arguments follow
//! from launch arguments, and the contracts of the family and of the providers that may be chosen. They know
//! nothing else of the body, so most edits of it leave them equal; places and comments are no part of them.

use std::sync::Arc;

use loom_base::{Diagnostic, FileName, Outcome};
use loom_ir::facts::{ItemFacts, Term, Truth};
use loom_ir::fold::Exact;
use loom_ir::{Indexed, Item, OpId, OpTable, OpView, SymbolKind, ValueId};
use rustc_hash::FxHashSet;

use super::program::Spot;
use crate::config::Configuration;
use crate::index::{Catalog, SymbolId};
use crate::plan::{DependencyPolicy, Facets, Mode, Plan, PlanOptions, configured};
use control::Control;
pub(super) use input::exact_text;
pub use input::{Affine, Input};
use rank::conjunction;
pub(super) use rank::rank;
pub use rank::{Candidate, Clause, ClauseTerm, Conjunction, Unresolved};
use trace::trace;

mod control;
mod input;
mod rank;
mod trace;

/// The decisions of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelDecisions {
    /// The kernel.
    pub kernel: SymbolId,
    /// Its name, without `@`.
    pub name: Box<str>,
    /// The names of its launch arguments, without `%`.
    pub arguments: Box<[Box<str>]>,
    /// The decisions in the order of the text.
    pub decisions: Box<[Decision]>,
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Its position among all applications in the kernel's body, reachable or not.
    pub application: u32,
    /// The template family, without `@`.
    pub family: Box<str>,
    /// How its arguments follow from launch arguments.
    pub inputs: Box<[Input]>,
    /// What the family demands of every choice.
    pub contract: Conjunction,
    /// The providers that may be chosen, in the order of the product.
    pub candidates: Box<[Candidate]>,
    /// The choice that holds for every launch: a position among the candidates.
    pub generic: Result<u32, Unresolved>,
    /// Why launches cannot decide it, whatever they pass.
    pub residual: Option<Residual>,
}

/// Why a decision is left to the compiler of the kernel, which sees no launch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Residual {
    /// It stands inside a branch or loop.
    UnderControl,
    /// A condition of a provider depends on a value that the kernel computes.
    Computed,
    /// A condition of a provider depends on a value that another chosen template computes.
    DependsOnChoice,
    /// Which provider suits depends on a target that is not chosen yet.
    TargetUnresolved,
    /// A condition of the chosen provider speaks of its own results.
    ResultDependent,
    /// It would give the kernel too many classes.
    ClassLimit,
}

impl Residual {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Residual::UnderControl => "it stands inside a branch or loop",
            Residual::Computed => "its argument is computed in the kernel",
            Residual::DependsOnChoice => "its argument depends on another chosen template",
            Residual::TargetUnresolved => "its target is not chosen yet",
            Residual::ResultDependent => "the chosen provider has conditions on its results",
            Residual::ClassLimit => "it would exceed the limit of classes",
        }
    }
}

/// What to plan for the requests of `kernel`: the kernel with everything it needs, and nothing else.
pub fn request_options(kernel: SymbolId, config: &Configuration) -> PlanOptions {
    PlanOptions {
        mode: Mode::Link,
        root_facets: vec![(kernel, Facets::ALL)],
        strip_tests: true,
        policy: DependencyPolicy::Complete,
        config: config.clone(),
        ..PlanOptions::default()
    }
}

/// The decisions of `kernel`. `plan` is made by [`request_options`]; of what it selects the kernel's body is read,
/// and the contracts of families, providers and configuration. A kernel that applies no template has no decisions,
/// and its body is not read.
///
/// # Errors
/// A decision that launches cannot make, and that has no answer for all of them, is reported at its place:
/// [`super::codes::AMBIGUOUS_DECISION`] and those beside it. `BYTECODE` diagnostics when bytes are damaged.
pub fn kernel_decisions(
    catalog: &dyn Catalog,
    plan: &Plan,
    kernel: SymbolId,
    config: &Configuration,
) -> Outcome<KernelDecisions> {
    match decide(catalog, plan, kernel, config) {
        Ok((decisions, diagnostics)) => Outcome::checked(decisions, diagnostics),
        Err(damage) => Outcome::failure([*damage]),
    }
}

type Damaged<T> = Result<T, Box<Diagnostic>>;

fn decide(
    catalog: &dyn Catalog,
    plan: &Plan,
    kernel: SymbolId,
    config: &Configuration,
) -> Damaged<(KernelDecisions, Vec<Diagnostic>)> {
    let record = catalog.record(kernel);
    if !record.applies(Facets::IMPLEMENTATION) {
        let contract = catalog.contract(kernel)?;
        let decisions = KernelDecisions::new(kernel, &record.name, &contract, Vec::new());
        return Ok((decisions, Vec::new()));
    }
    let item = catalog.meaning(kernel)?;
    let mut values: Vec<(Box<str>, Option<Exact>)> = Vec::new();
    for name in record.configuration(Facets::ALL) {
        let value = configured(catalog, config, plan, name, |id| catalog.contract(id))?;
        values.push((name.into(), value));
    }
    let lookup = |name: &str| values.iter().find(|it| *it.0 == *name).and_then(|it| it.1);
    let body = Kernel::new(&item, &lookup);
    let mut families = Families {
        catalog,
        plan,
        known: Vec::new(),
    };
    let mut decisions = Vec::new();
    let mut diagnostics = Vec::new();
    let mut application = 0;
    for op in 0..item.body.ops.len() as u32 {
        let view = OpView::with(OpTable::standard(), &item.body, OpId(op));
        if view.name() != "template.apply" {
            continue;
        }
        if body.control.is_reachable(view.id) {
            let decision = body.decision(&mut families, view, application)?;
            diagnostics.extend(complaint(catalog, kernel, view.id, &decision));
            decisions.push(decision);
        }
        application += 1;
    }
    let decisions = KernelDecisions::new(kernel, &record.name, &item, decisions);
    Ok((decisions, diagnostics))
}

impl KernelDecisions {
    fn new(kernel: SymbolId, name: &str, contract: &Item, decisions: Vec<Decision>) -> Self {
        let body = &contract.body;
        let arguments = contract.root(OpTable::standard()).operands("args");
        let argument = |value: ValueId| body.text(body.values[value.index()].name).into();
        KernelDecisions {
            kernel,
            name: name.into(),
            arguments: arguments.map(argument).collect(),
            decisions: decisions.into(),
        }
    }
}

/// What is wrong with a decision that launches will not make.
fn complaint(catalog: &dyn Catalog, kernel: SymbolId, op: OpId, decision: &Decision) -> Option<Diagnostic> {
    let diagnostic = match (&decision.generic, decision.residual) {
        _ if decision.candidates.is_empty() && catalog.members(&decision.family).is_empty() => {
            Unresolved::NoProvider.diagnostic(decision)
        }
        (Err(unresolved), Some(residual)) => unresolved
            .diagnostic(decision)
            .note(format!("launches cannot decide it: {}", residual.reason())),
        _ => return None,
    };
    let place = Spot::of(kernel, op).place(catalog);
    let marked = diagnostic.at(&place.file, place.range);
    Some(decision.relate(catalog, marked))
}

impl Decision {
    /// `diagnostic` with the places of the candidates.
    fn relate(&self, catalog: &dyn Catalog, diagnostic: Diagnostic) -> Diagnostic {
        self.candidates.iter().fold(diagnostic, |diagnostic, candidate| {
            let file: &FileName = catalog.provider_name(candidate.id);
            diagnostic.related(
                format!("provider @{}", candidate.name),
                file,
                catalog.place(candidate.id),
            )
        })
    }
}

/// The body of a kernel with what is known about it.
struct Kernel<'a> {
    facts: ItemFacts<'a>,
    control: Control<'a>,
    inputs: Vec<Input>,
    target: Option<&'a str>,
}

impl<'a> Kernel<'a> {
    fn new(item: &'a Item, config: &dyn Fn(&str) -> Option<Exact>) -> Self {
        let facts = ItemFacts::of(item, config);
        Kernel {
            control: Control::of(item, &facts),
            inputs: trace(item, &facts),
            target: item.root(OpTable::standard()).symbol("target"),
            facts,
        }
    }

    fn decision(
        &self,
        families: &mut Families<'_>,
        apply: OpView<'a>,
        application: u32,
    ) -> Damaged<Decision> {
        let name = apply.symbol("family").unwrap_or_default();
        let family = families.family(name, self.target)?;
        let arguments: Vec<ValueId> = apply.operands("args").collect();
        let terms: Vec<Term> = arguments
            .iter()
            .map(|&value| self.facts.term(apply.id, Indexed::Value(value)))
            .collect();
        let inputs: Box<[Input]> = arguments
            .iter()
            .map(|&value| match self.facts.exact_at(apply.id, value) {
                Some(exact) => Input::Constant(exact),
                None => self.inputs[value.index()].clone(),
            })
            .collect();
        let generic = rank(&family.contract, &family.candidates, &terms);
        let mut decision = Decision {
            application,
            family: name.into(),
            inputs,
            contract: family.contract.clone(),
            candidates: family.candidates.clone(),
            generic,
            residual: None,
        };
        // What nothing depends on may change without changing the decision.
        let looked_at: FxHashSet<u32> = decision.looked_at().collect();
        for (position, input) in decision.inputs.iter_mut().enumerate() {
            if !looked_at.contains(&(position as u32)) {
                *input = Input::Ignored;
            }
        }
        decision.residual = match self.control.is_nested(apply.id) {
            true => Some(Residual::UnderControl),
            false => decision.obstacle(),
        };
        Ok(decision)
    }
}

impl Decision {
    /// Why launches cannot decide, as far as arguments and targets go.
    fn obstacle(&self) -> Option<Residual> {
        for argument in self.looked_at() {
            match self.inputs.get(argument as usize) {
                Some(Input::Chosen) => return Some(Residual::DependsOnChoice),
                Some(Input::Argument(_) | Input::Affine(_) | Input::Constant(_)) => {}
                Some(Input::Computed | Input::Ignored) | None => return Some(Residual::Computed),
            }
        }
        let open = self.conjunctions().any(|it| it.target == Truth::Unknown);
        open.then_some(Residual::TargetUnresolved)
    }

    fn conjunctions(&self) -> impl Iterator<Item = &Conjunction> {
        self.candidates.iter().map(|it| &it.needs).chain([&self.contract])
    }

    /// The arguments that conditions name, repetitions included.
    pub(super) fn looked_at(&self) -> impl Iterator<Item = u32> {
        self.conjunctions().flat_map(|it| it.arguments())
    }
}

/// The contract of a family, and of its providers.
struct Family {
    contract: Conjunction,
    candidates: Box<[Candidate]>,
}

/// The families of a plan; each is read once.
struct Families<'a> {
    catalog: &'a dyn Catalog,
    plan: &'a Plan,
    known: Vec<(Box<str>, Arc<Family>)>,
}

impl Families<'_> {
    fn family(&mut self, name: &str, target: Option<&str>) -> Damaged<Arc<Family>> {
        if let Some((_, family)) = self.known.iter().find(|it| *it.0 == *name) {
            return Ok(family.clone());
        }
        let mut ids: Vec<SymbolId> = self.plan.symbols.iter().map(|planned| planned.id).collect();
        ids.sort_by_key(|&id| (self.catalog.role(id), id));
        let mut contract = Conjunction::default();
        let mut candidates = Vec::new();
        for id in ids {
            let record = self.catalog.record(id);
            match record.kind {
                SymbolKind::Family if *record.name == *name => {
                    contract.join(conjunction(&*self.catalog.contract(id)?, target));
                }
                SymbolKind::Provider if record.family() == Some(name) => {
                    let item = self.catalog.contract(id)?;
                    candidates.push(Candidate::new(id, &record.name, &item, target));
                }
                _ => {}
            }
        }
        let family = Arc::new(Family {
            contract,
            candidates: candidates.into(),
        });
        self.known.push((name.into(), family.clone()));
        Ok(family)
    }
}

#[cfg(test)]
mod tests;
