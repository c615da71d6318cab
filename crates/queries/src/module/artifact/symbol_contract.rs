//! The contract of a symbol in memory.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;
use loom_frontier::Facets;
use loom_ir::Item;

use crate::module::ModuleSymbol;
use crate::module::artifact::symbol_bytes::opened_semantic;
use crate::module::artifact::symbol_item::decoded;

/// The symbol's op without its regions: name, modifiers, arguments, results, predicates.
///
/// # Errors
/// A `BYTECODE` diagnostic when the bytes of the contract are damaged.
#[salsa::tracked]
pub fn symbol_contract<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
) -> Result<Arc<Item>, Box<Diagnostic>> {
    let semantic = opened_semantic(db, symbol, Facets::CONTRACT)?;
    decoded(db, symbol, &semantic, &[])
}
