//! A symbol as it means, for whoever compiles it.

use std::sync::Arc;

use loom_db::Db;
use loom_ir::Item;

use crate::module::ModuleSymbol;

/// The symbol's op with everything in it, without comments and places. An edit elsewhere in the file, or of
/// comments in the symbol itself, does not run this.
#[salsa::tracked]
pub fn symbol_body<'db>(db: &'db dyn Db, symbol: ModuleSymbol<'db>) -> Arc<Item> {
    Arc::new(loom_ir::decode_item(symbol.semantic(db).bytes(), &[]).expect("encoded by this process"))
}
