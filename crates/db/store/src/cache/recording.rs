//! From the log of a run to an entry: what was input, what is output, and whether the result may be kept at all.

use std::collections::BTreeMap;
use std::path::Path;

use loom_base::{Blob, Digest};

use super::check::{listing_digest, plain};
use super::entry::{ActionResult, Effect, Entry, Input, Output, Program, Seen, State};
use super::said::Said;
use crate::{Kind, Stamp, System, path_of};

/// More than this on standard error is not kept.
const MOST_PRINTED: usize = 1 << 20;

/// One thing a run did at its border, in order. Paths are as the run named them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A look-up found nothing.
    Absent(Vec<u8>),
    /// A look-up found something.
    Present(Vec<u8>, Seen),
    /// A look-up asked for permissions too, and there were.
    Permitted(Vec<u8>, Seen),
    /// A regular file was opened to be read. The digest is that of its content at that moment, if its times are too
    /// fresh to show a later change.
    Read(Vec<u8>, Seen, Option<Digest>),
    /// A directory's names were read.
    Listed(Vec<u8>, Seen),
    /// A path was resolved.
    Resolved(Vec<u8>, Vec<u8>),
    /// A file was opened to be written.
    Written(Vec<u8>),
    /// A file that did not exist was made under a name made up for it.
    Created(Vec<u8>),
    /// A file took the place of another.
    Renamed(Vec<u8>, Vec<u8>),
    /// A file was removed, or was not there to be removed.
    Removed(Vec<u8>),
    /// Something after which the result may not be kept, with the reason.
    Forbidden(String),
    /// What went to standard error since the last of these.
    Printed(Said),
    /// What was written into a file, by the path under which it was opened; after all other events. Another process may
    /// have written there too, so what is found at the path is not to be trusted.
    Wrote(Vec<u8>, Vec<u8>),
    /// Another program was started.
    Spawned(Program),
}

impl Event {
    /// Whether this tells what the run did, and not what it looked at.
    pub fn is_effect(&self) -> bool {
        !matches!(
            self,
            Self::Absent(_)
                | Self::Present(..)
                | Self::Permitted(..)
                | Self::Read(..)
                | Self::Listed(..)
                | Self::Resolved(..)
        )
    }
}

/// A finished run as it was watched.
#[derive(Clone, Debug)]
pub struct Run {
    /// Exit status.
    pub status: u8,
    /// What it did.
    pub events: Vec<Event>,
    /// The environment variables it asked for, with their values, in any order.
    pub variables: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// Whether times of files reached its result.
    pub times_matter: bool,
    /// What parts of it consulted that were looked at already; not among the events.
    pub known: Vec<Input>,
}

/// Why the result of a run is not kept, in words that `loom cache stats` counts by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uncacheable(pub String);

/// Turns a run in directory `cwd` into an entry and the contents that it names, which are read here.
///
/// An input that changed while the command ran, or an output that was read before it was written, makes the result
/// uncacheable: what it was made from cannot be told.
pub fn record(system: &dyn System, cwd: &Path, run: Run) -> Result<(Entry, Vec<Blob>), Uncacheable> {
    if run.status > 1 {
        return refuse("unusual exit status");
    }
    let mut facts = Facts {
        cwd,
        inputs: BTreeMap::new(),
        resolved: BTreeMap::new(),
        effects: BTreeMap::new(),
        moved: BTreeMap::new(),
        written: BTreeMap::new(),
        said: Said::default(),
        program: None,
    };
    for event in run.events {
        facts.take(event)?;
    }
    let mut said = std::mem::take(&mut facts.said);
    if said.printed.len() > MOST_PRINTED {
        return refuse("many messages");
    }
    said.settle(system.terminal());
    // A run that does no more than to find out which program to run, and with what, can be spared: that program looks
    // at the world for itself.
    let delegates = facts.effects.is_empty() && said.printed.is_empty() && run.status == 0;
    if facts.program.is_some() && !delegates {
        return refuse("runs other programs");
    }
    let program = facts.program.take();
    let mut inputs = facts.inputs(system, run.times_matter, program.is_some())?;
    let foreign = run.known.into_iter().filter(|it| !facts.is_own(&it.path));
    inputs.extend(foreign);
    inputs.sort();
    inputs.dedup();
    let (outputs, contents) = facts.outputs(system)?;
    let mut variables = run.variables;
    variables.sort();
    variables.dedup();
    let entry = Entry {
        inputs,
        variables,
        times_matter: run.times_matter,
        result: ActionResult {
            status: run.status,
            said,
            outputs,
            program,
        },
    };
    Ok((entry, contents))
}

struct Facts<'a> {
    cwd: &'a Path,
    /// What was seen, by path as it was spelled.
    inputs: BTreeMap<Vec<u8>, Fact>,
    resolved: BTreeMap<Vec<u8>, Vec<u8>>,
    /// What was done, by plain path.
    effects: BTreeMap<Vec<u8>, Change>,
    /// Where what was made under another name lies now.
    moved: BTreeMap<Vec<u8>, Vec<u8>>,
    /// What was written, by plain path.
    written: BTreeMap<Vec<u8>, Vec<u8>>,
    said: Said,
    program: Option<Program>,
}

#[derive(Clone, PartialEq, Eq)]
enum Fact {
    Absent,
    Present(Seen),
    Permitted(Seen),
    Read(Seen, Option<Digest>),
    Listed(Seen),
}

struct Change {
    /// As it was spelled last.
    path: Vec<u8>,
    state: ChangeState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChangeState {
    Written,
    Created,
    Replaced,
    Removed,
    /// A temporary file that is gone again.
    Vanished,
}

impl Facts<'_> {
    fn take(&mut self, event: Event) -> Result<(), Uncacheable> {
        match event {
            Event::Forbidden(reason) => return Err(Uncacheable(reason)),
            Event::Printed(said) => self.said.append(said),
            Event::Wrote(path, content) => {
                let mut path = plain(self.cwd, &path);
                if let Some(to) = self.moved.get(&path) {
                    path.clone_from(to);
                }
                self.written.insert(path, content);
            }
            Event::Spawned(program) => {
                if self.program.replace(program).is_some() {
                    return refuse("runs other programs");
                }
            }
            Event::Absent(path) => self.see(path, Fact::Absent)?,
            Event::Present(path, seen) => self.see(path, Fact::Present(seen))?,
            Event::Permitted(path, seen) => self.see(path, Fact::Permitted(seen))?,
            Event::Read(path, seen, digest) => self.see(path, Fact::Read(seen, digest))?,
            Event::Listed(path, seen) => self.see(path, Fact::Listed(seen))?,
            Event::Resolved(path, real) => {
                if !self.is_own(&path) {
                    self.resolved.insert(path, real);
                }
            }
            Event::Written(path) => self.change(path, |former| match former {
                Some(ChangeState::Created) => ChangeState::Created,
                Some(ChangeState::Replaced | ChangeState::Removed) => ChangeState::Replaced,
                _ => ChangeState::Written,
            }),
            Event::Created(path) => self.change(path, |_| ChangeState::Created),
            Event::Renamed(from, to) => {
                let former = self.effects.get(&plain(self.cwd, &from)).map(|it| it.state);
                if !matches!(former, Some(ChangeState::Created | ChangeState::Written)) {
                    return refuse("renames a file that it did not make");
                }
                self.moved.insert(plain(self.cwd, &from), plain(self.cwd, &to));
                self.change(from, |_| ChangeState::Vanished);
                self.change(to, |_| ChangeState::Replaced);
            }
            Event::Removed(path) => self.change(path, |former| match former {
                Some(ChangeState::Created | ChangeState::Vanished) => ChangeState::Vanished,
                _ => ChangeState::Removed,
            }),
        }
        Ok(())
    }

    fn change(&mut self, path: Vec<u8>, next: impl FnOnce(Option<ChangeState>) -> ChangeState) {
        let key = plain(self.cwd, &path);
        let state = next(self.effects.get(&key).map(|it| it.state));
        self.effects.insert(key, Change { path, state });
    }

    /// Whether the run has made or removed what is at `path`, so that looking at it tells nothing about the world.
    fn is_own(&self, path: &[u8]) -> bool {
        !self.effects.is_empty() && self.effects.contains_key(&plain(self.cwd, path))
    }

    fn see(&mut self, path: Vec<u8>, fact: Fact) -> Result<(), Uncacheable> {
        if self.is_own(&path) {
            return Ok(());
        }
        let Some(former) = self.inputs.get_mut(&path) else {
            self.inputs.insert(path, fact);
            return Ok(());
        };
        let same = |one: &Seen, other: &Seen| one.stamp().signature == other.stamp().signature;
        let better = match (&*former, &fact) {
            (Fact::Absent, Fact::Absent) | (Fact::Permitted(_), _) => false,
            (Fact::Present(_) | Fact::Listed(_) | Fact::Read(..), Fact::Permitted(_)) => true,
            (Fact::Present(one), Fact::Read(other, _)) if same(one, other) => true,
            (Fact::Present(one), Fact::Listed(other)) if one.identity() == other.identity() => true,
            (Fact::Listed(one), Fact::Present(other)) if one.identity() == other.identity() => false,
            // A directory's times move when outputs are made in it.
            (Fact::Present(one), Fact::Present(other))
                if same(one, other) || (one.kind != Kind::File && one.identity() == other.identity()) =>
            {
                false
            }
            (Fact::Read(one, _), Fact::Present(other) | Fact::Read(other, _)) if same(one, other) => false,
            (Fact::Listed(one), Fact::Listed(other)) if same(one, other) => false,
            _ => return refuse(CHANGED),
        };
        if better {
            *former = fact;
        }
        Ok(())
    }

    fn outputs(&self, system: &dyn System) -> Result<(Vec<Output>, Vec<Blob>), Uncacheable> {
        let (mut outputs, mut contents) = (Vec::new(), Vec::new());
        for (key, change) in &self.effects {
            let mut content = || {
                let is_file = system.stat(path_of(key)).is_ok_and(|it| it.kind == Kind::File);
                match (system.read(path_of(key)), self.written.get(key)) {
                    _ if !is_file => refuse("output is not a regular file"),
                    (Ok(found), Some(written)) if found == *written => {
                        let blob = Blob::new(found);
                        contents.push(blob.clone());
                        Ok(blob.digest())
                    }
                    _ => refuse("another process writes the same output"),
                }
            };
            let effect = match change.state {
                ChangeState::Vanished => continue,
                ChangeState::Created => return refuse("leaves a file under a name made up for it"),
                ChangeState::Written => Effect::Written(content()?),
                ChangeState::Replaced => Effect::Replaced(content()?),
                ChangeState::Removed => Effect::Removed,
            };
            outputs.push(Output {
                path: change.path.clone(),
                effect,
            });
        }
        outputs.sort();
        Ok((outputs, contents))
    }

    fn inputs(
        &mut self,
        system: &dyn System,
        times_matter: bool,
        delegates: bool,
    ) -> Result<Vec<Input>, Uncacheable> {
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (path, fact) in std::mem::take(&mut self.inputs) {
            if self.is_own(&path) {
                if matches!(fact, Fact::Read(..) | Fact::Listed(_)) {
                    return refuse("an input is also an output");
                }
                continue;
            }
            let absolute = self.cwd.join(path_of(&path));
            let state = match fact {
                Fact::Absent => State::Absent,
                // Whether a program may be run shows when it is.
                Fact::Permitted(seen) if delegates => State::Present {
                    kind: seen.kind,
                    identity: seen.identity(),
                },
                Fact::Permitted(_) => return refuse("asks for permissions"),
                Fact::Present(seen) if times_matter && seen.kind == Kind::File => State::Timed { seen },
                Fact::Present(seen) => State::Present {
                    kind: seen.kind,
                    identity: seen.identity(),
                },
                Fact::Read(seen, digest) => {
                    if path.starts_with(b"/proc/") || path.starts_with(b"/sys/") {
                        return refuse("asks the system about itself");
                    }
                    let real = self.resolved.remove(&path);
                    read_input(system, &absolute, &seen, digest, real, plain(self.cwd, &path))?
                }
                Fact::Listed(seen) => listed_input(system, &absolute, &seen)?,
            };
            inputs.push(Input { path, state });
        }
        for (path, real) in std::mem::take(&mut self.resolved) {
            if !self.is_own(&path) {
                inputs.push(Input {
                    path,
                    state: State::Resolved(real),
                });
            }
        }
        Ok(inputs)
    }
}

/// Reads once more what the run read, and makes sure that it is the same.
fn read_input(
    system: &dyn System,
    path: &Path,
    seen: &Seen,
    fresh: Option<Digest>,
    real: Option<Vec<u8>>,
    plain: Vec<u8>,
) -> Result<State, Uncacheable> {
    let stamp = Stamp::take(system, path).or_else(|_| refuse(CHANGED))?;
    if stamp.signature != seen.stamp().signature {
        return refuse(CHANGED);
    }
    let digest = Digest::of(&system.read(path).or_else(|_| refuse(CHANGED))?);
    let trusted = seen.stamp().proves_unchanged(&stamp.signature);
    if fresh.map_or(!trusted, |it| it != digest) {
        return refuse(CHANGED);
    }
    let seen = Seen::new(&stamp).ok_or_else(|| Uncacheable(CHANGED.to_owned()))?;
    Ok(State::Content {
        seen,
        digest,
        real: real.filter(|it| *it != plain),
    })
}

fn listed_input(system: &dyn System, path: &Path, seen: &Seen) -> Result<State, Uncacheable> {
    let stamp = Stamp::take(system, path).or_else(|_| refuse(CHANGED))?;
    if !seen.stamp().proves_unchanged(&stamp.signature) {
        return refuse(CHANGED);
    }
    let entries = system.read_dir(path).or_else(|_| refuse(CHANGED))?;
    let seen = Seen::new(&stamp).ok_or_else(|| Uncacheable(CHANGED.to_owned()))?;
    Ok(State::Listing {
        seen,
        digest: listing_digest(&entries),
    })
}

const CHANGED: &str = "an input changed during the compile";

fn refuse<T>(reason: &str) -> Result<T, Uncacheable> {
    Err(Uncacheable(reason.to_owned()))
}
