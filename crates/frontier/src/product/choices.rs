//! What launches choose: each decision of a kernel for each launch, on its own.
//!
//! Choices do not know where launches stand. Those of one program stay equal when only other programs change, or
//! when an edit leaves what it passes on the same side of every condition.

use loom_ir::Scalar;
use loom_ir::facts::{Known, Term};
use loom_ir::fold::Exact;

use super::classes::LaunchSite;
use super::decisions::{Decision, KernelDecisions, Unresolved, rank};
use super::program::Argument;

/// The chosen candidate, or why there is none.
pub type Choice = Result<u32, Unresolved>;

/// The choices of some launches of one kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LaunchChoices {
    launches: u32,
    /// For each decision those of all launches in their order; nothing where launches do not decide.
    made: Vec<Vec<Choice>>,
}

/// What launches of one kernel choose that pass `launches`.
pub fn launch_choices(decisions: &KernelDecisions, launches: &[&[Argument]]) -> LaunchChoices {
    let mut terms = Vec::new();
    let mut made = |decision: &Decision| match decision.residual {
        Some(_) => Vec::new(),
        None => {
            let mut choose = |arguments: &&[Argument]| {
                terms.clear();
                terms.extend(known(decision, arguments));
                rank(&decision.contract, &decision.candidates, &terms)
            };
            launches.iter().map(&mut choose).collect()
        }
    };
    LaunchChoices {
        launches: launches.len() as u32,
        made: decisions.decisions.iter().map(&mut made).collect(),
    }
}

impl LaunchChoices {
    /// How many launches there are.
    pub fn launches(&self) -> u32 {
        self.launches
    }

    /// The choices of the decision at position `decision`, in the order of the launches.
    pub fn of(&self, decision: usize) -> impl Iterator<Item = &Choice> {
        self.made.get(decision).into_iter().flatten()
    }
}

/// What is known of a decision's arguments at `site`.
pub(super) fn terms(decision: &Decision, site: &LaunchSite) -> Vec<Term> {
    known(decision, &site.arguments).collect()
}

fn known(decision: &Decision, arguments: &[Argument]) -> impl Iterator<Item = Term> {
    decision.inputs.iter().map(|input| {
        let known: Known = input.at(&|position| exact(arguments, position));
        Term {
            known,
            value: None,
            float: known.exact.is_some_and(|exact| exact.scalar().is_float()),
        }
    })
}

/// What is passed at `position`, if it is a scalar.
pub(super) fn exact(arguments: &[Argument], position: u32) -> Option<Exact> {
    match arguments.get(position as usize)? {
        // What an `offset` beyond the signed numbers counts is not known.
        Argument::Scalar(Exact::Index(Scalar::Offset, value)) if *value < 0 => None,
        Argument::Scalar(exact) => Some(*exact),
        Argument::Buffer(_) => None,
    }
}
