//! A copy of a program's sources in which it is built.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use loom_frontend::carrier::{Frame, PAYLOAD_SECTION, RECORD_SECTION};
use loom_frontend::provider::Provider;
use loom_tests::built;
use object::{Object as _, ObjectKind};
use tempfile::TempDir;

use crate::driver::{Compiled, Compiler, Worker, copy_tree, payloads_of};
use crate::tidy::workspace::root;

/// Sources of one or more packages below one directory, and the compiler they are built with.
pub struct Tree {
    directory: TempDir,
    compiler: Compiler,
}

impl Tree {
    /// The unpacked sources of Debian packages, each in a directory of its name.
    pub fn of_packages(compiler: Compiler, packages: &[&str]) -> Tree {
        let output = Command::new(root().join("scripts/programs.sh"))
            .args(packages)
            .env(
                "CARGO_TARGET_DIR",
                built::directory()
                    .parent()
                    .expect("a profile lies in the target directory"),
            )
            .output()
            .expect("bash runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let sources = String::from_utf8(output.stdout).expect("a path of ours is UTF-8");
        let tree = Tree::empty(compiler);
        for package in packages {
            copy(&Path::new(sources.trim_end()).join(package), &tree.path(package));
        }
        tree
    }

    /// The files below a directory of testdata/.
    pub fn of_testdata(compiler: Compiler, directory: &str) -> Tree {
        let tree = Tree::empty(compiler);
        copy_tree(&root().join("testdata").join(directory), &tree.path(""));
        tree
    }

    fn empty(compiler: Compiler) -> Tree {
        let directory = TempDir::new().expect("a temporary directory");
        // Some tests run as another user.
        std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o755))
            .expect("a directory can be opened to others");
        Tree { directory, compiler }
    }

    /// A path in the tree.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs `script` in `directory` of the tree, with `$CC` and `$CXX` in its environment. Fails with the output
    /// unless it succeeds.
    #[track_caller]
    pub fn run(&self, directory: &str, script: &str) -> String {
        let output = self.try_run(directory, script);
        let text = text(&output);
        assert!(
            output.status.success(),
            "{:?}: {script}: {}\n{text}",
            self.compiler,
            output.status
        );
        text
    }

    /// As [`Tree::run`], whatever the exit status.
    pub fn try_run(&self, directory: &str, script: &str) -> Output {
        Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {script}")])
            .current_dir(self.path(directory))
            .env("CC", self.compiler.c())
            .env("CXX", self.compiler.cxx())
            .env("LC_ALL", "C")
            .env("LOOM_CACHE", "off")
            .env_remove("MAKEFLAGS")
            .env_remove("CARGO_MAKEFLAGS")
            .stdin(Stdio::null())
            .output()
            .expect("sh runs")
    }

    /// The relocatable objects below `directory`, by their paths in it.
    pub fn objects(&self, directory: &str) -> BTreeMap<String, Vec<u8>> {
        let mut objects = BTreeMap::new();
        collect(&self.path(directory), &self.path(directory), &mut objects);
        objects
    }

    /// Each object below `directory` carries exactly one payload, which the engine finds valid. Returns how many
    /// there are.
    #[track_caller]
    pub fn assert_payloads(&self, directory: &str) -> usize {
        let worker = Worker::start();
        let objects = self.objects(directory);
        for name in objects.keys() {
            let payloads = payloads_of(&self.path(directory).join(name));
            let payloads = payloads.unwrap_or_else(|error| panic!("{name}: {error}"));
            let [Compiled { identity, root }] = &payloads[..] else {
                panic!("{name} has {} payloads", payloads.len());
            };
            let frame = Frame::Payload {
                identity: *identity,
                root: root.into(),
            };
            let verdict = frame.validate(&Provider::pinned(), &worker);
            assert!(verdict.is_ok(), "{name}: {verdict:?}");
        }
        objects.len()
    }
}

/// The same objects came out of both compilers, once Loom's sections are removed.
#[track_caller]
pub fn assert_same_objects(clang: &Tree, loom: &Tree, directory: &str) {
    let (clang, loom) = (clang.objects(directory), loom.objects(directory));
    assert!(
        clang.keys().eq(loom.keys()),
        "{:?}\n{:?}",
        clang.keys(),
        loom.keys()
    );
    for (name, object) in &clang {
        assert!(stripped(object) == stripped(&loom[name]), "{name} differs");
    }
}

/// What a run printed.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stripped(object: &[u8]) -> Vec<u8> {
    let directory = TempDir::new().expect("a temporary directory");
    let path = directory.path().join("object");
    std::fs::write(&path, object).expect("a file can be written");
    let status = Command::new("llvm-objcopy-22")
        .args([PAYLOAD_SECTION, RECORD_SECTION].map(|it| format!("--remove-section={it}")))
        .arg(&path)
        .status();
    assert!(
        status
            .expect("llvm-objcopy-22 runs (installed by `make test`)")
            .success()
    );
    std::fs::read(&path).expect("llvm-objcopy writes its output")
}

fn collect(base: &Path, directory: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(directory).expect("a directory can be read") {
        let entry = entry.expect("a directory can be read");
        let path = entry.path();
        let kind = entry.file_type().expect("a file has a type");
        if kind.is_dir() {
            collect(base, &path, into);
        } else if kind.is_file()
            && path.extension().is_some_and(|it| it == "o" || it == "lo")
            && let Ok(content) = std::fs::read(&path)
            && object::File::parse(&content[..]).is_ok_and(|it| it.kind() == ObjectKind::Relocatable)
        {
            let name = path.strip_prefix(base).expect("it lies below");
            into.insert(name.display().to_string(), content);
        }
    }
}

/// Copies a tree with its times, which tell make what is up to date, and its links.
fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(
        status.expect("cp runs").success(),
        "cannot copy {}",
        from.display()
    );
}
