//! The trait `System`: everything Loom may ask of, or do to, the world outside the process.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Nanoseconds since the Unix epoch; before it, negative.
pub type Nanoseconds = i128;

/// What a path names, symbolic links followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Anything else: a device, a fifo, a socket.
    Other,
}

/// What `stat` says of a path. Two equal signatures of one path promise equal content only if the first of
/// them is old enough (see [`Stamp`](crate::Stamp)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// What the path names.
    pub kind: Kind,
    /// Length in bytes.
    pub size: u64,
    /// Time of the last change of the content.
    pub mtime: Nanoseconds,
    /// Time of the last change of content or attributes; unlike `mtime` no program can set it.
    pub ctime: Nanoseconds,
    /// Inode number.
    pub inode: u64,
    /// Device number.
    pub device: u64,
}

/// One name in a directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DirEntry {
    /// The bare name, as raw bytes.
    pub name: Vec<u8>,
    /// Whether the name leads to a directory, symbolic links followed.
    pub is_directory: bool,
}

/// A terminal as clang sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terminal {
    /// Characters a line; 0 if unknown.
    pub columns: u16,
    /// Whether its name is that of one with colours.
    pub colours: bool,
}

/// The outside world. All paths are absolute; all errors are the operating system's own.
///
/// Reading calls follow symbolic links. Implementations are shared between threads.
pub trait System: Send + Sync + fmt::Debug {
    /// The signature of `path`.
    fn stat(&self, path: &Path) -> io::Result<Signature>;

    /// The content of the file `path`.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The path without symbolic links, `.` and `..`: equal for two paths exactly when they name one file
    /// by one name.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// The entries of directory `path`, sorted by name.
    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>>;

    /// The whole environment, sorted by name.
    fn environment(&self) -> Vec<(Vec<u8>, Vec<u8>)>;

    /// The current time.
    fn now(&self) -> Nanoseconds;

    /// Creates directory `path` and its parents; succeeds if it exists.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;

    /// Creates the file `path`, which must not exist, with `bytes`, and makes the bytes durable.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// As [`write_new`](Self::write_new), but a machine that fails may lose the bytes, or part of them: for what its
    /// readers verify, and for what can be made again.
    fn write_fresh(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Appends `bytes` to the file `path` in one piece, making the file if need be, and returns its new length.
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<u64>;

    /// Makes now the time of the last change of the file `path`.
    fn touch(&self, path: &Path) -> io::Result<()>;

    /// Whether the file `path` can be opened for writing.
    fn is_writable(&self, path: &Path) -> bool;

    /// The terminal that standard error is; `None` if it is none.
    fn terminal(&self) -> Option<Terminal>;

    /// Writes `bytes` into what is at `path`: for devices and fifos, whose content cannot be replaced.
    fn write_into(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Gives `to` the permission bits of `like` as far as the file system has them.
    fn copy_permissions(&self, like: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file over another, atomically.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// A file name that no other call, thread or process is given.
    fn fresh_name(&self) -> String;

    /// Makes `bytes` the content of `path`, replacing a former file atomically: at every moment, also after
    /// a crash, a reader finds the whole old content or the whole new one. The former file's permission bits
    /// are kept, and a symbolic link stays one. A device or fifo is written into, never replaced.
    ///
    /// On failure the former file is untouched and no temporary file is left.
    fn publish(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if self.stat(path).is_ok_and(|it| it.kind == Kind::Other) {
            return self.write_into(path, bytes);
        }
        let target = self.canonical(path).ok();
        let replaces = target.is_some();
        let target = target.unwrap_or_else(|| path.to_owned());
        let temporary = target.with_file_name(format!(".{}.tmp", self.fresh_name()));
        let published = self.write_new(&temporary, bytes).and_then(|()| {
            if replaces {
                self.copy_permissions(&target, &temporary)?;
            }
            self.rename(&temporary, &target)
        });
        if published.is_err() {
            // The first error is the one worth reporting; a temporary file that was never made is no other.
            let _ = self.remove_file(&temporary);
        }
        published
    }
}

/// The path with these raw bytes.
pub fn path_of(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}
