//! Which ops of a kernel stand under control, and which can never run.

use loom_ir::facts::ItemFacts;
use loom_ir::fold::Exact;
use loom_ir::{Item, OpId, OpTable, OpView, RegionId};

/// The ops of a kernel's body that are not simply run once by everybody.
pub(super) struct Control<'a> {
    item: &'a Item,
    /// The ops below ops with regions.
    nested: Vec<(OpId, OpId)>,
    /// The ops of branches that are never taken.
    dead: Vec<(OpId, OpId)>,
}

impl<'a> Control<'a> {
    pub(super) fn of(item: &'a Item, facts: &ItemFacts<'_>) -> Self {
        let mut control = Control {
            item,
            nested: Vec::new(),
            dead: Vec::new(),
        };
        for op in 1..item.body.ops.len() as u32 {
            let view = OpView::with(OpTable::standard(), &item.body, OpId(op));
            if view.def.nests {
                control
                    .nested
                    .push((OpId(op + 1), OpId(item.body.ops[op as usize].end)));
            }
            if view.name() == "scf.if" {
                control.branch(view, facts);
            }
        }
        control
    }

    fn branch(&mut self, branch: OpView<'_>, facts: &ItemFacts<'_>) {
        let condition = branch.operand("condition");
        let exact = condition.and_then(|condition| facts.exact_at(branch.id, condition));
        let untaken = match exact {
            Some(exact) if exact == Exact::bool(true) => branch.region("else"),
            Some(_) => branch.region("then"),
            None => None,
        };
        if let Some(region) = untaken {
            let range = self.range(region);
            self.dead.push(range);
        }
    }

    fn range(&self, region: RegionId) -> (OpId, OpId) {
        let body = &self.item.body;
        let blocks = body.blocks_of(region).map(|block| body.blocks[block.index()]);
        let (mut first, mut end) = (OpId(u32::MAX), OpId(0));
        for block in blocks {
            (first, end) = (first.min(block.first), end.max(block.end));
        }
        (first, end)
    }

    /// Whether `op` stands inside another op of the body, or in a later block of a body with branches.
    pub(super) fn is_nested(&self, op: OpId) -> bool {
        within(&self.nested, op) || self.is_behind_branch(op)
    }

    /// Whether `op` can run at all.
    pub(super) fn is_reachable(&self, op: OpId) -> bool {
        !within(&self.dead, op)
    }

    fn is_behind_branch(&self, op: OpId) -> bool {
        let root = self.item.root(OpTable::standard());
        let Some(region) = root.region("body") else {
            return false;
        };
        let body = &self.item.body;
        let entry = body
            .blocks_of(region)
            .next()
            .map(|block| body.blocks[block.index()]);
        entry.is_some_and(|entry| op >= entry.end)
    }
}

fn within(ranges: &[(OpId, OpId)], op: OpId) -> bool {
    ranges.iter().any(|&(first, end)| first <= op && op < end)
}
