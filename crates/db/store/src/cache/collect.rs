//! The cache as a whole: its size, its oldest entries, what is damaged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use loom_base::Digest;

use super::{Cache, Entry, Shelf, codec, entries};
use crate::content::verify_content;
use crate::place::{TEMPORARY, place};
use crate::{Kind, Nanoseconds, path_of};

const SECOND: Nanoseconds = 1_000_000_000;

/// A content that nothing names may belong to a record that is about to be written, and a temporary file to a process
/// that is about to rename it.
const GRACE: Nanoseconds = 600 * SECOND;

/// The journal of growth holds one byte for this many.
const BLOCK: u64 = 4096;

/// The cache is measured each time it has grown by this part of its limit.
const STEP: u64 = 32;

/// What is in the cache.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stored {
    /// Commands with an answer.
    pub records: u64,
    /// Steps with an answer: compiles however they are spelled, and what sessions ask for.
    pub actions: u64,
    /// Files of outputs.
    pub contents: u64,
    /// Bytes of both.
    pub bytes: u64,
}

/// What a collection did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Collected {
    /// What was removed.
    pub removed: Stored,
    /// What is left.
    pub left: Stored,
}

/// What a look at every file found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Verified {
    /// What is sound.
    pub sound: Stored,
    /// Files that were damaged; they are removed.
    pub damaged: Vec<PathBuf>,
}

impl Stored {
    fn count(&mut self, kind: &str, bytes: u64) {
        self.bytes += bytes;
        match kind {
            RECORDS => self.records += 1,
            ACTIONS => self.actions += 1,
            _ => self.contents += 1,
        }
    }
}

const RECORDS: &str = Shelf::Commands.directory();
const ACTIONS: &str = Shelf::Actions.directory();
const CONTENTS: &str = "contents";

struct File {
    /// The directory of all of its kind.
    kind: &'static str,
    path: PathBuf,
    /// Digest in hex, of the content or the key.
    name: String,
    size: u64,
    mtime: Nanoseconds,
}

impl Cache {
    /// Notes that `bytes` were added, and collects when enough has come together.
    pub(super) fn note_growth(&self, bytes: u64) {
        let blocks = usize::try_from(bytes.div_ceil(BLOCK))
            .unwrap_or(usize::MAX)
            .min(1 << 20);
        let grown = self.system.append(&self.growth_path(), &vec![0; blocks]);
        if grown.is_ok_and(|blocks| blocks.saturating_mul(BLOCK) > self.limit / STEP) {
            self.collect(self.limit);
        }
    }

    fn growth_path(&self) -> PathBuf {
        self.root.join("growth")
    }

    /// Brings the cache below `limit` bytes by removing the records that were not used for the longest time, then the
    /// contents that no record names, and what processes left that ended half way. Never fails: what cannot be removed
    /// stays.
    pub fn collect(&self, limit: u64) -> Collected {
        let mut collected = Collected::default();
        let now = self.system.now();
        let mut records = self.records(now);
        records.sort_by(|one, other| (other.mtime, &one.name).cmp(&(one.mtime, &other.name)));
        let contents = self.files(CONTENTS, now);
        let sizes: BTreeMap<_, _> = contents.iter().map(|it| (&it.name[..], it.size)).collect();

        let mut named = BTreeSet::new();
        let mut bytes = 0;
        let mut full = false;
        for record in &records {
            let new: BTreeSet<String> = self.named_by(&record.path).difference(&named).cloned().collect();
            let more = record.size + new.iter().filter_map(|it| sizes.get(&it[..])).sum::<u64>();
            full |= bytes + more > limit;
            if full && self.system.remove_file(&record.path).is_ok() {
                collected.removed.count(record.kind, record.size);
                continue;
            }
            bytes += more;
            collected.left.count(record.kind, record.size);
            named.extend(new);
        }
        for content in &contents {
            let young = now - content.mtime < GRACE && bytes + content.size <= limit;
            let wanted = named.contains(&content.name) || young;
            if !wanted && self.system.remove_file(&content.path).is_ok() {
                collected.removed.count(CONTENTS, content.size);
            } else {
                collected.left.count(CONTENTS, content.size);
            }
        }
        // Temporary files of the journals.
        for entry in self.system.read_dir(&self.root).unwrap_or_default() {
            let path = self.root.join(path_of(&entry.name));
            let old = self.system.stat(&path).is_ok_and(|it| now - it.mtime > GRACE);
            if old && entry.name.ends_with(TEMPORARY.as_bytes()) {
                let _ = self.system.remove_file(&path);
            }
        }
        // What others add meanwhile is measured next time.
        let _ = place(&*self.system, &self.growth_path(), b"");
        collected
    }

    /// Looks at every file, removes the damaged ones and says which they were.
    pub fn verify(&self) -> Verified {
        let mut verified = Verified::default();
        let now = self.system.now();
        let check = |files: Vec<File>, is_sound: &dyn Fn(&File, &[u8]) -> bool, verified: &mut Verified| {
            for file in files {
                let bytes = self.system.read(&file.path).unwrap_or_default();
                if is_sound(&file, &bytes) {
                    verified.sound.count(file.kind, file.size);
                } else {
                    let _ = self.system.remove_file(&file.path);
                    verified.damaged.push(file.path);
                }
            }
        };
        let content =
            |file: &File, bytes: &[u8]| verify_content(bytes).is_some_and(|it| it.to_string() == file.name);
        let record = |_: &File, bytes: &[u8]| {
            let entries: Vec<_> = entries(bytes).collect();
            !entries.is_empty()
                && entries.iter().all(|raw| codec::decode(raw).is_some())
                && super::join(entries.into_iter()) == bytes
        };
        check(self.files(CONTENTS, now), &content, &mut verified);
        check(self.records(now), &record, &mut verified);
        verified
    }

    /// Empties the cache, its counts too.
    pub fn clear(&self) -> Stored {
        let mut removed = Stored::default();
        let now = Nanoseconds::MAX;
        for file in self.records(now).into_iter().chain(self.files(CONTENTS, now)) {
            if self.system.remove_file(&file.path).is_ok() {
                removed.count(file.kind, file.size);
            }
        }
        for journal in ["statistics", "growth"] {
            let _ = self.system.remove_file(&self.root.join(journal));
        }
        removed
    }

    /// What is in the cache.
    pub fn stored(&self) -> Stored {
        let mut stored = Stored::default();
        for file in self.records(0).into_iter().chain(self.files(CONTENTS, 0)) {
            stored.count(file.kind, file.size);
        }
        stored
    }

    /// The entries that left an output with this content, by the keys of their records.
    pub fn entries_with_output(&self, output: Digest) -> Vec<(String, Entry)> {
        let mut found = Vec::new();
        for file in self.files(RECORDS, 0) {
            let record = self.system.read(&file.path).unwrap_or_default();
            for entry in entries(&record).filter_map(codec::decode) {
                if entry
                    .result
                    .outputs
                    .iter()
                    .any(|it| it.effect.content() == Some(output))
                {
                    found.push((file.name.clone(), entry));
                }
            }
        }
        found
    }

    fn named_by(&self, record: &Path) -> BTreeSet<String> {
        let record = self.system.read(record).unwrap_or_default();
        let outputs = entries(&record)
            .filter_map(codec::decode)
            .flat_map(|entry| entry.result.outputs);
        outputs
            .filter_map(|it| it.effect.content().map(|digest| digest.to_string()))
            .collect()
    }

    fn records(&self, now: Nanoseconds) -> Vec<File> {
        let mut records = self.files(RECORDS, now);
        records.extend(self.files(ACTIONS, now));
        records
    }

    /// The files of one kind. Temporary files that are too old at `now` to belong to anybody are removed.
    fn files(&self, kind: &'static str, now: Nanoseconds) -> Vec<File> {
        let mut files = Vec::new();
        let directory = self.root.join(kind);
        for shard in self.system.read_dir(&directory).unwrap_or_default() {
            let directory = directory.join(path_of(&shard.name));
            for entry in self.system.read_dir(&directory).unwrap_or_default() {
                let path = directory.join(path_of(&entry.name));
                let Ok(found) = self.system.stat(&path) else {
                    continue;
                };
                let (Kind::File, Ok(name)) = (found.kind, String::from_utf8(entry.name)) else {
                    continue;
                };
                if name.ends_with(TEMPORARY) {
                    if now - found.mtime > GRACE {
                        let _ = self.system.remove_file(&path);
                    }
                    continue;
                }
                files.push(File {
                    kind,
                    name: String::from_utf8_lossy(&shard.name).into_owned() + &name,
                    path,
                    size: found.size,
                    mtime: found.mtime,
                });
            }
        }
        files
    }
}
