//! Symbol tables of the members of a link, in the terms that resolution needs.

use std::collections::BTreeMap;

use object::elf::{STV_DEFAULT, STV_HIDDEN, STV_INTERNAL, STV_PROTECTED};
use object::{
    Object as _, ObjectComdat as _, ObjectSection as _, ObjectSymbol as _, SymbolFlags, SymbolIndex,
};
use serde::{Deserialize, Serialize};

/// The global symbols of one member, in its own order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct SymbolTable {
    /// The symbols.
    pub symbols: Vec<LinkSymbol>,
}

/// One global symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LinkSymbol {
    /// Its name, mangled for the target.
    pub name: Vec<u8>,
    /// What the member says about it.
    pub kind: SymbolKind,
    /// Whether it may be overridden, or go undefined.
    pub weak: bool,
    /// Hidden or internal visibility.
    pub hidden: bool,
    /// Protected visibility.
    pub protected: bool,
    /// Kept under its name whatever refers to it.
    pub used: bool,
    /// A linker may leave it out of a symbol table.
    pub omittable: bool,
    /// Name of the COMDAT group it is in.
    pub comdat: Option<Vec<u8>>,
    /// Name of the section it asks for; empty if none.
    pub section: Vec<u8>,
}

/// What a member says about a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SymbolKind {
    /// It is used here.
    Undefined,
    /// It is defined here.
    Defined,
    /// It takes this much zeroed space, unless somebody defines it.
    Common(u64),
}

impl LinkSymbol {
    /// A symbol of this name and kind, otherwise ordinary.
    pub fn new(name: impl Into<Vec<u8>>, kind: SymbolKind) -> Self {
        Self {
            name: name.into(),
            kind,
            weak: false,
            hidden: false,
            protected: false,
            used: false,
            omittable: false,
            comdat: None,
            section: Vec::new(),
        }
    }
}

/// The global symbols of an ELF object with their COMDAT groups. Fails, saying why, for anything else.
pub fn read_symbol_table(object: &[u8]) -> Result<SymbolTable, String> {
    let file = object::File::parse(object).map_err(|error| error.to_string())?;
    let mut groups = BTreeMap::new();
    for comdat in file.comdats() {
        let name = comdat.name_bytes().map_err(|error| error.to_string())?;
        for section in comdat.sections() {
            groups.insert(section.0, name.to_vec());
        }
    }
    let mut table = SymbolTable::default();
    for symbol in file.symbols() {
        if !symbol.is_global() || symbol.index() == SymbolIndex(0) {
            continue;
        }
        let name = symbol.name_bytes().map_err(|error| error.to_string())?;
        if name.is_empty() {
            continue;
        }
        let kind = if symbol.is_undefined() {
            SymbolKind::Undefined
        } else if symbol.is_common() {
            SymbolKind::Common(symbol.size())
        } else {
            SymbolKind::Defined
        };
        let visibility = match symbol.flags() {
            SymbolFlags::Elf { st_other, .. } => st_other.visibility(),
            _ => STV_DEFAULT,
        };
        let section = symbol
            .section_index()
            .and_then(|index| file.section_by_index(index).ok());
        table.symbols.push(LinkSymbol {
            weak: symbol.is_weak(),
            hidden: visibility == STV_HIDDEN || visibility == STV_INTERNAL,
            protected: visibility == STV_PROTECTED,
            comdat: symbol.section_index().and_then(|it| groups.get(&it.0).cloned()),
            section: section
                .and_then(|it| it.name_bytes().ok().map(<[u8]>::to_vec))
                .unwrap_or_default(),
            ..LinkSymbol::new(name, kind)
        });
    }
    Ok(table)
}
