//! A file system in memory, with symbolic links, its own clock and its own environment.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use std::os::unix::ffi::OsStrExt;

use crate::{DirEntry, Kind, Nanoseconds, Signature, System, Terminal};

/// More links than this on one path are a cycle (Linux says the same).
const MAX_LINKS: usize = 40;

/// The world of a test: empty but for `/`, at a fixed time, with an empty environment.
#[derive(Default, Debug)]
pub struct MemorySystem {
    world: Mutex<World>,
}

#[derive(Debug)]
struct World {
    /// Every path but the root, by its canonical spelling.
    nodes: BTreeMap<PathBuf, Node>,
    environment: BTreeMap<Vec<u8>, Vec<u8>>,
    now: Nanoseconds,
    inodes: u64,
    names: u64,
}

#[derive(Clone, Debug)]
struct Node {
    content: Content,
    mtime: Nanoseconds,
    ctime: Nanoseconds,
    inode: u64,
}

#[derive(Clone, Debug)]
enum Content {
    File(Vec<u8>),
    Directory,
    Link(PathBuf),
}

impl Default for World {
    fn default() -> Self {
        let now = 1_000_000_000 * 1_000_000_000;
        Self {
            nodes: BTreeMap::new(),
            environment: BTreeMap::new(),
            now,
            inodes: 1,
            names: 0,
        }
    }
}

impl MemorySystem {
    /// Writes `content` to `path`, making the directories on the way.
    pub fn write(&self, path: impl AsRef<Path>, content: impl Into<Vec<u8>>) {
        let mut world = self.lock();
        let path = world.resolve_all(path.as_ref());
        world.make_parents(&path);
        world.put(path, Content::File(content.into()));
    }

    /// Makes `path` a symbolic link to `target`.
    pub fn link(&self, path: impl AsRef<Path>, target: impl Into<PathBuf>) {
        let mut world = self.lock();
        let path = path.as_ref();
        let parent = world.resolve_all(path.parent().unwrap_or(path));
        let path = parent.join(path.file_name().unwrap_or_default());
        world.make_parents(&path);
        world.put(path, Content::Link(target.into()));
    }

    /// Removes `path` and everything below it, if it exists.
    pub fn remove(&self, path: impl AsRef<Path>) {
        let mut world = self.lock();
        let path = world.resolve_all(path.as_ref());
        world.nodes.retain(|node, _| !node.starts_with(&path));
    }

    /// Sets or unsets an environment variable.
    pub fn set_variable(&self, name: &str, value: Option<&str>) {
        let environment = &mut self.lock().environment;
        match value {
            Some(value) => environment.insert(name.into(), value.into()),
            None => environment.remove(name.as_bytes()),
        };
    }

    /// Lets `by` nanoseconds pass.
    pub fn advance(&self, by: Nanoseconds) {
        self.lock().now += by;
    }

    fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl System for MemorySystem {
    fn stat(&self, path: &Path) -> io::Result<Signature> {
        let world = self.lock();
        let path = world.canonical(path)?;
        Ok(world.signature(&path))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let world = self.lock();
        let path = world.canonical(path)?;
        match world.nodes.get(&path).map(|node| &node.content) {
            Some(Content::File(bytes)) => Ok(bytes.clone()),
            _ => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.lock().canonical(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let world = self.lock();
        let path = world.canonical(path)?;
        if !world.is_directory(&path) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let children = world.nodes.keys().filter(|child| child.parent() == Some(&path));
        let mut entries: Vec<_> = children
            .map(|child| DirEntry {
                name: child.file_name().unwrap_or_default().as_bytes().to_vec(),
                is_directory: world.canonical(child).is_ok_and(|real| world.is_directory(&real)),
            })
            .collect();
        entries.sort();
        Ok(entries)
    }

    fn environment(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.lock().environment.clone().into_iter().collect()
    }

    fn now(&self) -> Nanoseconds {
        self.lock().now
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        let mut world = self.lock();
        let path = world.resolve_all(path);
        if world.nodes.contains_key(&path) && !world.is_directory(&path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        world.make_parents(&path.join("child"));
        Ok(())
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut world = self.lock();
        let path = world.entry(path)?;
        if world.nodes.contains_key(&path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        world.put(path, Content::File(bytes.to_vec()));
        Ok(())
    }

    fn write_fresh(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write_new(path, bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<u64> {
        let mut world = self.lock();
        let path = world.canonical(path).or_else(|_| world.entry(path))?;
        let mut content = match world.nodes.get(&path).map(|node| &node.content) {
            Some(Content::File(old)) => old.clone(),
            None => Vec::new(),
            Some(_) => return Err(io::ErrorKind::IsADirectory.into()),
        };
        content.extend_from_slice(bytes);
        let length = content.len() as u64;
        world.put(path, Content::File(content));
        Ok(length)
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        let mut world = self.lock();
        let path = world.canonical(path)?;
        let now = world.now;
        if let Some(node) = world.nodes.get_mut(&path) {
            (node.mtime, node.ctime) = (now, now);
        }
        Ok(())
    }

    fn is_writable(&self, path: &Path) -> bool {
        self.stat(path).is_ok_and(|it| it.kind == Kind::File)
    }

    fn terminal(&self) -> Option<Terminal> {
        None
    }

    fn write_into(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut world = self.lock();
        let path = world.canonical(path)?;
        if world.is_directory(&path) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        world.put(path, Content::File(bytes.to_vec()));
        Ok(())
    }

    fn copy_permissions(&self, like: &Path, to: &Path) -> io::Result<()> {
        let world = self.lock();
        world.canonical(like)?;
        world.canonical(to).map(drop)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut world = self.lock();
        let (from, to) = (world.entry(from)?, world.entry(to)?);
        if world.is_directory(&to) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut node = world.nodes.remove(&from).ok_or(io::ErrorKind::NotFound)?;
        node.ctime = world.now;
        world.nodes.insert(to, node);
        Ok(())
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let mut world = self.lock();
        let path = world.entry(path)?;
        if world.is_directory(&path) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        world
            .nodes
            .remove(&path)
            .map(drop)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn fresh_name(&self) -> String {
        let names = &mut self.lock().names;
        *names += 1;
        format!("loom-{names}")
    }
}

impl World {
    /// `path` without links, `.` and `..`, or the error of the first missing component.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let resolved = self.resolve(path)?;
        match resolved == Path::new("/") || self.nodes.contains_key(&resolved) {
            true => Ok(resolved),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Like `canonical`, but the last component may be missing, and is not followed if it is a link.
    fn entry(&self, path: &Path) -> io::Result<PathBuf> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let parent = self.canonical(parent)?;
        match self.is_directory(&parent) {
            true => Ok(parent.join(name)),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Follows the links of `path`; components below a missing one are kept as they are.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let mut todo: Vec<PathBuf> = components(path).rev().collect();
        let (mut done, mut links) = (PathBuf::from("/"), 0);
        while let Some(component) = todo.pop() {
            if component == Path::new("..") {
                done.pop();
                continue;
            }
            let next = done.join(component);
            match self.nodes.get(&next).map(|node| &node.content) {
                Some(Content::Link(_)) if links == MAX_LINKS => {
                    return Err(io::Error::other("too many levels of symbolic links"));
                }
                Some(Content::Link(target)) => {
                    links += 1;
                    if target.is_absolute() {
                        done = PathBuf::from("/");
                    }
                    todo.extend(components(target).rev());
                }
                Some(Content::File(_)) if !todo.is_empty() => return Err(io::ErrorKind::NotADirectory.into()),
                None if todo.iter().any(|rest| rest == Path::new("..")) => {
                    return Err(io::ErrorKind::NotFound.into());
                }
                _ => done = next,
            }
        }
        Ok(done)
    }

    /// `resolve` for set-up calls, whose paths the test has chosen.
    fn resolve_all(&self, path: &Path) -> PathBuf {
        self.resolve(path).unwrap_or_else(|_| path.to_owned())
    }

    fn is_directory(&self, path: &Path) -> bool {
        path == Path::new("/")
            || matches!(
                self.nodes.get(path),
                Some(Node {
                    content: Content::Directory,
                    ..
                })
            )
    }

    fn make_parents(&mut self, path: &Path) {
        let missing: Vec<_> = path
            .ancestors()
            .skip(1)
            .filter(|dir| !self.is_directory(dir))
            .collect();
        for dir in missing.into_iter().rev() {
            self.put(dir.to_owned(), Content::Directory);
        }
    }

    /// A file that is written again keeps its inode, as with `open(O_TRUNC)`.
    fn put(&mut self, path: PathBuf, content: Content) {
        let fresh = self.inodes + 1;
        let inode = self.nodes.get(&path).map_or(fresh, |node| node.inode);
        self.inodes = self.inodes.max(inode);
        self.nodes.insert(
            path,
            Node {
                content,
                mtime: self.now,
                ctime: self.now,
                inode,
            },
        );
    }

    fn signature(&self, path: &Path) -> Signature {
        let root = Node {
            content: Content::Directory,
            mtime: 1,
            ctime: 1,
            inode: 1,
        };
        let node = self.nodes.get(path).unwrap_or(&root);
        let (kind, size) = match &node.content {
            Content::File(bytes) => (Kind::File, bytes.len() as u64),
            Content::Directory | Content::Link(_) => (Kind::Directory, 0),
        };
        Signature {
            kind,
            size,
            mtime: node.mtime,
            ctime: node.ctime,
            inode: node.inode,
            device: 1,
        }
    }
}

/// The names on `path`; `..` among them.
fn components(path: &Path) -> impl DoubleEndedIterator<Item = PathBuf> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("..")),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_dots_resolve() {
        let system = MemorySystem::default();
        system.write("/a/real/x.h", "x");
        system.link("/a/alias", "real");
        system.link("/b", "/a/alias");
        for path in ["/a/real/x.h", "/a/alias/x.h", "/b/x.h", "/b/../real/./x.h"] {
            assert_eq!(
                system.canonical(Path::new(path)).unwrap(),
                Path::new("/a/real/x.h"),
                "{path}"
            );
        }
        system.link("/loop", "/loop");
        assert!(system.canonical(Path::new("/loop/x")).is_err());
        assert!(system.read(Path::new("/a/real/x.h/y")).is_err());
        assert!(
            system.read(Path::new("/a/missing/../real/x.h")).is_err(),
            "`..` of nothing is nothing"
        );
    }

    #[test]
    fn publish_is_whole_or_nothing() {
        let system = MemorySystem::default();
        system.write("/out/x", "old");
        system.publish(Path::new("/out/x"), b"new").unwrap();
        assert_eq!(system.read(Path::new("/out/x")).unwrap(), b"new");
        assert!(system.publish(Path::new("/nowhere/x"), b"new").is_err());
        assert_eq!(system.read_dir(Path::new("/out")).unwrap().len(), 1);
    }

    #[test]
    fn signatures_follow_the_clock() {
        let system = MemorySystem::default();
        system.write("/x", "1");
        let before = system.stat(Path::new("/x")).unwrap();
        system.write("/x", "2");
        assert_eq!(
            system.stat(Path::new("/x")).unwrap(),
            before,
            "a write within one tick is invisible"
        );
        system.advance(1);
        system.write("/x", "3");
        assert_ne!(system.stat(Path::new("/x")).unwrap(), before);
    }
}
