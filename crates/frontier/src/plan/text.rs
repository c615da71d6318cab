//! Plans and indexes as lines of text (loom-language 4.5).

use std::fmt::Write;

use loom_ir::SymbolFlags;

use super::Plan;
use super::resolve::all_symbols;
use crate::index::{Catalog, SymbolId};

/// The plan, one line per symbol after a heading:
/// `[<i>] <reason> @<name> provider=<path> module=<name> cause=<i or -> flags=<list or ->`.
pub fn print_plan(catalog: &dyn Catalog, plan: &Plan) -> String {
    let mut out = format!("plan mode={} symbols={}\n", plan.mode.name(), plan.symbols.len());
    for (position, planned) in plan.symbols.iter().enumerate() {
        let (record, provider) = (catalog.record(planned.id), catalog.provider_name(planned.id));
        let cause = planned.cause.map_or("-".to_owned(), |cause| cause.to_string());
        let (reason, flags) = (planned.reason.name(), flag_list(record.flags));
        let _ = writeln!(
            out,
            "[{position}] {reason} @{} provider={provider} module= cause={cause} flags={flags}",
            record.name
        );
    }
    out
}

/// All symbols of the index, one line each after a heading:
/// `[<i>] @<name> role=<role> provider=<path> module=<name> identity=<private|global> flags=<list or ->`.
pub fn list_symbols(catalog: &dyn Catalog) -> String {
    let ids: Vec<SymbolId> = all_symbols(catalog).collect();
    let mut out = format!("symbols {}\n", ids.len());
    for (number, &id) in ids.iter().enumerate() {
        let (record, provider) = (catalog.record(id), catalog.provider_name(id));
        let role = catalog.role(id).name();
        let identity = identity(catalog, id);
        let flags = flag_list(record.flags);
        let _ = writeln!(
            out,
            "[{number}] @{} role={role} provider={provider} module= identity={identity} flags={flags}",
            record.name
        );
    }
    out
}

/// `global` or `private`.
pub(super) fn identity(catalog: &dyn Catalog, id: SymbolId) -> &'static str {
    if catalog.record(id).is_global() {
        "global"
    } else {
        "private"
    }
}

/// The names of the flags that listings show, in their order.
pub fn flag_names(flags: SymbolFlags) -> Vec<&'static str> {
    const NAMES: [(u32, &str); 7] = [
        (SymbolFlags::PUBLIC, "public"),
        (SymbolFlags::IMPORT, "import"),
        (SymbolFlags::EXPORT, "export"),
        (SymbolFlags::DECLARATION, "declaration"),
        (SymbolFlags::DEFINITION, "definition"),
        (SymbolFlags::CONFIG, "config"),
        (SymbolFlags::TEST_ONLY, "test-only"),
    ];
    NAMES
        .iter()
        .filter(|(flag, _)| flags.has(*flag))
        .map(|(_, name)| *name)
        .collect()
}

fn flag_list(flags: SymbolFlags) -> String {
    match flag_names(flags) {
        names if names.is_empty() => "-".to_owned(),
        names => names.join(","),
    }
}
