//! The compile cache: commands that ran, what they consulted, and what came of it.
//!
//! A *front key* names a command line, an *action key* a costly step however it came to be asked for: one parsed compile,
//! or a pure function of bytes. Below a key lies a *record*: up to [`MOST_ENTRIES`] entries, each of them everything one
//! run consulted with its result. An entry answers when all that it names is as it was. Contents lie in a
//! [`ContentStore`]. There are no locks: files appear whole by rename, readers verify what they read, and what is
//! damaged or lost is a miss.

mod actions;
mod check;
mod codec;
mod collect;
mod entry;
mod job;
mod key;
mod recording;
mod restore;
mod said;
mod settings;
mod statistics;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loom_base::{Blob, Digest};

pub use actions::Actions;
pub use check::listing_digest;
pub use collect::{Collected, Stored, Verified};
pub use entry::{ActionResult, Effect, Entry, Input, Output, Program, Seen, State};
pub use job::{Job, Roles, job_entry, job_key};
pub use key::front_key;
pub use recording::{Event, Run, Uncacheable, record};
pub use said::{Renderings, Said, Style};
pub use settings::{Mode, Settings, parse_size};

use crate::place::place;
use crate::{ContentStore, Nanoseconds, StoreError, System};
use check::{Holds, check};

/// A command whose surroundings alternate keeps this many answers, the newest first.
pub const MOST_ENTRIES: usize = 8;

/// What a record starts with; then its entries, each as length, digest, bytes.
const MAGIC: &[u8] = b"loom record 2\n";

/// A record in use is marked so no more often than this.
const MARK_AFTER: Nanoseconds = 3600 * 1_000_000_000;

/// What a record's key names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shelf {
    /// A command line.
    Commands,
    /// A step.
    Actions,
}

impl Shelf {
    const fn directory(self) -> &'static str {
        match self {
            Self::Commands => "records",
            Self::Actions => "actions",
        }
    }
}

/// One cache directory, used by any number of processes at once.
#[derive(Clone, Debug)]
pub struct Cache {
    system: Arc<dyn System>,
    root: PathBuf,
    contents: ContentStore,
    writable: bool,
    limit: u64,
}

/// An answer: what an earlier run consulted, its result, and the contents it left.
#[derive(Debug)]
pub struct Hit {
    /// The earlier run, with the signatures of today.
    pub entry: Entry,
    contents: BTreeMap<Digest, Vec<u8>>,
}

impl Cache {
    /// The cache that `settings` describe; `None` if it is off. Its directory need not exist.
    pub fn new(system: Arc<dyn System>, settings: &Settings) -> Option<Self> {
        if settings.mode == Mode::Off {
            return None;
        }
        let writable = settings.mode == Mode::ReadWrite;
        Some(Self::open(system, &settings.directory, settings.limit, writable))
    }

    /// The cache that `settings` describe, on or off, for those who tend it; `None` if there is no directory for it.
    pub fn for_upkeep(system: Arc<dyn System>, settings: &Settings) -> Option<Self> {
        let directory = &settings.directory;
        directory
            .is_absolute()
            .then(|| Self::open(system, directory, settings.limit, true))
    }

    fn open(system: Arc<dyn System>, directory: &Path, limit: u64, writable: bool) -> Self {
        // Another format would lie beside this one, so that builds of both can share a directory.
        let root = directory.join("v1");
        Self {
            contents: ContentStore::new(system.clone(), root.join("contents")),
            system,
            root,
            writable,
            limit,
        }
    }

    /// The answer below this key in directory `cwd`, if a run now would consult what an earlier one did. The environment
    /// is sorted by name.
    pub fn look_up(
        &self,
        shelf: Shelf,
        key: Digest,
        cwd: &Path,
        environment: &[(Vec<u8>, Vec<u8>)],
    ) -> Option<Hit> {
        let path = self.record_path(shelf, key);
        let record = self.system.read(&path).ok()?;
        for (index, raw) in entries(&record).enumerate() {
            let Some(entry) = codec::decode(raw) else { continue };
            let Some(holds) = check(&*self.system, cwd, environment, &entry) else {
                continue;
            };
            let Some(contents) = self.contents_of(&entry) else {
                continue;
            };
            if self.writable {
                self.mark_used(&path, &record, index, &holds);
            }
            let entry = match holds {
                Holds::BySignatures => entry,
                Holds::ByContents(renewed) => *renewed,
            };
            return Some(Hit { entry, contents });
        }
        None
    }

    fn contents_of(&self, entry: &Entry) -> Option<BTreeMap<Digest, Vec<u8>>> {
        let digests = entry.result.outputs.iter().filter_map(|it| it.effect.content());
        digests
            .map(|digest| Some((digest, self.contents.read(digest)?)))
            .collect()
    }

    /// Writes down that an entry was of use, and what will make the next look at it faster. Failing to costs time
    /// later, nothing else.
    fn mark_used(&self, path: &Path, record: &[u8], used: usize, holds: &Holds) {
        if let Holds::ByContents(renewed) = holds {
            let raw = codec::encode(renewed);
            let others = entries(record).enumerate();
            let others = others.filter(|(index, _)| *index != used).map(|(_, raw)| raw);
            let record = join(std::iter::once(&raw[..]).chain(others));
            let _ = place(&*self.system, path, &record);
            return;
        }
        let old = |mtime| self.system.now() - mtime > MARK_AFTER;
        if self.system.stat(path).is_ok_and(|it| old(it.mtime)) {
            let _ = self.system.touch(path);
        }
    }

    /// Keeps `entry` below `key`. `contents` are those that it names.
    ///
    /// An error leaves the cache usable: at most contents that nothing names.
    pub fn insert(
        &self,
        shelf: Shelf,
        key: Digest,
        entry: &Entry,
        contents: &[Blob],
    ) -> Result<(), StoreError> {
        if !self.writable {
            return Ok(());
        }
        let mut added = 0;
        for blob in contents {
            self.contents.insert(blob)?;
            added += blob.bytes().len() as u64;
        }
        let path = self.record_path(shelf, key);
        let former = self.system.read(&path).unwrap_or_default();
        let question = question(entry);
        let mut entry = entry.clone();
        let mut others = Vec::new();
        for raw in entries(&former) {
            match codec::decode(raw) {
                Some(other) if self::question(&other) != question => others.push(raw),
                // The same command, run side by side or on another terminal, found the same.
                Some(other) if other.result.outputs == entry.result.outputs => {
                    entry.result.said.adopt(other.result.said);
                }
                _ => {}
            }
        }
        let raw = codec::encode(&entry);
        let record = join(std::iter::once(&raw[..]).chain(others.into_iter().take(MOST_ENTRIES - 1)));
        added += record.len() as u64;
        place(&*self.system, &path, &record).map_err(|source| StoreError { path, source })?;
        self.note_growth(added);
        Ok(())
    }

    /// Counts an event for `loom cache stats`.
    pub fn count(&self, event: &str) {
        if self.writable {
            statistics::count(&*self.system, &self.root.join("statistics"), event);
        }
    }

    /// What was counted since the cache was made or cleared.
    pub fn statistics(&self) -> BTreeMap<String, u64> {
        statistics::read(&*self.system, &self.root.join("statistics"))
    }

    /// Bytes it may hold.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The cache's directory.
    pub fn directory(&self) -> &Path {
        &self.root
    }

    fn record_path(&self, shelf: Shelf, key: Digest) -> PathBuf {
        let name = key.to_string();
        self.root
            .join(shelf.directory())
            .join(&name[..2])
            .join(&name[2..])
    }
}

impl Hit {
    /// The content with this digest, if the run left it.
    pub fn content(&self, digest: Digest) -> Option<&[u8]> {
        self.contents.get(&digest).map(|it| &it[..])
    }

    /// Makes the outputs in directory `cwd` what they were after the run. On an error the command has to be run.
    pub fn restore(&self, system: &dyn System, cwd: &Path) -> io::Result<()> {
        for output in &self.entry.result.outputs {
            let content = output.effect.content();
            let content = content.and_then(|it| self.content(it)).unwrap_or_default();
            restore::restore(system, cwd, &output.path, &output.effect, content)?;
        }
        Ok(())
    }
}

/// All that an entry asks of the world, whatever it knows about times.
fn question(entry: &Entry) -> Vec<u8> {
    let mut entry = entry.clone();
    for input in &mut entry.inputs {
        if let State::Content { seen, .. } | State::Listing { seen, .. } = &mut input.state {
            (seen.mtime, seen.ctime, seen.taken, seen.inode, seen.device) = (0, 0, 0, 0, 0);
        }
    }
    entry.result = ActionResult {
        status: 0,
        said: Said {
            printed: Vec::new(),
            renderings: None,
            // What it was rendered for is part of the question where nothing else can be told.
            ..match entry.result.said.renderings {
                None if !entry.result.said.printed.is_empty() => entry.result.said,
                _ => Said::default(),
            }
        },
        outputs: Vec::new(),
        program: None,
    };
    codec::encode(&entry)
}

/// The undamaged entries at the beginning of a record.
fn entries(record: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = record.strip_prefix(MAGIC).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk()?;
        let (digest, after) = after.split_first_chunk::<32>()?;
        let (raw, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = after;
        (Digest::of(raw).as_bytes() == digest).then_some(raw)
    })
}

fn join<'a>(entries: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut record = MAGIC.to_vec();
    for raw in entries {
        record.extend_from_slice(&(raw.len() as u64).to_le_bytes());
        record.extend_from_slice(Digest::of(raw).as_bytes());
        record.extend_from_slice(raw);
    }
    record
}
