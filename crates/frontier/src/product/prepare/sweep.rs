//! Leaving out what no command uses.

use super::walk::Walk;
use crate::index::SymbolId;
use crate::product::{Allocation, Argument, Binding, BufferRef, Counts, Parameter, Program, Root, Step};

impl Walk<'_> {
    /// The program that was walked, with the allocations and parameters that its commands use.
    pub(super) fn swept(&mut self, symbol: Box<str>, id: SymbolId, bindings: Box<[Binding]>) -> Program {
        let mut body = std::mem::take(&mut self.steps);
        let mut used = Used {
            allocations: vec![false; self.allocations.len()],
            parameters: vec![false; self.parameters.len()],
        };
        visit(&mut body, &mut |part| used.mark(part.root));
        let (allocations, parameters) = (numbered(&used.allocations), numbered(&used.parameters));
        drop_allocations(&mut body, &allocations);
        visit(&mut body, &mut |part| match &mut part.root {
            Root::Allocation(at) => *at = allocations[*at as usize].unwrap_or(*at),
            Root::Parameter(at) => *at = parameters[*at as usize].unwrap_or(*at),
            Root::Binding(_) => {}
        });
        let kept = |at: &(usize, Parameter)| used.parameters[at.0];
        let parameters = std::mem::take(&mut self.parameters).into_iter().enumerate();
        let parameters = parameters.filter(kept).map(|(_, parameter)| parameter).collect();
        let pending = std::mem::take(&mut self.allocations).into_iter().enumerate();
        let allocations = pending
            .filter(|(at, _)| used.allocations[*at])
            .map(|(_, pending)| Allocation {
                name: pending.name,
                // What a command uses has been found to be exact.
                bytes: pending.bytes.unwrap_or(0),
                align: pending.align,
                site: pending.site,
            });
        Program {
            symbol,
            id,
            bindings,
            allocations: allocations.collect(),
            parameters,
            body,
        }
    }
}

struct Used {
    allocations: Vec<bool>,
    parameters: Vec<bool>,
}

impl Used {
    fn mark(&mut self, root: Root) {
        match root {
            Root::Allocation(at) => self.allocations[at as usize] = true,
            Root::Parameter(at) => self.parameters[at as usize] = true,
            Root::Binding(_) => {}
        }
    }
}

/// The new positions of what is used.
fn numbered(used: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |&used: &bool| {
        used.then(|| {
            next += 1;
            next - 1
        })
    };
    used.iter().map(number).collect()
}

/// Visits every storage range of every command.
fn visit(steps: &mut [Step], part: &mut impl FnMut(&mut BufferRef)) {
    for step in steps {
        match step {
            Step::Serial(steps) | Step::Concurrent(steps) => visit(steps, part),
            Step::Allocate(_) => {}
            Step::Command(command) => {
                if let Counts::Indirect(counts) = &mut command.dispatch.counts {
                    part(counts);
                }
                for argument in &mut command.dispatch.arguments {
                    if let Argument::Buffer(buffer) = argument {
                        part(buffer);
                    }
                }
            }
        }
    }
}

/// Drops allocations that are not used, and groups that are then empty.
fn drop_allocations(steps: &mut Vec<Step>, new: &[Option<u32>]) {
    steps.retain_mut(|step| match step {
        Step::Serial(steps) | Step::Concurrent(steps) => {
            drop_allocations(steps, new);
            !steps.is_empty()
        }
        Step::Allocate(at) => match new[*at as usize] {
            Some(to) => {
                *at = to;
                true
            }
            None => false,
        },
        Step::Command(_) => true,
    });
}
