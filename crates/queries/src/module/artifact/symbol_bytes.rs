//! The bytes of a symbol, or of some of its facets.

use std::sync::Arc;

use loom_base::{Diagnostic, FileName};
use loom_db::Db;
use loom_frontier::Facets;

use crate::module::ModuleSymbol;

/// What [`loom_ir::decode_item`] reads, undamaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolBytes {
    /// What the symbol means, without the facets that were not asked for.
    pub semantic: Arc<[u8]>,
    /// Comments and blank lines; none when only some facets were asked for.
    pub trivia: Arc<[u8]>,
}

/// The bytes of `facets` of the symbol. Behind this nothing runs as long as these are the same, whatever becomes
/// of other facets.
///
/// # Errors
/// A `BYTECODE` diagnostic when they are damaged.
#[salsa::tracked]
pub fn symbol_bytes<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
    facets: Facets,
) -> Result<SymbolBytes, Box<Diagnostic>> {
    let whole = Facets::of(symbol.record(db)).without(facets).is_empty();
    let trivia = match whole {
        true => opened_trivia(db, symbol)?,
        false => Arc::new([]),
    };
    let wanted = if whole { Facets::ALL } else { facets };
    Ok(SymbolBytes {
        semantic: opened_semantic(db, symbol, wanted)?,
        trivia,
    })
}

/// The semantic bytes of `facets`.
pub(in crate::module) fn opened_semantic<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
    facets: Facets,
) -> Result<Arc<[u8]>, Box<Diagnostic>> {
    let semantic = symbol.semantic(db);
    let opened = match (&semantic.seal, facets == Facets::ALL) {
        (None, true) => return Ok(semantic.bytes.clone()),
        (None, false) => loom_ir::only_facets(&semantic.bytes, &facets.list()).ok(),
        (Some(seal), true) => {
            return match seal.holds(&semantic.bytes) {
                true => Ok(semantic.bytes.clone()),
                false => Err(damaged(db, symbol)),
            };
        }
        (Some(seal), false) => seal.open(&semantic.bytes, &facets.list()),
    };
    opened.map(Into::into).ok_or_else(|| damaged(db, symbol))
}

/// Comments and blank lines.
pub(in crate::module) fn opened_trivia<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
) -> Result<Arc<[u8]>, Box<Diagnostic>> {
    let trivia = symbol.trivia(db);
    match trivia.checksum {
        Some(checksum) if !checksum.holds(&trivia.bytes) => Err(damaged(db, symbol)),
        _ => Ok(trivia.bytes.clone()),
    }
}

/// `BYTECODE/004` about the symbol.
pub(in crate::module) fn damaged<'db>(db: &'db dyn Db, symbol: ModuleSymbol<'db>) -> Box<Diagnostic> {
    let name = FileName::from(String::from_utf8_lossy(symbol.file(db).path(db)));
    loom_ir::damaged_symbol(&name, symbol.name(db))
}
