//! The control-flow graph of a region with several blocks: dominators and control dependence.

use rustc_hash::FxHashMap;

use crate::module::{BlockId, Body, OpView, RegionId, StringId};
use crate::table::OpTable;

/// Blocks by position in the region.
pub(super) struct Graph {
    successors: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn of(table: &OpTable, body: &Body, region: RegionId) -> Graph {
        let blocks: Vec<BlockId> = body.blocks_of(region).collect();
        let labels = blocks.iter().enumerate().rev();
        let at: FxHashMap<StringId, usize> = labels
            .map(|(position, block)| (body.blocks[block.index()].label, position))
            .collect();
        let successors = blocks.iter().map(|&block| {
            let last = body.ops_of(block).last().map(|op| OpView::with(table, body, op));
            let names = last
                .into_iter()
                .flat_map(|op| ["target", "then", "else"].map(|slot| op.named(slot).first().copied()));
            names
                .flatten()
                .filter_map(|name| at.get(&StringId(name)).copied())
                .collect()
        });
        Graph {
            successors: successors.collect(),
        }
    }

    /// Which block lies on every path from the entry to which other.
    pub(super) fn dominators(&self) -> Dominators {
        Dominators::of(&self.successors, 0)
    }

    /// The blocks whose branch decides, directly or through others, whether block `at` runs.
    pub(super) fn controlling(&self, at: usize) -> Vec<usize> {
        // Backwards from a block after all exits.
        let count = self.successors.len();
        let mut backwards = vec![Vec::new(); count + 1];
        for (from, targets) in self.successors.iter().enumerate() {
            targets.iter().for_each(|&to| backwards[to].push(from));
            if targets.is_empty() {
                backwards[count].push(from);
            }
        }
        let after = Dominators::of(&backwards, count);
        let mut found = vec![false; count];
        let mut pending = vec![at];
        while let Some(block) = pending.pop() {
            for (branch, successors) in self.successors.iter().enumerate() {
                let some = successors.iter().any(|&next| after.dominates(block, next));
                let strictly = branch != block && after.dominates(block, branch);
                if successors.len() > 1 && some && !strictly && !found[branch] {
                    found[branch] = true;
                    pending.push(branch);
                }
            }
        }
        (0..count).filter(|&branch| found[branch]).collect()
    }
}

/// A dominator tree, by the numbers with which a walk of it enters and leaves each block; 0 for blocks that the
/// root does not reach.
pub(super) struct Dominators {
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Dominators {
    /// Cooper, Harvey and Kennedy's algorithm: meet the predecessors' chains until nothing changes.
    fn of(successors: &[Vec<usize>], root: usize) -> Dominators {
        const NONE: usize = usize::MAX;
        let count = successors.len();
        let order = postorder(successors, root);
        let mut rank = vec![NONE; count];
        order
            .iter()
            .enumerate()
            .for_each(|(position, &block)| rank[block] = position);
        let mut predecessors = vec![Vec::new(); count];
        for &from in &order {
            successors[from]
                .iter()
                .for_each(|&to| predecessors[to].push(from));
        }
        let mut parent = vec![NONE; count];
        parent[root] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().rev().filter(|&&block| block != root) {
                let mut known = predecessors[block]
                    .iter()
                    .copied()
                    .filter(|&before| parent[before] != NONE);
                let Some(first) = known.next() else { continue };
                let met = known.fold(first, |mut a, mut b| {
                    while a != b {
                        while rank[a] < rank[b] {
                            a = parent[a];
                        }
                        while rank[b] < rank[a] {
                            b = parent[b];
                        }
                    }
                    a
                });
                changed |= parent[block] != met;
                parent[block] = met;
            }
        }
        let mut children = vec![Vec::new(); count];
        order
            .iter()
            .filter(|&&block| block != root)
            .for_each(|&block| children[parent[block]].push(block));
        let (mut enter, mut leave, mut clock) = (vec![0; count], vec![0; count], 0);
        let mut open = vec![(root, 0)];
        while let Some((block, next)) = open.last_mut() {
            if *next == 0 {
                clock += 1;
                enter[*block] = clock;
            }
            match children[*block].get(*next) {
                Some(&child) => {
                    *next += 1;
                    open.push((child, 0));
                }
                None => {
                    clock += 1;
                    leave[*block] = clock;
                    open.pop();
                }
            }
        }
        Dominators { enter, leave }
    }

    /// Whether the root reaches `block`.
    pub(super) fn reached(&self, block: usize) -> bool {
        self.enter[block] != 0
    }

    /// Whether every path from the root to `block` passes `dominator`.
    pub(super) fn dominates(&self, dominator: usize, block: usize) -> bool {
        self.reached(dominator)
            && self.reached(block)
            && self.enter[dominator] <= self.enter[block]
            && self.leave[block] <= self.leave[dominator]
    }
}

/// The blocks that `root` reaches, each after its successors as far as there is no cycle.
fn postorder(successors: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; successors.len()];
    seen[root] = true;
    let mut open = vec![(root, 0)];
    while let Some((block, next)) = open.last_mut() {
        match successors[*block].get(*next) {
            Some(&target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target], true) {
                    open.push((target, 0));
                }
            }
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order
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
    fn control_is_inherited() {
        let nested = graph(&[&[1, 4], &[2, 3], &[3], &[4], &[]]);
        assert_eq!(nested.controlling(2), [0, 1]);
        assert_eq!(nested.controlling(3), [0]);
    }

    /// Dominance against its definition, by removing blocks, on all graphs of four blocks with two successors.
    #[test]
    fn dominators_agree_with_their_definition() {
        let reaches = |successors: &[Vec<usize>], to: usize, without: Option<usize>| {
            let mut seen = [false; 4];
            let mut pending = vec![0];
            while let Some(block) = pending.pop() {
                if Some(block) == without || std::mem::replace(&mut seen[block], true) {
                    continue;
                }
                pending.extend(&successors[block]);
            }
            seen[to]
        };
        for number in 0..16u32.pow(4) {
            let successors: Vec<Vec<usize>> = (0..4)
                .map(|block| {
                    let pair = (number >> (4 * block)) as usize & 15;
                    vec![pair & 3, pair >> 2]
                })
                .collect();
            let graph = Graph { successors };
            let dominators = graph.dominators();
            for a in 0..4 {
                for b in 0..4 {
                    let reached = reaches(&graph.successors, b, None);
                    let expected = reached && (a == b || !reaches(&graph.successors, b, Some(a)));
                    assert_eq!(
                        dominators.dominates(a, b),
                        expected,
                        "{:?} {a} {b}",
                        graph.successors
                    );
                }
            }
        }
    }

    #[test]
    fn long_chains_take_little() {
        let chain = Graph {
            successors: (0..100_000)
                .map(|at| if at < 99_999 { vec![at + 1] } else { vec![] })
                .collect(),
        };
        assert!(chain.dominators().dominates(1, 99_999));
    }
}
