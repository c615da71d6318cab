//! Changes: the one way in which inputs get new values.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use loom_frontend::engine::OsBytes;
use loom_store::path_of;
use salsa::Setter;

use crate::Db;

/// What is different in the outside world, collected to be applied at once.
///
/// Paths are absolute. A change announced for one spelling of a path reaches every known spelling of the
/// place (through symbolic links, `..`), everything known below it, and the listings around it. A symbolic
/// link in the middle of other paths is the exception: after one was redirected, use [`Change::reread_all`].
#[derive(Default, Debug)]
pub struct Change {
    edits: Vec<Edit>,
}

#[derive(Debug)]
enum Edit {
    Overlay(PathBuf, Option<Arc<[u8]>>),
    Reread(PathBuf),
    RereadAll,
    Variable(OsBytes, Option<OsBytes>),
    Clock(u64),
}

impl Change {
    /// Makes `content` the content of `path` for this database, whatever the file system says.
    pub fn set_file(mut self, path: &[u8], content: impl Into<Arc<[u8]>>) -> Self {
        self.edits
            .push(Edit::Overlay(path_of(path).to_owned(), Some(content.into())));
        self
    }

    /// Makes `path` absent for this database, whatever the file system says.
    pub fn remove_file(mut self, path: &[u8]) -> Self {
        self.edits.push(Edit::Overlay(path_of(path).to_owned(), None));
        self
    }

    /// Looks at `path` again in the file system, forgetting an earlier `set_file` or `remove_file`. For files
    /// and directories that were changed, made or removed.
    pub fn reread(mut self, path: &[u8]) -> Self {
        self.edits.push(Edit::Reread(path_of(path).to_owned()));
        self
    }

    /// Looks at every known path again; contents that were set stay set.
    pub fn reread_all(mut self) -> Self {
        self.edits.push(Edit::RereadAll);
        self
    }

    /// Sets or unsets an environment variable.
    pub fn set_variable(mut self, name: impl Into<OsBytes>, value: Option<OsBytes>) -> Self {
        self.edits.push(Edit::Variable(name.into(), value));
        self
    }

    /// Sets the clock, in seconds since the epoch.
    pub fn set_clock(mut self, seconds: u64) -> Self {
        self.edits.push(Edit::Clock(seconds));
        self
    }

    /// Whether nothing was announced.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Gives every input whose value differs its new value, and says how many did.
    ///
    /// If none differs no revision begins and no running query is cancelled. Otherwise this cancels them and
    /// waits until every other handle of the database is dropped; a thread that holds one must not call it.
    pub fn apply(self, db: &mut dyn Db) -> usize {
        let world = Arc::clone(db.world());
        let mut changed = 0;
        let (mut files, mut directories) = (BTreeSet::new(), BTreeSet::new());
        for edit in self.edits {
            match edit {
                Edit::Overlay(path, content) => {
                    world.system().set(&path, content);
                    find_known(db, path, &mut files, &mut directories);
                }
                Edit::Reread(path) => {
                    world.system().clear(&path);
                    find_known(db, path, &mut files, &mut directories);
                }
                Edit::RereadAll => find_known(db, "/".into(), &mut files, &mut directories),
                Edit::Variable(name, value) => changed += usize::from(set_variable(db, name, value)),
                Edit::Clock(seconds) => changed += usize::from(set_clock(db, seconds)),
            }
        }
        changed += files.iter().filter(|path| refresh_file(db, path)).count();
        changed += directories
            .iter()
            .filter(|path| refresh_directory(db, path))
            .count();
        changed
    }
}

/// Adds all that is known about the place of `path`.
fn find_known(
    db: &dyn Db,
    path: PathBuf,
    files: &mut BTreeSet<OsBytes>,
    directories: &mut BTreeSet<OsBytes>,
) {
    let resolved = db.world().system().resolve(&path);
    let mut index = db.world().lock_index();
    index.announce();
    for place in [&path, &resolved] {
        files.extend(index.files_at(place).cloned());
        directories.extend(index.directories_at(place).cloned());
    }
}

/// The mirror follows the input: the setter returns when no other handle is left to see them disagree.
fn refresh_file(db: &mut dyn Db, path: &OsBytes) -> bool {
    let world = Arc::clone(db.world());
    let Some(mut known) = world.files.get(path).map(|known| known.clone()) else {
        return false;
    };
    let (value, stamp) = world.observe_file(path, Some(&known));
    // Links on the way may lead elsewhere by now.
    world
        .lock_index()
        .add_file(world.system().resolve(path_of(path)), path);
    let differs = value != known.value;
    if differs {
        known.input.set_value(db).to(value.clone());
    }
    known.value = value;
    known.stamp = stamp;
    world.files.insert(path.clone(), known);
    differs
}

fn refresh_directory(db: &mut dyn Db, path: &OsBytes) -> bool {
    let world = Arc::clone(db.world());
    let Some(mut known) = world.directories.get(path).map(|known| known.clone()) else {
        return false;
    };
    let entries = world.observe_directory(path);
    world
        .lock_index()
        .add_directory(world.system().resolve(path_of(path)), path);
    let differs = entries != known.entries;
    if differs {
        known.input.set_entries(db).to(entries.clone());
        known.entries = entries;
        world.directories.insert(path.clone(), known);
    }
    differs
}

fn set_variable(db: &mut dyn Db, name: OsBytes, value: Option<OsBytes>) -> bool {
    let world = Arc::clone(db.world());
    if world.mirrored_environment().get(&name) == value.as_ref() {
        return false;
    }
    // Reached even if no query has asked for it yet: the setter is what ends the running ones, whose request
    // already holds the former value.
    let input = world.variable(db, &name);
    input.set_value(db).to(value.clone());
    let mut environment = world.environment.write().unwrap_or_else(PoisonError::into_inner);
    let environment = Arc::make_mut(&mut environment);
    match value {
        Some(value) => environment.insert(name, value),
        None => environment.remove(&name),
    };
    true
}

fn set_clock(db: &mut dyn Db, seconds: u64) -> bool {
    let world = Arc::clone(db.world());
    if world.mirrored_clock(db) == seconds {
        return false;
    }
    world.clock(db).set_seconds(db).to(seconds);
    *world
        .clock_entry(db)
        .1
        .lock()
        .unwrap_or_else(PoisonError::into_inner) = seconds;
    true
}
