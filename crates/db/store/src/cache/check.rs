//! Whether what a run consulted is still as it was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loom_base::{Digest, DigestWriter};

use super::entry::{Entry, Input, Seen, State};
use crate::{DirEntry, Kind, Stamp, System, path_of};

/// How an entry that holds was found to.
pub enum Holds {
    /// By signatures alone.
    BySignatures,
    /// Contents had to be hashed. The entry with signatures of today, which will be enough next time.
    ByContents(Box<Entry>),
}

/// Whether a run of the same command in directory `cwd` would consult what `entry` did; `None` if not.
///
/// A signature proves an unchanged content by the racy-timestamp rule ([`Stamp`]); whatever it does not prove is
/// read and hashed.
pub fn check(
    system: &dyn System,
    cwd: &Path,
    environment: &[(Vec<u8>, Vec<u8>)],
    entry: &Entry,
) -> Option<Holds> {
    for (name, value) in &entry.variables {
        let found = environment.binary_search_by(|(it, _)| it.cmp(name)).ok();
        if found.map(|index| &environment[index].1) != value.as_ref() {
            return None;
        }
    }
    let mut world = Check {
        system,
        cwd,
        path: PathBuf::new(),
        times_matter: entry.times_matter,
        identities: Vec::with_capacity(entry.inputs.len()),
        moved: false,
    };
    let mut renewed: Vec<(usize, State)> = Vec::new();
    for (index, input) in entry.inputs.iter().enumerate() {
        if let Answer::Renewed(state) = world.look(input)? {
            renewed.push((index, state));
        }
    }
    if world.moved && !same_partition(&world.identities) {
        return None;
    }
    if renewed.is_empty() {
        return Some(Holds::BySignatures);
    }
    let mut entry = entry.clone();
    for (index, state) in renewed {
        entry.inputs[index].state = state;
    }
    Some(Holds::ByContents(Box::new(entry)))
}

/// The digest of a directory's names and which of them are directories.
pub fn listing_digest(entries: &[DirEntry]) -> Digest {
    let mut digest = DigestWriter::default();
    for entry in entries {
        digest = digest.bytes64(&entry.name).raw(&[entry.is_directory.into()]);
    }
    digest.finish()
}

/// `path` without `.`, `..` and doubled slashes, as if no component were a link.
pub fn plain(cwd: &Path, path: &[u8]) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    let mut plain = PathBuf::new();
    for component in cwd.join(path_of(path)).components() {
        match component {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            std::path::Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain.as_os_str().as_bytes().to_vec()
}

struct Check<'a> {
    system: &'a dyn System,
    cwd: &'a Path,
    path: PathBuf,
    times_matter: bool,
    /// Device and inode of each path: then, and now.
    identities: Vec<[(u64, u64); 2]>,
    moved: bool,
}

enum Answer {
    Same,
    Renewed(State),
}

impl Check<'_> {
    /// Compares one input with the world; `None` if it differs.
    fn look(&mut self, input: &Input) -> Option<Answer> {
        self.path.clear();
        self.path.push(self.cwd);
        self.path.push(path_of(&input.path));
        match &input.state {
            State::Absent => {
                let error = self.system.stat(&self.path).err()?;
                is_absence(&error).then_some(Answer::Same)
            }
            State::Present { kind, identity } => {
                let now = self.system.stat(&self.path).ok()?;
                self.identify(*identity, (now.device, now.inode));
                (now.kind == *kind).then_some(Answer::Same)
            }
            State::Timed { seen } => {
                let now = self.system.stat(&self.path).ok()?;
                self.identify(seen.identity(), (now.device, now.inode));
                let then = seen.stamp().signature;
                let same = (now.kind, now.size, now.mtime) == (then.kind, then.size, then.mtime);
                same.then_some(Answer::Same)
            }
            State::Content { seen, digest, real } => self.look_at_content(seen, *digest, real, &input.path),
            State::Listing { seen, digest } => self.look_at_listing(seen, *digest),
            State::Resolved(real) => {
                let now = self.system.canonical(&self.path).ok()?;
                (now == path_of(real)).then_some(Answer::Same)
            }
        }
    }

    fn look_at_content(
        &mut self,
        seen: &Seen,
        digest: Digest,
        real: &Option<Vec<u8>>,
        path: &[u8],
    ) -> Option<Answer> {
        let now = Stamp::take(self.system, &self.path).ok()?;
        let then = seen.stamp();
        self.identify(seen.identity(), (now.signature.device, now.signature.inode));
        if then.proves_unchanged(&now.signature) {
            return Some(Answer::Same);
        }
        let same_file = (now.signature.kind, now.signature.size) == (Kind::File, seen.size);
        let same_time = !self.times_matter || now.signature.mtime == then.signature.mtime;
        if !same_file || !same_time {
            return None;
        }
        if Digest::of(&self.system.read(&self.path).ok()?) != digest {
            return None;
        }
        // A link that leads elsewhere by now may show the same content under another name.
        let resolved = self.system.canonical(&self.path).ok()?;
        let expected = real.clone().unwrap_or_else(|| plain(self.cwd, path));
        if resolved != path_of(&expected) {
            return None;
        }
        Some(Answer::Renewed(State::Content {
            seen: Seen::new(&now)?,
            digest,
            real: real.clone(),
        }))
    }

    fn look_at_listing(&mut self, seen: &Seen, digest: Digest) -> Option<Answer> {
        let now = Stamp::take(self.system, &self.path).ok()?;
        self.identify(seen.identity(), (now.signature.device, now.signature.inode));
        if seen.stamp().proves_unchanged(&now.signature) {
            return Some(Answer::Same);
        }
        let entries = self.system.read_dir(&self.path).ok()?;
        (listing_digest(&entries) == digest).then_some(Answer::Renewed(State::Listing {
            seen: Seen::new(&now)?,
            digest,
        }))
    }

    fn identify(&mut self, then: (u64, u64), now: (u64, u64)) {
        self.moved |= then != now;
        self.identities.push([then, now]);
    }
}

/// Whether the paths that named one thing still do, and the others still name different ones: `#pragma once` and the
/// list of include directories depend on it.
fn same_partition(identities: &[[(u64, u64); 2]]) -> bool {
    let (mut forth, mut back) = (BTreeMap::new(), BTreeMap::new());
    identities.iter().all(|[then, now]| {
        forth.entry(then).or_insert(now) == &now && back.entry(now).or_insert(then) == &then
    })
}

/// Whether a failed look-up says that nothing is there, rather than that it could not be done.
pub fn is_absence(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
    )
}
