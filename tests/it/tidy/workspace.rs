//! The workspace as the rules see it: its cargo metadata and its text files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use cargo_metadata::{Metadata, MetadataCommand, Package};

/// A text file of the workspace.
pub struct TextFile {
    /// Path from the root, with `/`.
    pub path: String,
    /// Content.
    pub text: String,
}

/// The root directory of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests/ lies in the root")
        .to_path_buf()
}

/// What cargo resolved for the machine Loom is built on.
pub fn metadata() -> &'static Metadata {
    static METADATA: OnceLock<Metadata> = OnceLock::new();
    METADATA.get_or_init(|| {
        let platform = format!("--filter-platform={}", host_triple());
        MetadataCommand::new()
            .manifest_path(root().join("Cargo.toml"))
            .other_options([platform, "--locked".to_owned()])
            .exec()
            .unwrap_or_else(|error| panic!("cargo metadata failed: {error}"))
    })
}

/// The packages of the workspace, by name.
pub fn members() -> Vec<&'static Package> {
    let mut members = metadata().workspace_packages();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    members
}

/// Every text file under the root, sorted by path, without what builds made.
pub fn text_files() -> Vec<TextFile> {
    let root = root();
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths.sort();
    let relative = |path: &Path| {
        path.strip_prefix(&root)
            .expect("walked from the root")
            .to_path_buf()
    };
    paths
        .iter()
        .filter_map(|path| {
            let text = String::from_utf8(std::fs::read(path).expect("a listed file can be read")).ok()?;
            (!text.contains('\0')).then(|| TextFile {
                path: relative(path).display().to_string(),
                text,
            })
        })
        .collect()
}

/// The Rust sources among [`text_files`].
pub fn rust_files() -> Vec<TextFile> {
    let files: Vec<_> = text_files()
        .into_iter()
        .filter(|file| file.path.ends_with(".rs"))
        .collect();
    assert!(
        files.len() > 30,
        "the walk over the workspace found only {} Rust files",
        files.len()
    );
    files
}

fn walk(directory: &Path, paths: &mut Vec<PathBuf>) {
    // Directories of cargo and of caches carry this tag.
    if directory.join("CACHEDIR.TAG").exists() {
        return;
    }
    for entry in std::fs::read_dir(directory).expect("a directory of the workspace can be listed") {
        let entry = entry.expect("a directory of the workspace can be listed");
        let kind = entry.file_type().expect("a listed file has a type");
        let name = entry.file_name();
        if kind.is_dir() {
            let built = directory == root() && (name == "target" || name == "build");
            if name != ".git" && !built {
                walk(&entry.path(), paths);
            }
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
}

fn host_triple() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("rustc writes UTF-8");
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.expect("rustc -vV names its host").to_owned()
}
