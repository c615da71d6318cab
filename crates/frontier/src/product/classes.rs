//! Launch classes: which launches of a kernel can share one executable (loom-language 5.5).
//!
//! **Invariant:** nothing here reads a body. Classes follow from the decisions of a kernel and from what its
//! launches pass.

use loom_base::{Diagnostic, Outcome, Place};
use loom_ir::OpId;
use rustc_hash::FxHashMap;

use super::choices::{Choice, LaunchChoices};
use super::codes;
use super::decisions::{Decision, KernelDecisions, Residual, Unresolved};
use super::program::{Argument, Command, Program, Site, Spot};
use super::schedule::schedule;
use crate::index::SymbolId;

/// How many classes one kernel may have.
pub const CLASS_LIMIT: usize = 128;

/// One launch of a kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LaunchSite {
    /// What it passes.
    pub arguments: Box<[Argument]>,
    /// Where it stands.
    pub site: Site,
}

impl LaunchSite {
    /// The launch that `command` issues.
    pub fn of(command: &Command) -> Self {
        LaunchSite {
            arguments: command.dispatch.arguments.clone(),
            site: command.site.clone(),
        }
    }
}

/// The classes of the launches of one kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LaunchClasses {
    /// The class of each launch, in their order.
    pub sites: Vec<u32>,
    /// The classes, in the order of their first launches.
    pub classes: Vec<LaunchClass>,
    /// For each decision why no launch decides it; `None` where launches do.
    pub residuals: Vec<Option<Residual>>,
}

/// Launches that choose alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LaunchClass {
    /// What they choose.
    pub trace: Trace,
    /// How many they are.
    pub members: u32,
}

/// For each decision the chosen candidate; `None` where the choice is left to the compiler of the kernel.
pub type Trace = Vec<Option<u32>>;

/// The launches of kernels with source in `program`: kernel by kernel in the order of first use, those of one kernel
/// in the order of the schedule.
pub fn launched(program: &Program) -> Vec<(SymbolId, Vec<&Command>)> {
    let commands = program.commands();
    let mut positions: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let mut kernels: Vec<(SymbolId, Vec<&Command>)> = Vec::new();
    for scheduled in schedule(program).commands {
        let command = commands[scheduled.command as usize];
        let callee = &command.dispatch.callee;
        if callee.is_source_backed {
            let position = *positions.entry(callee.id).or_insert(kernels.len());
            if position == kernels.len() {
                kernels.push((callee.id, Vec::new()));
            }
            kernels[position].1.push(command);
        }
    }
    kernels
}

/// The class of each command of `program`, by position in its schedule; `None` for what has no source. `classes`
/// yields for a kernel the classes of its launches in this program, in their order.
pub fn position_classes(program: &Program, classes: &dyn Fn(SymbolId) -> Vec<u32>) -> Vec<Option<u32>> {
    let commands = program.commands();
    let mut left: FxHashMap<SymbolId, std::vec::IntoIter<u32>> = FxHashMap::default();
    let positions = schedule(program).commands.into_iter().map(|scheduled| {
        let callee = &commands[scheduled.command as usize].dispatch.callee;
        let own = || classes(callee.id).into_iter();
        callee
            .is_source_backed
            .then(|| left.entry(callee.id).or_insert_with(own).next())?
    });
    positions.collect()
}

/// Classifies the launches of one kernel by `choices`, what they choose, part by part. The kernel's decisions are
/// judged one after another; one that would make more than [`CLASS_LIMIT`] classes of those so far is left to the compiler of the kernel, so that earlier decisions keep telling launches apart.
/// For diagnostics alone, `site` tells a launch by its position among all, and `place` the bytes of a spot.
///
/// # Errors
/// At the launch: a decision without answer for what it passes ([`codes::AMBIGUOUS_DECISION`] and those beside
/// it), and at the first launch a decision that cannot be left open, [`codes::CLASS_LIMIT`] and
/// [`codes::RESULT_DEPENDENT`].
pub fn classify_choices(
    decisions: &KernelDecisions,
    choices: &[&LaunchChoices],
    site: &dyn Fn(usize) -> Option<LaunchSite>,
    place: &dyn Fn(Spot) -> Place,
) -> Outcome<LaunchClasses> {
    let count = choices.iter().map(|choices| choices.launches() as usize).sum();
    let mut partition = Partition {
        sites: vec![0; count],
        traces: vec![Trace::new()],
    };
    let mut residuals = Vec::with_capacity(decisions.decisions.len());
    for (number, decision) in decisions.decisions.iter().enumerate() {
        let split = match decision.residual {
            Some(residual) => Err(Refused::Residual(residual)),
            None => {
                let made = choices.iter().flat_map(|choices| choices.of(number));
                split(decision, made, &partition)
            }
        };
        match split {
            Ok(split) => {
                partition = split;
                residuals.push(None);
            }
            Err(Refused::Residual(residual)) => {
                if decision.generic.is_err() {
                    let diagnostic = open_residual(decision, residual, count);
                    return Outcome::failure([mark(diagnostic, decisions, site(0).as_ref(), place)]);
                }
                partition.traces.iter_mut().for_each(|trace| trace.push(None));
                residuals.push(Some(residual));
            }
            Err(Refused::Unresolved(at, unresolved)) => {
                let (site, diagnostic) = (site(at), unresolved.diagnostic(decision));
                let diagnostic = passed(diagnostic, decisions, decision, site.as_ref());
                let diagnostic = mark(diagnostic, decisions, site.as_ref(), place);
                return Outcome::failure([candidates(diagnostic, decision, place)]);
            }
        }
    }
    let mut classes: Vec<LaunchClass> = partition
        .traces
        .into_iter()
        .map(|trace| LaunchClass { trace, members: 0 })
        .collect();
    for &class in &partition.sites {
        classes[class as usize].members += 1;
    }
    classes.retain(|class| class.members > 0);
    Outcome::success(LaunchClasses {
        sites: partition.sites,
        classes,
        residuals,
    })
}

/// Launches told apart so far.
struct Partition {
    sites: Vec<u32>,
    traces: Vec<Trace>,
}

enum Refused {
    Residual(Residual),
    /// The launch at this position has no answer.
    Unresolved(usize, Unresolved),
}

/// `partition` with every class split by what its launches choose, which is `made` in their order.
fn split<'a>(
    decision: &Decision,
    made: impl Iterator<Item = &'a Choice>,
    partition: &Partition,
) -> Result<Partition, Refused> {
    let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut split = Partition {
        sites: Vec::with_capacity(partition.sites.len()),
        traces: Vec::new(),
    };
    for (at, choice) in made.enumerate() {
        let chosen = *choice
            .as_ref()
            .map_err(|unresolved| Refused::Unresolved(at, unresolved.clone()))?;
        if is_result_dependent(decision, chosen) {
            return Err(Refused::Residual(Residual::ResultDependent));
        }
        let parent = partition.sites[at];
        let next = split.traces.len() as u32;
        let class = *numbers.entry((parent, chosen)).or_insert(next);
        if class == next {
            if split.traces.len() == CLASS_LIMIT {
                return Err(Refused::Residual(Residual::ClassLimit));
            }
            let mut trace = partition.traces[parent as usize].clone();
            trace.push(Some(chosen));
            split.traces.push(trace);
        }
        split.sites.push(class);
    }
    if partition.sites.is_empty() {
        split.traces = vec![vec![None; partition.traces[0].len() + 1]];
    }
    Ok(split)
}

/// A request can promise what holds of arguments, not what will hold of results.
fn is_result_dependent(decision: &Decision, chosen: u32) -> bool {
    let needs = &decision.candidates[chosen as usize].needs;
    decision.generic != Ok(chosen) && (needs.names_results() || decision.contract.names_results())
}

/// A decision that launches cannot make, and that nobody else can.
fn open_residual(decision: &Decision, residual: Residual, launches: usize) -> Diagnostic {
    let Decision {
        application, family, ..
    } = decision;
    let decided = format!("kernel decision {application} for template family @{family}");
    match (residual, &decision.generic) {
        (Residual::ClassLimit, _) => {
            let message = format!(
                "{decided} exceeds the limit of {CLASS_LIMIT} classes and has no provider for all {launches} launches"
            );
            let help =
                "add a fallback provider without `where`, or launch the kernel with fewer different choices";
            Diagnostic::error(codes::CLASS_LIMIT, message).help(help)
        }
        (Residual::ResultDependent, _) => {
            let message = format!("{decided} chooses by results and has no provider for all launches");
            let help = "add a fallback provider without `where`, or state conditions on arguments only";
            Diagnostic::error(codes::RESULT_DEPENDENT, message).help(help)
        }
        (_, Err(unresolved)) => unresolved
            .diagnostic(decision)
            .note(format!("launches cannot decide it: {}", residual.reason())),
        (_, Ok(_)) => unreachable!("a decision with a generic answer may stay open"),
    }
}

/// `diagnostic` with what the launch passes.
fn passed(
    diagnostic: Diagnostic,
    decisions: &KernelDecisions,
    decision: &Decision,
    site: Option<&LaunchSite>,
) -> Diagnostic {
    let values = site.map(|site| super::explain::inputs_text(decisions, decision, site));
    match values.filter(|values| !values.is_empty()) {
        Some(values) => diagnostic.note(format!("here {values}")),
        None => diagnostic,
    }
}

/// `diagnostic` with the places of the candidates.
fn candidates(diagnostic: Diagnostic, decision: &Decision, place: &dyn Fn(Spot) -> Place) -> Diagnostic {
    decision
        .candidates
        .iter()
        .fold(diagnostic, |diagnostic, candidate| {
            let Place { file, range } = place(Spot::of(candidate.id, OpId(0)));
            diagnostic.related(format!("provider @{}", candidate.name), &file, range)
        })
}

fn mark(
    diagnostic: Diagnostic,
    decisions: &KernelDecisions,
    site: Option<&LaunchSite>,
    place: &dyn Fn(Spot) -> Place,
) -> Diagnostic {
    let diagnostic = diagnostic.note(format!("the kernel is @{}", decisions.name));
    match site {
        Some(site) => site.site.mark(diagnostic, place),
        None => diagnostic,
    }
}

#[cfg(test)]
pub(super) mod tests;
