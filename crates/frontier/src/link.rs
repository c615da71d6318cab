//! From a plan to one module (loom-language 4.4).
//!
//! Each name of the product is a *group*: a definition with the declarations it satisfies, or declarations alone.
//! A group becomes one item, at the first place where any of its members stood, the requester's modules before
//! the libraries'. Only here are bodies opened, and only those of the plan.

use std::sync::Arc;

use loom_base::{Diagnostic, Outcome};
use loom_ir::{Item, Module};

use crate::config::Configuration;
use crate::index::{Catalog, Role, SymbolId};
use crate::plan::{Mode, Plan, PlanOptions, plan_link};

use groups::group;

pub(crate) use config::{default_of, type_of};
pub(crate) use edit::{Edit, comment};

mod assemble;
mod config;
mod contract;
mod edit;
mod groups;
mod names;

/// What a module is made with, besides a plan.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct LinkOptions {
    /// Values of configuration symbols. Names that the product does not know are ignored.
    pub config: Configuration,
    /// Whether every configuration symbol must have a value.
    pub require_resolved_config: bool,
}

/// One item of a linked module, with where it came from.
#[derive(Clone, PartialEq, Debug)]
pub struct LinkedItem {
    /// The item.
    pub item: Arc<Item>,
    /// The symbols it stands for: what defines it first, then declarations in index order.
    pub origins: Vec<SymbolId>,
}

/// A product: one module, with the origin of each item.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Linked {
    /// The items in order.
    pub items: Vec<LinkedItem>,
    /// Comments after the last op.
    pub trailing: Box<str>,
}

impl Linked {
    /// The module. Under [`crate::DependencyPolicy::RequestedFacets`] its kernels lack the regions that nobody
    /// asked for, so it is for reading, not for printing.
    pub fn module(&self) -> Module {
        Module {
            items: self.items.iter().map(|it| it.item.clone()).collect(),
            trailing: self.trailing.clone(),
        }
    }
}

/// Plans a product and carries the plan out.
///
/// # Errors
/// Those of [`plan_link`] and [`link_plan`].
pub fn link(catalog: &dyn Catalog, options: &PlanOptions, require_resolved_config: bool) -> Outcome<Linked> {
    let planned = plan_link(catalog, options);
    let Some(plan) = planned.value else {
        return Outcome::failure(planned.diagnostics);
    };
    let with = LinkOptions {
        config: options.config.clone(),
        require_resolved_config,
    };
    let linked = link_plan(catalog, &plan, &with);
    let diagnostics = planned.diagnostics.iter().chain(&*linked.diagnostics).cloned();
    Outcome {
        diagnostics: diagnostics.collect(),
        value: linked.value,
    }
}

/// Carries out `plan`: opens the bodies it names and makes one module of them.
///
/// # Errors
/// `LINK` diagnostics when contracts or configuration disagree ([`crate::codes`]), and `BYTECODE` diagnostics
/// when the bytes of a body are damaged.
pub fn link_plan(catalog: &dyn Catalog, plan: &Plan, options: &LinkOptions) -> Outcome<Linked> {
    let groups = group(catalog, plan);
    let names = names::final_names(catalog, plan, &groups);
    let mut diagnostics = Vec::new();
    let mut items = Vec::with_capacity(groups.len());
    for group in &groups {
        match assemble::item(catalog, plan, options, &names, group, &mut diagnostics) {
            Ok(item) => items.extend(item.map(|item| LinkedItem {
                item,
                origins: group.ids(plan),
            })),
            Err(damage) => diagnostics.push(*damage),
        }
    }
    Outcome::checked(
        Linked {
            items,
            trailing: trailing(catalog, plan),
        },
        diagnostics,
    )
}

/// A merge keeps the comments after the last ops of its inputs.
fn trailing(catalog: &dyn Catalog, plan: &Plan) -> Box<str> {
    if plan.mode != Mode::Merge {
        return "".into();
    }
    let inputs = (0..catalog.providers().len() as u32)
        .filter(|&provider| catalog.providers()[provider as usize].role == Role::Input);
    let texts: Vec<&str> = inputs
        .map(|provider| catalog.trailing(provider))
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("\n\n").into()
}

/// Both places of a disagreement, with the providers' names: `at` is where `declared` says something, `against`
/// where `defined` says otherwise.
fn disagreement(
    catalog: &dyn Catalog,
    diagnostic: Diagnostic,
    (declared, at): (SymbolId, std::ops::Range<u32>),
    (defined, against): (SymbolId, std::ops::Range<u32>),
) -> Diagnostic {
    let label = match catalog.record(defined).is_definition() {
        true => "the definition",
        false => "the other declaration",
    };
    diagnostic
        .at(catalog.provider_name(declared), at)
        .related(label, catalog.provider_name(defined), against)
}

#[cfg(test)]
pub(crate) mod tests;
