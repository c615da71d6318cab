//! The salsa inputs and how a query reaches them.
#![expect(
    missing_docs,
    reason = "salsa generates constructors and setters without documentation"
)]

use std::sync::Arc;

use loom_base::Blob;
use loom_frontend::engine::{FileState, OsBytes};

use crate::Db;

/// The names in a directory, sorted, with whether each leads to a directory; `None` if it is no directory.
pub type Entries = Option<Arc<[(OsBytes, bool)]>>;

/// One path, whatever is or is not there.
#[salsa::input(debug)]
pub struct File {
    /// The path as it was asked for: absolute, raw bytes.
    #[returns(deref)]
    pub path: OsBytes,
    /// What is there.
    pub value: FileValue,
}

/// What a path is, with its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileValue {
    /// The state, as engines are told it.
    pub state: FileState,
    /// The content of a regular file.
    pub content: Option<Blob>,
    /// Why the path counts as absent, if it is more than that nothing is there.
    pub problem: Option<Arc<str>>,
}

impl FileValue {
    /// Nothing there.
    pub const ABSENT: Self = Self {
        state: FileState::Absent,
        content: None,
        problem: None,
    };
}

/// The listing of one path.
#[salsa::input(debug)]
pub struct Directory {
    /// The path as it was asked for.
    #[returns(deref)]
    pub path: OsBytes,
    /// The names in it.
    pub entries: Entries,
}

/// One environment variable, set or not.
#[salsa::input(debug)]
pub struct EnvVar {
    /// Its name.
    #[returns(deref)]
    pub name: OsBytes,
    /// Its value; `None` if it is unset.
    pub value: Option<OsBytes>,
}

/// The clock: a time that stands still until a change moves it.
#[salsa::input(debug)]
pub struct Clock {
    /// Seconds since the epoch.
    #[returns(copy)]
    pub seconds: u64,
}

/// The input for `path` (absolute). The first call observes the path; later ones only look it up.
pub fn file(db: &dyn Db, path: &[u8]) -> File {
    db.world().file(db, path)
}

/// The input for the listing of `path` (absolute).
pub fn directory(db: &dyn Db, path: &[u8]) -> Directory {
    db.world().directory(db, path)
}

/// The input for the environment variable `name`.
pub fn variable(db: &dyn Db, name: &[u8]) -> EnvVar {
    db.world().variable(db, name)
}

/// The input for the clock.
pub fn clock(db: &dyn Db) -> Clock {
    db.world().clock(db)
}
