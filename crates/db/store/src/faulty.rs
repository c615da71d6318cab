//! A `System` that fails where a test wants it to.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{DirEntry, Nanoseconds, Signature, System, Terminal};

/// The kinds of calls that can fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Call {
    /// [`System::stat`]
    Stat,
    /// [`System::read`]
    Read,
    /// [`System::canonical`]
    Canonical,
    /// [`System::read_dir`]
    ReadDir,
    /// [`System::create_dir_all`]
    CreateDir,
    /// [`System::write_new`] and [`System::write_fresh`]; half of the bytes are written before it fails, as on a full disk.
    Write,
    /// The last part of [`System::write_new`], which makes durable what is written.
    Sync,
    /// [`System::copy_permissions`]
    Permissions,
    /// [`System::rename`]
    Rename,
    /// [`System::remove_file`]
    Remove,
    /// [`System::append`]
    Append,
    /// [`System::touch`]
    Touch,
}

/// Passes every call on to another system, except those it was told to fail.
#[derive(Debug)]
pub struct FaultySystem {
    inner: Arc<dyn System>,
    state: Mutex<State>,
}

#[derive(Default, Debug)]
struct State {
    made: BTreeMap<Call, usize>,
    faults: BTreeMap<(Call, usize), io::ErrorKind>,
}

impl FaultySystem {
    /// Wraps `inner`; nothing fails yet.
    pub fn new(inner: Arc<dyn System>) -> Self {
        Self {
            inner,
            state: Mutex::default(),
        }
    }

    /// Lets the `nth` call of kind `call` from now on fail with `error`; the next one is number 1.
    pub fn fail(&self, call: Call, nth: usize, error: io::ErrorKind) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let made = state.made.get(&call).copied().unwrap_or(0);
        state.faults.insert((call, made + nth), error);
    }

    /// How many calls of kind `call` were made.
    pub fn calls(&self, call: Call) -> usize {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.made.get(&call).copied().unwrap_or(0)
    }

    fn check(&self, call: Call) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let made = state.made.entry(call).or_default();
        *made += 1;
        let made = *made;
        match state.faults.get(&(call, made)) {
            Some(&error) => Err(io::Error::new(error, format!("injected: {call:?} number {made}"))),
            None => Ok(()),
        }
    }
}

impl System for FaultySystem {
    fn stat(&self, path: &Path) -> io::Result<Signature> {
        self.check(Call::Stat)?;
        self.inner.stat(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.check(Call::Read)?;
        self.inner.read(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.check(Call::Canonical)?;
        self.inner.canonical(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.check(Call::ReadDir)?;
        self.inner.read_dir(path)
    }

    fn environment(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.inner.environment()
    }

    fn now(&self) -> Nanoseconds {
        self.inner.now()
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.check(Call::CreateDir)?;
        self.inner.create_dir_all(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.check(Call::Write).or_else(|error| {
            self.inner.write_new(path, &bytes[..bytes.len() / 2])?;
            Err(error)
        })?;
        self.inner.write_new(path, bytes)?;
        self.check(Call::Sync)
    }

    fn write_fresh(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.check(Call::Write).or_else(|error| {
            self.inner.write_fresh(path, &bytes[..bytes.len() / 2])?;
            Err(error)
        })?;
        self.inner.write_fresh(path, bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<u64> {
        self.check(Call::Append)?;
        self.inner.append(path, bytes)
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        self.check(Call::Touch)?;
        self.inner.touch(path)
    }

    fn is_writable(&self, path: &Path) -> bool {
        self.inner.is_writable(path)
    }

    fn terminal(&self) -> Option<Terminal> {
        self.inner.terminal()
    }

    fn write_into(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.check(Call::Write)?;
        self.inner.write_into(path, bytes)
    }

    fn copy_permissions(&self, like: &Path, to: &Path) -> io::Result<()> {
        self.check(Call::Permissions)?;
        self.inner.copy_permissions(like, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.check(Call::Rename)?;
        self.inner.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.check(Call::Remove)?;
        self.inner.remove_file(path)
    }

    fn fresh_name(&self) -> String {
        self.inner.fresh_name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    /// Whatever single step of a publication fails, the old file stays and no temporary file does.
    #[test]
    fn publish_survives_a_fault_at_every_step() {
        for call in [Call::Write, Call::Sync, Call::Permissions, Call::Rename] {
            let memory = Arc::new(MemorySystem::default());
            memory.write("/out/x", "old");
            let system = FaultySystem::new(memory.clone());
            system.fail(call, 1, io::ErrorKind::StorageFull);
            let error = system.publish(Path::new("/out/x"), b"new").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{call:?}");
            assert_eq!(memory.read(Path::new("/out/x")).unwrap(), b"old", "{call:?}");
            assert_eq!(memory.read_dir(Path::new("/out")).unwrap().len(), 1, "{call:?}");
            system.publish(Path::new("/out/x"), b"new").unwrap();
            assert_eq!(memory.read(Path::new("/out/x")).unwrap(), b"new", "{call:?}");
        }
    }
}
