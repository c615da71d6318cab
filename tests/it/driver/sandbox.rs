//! A fresh directory with the driver's sources in which commands run under one compiler or the other.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, UNIX_EPOCH};

use loom_tests::built;
use tempfile::TempDir;

use crate::tidy::workspace::root;

/// Whose command line it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compiler {
    /// `loom-cc` and `loom-c++` of this build.
    Loom,
    /// The distribution's `clang-22` and `clang++-22`.
    Clang,
}

impl Compiler {
    /// What runs as `$CC`.
    pub fn c(self) -> PathBuf {
        match self {
            Self::Loom => built::tool("loom-cc"),
            Self::Clang => "clang-22".into(),
        }
    }

    /// What runs as `$CXX`.
    pub fn cxx(self) -> PathBuf {
        match self {
            Self::Loom => built::tool("loom-c++"),
            Self::Clang => "clang++-22".into(),
        }
    }
}

/// A working directory that holds a copy of testdata/driver/inputs, and an empty directory for temporary files.
pub struct Sandbox {
    directory: TempDir,
}

impl Sandbox {
    /// A new one.
    pub fn new() -> Sandbox {
        let sandbox = Sandbox {
            directory: TempDir::new().expect("a temporary directory"),
        };
        sandbox.fill();
        sandbox
    }

    /// Puts the working directory back to what it was in the beginning, at the same path.
    pub fn fill(&self) {
        for directory in [self.path(""), self.temporary()] {
            let _ = fs::remove_dir_all(&directory);
            fs::create_dir(&directory).expect("a directory can be made");
        }
        copy_tree(&root().join("testdata/driver/inputs"), &self.path(""));
    }

    /// A path in the working directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join("work").join(name)
    }

    /// Where the compilers put their temporary files.
    pub fn temporary(&self) -> PathBuf {
        self.directory.path().join("temporary")
    }

    /// Writes a file of the working directory.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file can be written");
    }

    /// Reads a file of the working directory.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs `script` in the working directory with `$CC` and `$CXX` set, and nothing of this process's environment
    /// but PATH.
    pub fn run(&self, compiler: Compiler, script: &str) -> Output {
        self.command(compiler, script).output().expect("sh runs")
    }

    /// As [`Sandbox::run`]; fails with the output unless the script exits with 0.
    #[track_caller]
    pub fn succeed(&self, compiler: Compiler, script: &str) -> Output {
        let output = self.run(compiler, script);
        assert!(
            output.status.success(),
            "{compiler:?}: {script}: {}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        output
    }

    fn command(&self, compiler: Compiler, script: &str) -> Command {
        let mut command = Command::new("timeout");
        command
            .args(["120", "sh", "-c", script])
            .current_dir(self.path(""))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LC_ALL", "C")
            .env("TMPDIR", self.temporary())
            .env("LOOM_CACHE", "off")
            .env("CC", compiler.c())
            .env("CXX", compiler.cxx())
            .stdin(Stdio::null());
        command
    }

    /// Every file of the working directory and of the directory for temporary files, by relative path.
    pub fn files(&self) -> BTreeMap<String, Entry> {
        let mut files = BTreeMap::new();
        collect(self.directory.path(), self.directory.path(), &mut files);
        files
    }
}

/// What lies at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A regular file with its content and whether it is executable.
    File {
        /// The bytes.
        content: Vec<u8>,
        /// Its permissions.
        mode: u32,
    },
    /// A directory.
    Directory,
    /// A symbolic link and where it points.
    Link(PathBuf),
    /// A fifo, device or socket.
    Special,
}

fn collect(base: &Path, directory: &Path, into: &mut BTreeMap<String, Entry>) {
    use std::os::unix::fs::PermissionsExt;
    for entry in fs::read_dir(directory).expect("a directory can be read") {
        let entry = entry.expect("a directory can be read");
        let path = entry.path();
        let kind = entry.file_type().expect("a file has a type");
        let name = path
            .strip_prefix(base)
            .expect("it lies below")
            .display()
            .to_string();
        let found = if kind.is_dir() {
            collect(base, &path, into);
            Entry::Directory
        } else if kind.is_symlink() {
            Entry::Link(fs::read_link(&path).expect("a link can be read"))
        } else if kind.is_fifo() || kind.is_char_device() {
            Entry::Special
        } else {
            let metadata = entry.metadata().expect("a file has metadata");
            Entry::File {
                content: fs::read(&path).expect("a file can be read"),
                mode: metadata.permissions().mode() & 0o777,
            }
        };
        into.insert(name, found);
    }
}

/// Copies the files below `from`, all with one fixed time of change: precompiled headers remember it.
pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory can be made");
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.expect("a directory can be read");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a file has a type").is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("a file can be copied");
            let copy = fs::File::options()
                .append(true)
                .open(&target)
                .expect("a file can be opened");
            copy.set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000_000))
                .expect("a file can be given a time");
        }
    }
}
