//! A working directory with a cache of its own.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use loom_tests::built;
use tempfile::TempDir;

use crate::driver::Compiler;

/// How a command uses the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Not at all.
    Off,
    /// As everybody does.
    On,
    /// Every answer is computed again and compared.
    Verify,
}

/// Who answered a compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The cache.
    Hit,
    /// The compiler; the cache keeps the result.
    Miss,
    /// The compiler; the result cannot be kept.
    Uncached,
}

/// A directory `work` in which commands run, and a cache beside it. What commands leave in `work/out` is compared.
pub struct Place {
    directory: TempDir,
}

/// What a command did: status, messages, and what lies in `out`.
#[derive(PartialEq, Eq, Debug)]
pub struct Outcome {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub files: BTreeMap<String, (u32, Vec<u8>)>,
}

impl Place {
    /// A new one with these files, as (name, text).
    pub fn new(files: &[(&str, &str)]) -> Place {
        let place = Place {
            directory: TempDir::new().expect("a temporary directory"),
        };
        fs::create_dir_all(place.path("out")).expect("a directory can be made");
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    /// A path in the working directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join("work").join(name)
    }

    /// The cache's directory.
    pub fn cache(&self) -> PathBuf {
        self.directory.path().join("cache/v1")
    }

    /// Writes a file, making directories on the way.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has a directory")).expect("a directory can be made");
        fs::write(path, text).expect("a file can be written");
    }

    /// `sh -c script` in the working directory, with the compilers in `$CC` and `$CXX`.
    pub fn command(&self, how: Use, script: &str) -> Command {
        let mut command = Command::new("timeout");
        command
            .args(["300", "sh", "-c", script])
            .current_dir(self.path(""))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LC_ALL", "C")
            .env("HOME", self.directory.path())
            .env("TMPDIR", self.directory.path())
            .env("LOOM_CACHE", if how == Use::Off { "off" } else { "rw" })
            .env("LOOM_CACHE_DIR", self.directory.path().join("cache"))
            .env("LOOM_CACHE_VERIFY", if how == Use::Verify { "1" } else { "0" })
            .env("CC", Compiler::Loom.c())
            .env("CXX", Compiler::Loom.cxx())
            .env("LOOM", built::tool("loom"))
            .stdin(Stdio::null());
        command
    }

    /// Runs it.
    pub fn run(&self, how: Use, script: &str) -> Output {
        self.command(how, script).output().expect("sh runs")
    }

    /// Runs it and expects success.
    #[track_caller]
    pub fn succeed(&self, how: Use, script: &str) -> String {
        let output = self.run(how, script);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{script}: {}\n{text}{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        text
    }

    /// Empties `out`, runs `script` and says what came of it.
    pub fn outcome(&self, how: Use, script: &str) -> Outcome {
        let out = self.path("out");
        fs::remove_dir_all(&out).expect("it can be emptied");
        fs::create_dir(&out).expect("a directory can be made");
        let output = self.run(how, script);
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(&out).expect("it is there") {
            let entry = entry.expect("it can be read");
            if entry.file_type().is_ok_and(|it| it.is_file()) {
                let mode = entry.metadata().expect("it is there").permissions().mode();
                let content = fs::read(entry.path()).expect("it can be read");
                files.insert(entry.file_name().to_string_lossy().into_owned(), (mode, content));
            }
        }
        Outcome {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            files,
        }
    }

    /// Runs a compile with the cache and without, and expects the same of both. Says who answered the first.
    #[track_caller]
    pub fn compile(&self, script: &str) -> Answer {
        let before = self.counts();
        let cached = self.outcome(Use::On, script);
        let after = self.counts();
        let plain = self.outcome(Use::Off, script);
        assert!(
            cached == plain,
            "{script}: with the cache\n{}\nand without\n{}",
            cached.describe(),
            plain.describe()
        );
        let more = |name: &str| after.get(name).unwrap_or(&0) - before.get(name).unwrap_or(&0);
        match [more("hits"), more("misses"), more("uncached")] {
            [1, 0, 0] => Answer::Hit,
            [0, 1, 0] => Answer::Miss,
            [0, 0, 1] => Answer::Uncached,
            other => panic!("{script}: one compile counted {other:?}"),
        }
    }

    /// The numbers of `loom cache stats`, reasons included.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let text = self.succeed(Use::On, "$LOOM cache stats");
        let mut counts = BTreeMap::new();
        for line in text.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            if let (true, Ok(count)) = (line.starts_with(' '), words[0].parse()) {
                counts.insert(words[1..].join(" "), count);
            } else if let Ok(count) = words[1].parse() {
                counts.insert(words[0].to_owned(), count);
            }
        }
        counts
    }

    /// Files of the cache, by path in it.
    pub fn cache_files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        collect(&self.cache(), &mut files);
        files.sort();
        files
    }
}

impl Outcome {
    /// Status, messages and digests, for a message.
    fn describe(&self) -> String {
        let files: Vec<_> = self
            .files
            .iter()
            .map(|(name, (mode, content))| {
                format!(
                    "{name} {mode:o} {} {}",
                    content.len(),
                    loom_base::Digest::of(content)
                )
            })
            .collect();
        format!(
            "status {:?}\n{}{}{}",
            self.status,
            self.stdout,
            self.stderr,
            files.join("\n")
        )
    }
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
