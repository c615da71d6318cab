//! What the engine tests share: a session over the real engine, and small projects in a real directory.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loom_driver::engine_host::WorkerHost;
use loom_driver::{OsSystem, Session, Unit};
use loom_tests::built;
use tempfile::TempDir;

/// A host of the engine that was built.
pub fn host() -> Arc<WorkerHost> {
    Arc::new(WorkerHost::new(built::tool("loom-engine")))
}

/// A directory of sources that is gone with the value.
pub struct Project {
    directory: TempDir,
}

impl Project {
    /// Writes `files`, each a relative path and its text.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let project = Self {
            directory: tempfile::tempdir().expect("a temporary directory can be made"),
        };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// Writes one file, with its directory.
    pub fn write(&self, path: &str, text: &str) {
        self.write_bytes(path, text.as_bytes());
    }

    /// Writes one file, with its directory.
    pub fn write_bytes(&self, path: &str, text: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file has a directory")).expect("directories can be made");
        fs::write(path, text).expect("a temporary file can be written");
    }

    /// The absolute path of `path`.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// The canonical path of the directory.
    pub fn root(&self) -> PathBuf {
        self.directory
            .path()
            .canonicalize()
            .expect("the directory is there")
    }

    /// The compilation with `arguments`, separated by blanks, in this directory.
    pub fn unit(&self, arguments: &str) -> Unit {
        unit(&self.root(), arguments)
    }

    /// A session over the real file system that counts, with the engine of `host`.
    pub fn session(&self, host: &Arc<WorkerHost>) -> Session {
        Session::recording(Arc::new(OsSystem), Arc::clone(host) as _)
    }
}

/// The compilation with `arguments`, separated by blanks, in the directory `cwd`.
pub fn unit(cwd: &Path, arguments: &str) -> Unit {
    let argv = std::iter::once("loom-cc").chain(arguments.split(' '));
    Unit {
        argv: argv.map(|it| it.as_bytes().to_vec()).collect(),
        cwd: cwd.as_os_str().as_bytes().to_vec(),
        payload: true,
    }
}
