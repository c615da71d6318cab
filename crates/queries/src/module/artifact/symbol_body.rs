//! A symbol as it means, for whoever compiles it.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;
use loom_frontier::Facets;
use loom_ir::Item;

use crate::module::ModuleSymbol;
use crate::module::artifact::symbol_bytes::opened_semantic;
use crate::module::artifact::symbol_item::decoded;

/// The symbol's op with everything in it, without comments and places. An edit elsewhere in the file, or of
/// comments in the symbol itself, does not run this.
///
/// # Errors
/// A `BYTECODE` diagnostic when the bytes of the symbol are damaged.
#[salsa::tracked]
pub fn symbol_body<'db>(db: &'db dyn Db, symbol: ModuleSymbol<'db>) -> Result<Arc<Item>, Box<Diagnostic>> {
    decoded(db, symbol, &opened_semantic(db, symbol, Facets::ALL)?, &[])
}
