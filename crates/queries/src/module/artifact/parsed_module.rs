//! The symbols of a module as things of their own.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use std::ops::Range;
use std::sync::Arc;

use loom_base::{Diagnostic, FileName};
use loom_db::{Db, File, FileValue};
use loom_frontend::engine::FileState;
use loom_frontier::Record;
use loom_ir::{BytecodeSymbol, Checksum, Facet, Module, Parsed, Spans, SymbolKind};

/// One symbol of a module, text or bytecode. Its identity is what it is called, so it stays the same through
/// edits elsewhere in the file; its fields change one by one.
#[salsa::tracked(debug)]
pub struct ModuleSymbol<'db> {
    /// The module's file.
    #[returns(copy)]
    pub file: File,
    /// What it names.
    #[returns(copy)]
    pub kind: SymbolKind,
    /// The name, without `@`.
    pub name: Box<str>,
    /// How many symbols of the same kind and name stand before it: 0 unless the module is in error.
    #[returns(copy)]
    pub occurrence: u32,
    /// Op, flags, position and references.
    #[tracked]
    pub record: Record,
    /// The bytes of its contract. Those of the facets together are equal for two symbols that mean the same.
    #[tracked]
    pub contract: FacetBytes,
    /// The bytes of its configuration; empty if it has none.
    #[tracked]
    pub configuration: FacetBytes,
    /// The bytes of its body; empty if it has none.
    #[tracked]
    pub implementation: FacetBytes,
    /// Comments and blank lines.
    #[tracked]
    pub trivia: FacetBytes,
    /// Places, when the module was text. Only diagnostics may read them.
    #[tracked]
    pub spans: Option<Spans>,
}

/// A part of what [`loom_ir::decode_item`] reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FacetBytes {
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// What to check them with, when they come from a file and nobody has looked at them yet.
    pub checksum: Option<Checksum>,
}

/// A module with its symbols.
#[derive(Clone, Debug, salsa::SalsaValue)]
pub struct ParsedModule<'db> {
    /// The module, when it is text; items with syntax errors are marked broken. Items of bytecode are read when
    /// somebody wants them.
    pub text: Option<Arc<Module>>,
    /// Syntax errors of text, damage of the tables of bytecode, or why the file cannot be read.
    pub diagnostics: Box<[Diagnostic]>,
    /// The symbols in definition order, without those that have syntax errors.
    pub symbols: Box<[ModuleSymbol<'db>]>,
    /// Comments after the last op.
    pub trailing: Box<str>,
}

/// Reads the file as a module: bytecode if it begins like it, of which only header and tables are looked at, else
/// text. Diagnostics name the file by its path.
///
/// Without equality, because two texts hardly ever give equal trees with places; every reader is a firewall or
/// reads the fields of the symbols, which are compared one by one.
#[salsa::tracked(no_eq)]
pub fn parsed_module<'db>(db: &'db dyn Db, file: File) -> ParsedModule<'db> {
    let name = FileName::from(String::from_utf8_lossy(file.path(db)));
    match content(file.value(db), &name) {
        Ok(Content::Text(text)) => of_text(db, file, loom_ir::parse(text, &name)),
        Ok(Content::Bytecode(bytes)) => match loom_ir::summarize_bytecode(bytes, &name) {
            Ok(summary) => ParsedModule {
                text: None,
                diagnostics: Box::new([]),
                symbols: summary
                    .symbols
                    .into_iter()
                    .enumerate()
                    .filter_map(|(item, row)| of_row(db, file, bytes, item as u32, row))
                    .collect(),
                trailing: summary.trailing,
            },
            Err(damage) => failed(*damage),
        },
        Err(diagnostic) => failed(*diagnostic),
    }
}

/// What a file holds.
pub(in crate::module) enum Content<'a> {
    Text(&'a str),
    Bytecode(&'a [u8]),
}

/// `IO/001` if there is nothing to read, `IO/002` if it is neither bytecode nor text.
pub(in crate::module) fn content<'a>(
    value: &'a FileValue,
    name: &FileName,
) -> Result<Content<'a>, Box<Diagnostic>> {
    let Some(content) = &value.content else {
        let reason = match (&value.problem, &value.state) {
            (Some(problem), _) => problem,
            (None, FileState::Directory { .. }) => "it is a directory",
            (None, _) => "no such file",
        };
        let message = format!("cannot read the file: {reason}");
        return Err(Box::new(Diagnostic::error("IO/001", message).at(name, 0..0)));
    };
    if loom_ir::is_bytecode(content.bytes()) {
        return Ok(Content::Bytecode(content.bytes()));
    }
    match std::str::from_utf8(content.bytes()) {
        Ok(text) => Ok(Content::Text(text)),
        Err(error) => Err(Box::new(
            Diagnostic::error("IO/002", "the file is neither bytecode nor text")
                .at(name, 0..0)
                .note(format!("byte {} is not UTF-8", error.valid_up_to())),
        )),
    }
}

fn failed<'db>(diagnostic: Diagnostic) -> ParsedModule<'db> {
    ParsedModule {
        text: Some(Arc::default()),
        diagnostics: Box::new([diagnostic]),
        symbols: Box::new([]),
        trailing: "".into(),
    }
}

fn of_text<'db>(db: &'db dyn Db, file: File, parsed: Parsed) -> ParsedModule<'db> {
    let symbols = loom_ir::symbols(&parsed.module).into_iter().map(|symbol| {
        let record = Record {
            kind: symbol.kind,
            op: symbol.op,
            name: symbol.name.clone(),
            flags: symbol.flags,
            item: symbol.item as u32,
            references: symbol.references.into(),
        };
        let bytes = |bytes: Arc<[u8]>| FacetBytes {
            bytes,
            checksum: None,
        };
        let facet = |facet: Facet| {
            let Range { start, end } = symbol.facets[facet as usize];
            bytes(symbol.semantic[start as usize..end as usize].into())
        };
        let [contract, configuration, implementation] = Facet::ALL.map(facet);
        ModuleSymbol::new(
            db,
            file,
            symbol.kind,
            symbol.name,
            symbol.occurrence,
            record,
            contract,
            configuration,
            implementation,
            bytes(symbol.trivia),
            symbol.spans,
        )
    });
    ParsedModule {
        symbols: symbols.collect(),
        diagnostics: parsed.diagnostics.into(),
        trailing: parsed.module.trailing.clone(),
        text: Some(Arc::new(parsed.module)),
    }
}

/// The symbol of one row of a directory; none for an item without one.
fn of_row<'db>(
    db: &'db dyn Db,
    file: File,
    bytes: &[u8],
    item: u32,
    row: BytecodeSymbol,
) -> Option<ModuleSymbol<'db>> {
    let kind = row.kind?;
    let semantic = &bytes[row.semantic.start as usize..row.semantic.end as usize];
    // Whoever opens damaged bytes is told by their checksum.
    let facet = |facet: Facet| {
        let Range { start, end } = row.facets[facet as usize];
        FacetBytes {
            bytes: semantic
                .get(start as usize..end as usize)
                .unwrap_or_default()
                .into(),
            checksum: Some(row.seal.of_facet(facet)),
        }
    };
    let [contract, configuration, implementation] = Facet::ALL.map(facet);
    let trivia = FacetBytes {
        bytes: bytes[row.trivia.start as usize..row.trivia.end as usize].into(),
        checksum: Some(row.trivia_checksum),
    };
    let record = Record {
        kind,
        op: row.op,
        name: row.name.clone(),
        flags: row.flags,
        item,
        references: row.references.into(),
    };
    Some(ModuleSymbol::new(
        db,
        file,
        kind,
        row.name,
        row.occurrence,
        record,
        contract,
        configuration,
        implementation,
        trivia,
        None,
    ))
}
