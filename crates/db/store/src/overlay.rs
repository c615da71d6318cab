//! Contents that exist only in the session: an editor's unsaved text laid over another `System`.

use std::collections::BTreeMap;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use std::os::unix::ffi::OsStrExt;

use crate::{DirEntry, Kind, Nanoseconds, Signature, System, Terminal};

/// A system whose files can be replaced or hidden without touching them.
///
/// Paths are compared in resolved form, so a file that is overlaid under one spelling is overlaid under all.
#[derive(Debug)]
pub struct Overlay {
    base: Arc<dyn System>,
    layer: RwLock<Layer>,
}

#[derive(Default, Debug)]
struct Layer {
    files: BTreeMap<PathBuf, Entry>,
    versions: u64,
}

#[derive(Clone, Debug)]
struct Entry {
    /// `None` hides whatever is below.
    content: Option<Arc<[u8]>>,
    version: u64,
}

impl Overlay {
    /// Lays nothing over `base` yet.
    pub fn new(base: Arc<dyn System>) -> Self {
        Self {
            base,
            layer: RwLock::default(),
        }
    }

    /// Makes `content` the content of `path`; `None` makes it absent.
    pub fn set(&self, path: &Path, content: Option<Arc<[u8]>>) {
        let path = self.resolve(path);
        let mut layer = self.layer.write().unwrap_or_else(PoisonError::into_inner);
        layer.versions += 1;
        let version = layer.versions;
        layer.files.insert(path, Entry { content, version });
    }

    /// Lets the base system's file at `path` show again. Says whether anything was laid over it.
    pub fn clear(&self, path: &Path) -> bool {
        let path = self.resolve(path);
        self.layer
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .files
            .remove(&path)
            .is_some()
    }

    /// `path` with the links of its existing part followed and the missing rest as it is: two spellings of
    /// one path, existing or not, resolve to the same.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        for ancestor in path.ancestors() {
            if let Ok(real) = self.base.canonical(ancestor) {
                let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
                return if rest.as_os_str().is_empty() {
                    real
                } else {
                    real.join(rest)
                };
            }
        }
        path.to_owned()
    }

    /// What the layer says about a path, which costs nothing while nothing is laid over; `None` if nothing.
    fn look_up(&self, path: &Path) -> Option<Laid> {
        let layer = self.layer.read().unwrap_or_else(PoisonError::into_inner);
        if layer.files.is_empty() {
            return None;
        }
        let resolved = &*self.resolve(path);
        if let Some(entry) = layer.files.get(resolved) {
            return Some(match &entry.content {
                Some(bytes) => Laid::File(bytes.clone(), entry.version),
                None => Laid::Nothing,
            });
        }
        if layer.below(resolved).any(|(_, entry)| entry.content.is_some()) {
            return Some(Laid::Directory);
        }
        let hides = |dir| layer.files.get(dir).is_some_and(|entry| entry.content.is_none());
        resolved.ancestors().skip(1).any(hides).then_some(Laid::Nothing)
    }
}

impl Layer {
    fn below(&self, dir: &Path) -> impl Iterator<Item = (&PathBuf, &Entry)> {
        let after = (Bound::Excluded(dir.to_owned()), Bound::Unbounded);
        self.files
            .range(after)
            .take_while(move |(path, _)| path.starts_with(dir.as_os_str()))
    }
}

enum Laid {
    File(Arc<[u8]>, u64),
    Directory,
    Nothing,
}

impl System for Overlay {
    fn stat(&self, path: &Path) -> io::Result<Signature> {
        match self.look_up(path) {
            Some(Laid::File(bytes, version)) => Ok(Signature {
                kind: Kind::File,
                size: bytes.len() as u64,
                mtime: version.into(),
                ctime: version.into(),
                inode: u64::MAX,
                device: u64::MAX,
            }),
            Some(Laid::Nothing) => Err(io::ErrorKind::NotFound.into()),
            Some(Laid::Directory) => self.base.stat(path).or(Ok(Signature {
                kind: Kind::Directory,
                size: 0,
                mtime: 1,
                ctime: 1,
                inode: u64::MAX,
                device: u64::MAX,
            })),
            None => self.base.stat(path),
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.look_up(path) {
            Some(Laid::File(bytes, _)) => Ok(bytes.to_vec()),
            Some(Laid::Nothing) => Err(io::ErrorKind::NotFound.into()),
            Some(Laid::Directory) => Err(io::ErrorKind::IsADirectory.into()),
            None => self.base.read(path),
        }
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        match self.look_up(path) {
            Some(Laid::File(..) | Laid::Directory) => Ok(self.resolve(path)),
            Some(Laid::Nothing) => Err(io::ErrorKind::NotFound.into()),
            None => self.base.canonical(path),
        }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let laid = self.look_up(path);
        match laid {
            Some(Laid::Nothing) => return Err(io::ErrorKind::NotFound.into()),
            Some(Laid::File(..)) => return Err(io::ErrorKind::NotADirectory.into()),
            Some(Laid::Directory) | None => {}
        }
        let mut entries = match self.base.read_dir(path) {
            Ok(entries) => entries,
            Err(_) if laid.is_some() => Vec::new(),
            Err(error) => return Err(error),
        };
        let resolved = self.resolve(path);
        let layer = self.layer.read().unwrap_or_else(PoisonError::into_inner);
        for (below, entry) in layer.below(&resolved) {
            let Some(name) = below
                .strip_prefix(&resolved)
                .ok()
                .and_then(|rest| rest.iter().next())
            else {
                continue;
            };
            let (name, is_child) = (name.as_bytes().to_vec(), below.parent() == Some(&resolved));
            if entry.content.is_some() {
                entries.retain(|old| old.name != name);
                entries.push(DirEntry {
                    name,
                    is_directory: !is_child,
                });
            } else if is_child {
                entries.retain(|old| old.name != name);
            }
        }
        entries.sort();
        Ok(entries)
    }

    fn environment(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.base.environment()
    }

    fn now(&self) -> Nanoseconds {
        self.base.now()
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.base.create_dir_all(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.base.write_new(path, bytes)
    }

    fn write_fresh(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.base.write_fresh(path, bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<u64> {
        self.base.append(path, bytes)
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        self.base.touch(path)
    }

    fn is_writable(&self, path: &Path) -> bool {
        self.base.is_writable(path)
    }

    fn terminal(&self) -> Option<Terminal> {
        self.base.terminal()
    }

    fn write_into(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.base.write_into(path, bytes)
    }

    fn copy_permissions(&self, like: &Path, to: &Path) -> io::Result<()> {
        self.base.copy_permissions(like, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.base.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.base.remove_file(path)
    }

    fn fresh_name(&self) -> String {
        self.base.fresh_name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    fn overlay() -> Overlay {
        let memory = MemorySystem::default();
        memory.write("/src/a.h", "disk");
        memory.link("/alias", "/src");
        Overlay::new(Arc::new(memory))
    }

    fn names(overlay: &Overlay, dir: &str) -> Vec<(String, bool)> {
        let entries = overlay.read_dir(Path::new(dir)).unwrap();
        let name = |entry: DirEntry| (String::from_utf8(entry.name).unwrap(), entry.is_directory);
        entries.into_iter().map(name).collect()
    }

    #[test]
    fn every_spelling_is_overlaid_until_cleared() {
        let overlay = overlay();
        overlay.set(Path::new("/alias/a.h"), Some((*b"buffer").into()));
        assert_eq!(overlay.read(Path::new("/src/a.h")).unwrap(), b"buffer");
        assert_eq!(overlay.stat(Path::new("/src/a.h")).unwrap().size, 6);
        assert!(overlay.clear(Path::new("/src/a.h")));
        assert_eq!(overlay.read(Path::new("/alias/a.h")).unwrap(), b"disk");
        assert!(!overlay.clear(Path::new("/src/a.h")));
    }

    #[test]
    fn new_and_hidden_files_show_in_listings() {
        let overlay = overlay();
        overlay.set(Path::new("/alias/new/b.h"), Some((*b"b").into()));
        overlay.set(Path::new("/src/a.h"), None);
        assert_eq!(names(&overlay, "/src"), [("new".to_owned(), true)]);
        assert_eq!(names(&overlay, "/alias/new"), [("b.h".to_owned(), false)]);
        assert_eq!(overlay.stat(Path::new("/src/new")).unwrap().kind, Kind::Directory);
        assert!(overlay.read(Path::new("/alias/a.h")).is_err());
        assert!(overlay.canonical(Path::new("/alias/a.h")).is_err());
    }
}
