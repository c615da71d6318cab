//! The module in memory, and its symbols as things of their own.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use std::sync::Arc;

use loom_base::{Blob, Diagnostic, FileName};
use loom_db::{Db, File, FileValue};
use loom_frontend::engine::FileState;
use loom_ir::{Module, Parsed, Reference, Spans, SymbolFlags, SymbolKind};

/// One symbol of a module. Its identity is what it is called, so it stays the same through edits elsewhere in
/// the file; its fields change one by one.
#[salsa::tracked(debug)]
pub struct ModuleSymbol<'db> {
    /// What it names.
    #[returns(copy)]
    pub kind: SymbolKind,
    /// The name, without `@`.
    pub name: Box<str>,
    /// How many symbols of the same kind and name stand before it: 0 unless the module is in error.
    #[returns(copy)]
    pub occurrence: u32,
    /// Where it is and what it consists of, without its body: position, op, flags, contract, references.
    #[tracked]
    pub facts: SymbolFacts,
    /// Bytes that are equal for two symbols that mean the same.
    #[tracked]
    pub semantic: Blob,
    /// Comments and blank lines.
    #[tracked]
    pub trivia: Arc<[u8]>,
    /// Places, when the module was text. Only diagnostics may read them.
    #[tracked]
    pub spans: Option<Spans>,
}

/// What a summary says about a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolFacts {
    /// The op that defines or declares it.
    pub op: &'static str,
    /// Visibility and nature.
    pub flags: SymbolFlags,
    /// The bytes of its contract: name, modifiers, arguments, results, predicates.
    pub contract: Box<[u8]>,
    /// Mentions of other symbols.
    pub references: Box<[Reference]>,
}

/// A module with its symbols.
#[derive(Clone, Debug, salsa::SalsaValue)]
pub struct ParsedModule<'db> {
    /// The module; items with syntax errors are marked broken.
    pub module: Arc<Module>,
    /// Syntax errors, damage, or why the file cannot be read.
    pub diagnostics: Box<[Diagnostic]>,
    /// The symbols in definition order.
    pub symbols: Box<[ModuleSymbol<'db>]>,
}

/// Reads the file as a module: bytecode if it begins like it, else text. Diagnostics name the file by its path.
///
/// Without equality, because two texts hardly ever give equal trees with places; every reader is a firewall or
/// reads the fields of the symbols, which are compared one by one.
#[salsa::tracked(no_eq)]
pub fn parsed_module<'db>(db: &'db dyn Db, file: File) -> ParsedModule<'db> {
    let name = FileName::from(String::from_utf8_lossy(file.path(db)));
    let Parsed { module, diagnostics } = read_module(file.value(db), &name);
    let symbols = loom_ir::symbols(&module).into_iter().map(|symbol| {
        let contract = &symbol.facets[0];
        let facts = SymbolFacts {
            op: symbol.op,
            flags: symbol.flags,
            contract: symbol.semantic[contract.start as usize..contract.end as usize].into(),
            references: symbol.references.into(),
        };
        let semantic = Blob::new(symbol.semantic);
        ModuleSymbol::new(
            db,
            symbol.kind,
            symbol.name,
            symbol.occurrence,
            facts,
            semantic,
            symbol.trivia,
            symbol.spans,
        )
    });
    let symbols = symbols.collect();
    ParsedModule {
        module: Arc::new(module),
        diagnostics: diagnostics.into(),
        symbols,
    }
}

/// `IO/001` if there is nothing to read, `IO/002` if it is neither bytecode nor text.
fn read_module(value: &FileValue, name: &FileName) -> Parsed {
    let failed = |diagnostic| Parsed {
        module: Module::default(),
        diagnostics: vec![diagnostic],
    };
    let Some(content) = &value.content else {
        let reason = match (&value.problem, &value.state) {
            (Some(problem), _) => problem,
            (None, FileState::Directory { .. }) => "it is a directory",
            (None, _) => "no such file",
        };
        return failed(Diagnostic::error("IO/001", format!("cannot read the file: {reason}")).at(name, 0..0));
    };
    if loom_ir::is_bytecode(content.bytes()) {
        return match loom_ir::decode(content.bytes(), name) {
            Ok(module) => Parsed {
                module,
                diagnostics: Vec::new(),
            },
            Err(diagnostic) => failed(*diagnostic),
        };
    }
    match std::str::from_utf8(content.bytes()) {
        Ok(text) => loom_ir::parse(text, name),
        Err(error) => failed(
            Diagnostic::error("IO/002", "the file is neither bytecode nor text")
                .at(name, 0..0)
                .note(format!("byte {} is not UTF-8", error.valid_up_to())),
        ),
    }
}
