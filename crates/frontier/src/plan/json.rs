//! Plans and indexes as JSON, for tools that read them.

use serde::Serialize;

use super::resolve::all_symbols;
use super::text::{flag_names, identity};
use super::{Mode, Plan, Reason};
use crate::index::{Catalog, Role, SymbolId};

/// The version of both forms; it changes when a field changes its meaning or vanishes.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct PlanForm<'a> {
    schema_version: u32,
    mode: Mode,
    providers: Vec<ProviderForm<'a>>,
    symbols: Vec<PlannedForm<'a>>,
}

#[derive(Serialize)]
struct IndexForm<'a> {
    schema_version: u32,
    providers: Vec<ProviderForm<'a>>,
    symbols: Vec<IndexedForm<'a>>,
}

#[derive(Serialize)]
struct ProviderForm<'a> {
    path: &'a str,
    role: Role,
}

#[derive(Serialize)]
struct PlannedForm<'a> {
    reason: Reason,
    #[serde(flatten)]
    symbol: SymbolForm<'a>,
    /// Position in the plan.
    cause: Option<u32>,
    facets: Vec<&'static str>,
    /// Positions in the plan.
    definitions: &'a [u32],
}

#[derive(Serialize)]
struct IndexedForm<'a> {
    #[serde(flatten)]
    symbol: SymbolForm<'a>,
    identity: &'static str,
}

#[derive(Serialize)]
struct SymbolForm<'a> {
    name: &'a str,
    kind: &'static str,
    op: &'static str,
    /// Position among the providers.
    provider: u32,
    /// Position in the module.
    ordinal: u32,
    flags: Vec<&'static str>,
}

/// The plan as one JSON object on one line: `schema_version`, `mode`, `providers` (`path`, `role`), and `symbols`
/// in plan order (`reason`, `name`, `kind`, `op`, `provider`, `ordinal`, `flags`, `cause`, `facets`,
/// `definitions`). `provider` counts in `providers`, `cause` and `definitions` count in `symbols`.
pub fn plan_json(catalog: &dyn Catalog, plan: &Plan) -> String {
    let symbols = plan.symbols.iter().map(|planned| PlannedForm {
        reason: planned.reason,
        symbol: symbol(catalog, planned.id),
        cause: planned.cause,
        facets: planned.facets.names(catalog.record(planned.id)),
        definitions: &planned.definitions,
    });
    line(&PlanForm {
        schema_version: VERSION,
        mode: plan.mode,
        providers: providers(catalog),
        symbols: symbols.collect(),
    })
}

/// All symbols of the index as one JSON object on one line: `schema_version`, `providers`, and `symbols` in index
/// order (`name`, `kind`, `op`, `provider`, `ordinal`, `flags`, `identity`).
pub fn symbols_json(catalog: &dyn Catalog) -> String {
    let symbols = all_symbols(catalog).map(|id| IndexedForm {
        symbol: symbol(catalog, id),
        identity: identity(catalog, id),
    });
    line(&IndexForm {
        schema_version: VERSION,
        providers: providers(catalog),
        symbols: symbols.collect(),
    })
}

fn providers(catalog: &dyn Catalog) -> Vec<ProviderForm<'_>> {
    catalog
        .providers()
        .iter()
        .map(|provider| ProviderForm {
            path: provider.name.as_str(),
            role: provider.role,
        })
        .collect()
}

fn symbol(catalog: &dyn Catalog, id: SymbolId) -> SymbolForm<'_> {
    let record = catalog.record(id);
    SymbolForm {
        name: &record.name,
        kind: record.kind.name(),
        op: record.op,
        provider: id.provider,
        ordinal: id.ordinal,
        flags: flag_names(record.flags),
    }
}

fn line(form: &impl Serialize) -> String {
    let mut line = serde_json::to_string(form).expect("names and numbers are always JSON");
    line.push('\n');
    line
}
