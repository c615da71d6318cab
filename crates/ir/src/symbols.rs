//! What the rest of Loom knows about a module: its symbols, each with its bytes and references.

use std::ops::Range;
use std::sync::Arc;

use crate::bytecode::Encoder;
use crate::module::{Item, Module, Spans};
use crate::table::{OpTable, SymbolKind};

/// Symbol flags (loom-language 4.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SymbolFlags(pub u32);

impl SymbolFlags {
    /// Visible to other modules.
    pub const PUBLIC: u32 = 0x1;
    /// Bound at run time.
    pub const IMPORT: u32 = 0x2;
    /// Offered to other modules.
    pub const EXPORT: u32 = 0x4;
    /// Declares only.
    pub const DECLARATION: u32 = 0x8;
    /// Has a body.
    pub const DEFINITION: u32 = 0x10;
    /// A configuration value.
    pub const CONFIG: u32 = 0x20;
    /// Exists for tests only.
    pub const TEST_ONLY: u32 = 0x40;
    /// Kept although nothing refers to it.
    pub const RETAIN: u32 = 0x80;

    /// Whether all of `flags` are set.
    pub fn has(self, flags: u32) -> bool {
        self.0 & flags == flags
    }

    /// Whether other modules see the symbol: everything but private definitions.
    pub fn is_global(self) -> bool {
        self.0 & (Self::EXPORT | Self::DECLARATION | Self::CONFIG) != 0
    }
}

/// The independently readable parts of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Facet {
    /// Name, modifiers, arguments, results, predicates.
    Contract,
    /// The launch configuration of a kernel.
    Configuration,
    /// The body.
    Implementation,
}

impl Facet {
    /// All facets in the order of their bytes.
    pub const ALL: [Facet; 3] = [Facet::Contract, Facet::Configuration, Facet::Implementation];
}

/// One mention of another symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference {
    /// The name, without `@`.
    pub symbol: Box<str>,
    /// The op that mentions it, such as `kernel.launch`.
    pub op: &'static str,
    /// The slot of that op's row, such as `kernel`; op and slot together are the kind of reference.
    pub slot: &'static str,
    /// Where the op stands.
    pub facet: Facet,
}

/// One symbol of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// What it names.
    pub kind: SymbolKind,
    /// The op that defines or declares it.
    pub op: &'static str,
    /// The name, without `@`.
    pub name: Box<str>,
    /// How many symbols of the same kind and name stand before it: 0 unless the module is in error.
    pub occurrence: u32,
    /// Visibility and nature.
    pub flags: SymbolFlags,
    /// Position among the symbols of the module (decision 41).
    pub ordinal: u32,
    /// Position of its item in [`Module::items`].
    pub item: usize,
    /// Bytes that are equal for two symbols that mean the same: without comments, blank lines and places.
    /// [`crate::decode_item`] reads them.
    pub semantic: Arc<[u8]>,
    /// The parts of `semantic`, in the order of [`Facet::ALL`]; an absent facet is empty.
    pub facets: [Range<u32>; 3],
    /// Comments and blank lines.
    pub trivia: Arc<[u8]>,
    /// Places, when the module was text.
    pub spans: Option<Spans>,
    /// Mentions of other symbols in the order of the text, repetitions included.
    pub references: Vec<Reference>,
}

/// The symbols of `module` in definition order. Items with syntax errors are left out.
pub fn symbols(module: &Module) -> Vec<Symbol> {
    symbols_with(OpTable::standard(), module)
}

/// [`symbols`] with the ops of `table`.
pub(crate) fn symbols_with(table: &OpTable, module: &Module) -> Vec<Symbol> {
    let mut seen = rustc_hash::FxHashMap::default();
    seen.reserve(module.items.len());
    let mut symbols: Vec<Symbol> = Vec::with_capacity(module.items.len());
    let mut encoder = Encoder::new(table);
    for (position, item) in module.items.iter().enumerate() {
        if item.broken {
            continue;
        }
        let Some((kind, name)) = item.symbol_in(table) else {
            continue;
        };
        let mut symbol = symbol_by(&mut encoder, item, kind, name);
        let count = seen.entry((kind, name)).or_insert(0);
        symbol.occurrence = *count;
        *count += 1;
        symbol.ordinal = symbols.len() as u32;
        symbol.item = position;
        symbols.push(symbol);
    }
    symbols
}

/// The symbol that `item` defines; ordinal and occurrence are those of a module of its own.
pub fn symbol(table: &OpTable, item: &Item) -> Option<Symbol> {
    let (kind, name) = item.symbol_in(table)?;
    Some(symbol_by(&mut Encoder::new(table), item, kind, name))
}

fn symbol_by(encoder: &mut Encoder<'_>, item: &Item, kind: SymbolKind, name: &str) -> Symbol {
    let table = encoder.table;
    let encoded = encoder.item(item);
    Symbol {
        kind,
        op: item.op(table).name,
        name: name.into(),
        occurrence: 0,
        flags: flags(table, item),
        ordinal: 0,
        item: 0,
        semantic: encoder.semantic().into(),
        facets: encoded.facets,
        trivia: encoder.trivia().into(),
        spans: item.spans.clone(),
        references: encoded.references,
    }
}

/// The flags of an item's symbol.
pub(crate) fn flags(table: &OpTable, item: &Item) -> SymbolFlags {
    let view = item.root(table);
    let mut flags = match view.def.name {
        "func.decl"
            if view
                .def
                .slot_named("library")
                .is_some_and(|slot| !view.slot(slot).is_empty()) =>
        {
            SymbolFlags::DECLARATION | SymbolFlags::IMPORT
        }
        "kernel.def" => SymbolFlags::DEFINITION | SymbolFlags::EXPORT,
        "kernel.decl" | "kernel.entry.decl" => SymbolFlags::DECLARATION | SymbolFlags::EXPORT,
        "config.decl" => SymbolFlags::DECLARATION | SymbolFlags::CONFIG,
        "config.def" => SymbolFlags::DEFINITION | SymbolFlags::CONFIG,
        name if name.ends_with(".decl") => SymbolFlags::DECLARATION,
        _ => SymbolFlags::DEFINITION,
    };
    if view.def.traits.has(crate::table::Traits::TEST_ONLY) {
        flags |= SymbolFlags::TEST_ONLY;
    }
    if view.has("public") {
        flags |= SymbolFlags::PUBLIC;
        if flags & SymbolFlags::DEFINITION != 0 {
            flags |= SymbolFlags::EXPORT;
        }
    }
    if view.has("retain") {
        flags |= SymbolFlags::RETAIN;
    }
    SymbolFlags(flags)
}
