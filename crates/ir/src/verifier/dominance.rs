//! Values in regions with several blocks: defined on every path to their uses.

use loom_base::Diagnostic;
use rustc_hash::FxHashMap;

use super::{Verifier, cfg};
use crate::module::{OpId, OpView, RegionId, ValueId};
use crate::walk::{self, Scopes};

impl<'a> Verifier<'a> {
    /// Every use is in the scope of its definition, and after it. Text that was parsed is so by construction.
    pub(super) fn visibility(&mut self) {
        if self.item.spans.is_some() {
            return;
        }
        let body = &self.item.body;
        let mut visible = Visible {
            alive: vec![false; body.values.len()],
            scopes: vec![Vec::new()],
            wrong: Vec::new(),
        };
        walk::scopes(self.table, body, &mut visible);
        for (op, value) in visible.wrong {
            let name = body.text(body.values[value.index()].name);
            let message = format!("SSA value '%{name}' is used where it is not defined");
            let diagnostic = Diagnostic::error("DOMINANCE/001", message);
            self.at_op(
                self.view(op),
                diagnostic.help("define the value before this op, in this region or one around it"),
            );
        }
    }

    pub(super) fn dominance(&mut self, view: OpView<'a>, region: RegionId) {
        let body = view.body;
        if body.regions[region.index()].count < 2 {
            return;
        }
        let blocks: Vec<_> = body
            .blocks_of(region)
            .map(|block| body.blocks[block.index()])
            .collect();
        let dominators = cfg::Graph::of(self.table, body, region).dominators();
        let mut home: FxHashMap<ValueId, usize> = FxHashMap::default();
        for (at, block) in blocks.iter().enumerate() {
            if at > 0 {
                home.extend(
                    (block.first_arg.0..block.first_arg.0 + block.args).map(|value| (ValueId(value), at)),
                );
            }
            let mut op = block.first.0;
            while op < block.end.0 {
                home.extend(body.results(OpId(op)).map(|value| (value, at)));
                op = body.ops[op as usize].end;
            }
        }
        for (at, block) in blocks.iter().enumerate() {
            // A block that nothing reaches has no paths to check.
            if !dominators.reached(at) {
                continue;
            }
            for op in block.first.0..block.end.0 {
                let op = self.view(OpId(op));
                for value in walk::operands(op) {
                    if let Some(&defined) = home.get(&value)
                        && !dominators.dominates(defined, at)
                    {
                        let name = body.text(body.values[value.index()].name);
                        let range = self.item.range(|spans| spans.values()[value.index()]);
                        let message = format!("SSA value '%{name}' is not defined on every path to this use");
                        let diagnostic = Diagnostic::error("DOMINANCE/001", message)
                            .related("defined here", self.file, range)
                            .help("pass the value as a block argument");
                        self.at_op(op, diagnostic);
                    }
                }
            }
        }
    }
}

/// Which values may be used at the current place.
struct Visible {
    alive: Vec<bool>,
    scopes: Vec<Vec<ValueId>>,
    wrong: Vec<(OpId, ValueId)>,
}

impl Scopes for Visible {
    fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn leave(&mut self) {
        for value in self.scopes.pop().into_iter().flatten() {
            self.alive[value.index()] = false;
        }
    }

    fn define(&mut self, value: ValueId) {
        self.alive[value.index()] = true;
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(value);
        }
    }

    fn used(&mut self, op: OpId, value: ValueId) {
        if !self.alive[value.index()] {
            self.wrong.push((op, value));
        }
    }
}
