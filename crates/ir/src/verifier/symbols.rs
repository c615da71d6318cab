//! Symbols: defined once, referenced by the right kind.

use loom_base::{Diagnostic, FileName};

use super::{Defined, Names, Verifier};
use crate::module::{Module, OpView, StringId};
use crate::table::{OpTable, SlotKind};

/// All symbols of `module` by name; a second definition is reported.
pub(super) fn collect<'a>(
    table: &OpTable,
    module: &'a Module,
    file: &FileName,
    findings: &mut Vec<Diagnostic>,
) -> Names<'a> {
    let mut names = Names::default();
    for (position, item) in module.items.iter().enumerate() {
        let Some((kind, name)) = item.symbol_in(table) else {
            continue;
        };
        let place = |item: usize| {
            let item = &module.items[item];
            let slot = item.op(table).defines.map_or(0, |(slot, _)| slot);
            item.range(|spans| item.root(table).span(spans, slot, 0))
        };
        match names.get(name) {
            None => {
                names.insert(name, Defined { kind, item: position });
            }
            Some(first) => {
                let diagnostic = Diagnostic::error(
                    "SYMBOL/005",
                    format!("symbol '@{name}' is already defined"),
                )
                .at(file, place(position))
                .related("first defined here", file, place(first.item))
                .help("rename one of the two; a declaration and its definition stand in different modules");
                findings.push(diagnostic);
            }
        }
    }
    names
}

impl<'a> Verifier<'a> {
    /// Every symbol that the op mentions exists and has an admitted kind.
    pub(super) fn references(&mut self, view: OpView<'a>) {
        for (slot, content) in view.def.slots.iter().enumerate() {
            let SlotKind::Symbol(refers) = content.kind else {
                continue;
            };
            for (position, &word) in view.slot(slot).iter().enumerate() {
                let name = view.body.text(StringId(word));
                let Some(&Defined { kind, item }) = self.names.get(name) else {
                    let mut diagnostic = Diagnostic::error(
                        "SYMBOL/002",
                        format!("symbol '@{name}' is referenced but not defined"),
                    );
                    diagnostic = match self.speller.closest(name, self.names.keys().copied()) {
                        Some(similar) => diagnostic.help(format!("there is a symbol called `@{similar}`")),
                        None => diagnostic.help("define it, or declare it if another module defines it"),
                    };
                    self.at_word(view, slot, position, diagnostic);
                    continue;
                };
                if !refers.contains(kind) {
                    let expected: Vec<_> = refers.kinds().map(|kind| kind.name()).collect();
                    let expected = expected.join(" or ");
                    let message = format!("symbol '@{name}' has kind {}, expected {expected}", kind.name());
                    let target = &self.module.items[item];
                    let defining = target.op(self.table).defines.map_or(0, |(slot, _)| slot);
                    let range = target.range(|spans| target.root(self.table).span(spans, defining, 0));
                    let diagnostic = Diagnostic::error("SYMBOL/003", message)
                        .related("defined here", self.file, range)
                        .help(format!("`{}` needs a {expected}", view.def.name));
                    self.at_word(view, slot, position, diagnostic);
                }
            }
        }
    }
}
