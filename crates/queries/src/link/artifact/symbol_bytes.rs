//! The bytes of a symbol, or of some of its facets.

use std::sync::Arc;

use loom_base::{Blob, Diagnostic, FileName};
use loom_db::Db;
use loom_frontier::Facets;

use crate::link::{LinkSymbol, SymbolContent};

/// What [`loom_ir::decode_item`] reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolBytes {
    /// What the symbol means, without the facets that were not asked for.
    pub semantic: Blob,
    /// Comments and blank lines; none when only some facets were asked for.
    pub trivia: Arc<[u8]>,
}

/// The bytes of `facets` of the symbol. Behind this nothing runs as long as these are the same, whatever becomes
/// of other facets.
///
/// # Errors
/// A `BYTECODE` diagnostic when the bytes of the symbol are damaged.
#[salsa::tracked]
pub fn symbol_bytes<'db>(
    db: &'db dyn Db,
    symbol: LinkSymbol<'db>,
    facets: Facets,
) -> Result<SymbolBytes, Box<Diagnostic>> {
    let whole = Facets::of(symbol.record(db)).without(facets).is_empty();
    match symbol.content(db) {
        SymbolContent::Text(text) if whole => Ok(SymbolBytes {
            semantic: text.semantic(db).clone(),
            trivia: text.trivia(db).clone(),
        }),
        SymbolContent::Text(text) => {
            let part = loom_ir::only_facets(text.semantic(db).bytes(), &facets.list());
            let part = part.expect("encoded by this process");
            Ok(SymbolBytes {
                semantic: Blob::new(part),
                trivia: Arc::new([]),
            })
        }
        SymbolContent::Bytecode(file, row) => {
            let name = FileName::from(String::from_utf8_lossy(file.path(db)));
            let bytes = file.value(db).content.as_ref().map_or(&[][..], Blob::bytes);
            if whole {
                let (semantic, trivia) = loom_ir::read_body(bytes, row, &name)?;
                return Ok(SymbolBytes {
                    semantic: Blob::new(semantic),
                    trivia: trivia.into(),
                });
            }
            let semantic = bytes.get(row.semantic.start as usize..row.semantic.end as usize);
            let part = semantic.and_then(|semantic| loom_ir::only_facets(semantic, &facets.list()).ok());
            match part {
                Some(part) => Ok(SymbolBytes {
                    semantic: Blob::new(part),
                    trivia: Arc::new([]),
                }),
                None => Err(Box::new(
                    Diagnostic::error("BYTECODE/006", format!("malformed bytecode in '@{}'", row.name))
                        .at(&name, 0..0)
                        .help("write the file again from its text"),
                )),
            }
        }
    }
}
