//! A symbol as it reads.

use std::sync::Arc;

use loom_db::Db;

use crate::module::ModuleSymbol;

/// The symbol's canonical text with its comments. An edit elsewhere in the file does not run this.
#[salsa::tracked]
pub fn symbol_text<'db>(db: &'db dyn Db, symbol: ModuleSymbol<'db>) -> Arc<str> {
    let item = loom_ir::decode_item(symbol.semantic(db).bytes(), symbol.trivia(db));
    loom_ir::print_item(&item.expect("encoded by this process")).into()
}
