//! Requests about single symbols of a module.

use std::sync::Arc;

use loom_base::{Diagnostic, Outcome};
use loom_db::{Db, file};
use loom_queries::module::{self, ModuleSymbol};
use serde::Serialize;

use crate::{Interruption, Snapshot};

/// One symbol of a module, as a list shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SymbolEntry {
    /// The name, without `@`.
    pub name: Box<str>,
    /// What it names.
    pub kind: &'static str,
    /// The op that defines or declares it.
    pub op: &'static str,
    /// Its flags, by the names of listings (loom-language 4.5).
    pub flags: Vec<&'static str>,
}

impl Snapshot {
    /// The symbols of the module in the file `path` (absolute) in definition order, with its syntax errors. Of
    /// bytecode only the tables are read.
    pub fn module_symbols(&self, path: &[u8]) -> Result<Outcome<Vec<SymbolEntry>>, Interruption> {
        self.ask(|db| {
            let symbols = module::module_summary(db, file(db, path)).symbols.iter();
            let entries = symbols.map(|symbol| SymbolEntry {
                name: symbol.name(db).clone(),
                kind: symbol.kind(db).name(),
                op: symbol.record(db).op,
                flags: loom_frontier::flag_names(symbol.record(db).flags),
            });
            Outcome::checked(entries.collect(), syntax(db, path))
        })
    }

    /// The canonical text of the symbol `name`, with or without `@`, of the module in the file `path` (absolute).
    /// Without `comments` the text is the same for two symbols that mean the same.
    ///
    /// The outcome fails with `LINK/004` when there is no such symbol, and with the syntax errors of the module. The
    /// verifier does not look at it.
    pub fn symbol_text(
        &self,
        path: &[u8],
        name: &str,
        comments: bool,
    ) -> Result<Outcome<Arc<str>>, Interruption> {
        self.ask(|db| {
            let mut found = syntax(db, path);
            let text = match symbol(db, path, name) {
                Some(symbol) if comments => module::symbol_text(db, symbol).clone(),
                Some(symbol) => {
                    let body = module::symbol_body(db, symbol).clone();
                    body.map(|item| loom_ir::print_item(&item).into())
                }
                None => Err(Box::new(Diagnostic::error(
                    "LINK/004",
                    format!("the module has no symbol '@{}'", name.trim_start_matches('@')),
                ))),
            };
            let text = text.map_err(|diagnostic| found.push(*diagnostic));
            Outcome {
                value: text.ok().filter(|_| !found.iter().any(Diagnostic::is_error)),
                diagnostics: found.into(),
            }
        })
    }
}

/// Syntax errors of text, damage of the tables of bytecode.
fn syntax(db: &dyn Db, path: &[u8]) -> Vec<Diagnostic> {
    module::parsed_module(db, file(db, path)).diagnostics.to_vec()
}

fn symbol<'db>(db: &'db dyn Db, path: &[u8], name: &str) -> Option<ModuleSymbol<'db>> {
    let name = name.strip_prefix('@').unwrap_or(name);
    let mut symbols = module::module_summary(db, file(db, path)).symbols.iter();
    symbols.find(|symbol| **symbol.name(db) == *name).copied()
}
