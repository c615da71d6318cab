//! The whole way from sources to artifacts and requests, without a database.

use std::collections::BTreeMap;

use super::*;
use crate::config::Configuration;
use crate::index::SymbolId;
use crate::plan::{DependencyPolicy, PlanOptions, plan_link};
use crate::product::testing::{classify_launches, launches_of};
use crate::testing::placeless;
use crate::{Index, LinkOptions, Linked, link, link_plan};

mod example;
mod hundred;
mod interpret;
mod random;

/// A finished set of programs.
pub(super) struct Built {
    pub programs: Vec<EncodedProgram>,
    pub requirements: Requirements,
    pub manifest: String,
    /// The request of each requirement that has one.
    pub requests: Vec<(usize, RequestModule)>,
    /// What is said of the classes of each kernel.
    pub explained: String,
}

type Failed = Vec<loom_base::Diagnostic>;

/// The facets that the programs `roots` of `index` need.
fn linked(index: &Index, roots: &[&str]) -> Result<Linked, Failed> {
    let options = PlanOptions {
        roots: roots.iter().map(|root| (*root).to_owned()).collect(),
        allow_unresolved: true,
        policy: DependencyPolicy::RequestedFacets,
        ..PlanOptions::default()
    };
    let linked = link(index, &options, false);
    linked.value.ok_or_else(|| linked.diagnostics.to_vec())
}

/// The programs `roots`, prepared.
fn prepared(index: &Index, linked: &Linked, roots: &[&str]) -> Result<Vec<Program>, Failed> {
    let mut preparation = Preparation::new(index, linked);
    let prepare = |root: &&str| {
        let is_root = |it: &&crate::LinkedItem| it.item.symbol().is_some_and(|it| it.1 == *root);
        let item = linked.items.iter().find(is_root).expect("a root");
        let program = preparation.program(item.origins[0]);
        program.value.ok_or_else(|| program.diagnostics.to_vec())
    };
    roots.iter().map(prepare).collect()
}

/// Builds the programs `roots` of `index`, with requests or body-blind.
pub(super) fn build(index: &Index, roots: &[&str], classified: bool) -> Result<Built, Failed> {
    let linked = linked(index, roots)?;
    let programs = prepared(index, &linked, roots)?;
    let mut kernels: BTreeMap<SymbolId, Kernel> = BTreeMap::new();
    if classified {
        for (kernel, _) in programs.iter().flat_map(launched) {
            if let std::collections::btree_map::Entry::Vacant(entry) = kernels.entry(kernel) {
                entry.insert(Kernel::of(index, &programs, kernel)?);
            }
        }
    }
    let place = |spot: Spot| spot.place(index);
    let mut encoded = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let own = |kernel| {
            kernels
                .get(&kernel)
                .map_or(Vec::new(), |kernel| kernel.sites[number].clone())
        };
        let classes = position_classes(program, &own);
        let outcome = encode_program(program, &|position| classes[position], &place);
        encoded.push(outcome.value.ok_or_else(|| outcome.diagnostics.to_vec())?);
    }
    let requirements = number_requirements(&encoded);
    let manifest = manifest_json(&encoded.iter().collect::<Vec<_>>(), &requirements);
    let mut requests = Vec::new();
    for (number, entry) in requirements.entries.iter().enumerate() {
        if let (Some(class), Some(kernel)) = (entry.class, kernels.get(&entry.callee.id)) {
            let trace = &kernel.classes.classes[class as usize].trace;
            requests.push((number, kernel_request(&kernel.linked, &kernel.decisions, trace)));
        }
    }
    let explained = kernels
        .values()
        .map(|kernel| kernel.explained(index, &requirements))
        .collect();
    Ok(Built {
        programs: encoded,
        requirements,
        manifest,
        requests,
        explained,
    })
}

/// What classification knows of one kernel.
struct Kernel {
    linked: Linked,
    decisions: KernelDecisions,
    launches: Vec<LaunchSite>,
    classes: LaunchClasses,
    /// The classes by program.
    sites: Vec<Vec<u32>>,
}

impl Kernel {
    fn of(index: &Index, programs: &[Program], kernel: SymbolId) -> Result<Kernel, Failed> {
        let config = Configuration::default();
        let planned = plan_link(index, &request_options(kernel, &config));
        let plan = planned.value.ok_or_else(|| planned.diagnostics.to_vec())?;
        let decisions = kernel_decisions(index, &plan, kernel, &config);
        let decisions = decisions.value.ok_or_else(|| decisions.diagnostics.to_vec())?;
        let by_program: Vec<Vec<LaunchSite>> = programs
            .iter()
            .map(|program| launches_of(program, kernel))
            .collect();
        let launches = by_program.concat();
        let classes = classify_launches(&decisions, &launches, &|spot| spot.place(index));
        let classes = classes.value.ok_or_else(|| classes.diagnostics.to_vec())?;
        let mut rest = classes.sites.as_slice();
        let mut sites = Vec::new();
        for own in &by_program {
            let (these, others) = rest.split_at(own.len());
            sites.push(these.to_vec());
            rest = others;
        }
        let linked = link_plan(index, &plan, &LinkOptions::default());
        Ok(Kernel {
            linked: linked.value.ok_or_else(|| linked.diagnostics.to_vec())?,
            decisions,
            launches,
            classes,
            sites,
        })
    }

    fn explained(&self, index: &Index, requirements: &Requirements) -> String {
        let at = |site: &LaunchSite| {
            let place = site.site.at.place(index);
            format!("{}:{}", place.file, place.range.start)
        };
        let number = |class: usize| {
            let is_it =
                |entry: &Entry| entry.callee.id == self.decisions.kernel && entry.class == Some(class as u32);
            requirements
                .entries
                .iter()
                .position(is_it)
                .expect("a requirement") as u32
        };
        explain_classes(Explained {
            decisions: &self.decisions,
            sites: &self.launches,
            classes: &self.classes,
            places: &self.launches.iter().map(at).collect::<Vec<_>>(),
            requirements: &(0..self.classes.classes.len()).map(number).collect::<Vec<_>>(),
        })
    }
}

/// Builds from text and from bytecode; both must agree.
pub(super) fn built(fixture: &str, roots: &[&str], classified: bool) -> Built {
    let [text, bytecode] = crate::testing::indexes(fixture);
    let one = build(&text, roots, classified);
    let other = build(&bytecode, roots, classified);
    match (one, other) {
        (Ok(one), Ok(other)) => {
            assert_eq!(one.programs, other.programs);
            assert_eq!(one.manifest, other.manifest);
            assert_eq!(one.requests, other.requests);
            one
        }
        (Err(one), Err(other)) => {
            assert_eq!(placeless(&one), placeless(&other));
            panic!("{one:?}")
        }
        _ => panic!("text and bytecode disagree"),
    }
}
