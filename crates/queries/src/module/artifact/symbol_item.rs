//! A symbol in memory, with its comments.

use std::sync::Arc;

use loom_base::{Diagnostic, FileName};
use loom_db::Db;
use loom_frontier::Facets;
use loom_ir::Item;

use crate::module::ModuleSymbol;
use crate::module::artifact::symbol_bytes::opened_bytes;

/// The symbol's op with the regions of `facets`, and with its comments when that is [`Facets::ALL`]: whoever means all
/// that the symbol has says so.
///
/// # Errors
/// A `BYTECODE` diagnostic when the bytes of the symbol are damaged.
#[salsa::tracked]
pub fn symbol_item<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
    facets: Facets,
) -> Result<Arc<Item>, Box<Diagnostic>> {
    let bytes = opened_bytes(db, symbol, facets)?;
    decoded(db, symbol, &bytes.semantic, &bytes.trivia)
}

/// The item in `semantic` and `trivia`, if it is the symbol.
pub(crate) fn decoded<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
    semantic: &[u8],
    trivia: &[u8],
) -> Result<Arc<Item>, Box<Diagnostic>> {
    let what = match loom_ir::decode_item(semantic, trivia) {
        Ok(item) if item.symbol() == Some((symbol.kind(db), symbol.name(db))) => return Ok(Arc::new(item)),
        Ok(_) => "an item that is not what the directory says",
        Err(malformed) => malformed.what,
    };
    let name = FileName::from(String::from_utf8_lossy(symbol.file(db).path(db)));
    let message = format!("malformed bytecode in '@{}': {what}", symbol.name(db));
    let diagnostic = Diagnostic::error("BYTECODE/006", message).at(&name, 0..0);
    Err(Box::new(diagnostic.help("write the file again from its text")))
}
