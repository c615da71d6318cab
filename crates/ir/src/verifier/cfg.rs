//! The control-flow graph of a region with several blocks.

use crate::module::{BlockId, Body, OpView, RegionId, StringId};
use crate::table::OpTable;

/// Blocks by position in the region.
pub(super) struct Graph {
    successors: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn of(table: &OpTable, body: &Body, region: RegionId) -> Graph {
        let blocks: Vec<BlockId> = body.blocks_of(region).collect();
        let at = |name: u32| {
            blocks
                .iter()
                .position(|block| body.blocks[block.index()].label == StringId(name))
        };
        let successors = blocks.iter().map(|&block| {
            let last = body.ops_of(block).last();
            let last = last.map(|op| OpView::with(table, body, op));
            let labels = last
                .into_iter()
                .flat_map(|op| ["target", "then", "else"].map(|slot| op.named(slot).first().copied()));
            labels.flatten().filter_map(at).collect()
        });
        Graph {
            successors: successors.collect(),
        }
    }

    /// For each block, the blocks on every path to it from the entry (itself included); `None` if there is no path.
    pub(super) fn dominators(&self) -> Vec<Option<Vec<bool>>> {
        let predecessors = invert(&self.successors);
        meet(&predecessors, &[0])
    }

    /// The blocks whose branch decides, directly or through others, whether block `at` runs.
    pub(super) fn controlling(&self, at: usize) -> Vec<usize> {
        let exits: Vec<usize> = (0..self.successors.len())
            .filter(|&block| self.successors[block].is_empty())
            .collect();
        let after = meet(&self.successors, &exits);
        let on_all_paths = |from: usize, block: usize| after[from].as_ref().is_some_and(|all| all[block]);
        let mut found = vec![false; self.successors.len()];
        let mut pending = vec![at];
        while let Some(block) = pending.pop() {
            for (branch, successors) in self.successors.iter().enumerate() {
                let some = successors.iter().any(|&next| on_all_paths(next, block));
                let strictly = branch != block && on_all_paths(branch, block);
                if successors.len() > 1 && some && !strictly && !found[branch] {
                    found[branch] = true;
                    pending.push(branch);
                }
            }
        }
        (0..found.len()).filter(|&branch| found[branch]).collect()
    }
}

fn invert(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut inverted = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|&to| inverted[to].push(from));
    }
    inverted
}

/// The greatest solution of `all(b) = {b} ∪ ⋂ all(neighbours of b)`, with `all(root) = {root}`.
fn meet(neighbours: &[Vec<usize>], roots: &[usize]) -> Vec<Option<Vec<bool>>> {
    let count = neighbours.len();
    let only = |block: usize| (0..count).map(|other| other == block).collect::<Vec<bool>>();
    let mut all: Vec<Option<Vec<bool>>> = vec![None; count];
    roots.iter().for_each(|&root| all[root] = Some(only(root)));
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..count).filter(|block| !roots.contains(block)) {
            let mut known = neighbours[block]
                .iter()
                .filter_map(|&neighbour| all[neighbour].clone());
            let Some(first) = known.next() else { continue };
            let mut met = known.fold(first, |met, other| {
                met.iter().zip(&other).map(|(a, b)| *a && *b).collect()
            });
            met[block] = true;
            if all[block].as_ref() != Some(&met) {
                all[block] = Some(met);
                changed = true;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn graph(successors: &[&[usize]]) -> Graph {
        Graph {
            successors: successors.iter().map(|next| next.to_vec()).collect(),
        }
    }

    #[test]
    fn a_join_is_not_controlled_by_the_branch_before_it() {
        let diamond = graph(&[&[1, 2], &[3], &[3], &[]]);
        assert_eq!(diamond.controlling(1), [0]);
        assert_eq!(diamond.controlling(3), [0; 0]);
    }

    #[test]
    fn a_loop_header_is_controlled_by_its_back_edge() {
        let looped = graph(&[&[1], &[2], &[1, 3], &[]]);
        assert_eq!(looped.controlling(1), [2]);
        assert_eq!(looped.controlling(3), [0; 0]);
    }

    #[test]
    fn dominators_of_a_diamond() {
        let diamond = graph(&[&[1, 2], &[3], &[3], &[]]);
        assert_eq!(diamond.dominators()[3], Some(vec![true, false, false, true]));
    }
}
