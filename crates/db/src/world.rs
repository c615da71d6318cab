//! `World`: from paths and names to inputs, with a mirror of what the inputs hold.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use dashmap::DashMap;
use loom_base::Blob;
use loom_frontend::engine::{Access, FileState, OsBytes};
use loom_store::{Kind, Overlay, Stamp, System, path_of};
use salsa::Durability;

use crate::source::Unit;
use crate::{Clock, Db, Directory, Engine, Entries, EnvVar, File, FileValue};

/// Where toolchains and system headers live. Files below rarely change, so their inputs are of high
/// durability: verifying a query that read nothing else costs nothing.
const STABLE_PREFIXES: [&str; 4] = ["/usr", "/lib", "/lib64", "/opt"];

/// Everything about a database that is not salsa's: the system and the engine behind it, and the tables that
/// lead to its inputs.
///
/// The *mirror* in these tables holds what each input holds. It is what a query may look at without
/// depending on it, to tell an engine in advance what it will probably ask. It is written together with the
/// inputs: when an input is made, and by [`Change::apply`](crate::Change::apply).
pub struct World {
    system: Overlay,
    engine: Arc<dyn Engine>,
    pub(crate) files: DashMap<OsBytes, KnownFile>,
    pub(crate) directories: DashMap<OsBytes, KnownDirectory>,
    pub(crate) variables: DashMap<OsBytes, EnvVar>,
    pub(crate) environment: RwLock<Arc<BTreeMap<OsBytes, OsBytes>>>,
    clock: OnceLock<(Clock, Mutex<u64>)>,
    /// What the last run of each unit looked at.
    accesses: DashMap<Unit, Arc<[Access]>>,
    index: Mutex<Index>,
}

/// The mirror of a `File`.
#[derive(Clone)]
pub(crate) struct KnownFile {
    pub(crate) input: File,
    pub(crate) value: FileValue,
    /// From before the content was read; `None` if there was nothing.
    pub(crate) stamp: Option<Stamp>,
}

/// The mirror of a `Directory`.
#[derive(Clone)]
pub(crate) struct KnownDirectory {
    pub(crate) input: Directory,
    pub(crate) entries: Entries,
}

/// Under which spellings a place is known, and a count that tells an observer whether a change has been
/// announced since it looked.
#[derive(Default)]
pub(crate) struct Index {
    announced: u64,
    /// (place, spelling): each known path under its own spelling and under its resolved one.
    files: BTreeSet<(PathBuf, OsBytes)>,
    directories: BTreeSet<(PathBuf, OsBytes)>,
}

impl World {
    /// A world over `system`, compiling with `engine`. Nothing is read yet but the environment.
    pub fn new(system: Arc<dyn System>, engine: Arc<dyn Engine>) -> Self {
        let environment = RwLock::new(Arc::new(system.environment().into_iter().collect()));
        Self {
            system: Overlay::new(system),
            engine,
            files: DashMap::new(),
            directories: DashMap::new(),
            variables: DashMap::new(),
            environment,
            clock: OnceLock::new(),
            accesses: DashMap::new(),
            index: Mutex::default(),
        }
    }

    /// The outside world, with the session's own contents laid over it.
    pub fn system(&self) -> &Overlay {
        &self.system
    }

    /// The engine.
    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// The present value of the input for `path`, without a dependency; `None` if there is no such input.
    pub fn mirrored_file(&self, path: &[u8]) -> Option<FileValue> {
        self.files.get(path).map(|known| known.value.clone())
    }

    /// All paths that have a `File` input, sorted.
    pub fn known_files(&self) -> Vec<OsBytes> {
        let mut paths: Vec<_> = self.files.iter().map(|known| known.key().clone()).collect();
        paths.sort();
        paths
    }

    /// The environment at present, without a dependency.
    pub(crate) fn mirrored_environment(&self) -> Arc<BTreeMap<OsBytes, OsBytes>> {
        Arc::clone(&self.environment.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The time at present, without a dependency.
    pub(crate) fn mirrored_clock(&self, db: &dyn Db) -> u64 {
        *self
            .clock_entry(db)
            .1
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn last_accesses(&self, unit: &Unit) -> Option<Arc<[Access]>> {
        self.accesses.get(unit).map(|accesses| Arc::clone(&accesses))
    }

    pub(crate) fn remember_accesses(&self, unit: &Unit, accesses: &[Access]) {
        self.accesses.insert(unit.clone(), accesses.into());
    }

    pub(crate) fn file(&self, db: &dyn Db, path: &[u8]) -> File {
        if let Some(known) = self.files.get(path) {
            return known.input;
        }
        loop {
            let seen = self.lock_index().announced;
            let (value, stamp) = self.observe_file(path, None);
            let resolved = self.system.resolve(path_of(path));
            let mut index = self.lock_index();
            if let Some(known) = self.files.get(path) {
                return known.input;
            }
            if index.announced != seen {
                // A change was announced meanwhile, and what was observed may be from before it.
                continue;
            }
            let input = File::builder(path.to_owned(), value.clone())
                .durability(durability(path))
                .path_durability(Durability::NEVER_CHANGE)
                .new(db);
            index.add_file(resolved, path);
            index.add_file(path_of(path).to_owned(), path);
            self.files
                .insert(path.to_owned(), KnownFile { input, value, stamp });
            return input;
        }
    }

    pub(crate) fn directory(&self, db: &dyn Db, path: &[u8]) -> Directory {
        if let Some(known) = self.directories.get(path) {
            return known.input;
        }
        loop {
            let seen = self.lock_index().announced;
            let entries = self.observe_directory(path);
            let resolved = self.system.resolve(path_of(path));
            let mut index = self.lock_index();
            if let Some(known) = self.directories.get(path) {
                return known.input;
            }
            if index.announced != seen {
                continue;
            }
            let input = Directory::builder(path.to_owned(), entries.clone())
                .durability(durability(path))
                .path_durability(Durability::NEVER_CHANGE)
                .new(db);
            index.directories.insert((resolved, path.to_owned()));
            index
                .directories
                .insert((path_of(path).to_owned(), path.to_owned()));
            self.directories
                .insert(path.to_owned(), KnownDirectory { input, entries });
            return input;
        }
    }

    pub(crate) fn variable(&self, db: &dyn Db, name: &[u8]) -> EnvVar {
        if let Some(known) = self.variables.get(name) {
            return *known;
        }
        *self.variables.entry(name.to_owned()).or_insert_with(|| {
            EnvVar::builder(name.to_owned(), self.mirrored_environment().get(name).cloned())
                .durability(Durability::HIGH)
                .name_durability(Durability::NEVER_CHANGE)
                .new(db)
        })
    }

    pub(crate) fn clock(&self, db: &dyn Db) -> Clock {
        self.clock_entry(db).0
    }

    pub(crate) fn clock_entry(&self, db: &dyn Db) -> &(Clock, Mutex<u64>) {
        self.clock.get_or_init(|| {
            let seconds = u64::try_from(self.system.now() / 1_000_000_000).unwrap_or(0);
            (Clock::new(db, seconds), Mutex::new(seconds))
        })
    }

    /// What is at `path` now. If `former` proves that it is what it was, nothing is read.
    pub(crate) fn observe_file(&self, path: &[u8], former: Option<&KnownFile>) -> (FileValue, Option<Stamp>) {
        let path = path_of(path);
        let stamp = match Stamp::take(&self.system, path) {
            Ok(stamp) => stamp,
            Err(error) => return (absent(&error), None),
        };
        let Ok(identity) = self.system.canonical(path) else {
            return (FileValue::ABSENT, None);
        };
        let is_null_device = identity == Path::new("/dev/null");
        let identity = identity.as_os_str().as_bytes().to_vec();
        let value = match stamp.signature.kind {
            Kind::Directory => FileValue {
                state: FileState::Directory { identity },
                content: None,
                problem: None,
            },
            Kind::Other if !is_null_device => FileValue {
                problem: Some("not a regular file".into()),
                ..FileValue::ABSENT
            },
            Kind::File | Kind::Other => match self.content(path, &stamp, former) {
                Ok(content) => FileValue {
                    state: FileState::File {
                        content: content.digest(),
                        length: content.bytes().len() as u64,
                        identity,
                    },
                    content: Some(content),
                    problem: None,
                },
                Err(error) => return (absent(&error), None),
            },
        };
        (value, Some(stamp))
    }

    fn content(&self, path: &Path, now: &Stamp, former: Option<&KnownFile>) -> std::io::Result<Blob> {
        if let Some(KnownFile {
            value: FileValue {
                content: Some(content),
                ..
            },
            stamp: Some(then),
            ..
        }) = former
            && then.proves_unchanged(&now.signature)
        {
            return Ok(content.clone());
        }
        self.system.read(path).map(Blob::new)
    }

    pub(crate) fn observe_directory(&self, path: &[u8]) -> Entries {
        let entries = self.system.read_dir(path_of(path)).ok()?;
        Some(
            entries
                .into_iter()
                .map(|entry| (entry.name, entry.is_directory))
                .collect(),
        )
    }

    pub(crate) fn lock_index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index {
    /// Tells everyone who is observing something right now to look again.
    pub(crate) fn announce(&mut self) {
        self.announced += 1;
    }

    /// Notes that `spelling` leads to `place`. A place it led to before stays noted, which does no harm.
    pub(crate) fn add_file(&mut self, place: PathBuf, spelling: &[u8]) {
        self.files.insert((place, spelling.to_owned()));
    }

    /// [`add_file`](Self::add_file) for listings.
    pub(crate) fn add_directory(&mut self, place: PathBuf, spelling: &[u8]) {
        self.directories.insert((place, spelling.to_owned()));
    }

    /// The spellings of all known files whose state a change at `place` can touch.
    pub(crate) fn files_at(&self, place: &Path) -> impl Iterator<Item = &OsBytes> {
        at_below_or_above(&self.files, place)
    }

    /// The spellings of all known directories whose listing a change at `place` can touch.
    pub(crate) fn directories_at(&self, place: &Path) -> impl Iterator<Item = &OsBytes> {
        at_below_or_above(&self.directories, place)
    }
}

/// What is known at `place`, below it, and on the way to it: whatever appears at a place makes its directories
/// too, and whatever goes may leave them empty.
fn at_below_or_above<'a>(
    set: &'a BTreeSet<(PathBuf, OsBytes)>,
    place: &Path,
) -> impl Iterator<Item = &'a OsBytes> {
    let above = place.ancestors().skip(1).map(Path::to_owned).collect::<Vec<_>>();
    let above = above.into_iter().flat_map(move |dir| {
        set.range((dir.clone(), OsBytes::new())..)
            .take_while(move |(at, _)| *at == dir)
    });
    at_or_below(set, place).chain(above.map(|(_, spelling)| spelling))
}

/// Paths are ordered by their components, so everything below a place follows it immediately.
fn at_or_below<'a>(set: &'a BTreeSet<(PathBuf, OsBytes)>, place: &Path) -> impl Iterator<Item = &'a OsBytes> {
    let (from, place) = ((place.to_owned(), OsBytes::new()), place.to_owned());
    set.range(from..)
        .take_while(move |(at, _)| at.starts_with(&place))
        .map(|(_, spelling)| spelling)
}

fn absent(error: &std::io::Error) -> FileValue {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let problem = (!matches!(error.kind(), NotFound | NotADirectory)).then(|| error.to_string().into());
    FileValue {
        problem,
        ..FileValue::ABSENT
    }
}

fn durability(path: &[u8]) -> Durability {
    match STABLE_PREFIXES
        .iter()
        .any(|prefix| path_of(path).starts_with(prefix))
    {
        true => Durability::HIGH,
        false => Durability::LOW,
    }
}
