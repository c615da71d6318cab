//! A place where the start of a tool can be watched: `loom-cc` beside an engine that does nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::built;

/// A directory with a Rust hello world, as the measure of what a start costs at least, and a copy of the front of
/// `loom-cc` beside it. The hello world also plays `loom-engine`, which the front finds beside its own executable.
pub struct Stage {
    directory: TempDir,
}

impl Stage {
    /// Builds the hello world (`rustc -O`) and copies the front.
    pub fn new() -> Stage {
        let stage = Stage {
            directory: TempDir::new().expect("a temporary directory"),
        };
        let source = stage.path("hello.rs");
        std::fs::write(&source, "fn main() { println!(\"Hello, world!\"); }\n")
            .expect("a file can be written");
        let built = Command::new("rustc")
            .arg("-O")
            .arg("-o")
            .arg(stage.hello())
            .arg(&source)
            .status();
        assert!(built.expect("rustc runs").success(), "rustc builds a hello world");
        std::fs::copy(stage.hello(), stage.path("loom-engine")).expect("an executable can be copied");
        std::fs::copy(built::tool("loom-cc"), stage.path("loom-cc")).expect("an executable can be copied");
        std::fs::write(stage.path("empty.c"), "").expect("a file can be written");
        stage
    }

    /// The hello world.
    pub fn hello(&self) -> PathBuf {
        self.path("hello")
    }

    /// The front on a compile that no cache answers, so that all it does is to become the hello world.
    pub fn front(&self) -> Command {
        let mut command = Command::new(self.path("loom-cc"));
        command
            .args(["-c", "empty.c", "-o", "empty.o"])
            .current_dir(self.directory())
            .env("LOOM_CACHE", "off");
        command
    }

    /// Where all that lies.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory().join(name)
    }
}

impl Default for Stage {
    fn default() -> Stage {
        Stage::new()
    }
}
