//! The template applications of a symbol.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;
use loom_frontier::{Demand, Facets, TargetFacts, demands};
use loom_ir::fold::Exact;

use crate::module::{ModuleSymbol, symbol_body, symbol_item};

/// Which facets are looked at, the values of configuration, and the target.
#[salsa::interned(debug)]
pub struct DemandKey<'db> {
    /// The facets.
    #[returns(copy)]
    pub facets: Facets,
    /// The known values of the configuration that the symbol mentions.
    pub config: Box<[(Box<str>, Exact)]>,
    /// What is known of the target.
    #[returns(copy)]
    pub target: TargetFacts,
}

/// The applications in the symbol. Most edits of a body leave them as they were, and with them every plan.
///
/// # Errors
/// A `BYTECODE` diagnostic when the bytes of the symbol are damaged.
#[salsa::tracked]
pub fn symbol_demands<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
    key: DemandKey<'db>,
) -> Result<Arc<[Demand]>, Box<Diagnostic>> {
    let facets = key.facets(db);
    // Without comments where that is possible: they change nothing here.
    let item = match Facets::of(symbol.record(db)).without(facets).is_empty() {
        true => symbol_body(db, symbol),
        false => symbol_item(db, symbol, facets),
    };
    let item = item.as_ref().map_err(Clone::clone)?;
    let known = key.config(db);
    let config = |name: &str| {
        let found = known.iter().find(|(known, _)| **known == *name);
        found.map(|(_, value)| *value)
    };
    Ok(demands(item, &config, key.target(db)).into())
}
