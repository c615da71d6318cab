//! Providers as the user gives them: text and bytecode alike.

use std::ops::Range;
use std::sync::Arc;

use loom_base::{Diagnostic, FileName};
use loom_ir::{BytecodeSummary, BytecodeSymbol, Item, Module, OpTable};

use crate::plan::Facets;

use super::{ModuleIndex, Provider, Record, Role};

/// A provider with its records, ready for an [`super::Index`].
pub struct Source {
    /// Name and role.
    pub provider: Provider,
    /// Its symbols.
    pub module: ModuleIndex,
    /// Where bodies come from.
    pub content: Content,
}

/// Where the bodies of a provider come from.
pub enum Content {
    /// A parsed module.
    Text(Arc<Module>),
    /// Bytecode, of which only the tables have been read.
    Bytecode {
        /// The file.
        bytes: Arc<[u8]>,
        /// Its tables.
        summary: BytecodeSummary,
    },
}

/// Reads `bytes` as a module: bytecode if they begin like it, else text. Of bytecode only the tables are read.
///
/// # Errors
/// `PARSE` and `BYTECODE` diagnostics, and `IO/002` when the bytes are neither bytecode nor text. The module is
/// not verified.
pub fn read_source(
    name: impl Into<FileName>,
    role: Role,
    bytes: &Arc<[u8]>,
) -> Result<Source, Vec<Diagnostic>> {
    let name = name.into();
    if loom_ir::is_bytecode(bytes) {
        let summary = loom_ir::summarize_bytecode(bytes, &name).map_err(|diagnostic| vec![*diagnostic])?;
        return Ok(Source::bytecode(name, role, bytes.clone(), summary));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let message = "the file is neither bytecode nor text";
        let diagnostic = Diagnostic::error("IO/002", message).at(&name, 0..0);
        vec![diagnostic.note(format!("byte {} is not UTF-8", error.valid_up_to()))]
    })?;
    let parsed = loom_ir::parse(text, &name);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    Ok(Source::text(name, role, Arc::new(parsed.module)))
}

impl Source {
    /// A provider in memory. Items with syntax errors are left out.
    pub fn text(name: impl Into<FileName>, role: Role, module: Arc<Module>) -> Source {
        let symbols = loom_ir::symbols(&module).into_iter();
        let records = symbols.map(|symbol| Record {
            kind: symbol.kind,
            op: symbol.op,
            name: symbol.name,
            flags: symbol.flags,
            item: symbol.item as u32,
            references: symbol.references.into(),
        });
        let module_index = ModuleIndex::new(records);
        Source {
            provider: Provider {
                name: name.into(),
                role,
            },
            module: module_index,
            content: Content::Text(module),
        }
    }

    /// A provider in bytecode, whose tables are `summary`.
    pub fn bytecode(
        name: impl Into<FileName>,
        role: Role,
        bytes: Arc<[u8]>,
        summary: BytecodeSummary,
    ) -> Source {
        let rows = summary.symbols.iter().enumerate();
        let records = rows.filter_map(|(item, symbol)| {
            Some(Record {
                kind: symbol.kind?,
                op: symbol.op,
                name: symbol.name.clone(),
                flags: symbol.flags,
                item: item as u32,
                references: symbol.references.as_slice().into(),
            })
        });
        let module = ModuleIndex::new(records);
        Source {
            provider: Provider {
                name: name.into(),
                role,
            },
            module,
            content: Content::Bytecode { bytes, summary },
        }
    }
}

impl Content {
    /// The contract; where it costs nothing, the whole item.
    pub(super) fn contract(&self, record: &Record, file: &FileName) -> Result<Arc<Item>, Box<Diagnostic>> {
        match self {
            Content::Text(module) => Ok(module.items[record.item as usize].clone()),
            Content::Bytecode { .. } => self.part(record, Facets::CONTRACT, file),
        }
    }

    /// The item with the regions of `facets`.
    pub(super) fn part(
        &self,
        record: &Record,
        facets: Facets,
        file: &FileName,
    ) -> Result<Arc<Item>, Box<Diagnostic>> {
        let whole = Facets::of(record).without(facets).is_empty();
        match self {
            Content::Text(module) if whole => Ok(module.items[record.item as usize].clone()),
            Content::Text(module) => {
                let item = &module.items[record.item as usize];
                let symbol =
                    loom_ir::symbol(OpTable::standard(), item).expect("a record stands for a symbol");
                let bytes =
                    loom_ir::only_facets(&symbol.semantic, &facets.list()).expect("encoded by this process");
                Ok(Arc::new(
                    loom_ir::decode_item(&bytes, &[]).expect("encoded by this process"),
                ))
            }
            Content::Bytecode { bytes, summary } => {
                let row = &summary.symbols[record.item as usize];
                let decoded = if whole {
                    let (semantic, trivia) = loom_ir::read_body(bytes, row, file)?;
                    loom_ir::decode_item(semantic, trivia)
                } else {
                    let part = loom_ir::read_facets(bytes, row, &facets.list(), file)?;
                    loom_ir::decode_item(&part, &[])
                };
                let item = decoded.map_err(|error| malformed(file, row, error.at, error.what))?;
                described(item, record, file, row)
            }
        }
    }
}

/// The item, if it is what the tables say.
fn described(
    item: Item,
    record: &Record,
    file: &FileName,
    row: &BytecodeSymbol,
) -> Result<Arc<Item>, Box<Diagnostic>> {
    match item.symbol() {
        Some((kind, name)) if kind == record.kind && name == &*record.name => Ok(Arc::new(item)),
        _ => Err(malformed(
            file,
            row,
            0,
            "an item that is not what the directory says",
        )),
    }
}

fn malformed(file: &FileName, row: &BytecodeSymbol, at: usize, what: &str) -> Box<Diagnostic> {
    let at = row.semantic.start as usize + at;
    let diagnostic = Diagnostic::error("BYTECODE/006", format!("malformed bytecode at byte {at}: {what}"));
    Box::new(
        diagnostic
            .at(file, 0..0)
            .help("write the file again from its text"),
    )
}

/// Where the name of an item's symbol stands in its file; an empty range if it was not read from text.
pub fn name_range(item: &Item) -> Range<u32> {
    let table = OpTable::standard();
    let slot = item.op(table).defines.map_or(0, |(slot, _)| slot);
    item.range(|spans| item.root(table).span(spans, slot, 0))
}
