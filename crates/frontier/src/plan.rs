//! Which symbols a product takes, in which order and why (loom-language 4.2 to 4.6).
//!
//! A plan is made from the index alone. It names symbols and the facets of them that are needed; what these
//! contain is read when the plan is carried out.

use std::collections::BTreeSet;

use loom_base::{Diagnostic, Outcome};
use loom_ir::Facet;

use crate::config::Configuration;
use crate::index::{Catalog, SymbolId};
use crate::target::TargetFacts;

pub use dot::plan_dot;
pub(crate) use dot::quoted;
pub use facets::{DependencyPolicy, Facets};
pub use json::{plan_json, symbols_json};
pub use roots::find_root;
pub(crate) use templates::configured;
pub use templates::{Demand, demands};
pub use text::{flag_names, list_symbols, print_plan};

mod closure;
mod conflicts;
mod dot;
mod facets;
mod json;
mod resolve;
mod roots;
mod templates;
mod text;

/// What is taken from the providers.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Every symbol of the inputs; libraries are ignored and declarations may stay open.
    Merge,
    /// The roots and what they need.
    #[default]
    Link,
}

impl Mode {
    /// The word of listings.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Merge => "merge",
            Mode::Link => "link",
        }
    }
}

/// Why a symbol is in a plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// A merge takes every symbol of the inputs.
    Merge,
    /// It was asked for.
    Root,
    /// Another symbol of the plan mentions it, or it defines what another declares.
    Dependency,
    /// It is the provider of a template family that a reachable application chose, or may still choose.
    Provider,
}

impl Reason {
    /// The word of listings.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Merge => "merge",
            Reason::Root => "root",
            Reason::Dependency => "dependency",
            Reason::Provider => "provider",
        }
    }
}

/// What a plan is made for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlanOptions {
    /// Merge or link.
    pub mode: Mode,
    /// Take the exported symbols of the inputs as roots.
    pub include_input_exports: bool,
    /// Names of roots, with or without `@`.
    pub roots: Vec<String>,
    /// Roots of which only some facets are needed.
    pub root_facets: Vec<(SymbolId, Facets)>,
    /// Whether declarations may stay without definition: the product is then to be linked again.
    pub allow_unresolved: bool,
    /// Whether symbols that exist for tests only are left out.
    pub strip_tests: bool,
    /// How much of a symbol a mention asks for.
    pub policy: DependencyPolicy,
    /// Values of configuration symbols.
    pub config: Configuration,
    /// What is known of the target, for symbols whose own target says nothing.
    pub target: TargetFacts,
}

/// One symbol of a plan.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Planned {
    /// The symbol.
    pub id: SymbolId,
    /// Why it is there.
    pub reason: Reason,
    /// The position in the plan of what needs it.
    pub cause: Option<u32>,
    /// What is needed of it.
    pub facets: Facets,
    /// For a declaration: the positions in the plan of what defines it. Only configuration can have several.
    pub definitions: Vec<u32>,
}

/// The symbols of a product in the order in which they were found to be needed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Plan {
    /// Merge or link.
    pub mode: Mode,
    /// The symbols, each once.
    pub symbols: Vec<Planned>,
}

/// Plans a product.
///
/// # Errors
/// `LINK` diagnostics ([`crate::codes`]) when roots, definitions or providers are missing or in conflict, and
/// `BYTECODE` diagnostics when the bytes of a needed contract are damaged.
pub fn plan_link(catalog: &dyn Catalog, options: &PlanOptions) -> Outcome<Plan> {
    let mut ranking = templates::Ranking::new(catalog, options);
    let mut providers = BTreeSet::new();
    loop {
        let mut planner = Planner::new(catalog, options);
        planner.select_roots();
        for &provider in &providers {
            planner.select(provider, Facets::ALL, Reason::Provider, None);
        }
        planner.close();
        planner.find_conflicts();
        let Planner {
            plan, diagnostics, ..
        } = planner;
        if options.mode == Mode::Merge || diagnostics.iter().any(Diagnostic::is_error) {
            return Outcome::checked(plan, diagnostics);
        }
        // What is taken may apply further families, and may define configuration that decides: once more, until
        // nothing is added. Nothing is taken back, so this ends.
        let known = providers.len();
        match ranking.providers(&plan) {
            Ok(found) => providers.extend(found),
            Err(damage) => return Outcome::failure([*damage]),
        }
        if providers.len() == known {
            return Outcome::checked(plan, diagnostics);
        }
    }
}

/// A plan being made.
struct Planner<'a> {
    catalog: &'a dyn Catalog,
    options: &'a PlanOptions,
    plan: Plan,
    /// Positions in the plan.
    positions: rustc_hash::FxHashMap<SymbolId, u32>,
    /// What defines each declaration met so far.
    definitions: rustc_hash::FxHashMap<SymbolId, Vec<SymbolId>>,
    /// Declarations without definition that have been reported.
    reported: rustc_hash::FxHashSet<SymbolId>,
    /// Facets whose mentions are still to be followed; the next one is at `followed`.
    work: Vec<(u32, Facets)>,
    followed: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Planner<'a> {
    fn new(catalog: &'a dyn Catalog, options: &'a PlanOptions) -> Self {
        Planner {
            catalog,
            options,
            plan: Plan {
                mode: options.mode,
                symbols: Vec::new(),
            },
            positions: Default::default(),
            definitions: Default::default(),
            reported: Default::default(),
            work: Vec::new(),
            followed: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Whether `id` exists for tests only and such symbols are left out.
    fn is_stripped(&self, id: SymbolId) -> bool {
        self.options.strip_tests && self.catalog.record(id).flags.has(loom_ir::SymbolFlags::TEST_ONLY)
    }

    /// Whether the product may leave declarations open.
    fn may_stay_open(&self) -> bool {
        self.options.mode == Mode::Merge || self.options.allow_unresolved
    }
}

impl Plan {
    /// Whether `facet` of the symbol at `position` is needed.
    pub fn needs(&self, position: u32, facet: Facet) -> bool {
        self.symbols[position as usize].facets.contains(facet)
    }
}

#[cfg(test)]
pub(crate) mod tests;
