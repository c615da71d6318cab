//! Product frontiers: what one product takes from its sources, and where it stops.
//!
//! **Invariant:** everything here is a pure function of its arguments over the values of `loom-ir`. The crate
//! knows nothing of queries, files, threads or LLVM; whoever calls it decides what is read and when.
//!
//! A link goes through three steps. The [`Index`], or any other [`Catalog`], says which provider has which
//! symbols and what these mention. [`plan_link`] selects symbols from that alone, and from the contracts of
//! template providers. [`link_plan`] opens the bodies of the selected symbols and makes one module of them.

pub mod codes;
mod config;
mod index;
mod link;
mod plan;
mod predicates;
pub mod product;
mod target;
#[cfg(test)]
mod testing;

pub use config::{Configuration, Literal, config_schema};
pub use index::{
    Catalog, Content, Index, ModuleIndex, Provider, Record, Role, Source, SymbolId, name_range, read_source,
};
pub use link::{LinkOptions, Linked, LinkedItem, link, link_plan};
pub use plan::{
    Demand, DependencyPolicy, Facets, Mode, Plan, PlanOptions, Planned, Reason, demands, find_root,
    flag_names, list_symbols, plan_dot, plan_json, plan_link, print_plan, symbols_json,
};
pub use target::TargetFacts;
