//! Blocks: how they end, and what stands in them.

use loom_base::Diagnostic;

use super::Verifier;
use crate::module::{BlockId, OpId, OpView, RegionId};
use crate::table::{RegionSpec, SlotKind, Traits};

impl<'a> Verifier<'a> {
    pub(super) fn nested(&mut self, view: OpView<'a>) {
        for (slot, content) in view.def.slots.iter().enumerate() {
            match &content.kind {
                SlotKind::Region(spec) => {
                    if let Some(&region) = view.slot(slot).first() {
                        self.region(view, RegionId(region), spec);
                    }
                }
                SlotKind::Cases(spec) => {
                    for pair in view.slot(slot).chunks_exact(2) {
                        self.region(view, RegionId(pair[1]), spec);
                    }
                }
                _ => {}
            }
        }
    }

    fn region(&mut self, view: OpView<'a>, region: RegionId, spec: &RegionSpec) {
        let branches = spec.ends.contains(&"cfg.br");
        if view.body.regions[region.index()].count > 1 && !branches {
            let message = format!("a region of '{}' has more than one block", view.def.name);
            let diagnostic = Diagnostic::error("STRUCTURE/006", message);
            self.at_op(
                view,
                diagnostic.help("only bodies of functions, providers and kernels branch between blocks"),
            );
        }
        self.dominance(view, region);
        self.regions.push(region);
        for block in view.body.blocks_of(region) {
            self.block_end(view, block, spec);
            for op in view.body.ops_of(block) {
                self.op(op);
            }
        }
        self.regions.pop();
    }

    fn block_end(&mut self, view: OpView<'a>, block: BlockId, spec: &RegionSpec) {
        let ops: Vec<OpId> = view.body.ops_of(block).collect();
        let ends = |op: &OpId| {
            self.table
                .def(view.body.ops[op.index()].code)
                .traits
                .has(Traits::TERMINATOR)
        };
        let implicit = spec.implicit.is_some() && view.results().len() == 0;
        let expected = spec
            .ends
            .iter()
            .map(|end| format!("`{end}`"))
            .collect::<Vec<_>>()
            .join(" or ");
        match ops.iter().position(ends) {
            None if implicit => {}
            None => {
                let message = format!("a region of '{}' ends without a terminator", view.def.name);
                let diagnostic =
                    Diagnostic::error("STRUCTURE/005", message).help(format!("end it with {expected}"));
                match ops.last() {
                    Some(&last) => self.at_op(self.view(last), diagnostic),
                    None => self.at_op(view, diagnostic),
                }
            }
            Some(at) => {
                let terminator = self.view(ops[at]);
                if !spec.ends.contains(&terminator.def.name) {
                    let message = format!(
                        "'{}' cannot end a region of '{}'",
                        terminator.def.name, view.def.name
                    );
                    let diagnostic =
                        Diagnostic::error("STRUCTURE/018", message).help(format!("end it with {expected}"));
                    self.at_op(terminator, diagnostic);
                }
                if let Some(&after) = ops.get(at + 1) {
                    let range = self.op_range(terminator.id);
                    let message = format!(
                        "'{}' stands after the terminator of its block",
                        self.view(after).def.name
                    );
                    let diagnostic = Diagnostic::error("STRUCTURE/012", message)
                        .related("the block ends here", self.file, range)
                        .help("move the op before the terminator, or remove it");
                    self.at_op(self.view(after), diagnostic);
                }
            }
        }
    }
}
