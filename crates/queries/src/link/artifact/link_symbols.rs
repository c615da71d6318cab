//! The symbols of a module as links know them.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use loom_base::{Diagnostic, FileName};
use loom_db::{Db, File};
use loom_frontier::Record;
use loom_ir::{BytecodeSymbol, SymbolKind};

use crate::module::{ModuleSymbol, parsed_module};

/// One symbol of a module, text or bytecode. Its identity is what it is called; its fields change one by one.
#[salsa::tracked(debug)]
pub struct LinkSymbol<'db> {
    /// What it names.
    #[returns(copy)]
    pub kind: SymbolKind,
    /// The name, without `@`.
    pub name: Box<str>,
    /// How many symbols of the same kind and name stand before it: 0 unless the module is in error.
    #[returns(copy)]
    pub occurrence: u32,
    /// What links may know of it without its contract.
    #[tracked]
    pub record: Record,
    /// Its bytes with the contract alone ([`loom_ir::only_facets`]); empty if they are damaged.
    #[tracked]
    pub contract: Box<[u8]>,
    /// Where the rest of it comes from.
    #[tracked]
    pub content: SymbolContent<'db>,
}

/// Where the bytes of a symbol come from.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub enum SymbolContent<'db> {
    /// A symbol of a module in text.
    Text(ModuleSymbol<'db>),
    /// A row of a bytecode file's directory.
    Bytecode(File, BytecodeSymbol),
}

/// The symbols of a module. Equal as long as the same symbols stand in the same order.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct LinkSymbols<'db> {
    /// In definition order: the position is the ordinal (decision 41).
    pub symbols: Box<[LinkSymbol<'db>]>,
    /// Comments after the last op.
    pub trailing: Box<str>,
    /// Damage of the tables, when the module is bytecode. What is wrong with text its diagnostics tell.
    pub damage: Option<Diagnostic>,
}

/// The symbols of the module. Of bytecode only header and tables are read.
#[salsa::tracked]
pub fn link_symbols<'db>(db: &'db dyn Db, file: File) -> LinkSymbols<'db> {
    match &file.value(db).content {
        Some(content) if loom_ir::is_bytecode(content.bytes()) => bytecode(db, file, content.bytes()),
        _ => text(db, file),
    }
}

fn text<'db>(db: &'db dyn Db, file: File) -> LinkSymbols<'db> {
    let parsed = parsed_module(db, file);
    let symbols = parsed.symbols.iter().enumerate().map(|(ordinal, &symbol)| {
        let facts = symbol.facts(db);
        let record = Record {
            kind: symbol.kind(db),
            op: facts.op,
            name: symbol.name(db).clone(),
            flags: facts.flags,
            item: ordinal as u32,
            references: facts.references.clone(),
        };
        let contract = loom_ir::only_facets(symbol.semantic(db).bytes(), &[]);
        let contract = contract.expect("encoded by this process");
        let content = SymbolContent::Text(symbol);
        let (kind, name, occurrence) = (symbol.kind(db), symbol.name(db).clone(), symbol.occurrence(db));
        LinkSymbol::new(db, kind, name, occurrence, record, contract.into(), content)
    });
    LinkSymbols {
        symbols: symbols.collect(),
        trailing: parsed.module.trailing.clone(),
        damage: None,
    }
}

fn bytecode<'db>(db: &'db dyn Db, file: File, bytes: &[u8]) -> LinkSymbols<'db> {
    let name = FileName::from(String::from_utf8_lossy(file.path(db)));
    let summary = match loom_ir::summarize_bytecode(bytes, &name) {
        Ok(summary) => summary,
        Err(damage) => {
            return LinkSymbols {
                symbols: Box::new([]),
                trailing: "".into(),
                damage: Some(*damage),
            };
        }
    };
    let symbols = summary.symbols.into_iter().enumerate().filter_map(|(item, row)| {
        let kind = row.kind?;
        let record = Record {
            kind,
            op: row.op,
            name: row.name.clone(),
            flags: row.flags,
            item: item as u32,
            references: row.references.as_slice().into(),
        };
        let contract = contract(bytes, &row).unwrap_or_default().into();
        let (name, occurrence) = (row.name.clone(), row.occurrence);
        let content = SymbolContent::Bytecode(file, row);
        Some(LinkSymbol::new(
            db, kind, name, occurrence, record, contract, content,
        ))
    });
    let symbols = symbols.collect();
    LinkSymbols {
        symbols,
        trailing: summary.trailing,
        damage: None,
    }
}

/// The bytes of a row with the contract alone.
fn contract(bytes: &[u8], row: &BytecodeSymbol) -> Option<Vec<u8>> {
    let semantic = bytes.get(row.semantic.start as usize..row.semantic.end as usize)?;
    loom_ir::only_facets(semantic, &[]).ok()
}
