//! Why each launch uses the executable it uses: the text of `--explain-classes`.

use std::fmt::Write;

use loom_ir::facts::Truth;

use super::choices::{exact, terms};
use super::classes::{LaunchClasses, LaunchSite};
use super::decisions::{Candidate, Clause, Decision, Input, KernelDecisions, exact_text};

/// What is told of the launches of one kernel.
#[derive(Clone, Copy)]
pub struct Explained<'a> {
    /// The kernel's decisions.
    pub decisions: &'a KernelDecisions,
    /// Its launches.
    pub sites: &'a [LaunchSite],
    /// Their classes.
    pub classes: &'a LaunchClasses,
    /// Where each launch stands, such as `stage.loom:6:3`.
    pub places: &'a [String],
    /// The requirement of each class.
    pub requirements: &'a [u32],
}

/// One block of lines per launch: its class and requirement, and for each decision the provider and the reason.
pub fn explain_classes(explained: Explained<'_>) -> String {
    let Explained {
        decisions,
        sites,
        classes,
        ..
    } = explained;
    let mut out = format!(
        "kernel @{}: {}, {}, {}\n",
        decisions.name,
        counted(sites.len(), "launch", "launches"),
        counted(decisions.decisions.len(), "decision", "decisions"),
        counted(classes.classes.len(), "class", "classes"),
    );
    for (position, site) in sites.iter().enumerate() {
        let class = classes.sites[position] as usize;
        let place = explained.places.get(position).map_or("?", |place| place);
        let _ = write!(out, "  {place}: class {class}");
        if let Some(requirement) = explained.requirements.get(class) {
            let _ = write!(out, ", requirement {requirement}");
        }
        out.push('\n');
        let trace = &classes.classes[class].trace;
        for (number, decision) in decisions.decisions.iter().enumerate() {
            let residual = classes.residuals.get(number).copied().flatten();
            match (trace[number], residual) {
                (Some(chosen), _) => chosen_text(&mut out, decisions, decision, site, chosen),
                (None, residual) => {
                    let reason = residual.map_or("no launch decides it", |residual| residual.reason());
                    let _ = writeln!(out, "    {}: left open, {reason}", decision_text(decision));
                    if let Ok(generic) = decision.generic {
                        let candidate = &decision.candidates[generic as usize];
                        let _ = writeln!(out, "      @{} suits every launch", candidate.name);
                    }
                }
            }
        }
    }
    out
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn decision_text(decision: &Decision) -> String {
    format!("decision {} @{}", decision.application, decision.family)
}

fn chosen_text(
    out: &mut String,
    decisions: &KernelDecisions,
    decision: &Decision,
    site: &LaunchSite,
    chosen: u32,
) {
    let inputs = inputs_text(decisions, decision, site);
    let inputs = if inputs.is_empty() {
        inputs
    } else {
        format!(" with {inputs}")
    };
    let winner = &decision.candidates[chosen as usize];
    let _ = writeln!(out, "    {}{inputs}: @{}", decision_text(decision), winner.name);
    let mut order: Vec<&Candidate> = decision.candidates.iter().collect();
    order.sort_by_key(|candidate| std::cmp::Reverse(candidate.priority));
    for candidate in order {
        let reason = match candidate.id == winner.id {
            true => won(decisions, decision, candidate),
            false => lost(decisions, decision, site, candidate, winner),
        };
        let Candidate { name, priority, .. } = candidate;
        let _ = writeln!(out, "      @{name}, priority {priority}: {reason}");
    }
}

fn won(decisions: &KernelDecisions, decision: &Decision, candidate: &Candidate) -> String {
    let clauses = candidate.needs.clauses.iter();
    let clauses: Vec<String> = clauses
        .map(|clause| clause_text(decisions, decision, clause))
        .collect();
    match clauses.is_empty() {
        true => "chosen, it has no conditions".to_owned(),
        false if clauses.len() == 1 => format!("chosen, {} holds", clauses[0]),
        false => format!("chosen, {} hold", clauses.join(" and ")),
    }
}

fn lost(
    decisions: &KernelDecisions,
    decision: &Decision,
    site: &LaunchSite,
    candidate: &Candidate,
    winner: &Candidate,
) -> String {
    let terms = terms(decision, site);
    match candidate.needs.target {
        Truth::False => return "ruled out by its target".to_owned(),
        Truth::Unknown => return "its target is not chosen yet".to_owned(),
        Truth::True => {}
    }
    for clause in &candidate.needs.clauses {
        let text = || clause_text(decisions, decision, clause);
        match clause.judge(&terms) {
            Truth::False => return format!("ruled out, {} does not hold", text()),
            Truth::Unknown => return format!("left out, {} is not proven", text()),
            Truth::True => {}
        }
    }
    format!("suits, but @{} has the higher priority", winner.name)
}

fn clause_text(decisions: &KernelDecisions, decision: &Decision, clause: &Clause) -> String {
    let input = |position: u32| match decision.inputs.get(position as usize) {
        Some(input) => input.text(&decisions.arguments),
        None => format!("argument {position}"),
    };
    clause.text(input)
}

/// The launch arguments that `decision` looks at, with their values at `site`: `%n = 3, %padding = 1`.
pub(super) fn inputs_text(decisions: &KernelDecisions, decision: &Decision, site: &LaunchSite) -> String {
    let mut positions: Vec<u32> = Vec::new();
    for argument in decision.looked_at() {
        match decision.inputs.get(argument as usize) {
            Some(Input::Argument(position)) => positions.push(*position),
            Some(Input::Affine(affine)) => positions.extend(affine.terms.iter().map(|term| term.0)),
            _ => {}
        }
    }
    positions.sort_unstable();
    positions.dedup();
    let text = |position: &u32| {
        let value = exact(&site.arguments, *position).map_or("?".to_owned(), exact_text);
        format!(
            "{} = {value}",
            Input::Argument(*position).text(&decisions.arguments)
        )
    };
    let texts: Vec<String> = positions.iter().map(text).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests;
