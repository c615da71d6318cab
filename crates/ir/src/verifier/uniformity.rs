//! Uniform control for barriers (loom-ops 3.3): which values are equal for all items of a scope, and whether
//! the control around a barrier depends on others.

use loom_base::{Diagnostic, Severity};
use rustc_hash::FxHashMap;

use super::{Verifier, cfg};
use crate::module::{BlockId, OpId, OpView, RegionId, StringId, ValueId};
use crate::walk;

/// Over which items a value is equal, from the strongest to the weakest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Spread {
    Workgroup,
    Subgroup,
    Lanes,
    Unknown,
}

impl Spread {
    fn name(self) -> &'static str {
        match self {
            Spread::Workgroup => "workgroup",
            Spread::Subgroup => "subgroup",
            Spread::Lanes => "lane_varying",
            Spread::Unknown => "unknown",
        }
    }
}

/// A value that decides whether or how often a region runs.
struct Control {
    kind: &'static str,
    value: ValueId,
    op: OpId,
}

impl<'a> Verifier<'a> {
    /// Reports `barrier` if control around it differs between the items of its scope.
    pub(super) fn uniform_control(&mut self, barrier: OpView<'a>, scope: &str, severity: Severity) {
        let needed = if scope == "workgroup" {
            Spread::Workgroup
        } else {
            Spread::Subgroup
        };
        if self.spreads.is_none() {
            self.spreads = Some(spreads(self));
        }
        let Some(spreads) = self.spreads.take() else {
            return;
        };
        let found = self
            .controls(barrier)
            .into_iter()
            .find(|control| spreads[control.value.index()] > needed);
        if let Some(Control { kind, value, op }) = found {
            let spread = spreads[value.index()];
            let compares = self
                .defining(value)
                .is_some_and(|op| op.def.name.contains(".cmp"));
            let spread = if spread == Spread::Lanes && compares {
                "lane_predicate"
            } else {
                spread.name()
            };
            let name = self.item.body.text(self.item.body.values[value.index()].name);
            let message = format!(
                "'{}' of scope {scope} stands under control that is not uniform: {kind} '%{name}' is {spread}",
                barrier.def.name
            );
            let range = self.op_range(op);
            let diagnostic = match severity {
                Severity::Error => Diagnostic::error("STRUCTURE/038", message),
                _ => Diagnostic::warning("STRUCTURE/038", message),
            };
            let diagnostic = diagnostic
                .related("the control", self.file, range.start..range.start)
                .help(format!(
                    "let every item of the {scope} reach it: move it out of the region"
                ));
            self.at_op(barrier, diagnostic);
        }
        self.spreads = Some(spreads);
    }

    /// The values that control around `op` depends on, from the inside out.
    fn controls(&self, op: OpView<'a>) -> Vec<Control> {
        let mut controls = Vec::new();
        let mut inner = op.id;
        for (depth, &ancestor) in self.ancestors.iter().enumerate().rev() {
            let view = self.view(ancestor);
            if let Some(&region) = self.regions.get(depth) {
                self.branch_controls(region, inner, &mut controls);
            }
            let mut add = |kind, value: Option<ValueId>| {
                controls.extend(value.map(|value| Control {
                    kind,
                    value,
                    op: ancestor,
                }));
            };
            match view.def.name {
                "scf.if" => add("region_selector", view.operand("condition")),
                "scf.switch" => add("region_selector", view.operand("selector")),
                "scf.for" => {
                    add("loop_lower_bound", view.operand("lower"));
                    add("loop_upper_bound", view.operand("upper"));
                    add("loop_step", view.operand("step"));
                }
                "scf.while" => add("loop_condition", self.while_condition(view)),
                _ => {}
            }
            inner = ancestor;
        }
        controls
    }

    fn while_condition(&self, view: OpView<'a>) -> Option<ValueId> {
        let block = view.body.blocks_of(view.region("before")?).next()?;
        let last = view.body.ops_of(block).last()?;
        self.view(last).operand("condition")
    }

    /// The branch conditions that the block of `op` in `region` depends on.
    fn branch_controls(&self, region: RegionId, op: OpId, controls: &mut Vec<Control>) {
        let body = &self.item.body;
        if body.regions[region.index()].count < 2 {
            return;
        }
        let graph = cfg::Graph::of(self.table, body, region);
        let Some(at) = body.blocks_of(region).position(|block| {
            let block = body.blocks[block.index()];
            block.first <= op && op < block.end
        }) else {
            return;
        };
        for branch in graph.controlling(at) {
            let block = BlockId(body.regions[region.index()].first.0 + branch as u32);
            if let Some(last) = body.ops_of(block).last()
                && let Some(value) = self.view(last).operand("condition")
            {
                controls.push(Control {
                    kind: "cfg_selector",
                    value,
                    op: last,
                });
            }
        }
    }
}

/// The spread of every value of the item, by repeated passes until nothing changes.
fn spreads(verifier: &Verifier<'_>) -> Vec<Spread> {
    let body = &verifier.item.body;
    let mut spreads = vec![Spread::Workgroup; body.values.len()];
    let jumps = jumps(verifier);
    let mut pass = Pass {
        verifier,
        spreads: &mut spreads,
        changed: true,
        jumps: &jumps,
    };
    while pass.changed {
        pass.changed = false;
        for number in 0..body.ops.len() as u32 {
            pass.op(verifier.view(OpId(number)));
        }
    }
    spreads
}

struct Pass<'v, 'a> {
    verifier: &'v Verifier<'a>,
    spreads: &'v mut Vec<Spread>,
    changed: bool,
    jumps: &'v FxHashMap<OpId, Jump>,
}

impl Pass<'_, '_> {
    fn raise(&mut self, value: ValueId, spread: Spread) {
        let current = &mut self.spreads[value.index()];
        if *current < spread {
            *current = spread;
            self.changed = true;
        }
    }

    fn of(&self, value: ValueId) -> Spread {
        self.spreads[value.index()]
    }

    fn op(&mut self, view: OpView<'_>) {
        let joined = walk::operands(view)
            .map(|value| self.of(value))
            .max()
            .unwrap_or(Spread::Workgroup);
        let results = match view.def.name {
            "kernel.workitem.id" | "kernel.workitem.dispatch.id" | "kernel.subgroup.lane.id" => Spread::Lanes,
            "kernel.subgroup.scan"
            | "kernel.workgroup.scan"
            | "kernel.subgroup.match.any"
            | "kernel.subgroup.shuffle" => Spread::Lanes,
            "kernel.subgroup.reduce" if view.key("dict", "cluster_size").is_some() => Spread::Lanes,
            "kernel.subgroup.id"
            | "kernel.subgroup.reduce"
            | "kernel.subgroup.vote.any"
            | "kernel.subgroup.vote.all"
            | "kernel.subgroup.vote.ballot"
            | "kernel.subgroup.active.mask"
            | "kernel.subgroup.broadcast"
            | "kernel.subgroup.broadcast.first"
            | "kernel.subgroup.match.all" => Spread::Subgroup,
            name if name.starts_with("kernel.workgroup.") || name.starts_with("kernel.cluster.") => {
                Spread::Workgroup
            }
            "kernel.subgroup.size" | "kernel.subgroup.count" => Spread::Workgroup,
            "func.call" | "template.apply" | "template.call" if !view.has("pure") => Spread::Unknown,
            name if name.contains(".atomic.") => Spread::Lanes,
            "scf.if" | "scf.switch" | "scf.for" | "scf.while" => return self.region_op(view),
            "cfg.br" | "cfg.cond_br" => return self.branch(view),
            _ => joined,
        };
        view.results().for_each(|result| self.raise(result, results));
    }

    fn region_op(&mut self, view: OpView<'_>) {
        let body = view.body;
        let limit = match view.def.name {
            "scf.if" => view.operand("condition").map(|value| self.of(value)),
            "scf.switch" => view.operand("selector").map(|value| self.of(value)),
            "scf.for" => ["lower", "upper", "step"]
                .iter()
                .filter_map(|name| view.operand(name))
                .map(|value| self.of(value))
                .max(),
            _ => self
                .verifier
                .while_condition(self.verifier.view(view.id))
                .map(|value| self.of(value)),
        }
        .unwrap_or(Spread::Workgroup);
        if view.def.name == "scf.for"
            && let Some(iv) = view.named("iv").first()
        {
            // The index starts where the item starts and steps as the item steps.
            let start = ["lower", "step"]
                .iter()
                .filter_map(|name| view.operand(name))
                .map(|value| self.of(value))
                .max();
            self.raise(ValueId(*iv), start.unwrap_or(Spread::Workgroup));
        }
        let args: Vec<ValueId> = view
            .named("inits")
            .chunks_exact(2)
            .map(|pair| ValueId(pair[0]))
            .collect();
        for pair in view.named("inits").chunks_exact(2) {
            let spread = self.of(ValueId(pair[1]));
            self.raise(ValueId(pair[0]), spread);
        }
        let results: Vec<ValueId> = view.results().collect();
        for region in walk::regions(view) {
            let Some(block) = body.blocks_of(region).last() else {
                continue;
            };
            let Some(last) = body.ops_of(block).last() else {
                continue;
            };
            let last = self.verifier.view(last);
            let forwarded: Vec<ValueId> = view.named("args").iter().map(|&word| ValueId(word)).collect();
            for (position, value) in last.operands("values").enumerate().collect::<Vec<_>>() {
                let spread = self.of(value);
                match (view.def.name, last.def.name) {
                    ("scf.while", "scf.condition") => {
                        if let Some(&argument) = forwarded.get(position) {
                            self.raise(argument, spread);
                        }
                        if let Some(&result) = results.get(position) {
                            self.raise(result, spread);
                        }
                    }
                    _ => {
                        if let Some(&argument) = args.get(position) {
                            self.raise(argument, spread);
                        }
                        if view.def.name != "scf.while"
                            && let Some(&result) = results.get(position)
                        {
                            self.raise(result, spread);
                        }
                    }
                }
            }
        }
        results.into_iter().for_each(|result| self.raise(result, limit));
    }

    /// A block argument is what the path taken passes: it spreads as the values and as the branches that choose
    /// the path.
    fn branch(&mut self, view: OpView<'_>) {
        let Some(jump) = self.jumps.get(&view.id) else {
            return;
        };
        let chosen = jump
            .conditions
            .iter()
            .map(|&value| self.of(value))
            .max()
            .unwrap_or(Spread::Workgroup);
        let own = view
            .operand("condition")
            .map_or(Spread::Workgroup, |value| self.of(value));
        let chosen = chosen.max(own);
        for (label, values) in [
            ("target", "values"),
            ("then", "then_values"),
            ("else", "else_values"),
        ] {
            let Some(&name) = view.named(label).first() else {
                continue;
            };
            let Some(&(_, target)) = jump.targets.iter().find(|(label, _)| label.0 == name) else {
                continue;
            };
            let target = view.body.blocks[target.index()];
            let passed = view.named(values).chunks_exact(2).take(target.args as usize);
            for (position, pair) in passed.enumerate() {
                let spread = self.of(ValueId(pair[0])).max(chosen);
                self.raise(ValueId(target.first_arg.0 + position as u32), spread);
            }
        }
    }
}

/// Where a branch can go, and which conditions decide whether it is reached.
struct Jump {
    targets: Vec<(StringId, BlockId)>,
    conditions: Vec<ValueId>,
}

/// All branches of regions with several blocks.
fn jumps(verifier: &Verifier<'_>) -> FxHashMap<OpId, Jump> {
    let body = &verifier.item.body;
    let mut jumps = FxHashMap::default();
    for number in 0..body.regions.len() as u32 {
        let region = RegionId(number);
        if body.regions[region.index()].count < 2 {
            continue;
        }
        let graph = cfg::Graph::of(verifier.table, body, region);
        let blocks: Vec<BlockId> = body.blocks_of(region).collect();
        let end = |block: BlockId| body.ops_of(block).last();
        for (at, &block) in blocks.iter().enumerate() {
            let Some(op) = end(block) else { continue };
            let view = verifier.view(op);
            let names: Vec<u32> = ["target", "then", "else"]
                .iter()
                .filter_map(|slot| view.named(slot).first().copied())
                .collect();
            let labelled = blocks
                .iter()
                .map(|&block| (body.blocks[block.index()].label, block));
            let targets = labelled.filter(|(label, _)| names.contains(&label.0)).collect();
            let deciding = graph
                .controlling(at)
                .into_iter()
                .filter_map(|branch| end(blocks[branch]));
            let conditions = deciding
                .filter_map(|op| verifier.view(op).operand("condition"))
                .collect();
            jumps.insert(op, Jump { targets, conditions });
        }
    }
    jumps
}
