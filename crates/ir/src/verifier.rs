//! What the grammar cannot say: symbols, types, counts, placement, effects, constraints.
//!
//! Everything generic (operand types, classes, counts, dictionaries, terminators) follows from the table row;
//! what is peculiar to an op is a [`crate::Rule`] of its row. Items with syntax errors are not looked at, but
//! the symbols they define count.

use loom_base::{Diagnostic, FileName};
use rustc_hash::FxHashMap;

use crate::module::{Item, Module, OpId, OpView, RegionId, Span};
use crate::printer::{print_line, type_text};
use crate::spelling::Speller;
use crate::table::{OpTable, SymbolKind, Traits};
use crate::walk::Definitions;

mod cfg;
mod dominance;
mod operands;
mod poison;
mod regions;
mod rules;
mod symbols;
mod uniformity;

/// Checks `module`. Findings come in source order. An empty result, or one without errors, means that every later stage accepts its form.
///
/// The codes are those of loom-language section 9 and loom-ops section 6. Places are ranges of `file`; for an
/// item that was not parsed from text they are empty ranges at its start and a note shows the op.
pub fn verify(module: &Module, file: &FileName) -> Vec<Diagnostic> {
    verify_with(OpTable::standard(), module, file)
}

/// [`verify`] with the ops of `table`.
pub fn verify_with(table: &OpTable, module: &Module, file: &FileName) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let speller = Speller::default();
    let names = symbols::collect(table, module, file, &mut findings);
    for item in module.items.iter().filter(|item| !item.broken) {
        let mut verifier = Verifier {
            table,
            file,
            module,
            names: &names,
            item,
            speller: &speller,
            definitions: Definitions::of(&item.body),
            findings: Vec::new(),
            ancestors: Vec::new(),
            regions: Vec::new(),
            spreads: None,
            has_poison: item
                .body
                .ops
                .iter()
                .any(|op| table.def(op.code).name.ends_with(".poison")),
        };
        verifier.placed(OpId(0));
        verifier.visibility();
        verifier.op(OpId(0));
        findings.append(&mut verifier.findings);
    }
    findings.sort_by_key(|finding| finding.place.as_ref().map_or(0, |place| place.range.start));
    findings
}

/// Where a name is defined.
#[derive(Clone, Copy)]
struct Defined {
    kind: SymbolKind,
    item: usize,
}

type Names<'a> = FxHashMap<&'a str, Defined>;

struct Verifier<'a> {
    table: &'a OpTable,
    file: &'a FileName,
    module: &'a Module,
    names: &'a Names<'a>,
    item: &'a Item,
    speller: &'a Speller,
    findings: Vec<Diagnostic>,
    definitions: Definitions,
    /// The ops around the current one, outermost first, and in which of their regions it stands.
    ancestors: Vec<OpId>,
    regions: Vec<RegionId>,
    /// Computed for the first barrier.
    spreads: Option<Vec<uniformity::Spread>>,
    has_poison: bool,
}

impl<'a> Verifier<'a> {
    /// Only ops that define symbols stand at module level.
    fn placed(&mut self, op: OpId) {
        let view = self.view(op);
        if !view.def.traits.has(Traits::TOP) {
            let message = format!("'{}' stands at module level", view.def.name);
            let diagnostic = Diagnostic::error("STRUCTURE/011", message);
            self.at_op(
                view,
                diagnostic.help("move it into a function, kernel, program or case"),
            );
        }
    }

    fn op(&mut self, op: OpId) {
        let view = self.view(op);
        self.operands(view);
        self.references(view);
        self.poison(view);
        for rule in view.def.rules {
            self.rule(view, *rule);
        }
        if view.def.nests {
            self.ancestors.push(op);
            self.nested(view);
            self.ancestors.pop();
        }
    }

    fn view(&self, op: OpId) -> OpView<'a> {
        OpView::with(self.table, &self.item.body, op)
    }

    /// Adds `diagnostic` at word `word` of slot `slot`.
    fn at_word(&mut self, view: OpView<'a>, slot: usize, word: usize, diagnostic: Diagnostic) {
        let range = self.item.range(|spans| view.span(spans, slot, word));
        self.add(view, range, diagnostic);
    }

    /// Adds `diagnostic` at the whole of slot `slot`.
    fn at_slot(&mut self, view: OpView<'a>, slot: usize, diagnostic: Diagnostic) {
        let count = view.slot(slot).len();
        let range = self.item.range(|spans| match count {
            0 => spans.ops()[view.id.index()],
            _ => {
                let (first, last) = (view.span(spans, slot, 0), view.span(spans, slot, count - 1));
                Span {
                    start: first.start.min(last.start),
                    end: last.end.max(first.end),
                }
            }
        });
        self.add(view, range, diagnostic);
    }

    /// Adds `diagnostic` at the whole op.
    fn at_op(&mut self, view: OpView<'a>, diagnostic: Diagnostic) {
        let range = self.op_range(view.id);
        self.add(view, range, diagnostic);
    }

    /// The first line of an op.
    fn op_range(&self, op: OpId) -> std::ops::Range<u32> {
        self.item.range(|spans| spans.ops()[op.index()])
    }

    fn add(&mut self, view: OpView<'a>, range: std::ops::Range<u32>, diagnostic: Diagnostic) {
        let mut diagnostic = diagnostic.at(self.file, range);
        if self.item.spans.is_none() {
            let name = self.item.symbol_in(self.table).map_or("", |(_, name)| name);
            let line = print_line(self.table, self.item, view.id);
            diagnostic = diagnostic.note(format!("in '@{name}': `{line}`"));
        }
        self.findings.push(diagnostic);
    }

    fn type_text(&self, ty: crate::module::TypeId) -> String {
        type_text(&self.item.body, ty)
    }
}
