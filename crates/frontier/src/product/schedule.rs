//! Waves: which commands may run at once, and what must be over before (loom-language 5.2).

use super::program::{Program, Step};

/// The commands of a program in the order in which they are issued.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Schedule {
    /// Wave by wave, inside a wave in source order.
    pub commands: Vec<Scheduled>,
    /// For each of [`Program::allocations`] the wave at whose beginning it starts to live.
    pub born: Box<[u32]>,
}

/// One issued command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scheduled {
    /// The wave, from 0. Everything of earlier waves is over when it begins.
    pub wave: u32,
    /// Position in [`Program::commands`].
    pub command: u32,
}

impl Schedule {
    /// Whether the command at `position` waits for everything before it: the first one of a later wave does.
    pub fn waits(&self, position: usize) -> bool {
        position > 0 && self.commands[position - 1].wave != self.commands[position].wave
    }

    /// How many waves there are.
    pub fn waves(&self) -> u32 {
        self.commands.last().map_or(0, |last| last.wave + 1)
    }
}

/// Schedules `program`. At the top level and in a serial group, each step starts when the one before it is over.
/// The steps of a concurrent group start together, and a serial group among them advances wave by wave.
pub fn schedule(program: &Program) -> Schedule {
    let mut walk = Walk {
        commands: Vec::new(),
        born: vec![0; program.allocations.len()].into(),
    };
    walk.serial(&program.body, 0);
    // Commands were met in source order, and the sort is stable.
    walk.commands.sort_by_key(|scheduled| scheduled.wave);
    Schedule {
        commands: walk.commands,
        born: walk.born,
    }
}

struct Walk {
    commands: Vec<Scheduled>,
    born: Box<[u32]>,
}

/// Both walks yield the wave at which what follows may start.
impl Walk {
    fn serial(&mut self, steps: &[Step], from: u32) -> u32 {
        steps.iter().fold(from, |wave, step| self.step(step, wave))
    }

    fn concurrent(&mut self, steps: &[Step], from: u32) -> u32 {
        let ends = steps.iter().map(|step| self.step(step, from));
        ends.max().unwrap_or(from)
    }

    fn step(&mut self, step: &Step, from: u32) -> u32 {
        match step {
            Step::Serial(steps) => self.serial(steps, from),
            Step::Concurrent(steps) => self.concurrent(steps, from),
            Step::Allocate(allocation) => {
                if let Some(born) = self.born.get_mut(*allocation as usize) {
                    *born = from;
                }
                from
            }
            Step::Command(_) => {
                let command = self.commands.len() as u32;
                self.commands.push(Scheduled { wave: from, command });
                from + 1
            }
        }
    }
}

#[cfg(test)]
mod tests;
