//! The bytes of a symbol, or of some of its facets. Whoever opens them depends on these facets only, whatever becomes
//! of others.

use std::sync::Arc;

use loom_base::{Diagnostic, FileName};
use loom_db::Db;
use loom_frontier::Facets;
use loom_ir::Facet;

use crate::module::{FacetBytes, ModuleSymbol};

/// What [`loom_ir::decode_item`] reads, undamaged.
pub(in crate::module) struct SymbolBytes {
    /// What the symbol means, without the facets that were not asked for.
    pub semantic: Arc<[u8]>,
    /// Comments and blank lines; none when only some facets were asked for.
    pub trivia: Arc<[u8]>,
}

/// The bytes of `facets` of the symbol, with its comments if that is [`Facets::ALL`].
///
/// # Errors
/// A `BYTECODE` diagnostic when they are damaged.
pub(in crate::module) fn opened_bytes<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
    facets: Facets,
) -> Result<SymbolBytes, Box<Diagnostic>> {
    let trivia = match facets == Facets::ALL {
        true => opened_trivia(db, symbol)?,
        false => Arc::new([]),
    };
    Ok(SymbolBytes {
        semantic: opened_semantic(db, symbol, facets)?,
        trivia,
    })
}

/// The semantic bytes with those of `facets` and the contract.
pub(in crate::module) fn opened_semantic<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
    facets: Facets,
) -> Result<Arc<[u8]>, Box<Diagnostic>> {
    // A field that is not wanted is not even looked at, so its changes run nothing.
    let open = |facet: Facet| match facet {
        _ if facet != Facet::Contract && !facets.contains(facet) => Ok(&[][..]),
        Facet::Contract => opened(db, symbol, symbol.contract(db)),
        Facet::Configuration => opened(db, symbol, symbol.configuration(db)),
        Facet::Implementation => opened(db, symbol, symbol.implementation(db)),
    };
    let [contract, configuration, implementation] = Facet::ALL.map(open);
    Ok(loom_ir::join_facets([contract?, configuration?, implementation?]).into())
}

/// Comments and blank lines.
pub(in crate::module) fn opened_trivia<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
) -> Result<Arc<[u8]>, Box<Diagnostic>> {
    let trivia = symbol.trivia(db);
    opened(db, symbol, trivia)?;
    Ok(trivia.bytes.clone())
}

/// Undamaged bytes.
fn opened<'db>(
    db: &'db dyn Db,
    symbol: ModuleSymbol<'db>,
    part: &'db FacetBytes,
) -> Result<&'db [u8], Box<Diagnostic>> {
    match part.checksum {
        Some(checksum) if !checksum.holds(&part.bytes) => Err(damaged(db, symbol)),
        _ => Ok(&part.bytes),
    }
}

/// `BYTECODE/004` about the symbol.
fn damaged<'db>(db: &'db dyn Db, symbol: ModuleSymbol<'db>) -> Box<Diagnostic> {
    let name = FileName::from(String::from_utf8_lossy(symbol.file(db).path(db)));
    loom_ir::damaged_symbol(&name, symbol.name(db))
}
