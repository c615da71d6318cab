//! The template applications of a symbol.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;
use loom_frontier::{Demand, Facets, demands};
use loom_ir::fold::Exact;

use crate::link::{LinkSymbol, symbol_item};

/// Which facets are looked at, and the values of configuration.
#[salsa::interned(debug)]
pub struct DemandKey<'db> {
    /// The facets.
    #[returns(copy)]
    pub facets: Facets,
    /// The known values of the configuration that the symbol mentions.
    pub config: Box<[(Box<str>, Exact)]>,
}

/// The applications in the symbol. Most edits of a body leave them as they were, and with them every plan.
///
/// # Errors
/// A `BYTECODE` diagnostic when the bytes of the symbol are damaged.
#[salsa::tracked]
pub fn symbol_demands<'db>(
    db: &'db dyn Db,
    symbol: LinkSymbol<'db>,
    key: DemandKey<'db>,
) -> Result<Arc<[Demand]>, Box<Diagnostic>> {
    let item = symbol_item(db, symbol, key.facets(db))
        .as_ref()
        .map_err(Clone::clone)?;
    let known = key.config(db);
    let config = |name: &str| {
        let found = known.iter().find(|(known, _)| **known == *name);
        found.map(|(_, value)| *value)
    };
    Ok(demands(item, &config).into())
}
