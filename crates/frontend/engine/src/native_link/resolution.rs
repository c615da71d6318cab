//! Whether symbols were resolved as the linker resolved them: the output's own symbol table tells.

use std::collections::BTreeMap;

use loom_frontend::link::{LinkError, LinkMap};
use object::{Object as _, ObjectSymbol as _, SymbolKind};

use super::collect::Collected;

/// The member that each symbol of an output comes from, where that is known: a stripped output says nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct SymbolSources {
    sources: BTreeMap<Vec<u8>, String>,
}

impl SymbolSources {
    /// Looks every function and variable of `product` up in the pieces of `map`; `shown` names inputs.
    pub(super) fn read(product: &[u8], map: &LinkMap, shown: impl Fn(&str) -> String) -> Self {
        let mut pieces: Vec<_> = map
            .pieces
            .iter()
            .filter(|it| it.address != 0 && it.size != 0)
            .collect();
        pieces.sort_by_key(|it| it.address);
        let mut sources = BTreeMap::new();
        let Ok(file) = object::File::parse(product) else {
            return Self::default();
        };
        for symbol in file.symbols() {
            let is_placed = matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data);
            if !symbol.is_global() || symbol.is_undefined() || !is_placed {
                continue;
            }
            let after = pieces.partition_point(|it| it.address <= symbol.address());
            let Some(piece) = after.checked_sub(1).map(|at| pieces[at]) else {
                continue;
            };
            if symbol.address() - piece.address < piece.size
                && let Ok(name) = symbol.name_bytes()
            {
                sources.insert(name.to_vec(), shown(&piece.input));
            }
        }
        Self { sources }
    }
}

impl Collected {
    /// Fails with `link_resolution_mismatch` if a symbol was taken from another member than the linker took it from.
    /// Objects that the linker made itself are nobody's.
    pub(super) fn check_resolution(&self) -> Result<(), LinkError> {
        let members: Vec<_> = self.request.members.iter().map(|it| &it.name).collect();
        for (symbol, ours) in crate::link::prevailing(&self.request)? {
            let Some(theirs) = self.sources.sources.get(&symbol) else {
                continue;
            };
            if *theirs != ours && members.contains(&theirs) {
                let symbol = String::from_utf8_lossy(&symbol);
                return Err(LinkError::new(
                    "link_resolution_mismatch",
                    [ours, theirs.clone()],
                    format!("`{symbol}` would be the first one's, but the linker took the second one's"),
                ));
            }
        }
        Ok(())
    }
}
