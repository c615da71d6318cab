//! A symbol as it reads.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_db::Db;
use loom_frontier::Facets;

use crate::module::ModuleSymbol;
use crate::module::artifact::symbol_bytes::{opened_semantic, opened_trivia};
use crate::module::artifact::symbol_item::decoded;

/// The symbol's canonical text with its comments. An edit elsewhere in the file does not run this.
///
/// # Errors
/// A `BYTECODE` diagnostic when the bytes of the symbol are damaged.
#[salsa::tracked]
pub fn symbol_text<'db>(db: &'db dyn Db, symbol: ModuleSymbol<'db>) -> Result<Arc<str>, Box<Diagnostic>> {
    let (semantic, trivia) = (
        opened_semantic(db, symbol, Facets::ALL)?,
        opened_trivia(db, symbol)?,
    );
    Ok(loom_ir::print_item(&*decoded(db, symbol, &semantic, &trivia)?).into())
}
