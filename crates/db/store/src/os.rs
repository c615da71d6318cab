//! The real world: the only place below the driver that touches files, environment or clock.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the one implementation of `System` that the ban sends everybody to"
)]

mod build_id;

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub use build_id::read_build_id;

use crate::{DirEntry, Kind, Nanoseconds, Signature, System, Terminal};

/// The operating system.
#[derive(Clone, Copy, Default, Debug)]
pub struct OsSystem;

impl System for OsSystem {
    fn stat(&self, path: &Path) -> io::Result<Signature> {
        fs::metadata(path).map(|metadata| signature(&metadata))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let is_directory = kind.is_dir() || (kind.is_symlink() && entry.path().is_dir());
            entries.push(DirEntry {
                name: entry.file_name().into_vec(),
                is_directory,
            });
        }
        entries.sort();
        Ok(entries)
    }

    fn environment(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut variables: Vec<_> = env::vars_os()
            .map(|(name, value)| (name.into_vec(), value.into_vec()))
            .collect();
        variables.sort();
        variables
    }

    fn now(&self) -> Nanoseconds {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as Nanoseconds,
            Err(before) => -(before.duration().as_nanos() as Nanoseconds),
        }
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn write_fresh(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<u64> {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(path)?;
        let written = file.write(bytes)?;
        if written < bytes.len() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        Ok(file.metadata()?.len())
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        let file = fs::OpenOptions::new().append(true).open(path)?;
        file.set_modified(SystemTime::now())
    }

    fn is_writable(&self, path: &Path) -> bool {
        fs::OpenOptions::new().append(true).open(path).is_ok()
    }

    fn terminal(&self) -> Option<Terminal> {
        let stderr = io::stderr();
        if !stderr.is_terminal() {
            return None;
        }
        let told = env::var_os("COLUMNS").and_then(|it| leading_number(&it.into_vec()));
        // A terminal of no rows has columns all the same.
        let measured = || rustix::termios::tcgetwinsize(&stderr).map_or(0, |it| it.ws_col);
        Some(Terminal {
            columns: told.unwrap_or_else(measured),
            colours: env::var_os("TERM").is_some_and(|it| shows_colours(&it.into_vec())),
        })
    }

    fn write_into(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::OpenOptions::new().write(true).open(path)?.write_all(bytes)
    }

    fn copy_permissions(&self, like: &Path, to: &Path) -> io::Result<()> {
        fs::set_permissions(to, fs::metadata(like)?.permissions())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn fresh_name(&self) -> String {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let call = CALLS.fetch_add(1, Ordering::Relaxed);
        // A process id can be used again, and two hosts can share a directory: the time tells them apart.
        format!("loom-{}-{call}-{:x}", std::process::id(), self.now())
    }
}

/// What C's `atoi` makes of `text`, if that is a number of columns.
fn leading_number(text: &[u8]) -> Option<u16> {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let length = text.iter().take_while(|it| it.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    (number > 0).then_some(number)
}

/// Whether LLVM takes a terminal of this name for one that shows colours.
fn shows_colours(name: &[u8]) -> bool {
    matches!(name, b"ansi" | b"cygwin" | b"linux")
        || [&b"screen"[..], b"xterm", b"vt100", b"rxvt"]
            .iter()
            .any(|it| name.starts_with(it))
        || name.ends_with(b"color")
}

fn signature(metadata: &fs::Metadata) -> Signature {
    let kind = match metadata.file_type() {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Directory,
        _ => Kind::Other,
    };
    Signature {
        kind,
        size: metadata.len(),
        mtime: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        ctime: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
        device: metadata.dev(),
    }
}

fn nanoseconds(seconds: i64, fraction: i64) -> Nanoseconds {
    Nanoseconds::from(seconds) * 1_000_000_000 + Nanoseconds::from(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publish_replaces_keeps_mode_and_link_and_leaves_nothing_behind() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("tool"), dir.path().join("link"));
        OsSystem.publish(&file, b"one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o750)).unwrap();
        symlink("tool", &link).unwrap();
        OsSystem.publish(&link, b"two").unwrap();
        assert_eq!(OsSystem.read(&file).unwrap(), b"two");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o750);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let names: Vec<_> = OsSystem
            .read_dir(dir.path())
            .unwrap()
            .into_iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names, [b"link".to_vec(), b"tool".to_vec()]);
    }

    #[test]
    fn a_device_is_written_into_and_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        OsSystem.publish(&link, b"gone").unwrap();
        assert_eq!(OsSystem.stat(Path::new("/dev/null")).unwrap().kind, Kind::Other);
        assert_eq!(OsSystem.read_dir(dir.path()).unwrap().len(), 1);
    }

    #[test]
    fn links_are_followed() {
        let dir = tempfile::tempdir().unwrap();
        let base = OsSystem.canonical(dir.path()).unwrap();
        fs::create_dir(base.join("real")).unwrap();
        std::os::unix::fs::symlink("real", base.join("alias")).unwrap();
        OsSystem.write_new(&base.join("real/x"), b"x").unwrap();
        assert_eq!(
            OsSystem.canonical(&base.join("alias/../alias/x")).unwrap(),
            base.join("real/x")
        );
        let entries = OsSystem.read_dir(&base).unwrap();
        assert!(entries.iter().all(|entry| entry.is_directory), "{entries:?}");
        assert_eq!(
            OsSystem.write_new(&base.join("real/x"), b"y").unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
    }
}
