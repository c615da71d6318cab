//! The contract of a symbol in memory.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;
use loom_ir::Item;

use crate::module::ModuleSymbol;
use crate::module::artifact::symbol_bytes::damaged;
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
    let contract = symbol.contract(db);
    match contract.seal.map(|seal| seal.open(&contract.bytes, &[])) {
        Some(None) => Err(damaged(db, symbol)),
        Some(Some(_)) | None => decoded(db, symbol, &contract.bytes, &[]),
    }
}
