//! Compiles the C++ layer and links clang, LLVM and MLIR statically into every executable of this package.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script looks at the machine it builds on"
)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release whose commit `loom_frontend::provider::Provider::pinned` names. Debian's build carries no revision, so
/// the commit is tied to this string, and no other release is accepted.
const PINNED_LLVM: &str = "22.1.8";

/// One small translation unit per area, so that an edit rebuilds one.
const SOURCES: [&str; 50] = [
    "support",
    "accesses",
    "renderings",
    "shared_job",
    "cacheability",
    "normalize",
    "measure",
    "forked_copy",
    "fresh_options",
    "host_files",
    "messages",
    "embed",
    "payload_pass",
    "candidates",
    "candidate_pragma",
    "candidate_ast",
    "candidate_loop",
    "candidate_annotations",
    "candidate_names",
    "candidate_mark",
    "candidate_retention",
    "candidate_projection",
    "retaining_copy",
    "sarif_rules",
    "target_lists",
    "cc1",
    "assemble",
    "jobs",
    "link_job",
    "strip_records",
    "compile",
    "pack",
    "carriers",
    "fold",
    "lto",
    "raise",
    "raise_isolate",
    "raise_hints",
    "raise_scev",
    "raise_marks",
    "raise_census",
    "raise_import",
    "raise_lift",
    "raise_for",
    "raise_scalars",
    "raise_lower",
    "raise_splice",
    "raise_report",
    "raise_module",
    "raise_measure",
];

/// Functions of the C library whose calls the engine logs, and four of LLVM's that ask the processor and the terminal.
const WATCHED: [&str; 34] = [
    "open",
    "open64",
    "stat",
    "stat64",
    "lstat",
    "lstat64",
    "access",
    "readlink",
    "realpath",
    "opendir",
    "read",
    "rename",
    "unlink",
    "remove",
    "write",
    "writev",
    "mkdir",
    "mknod",
    "symlink",
    "chdir",
    "time",
    "localtime",
    "localtime_r",
    "gethostname",
    "getpwnam_r",
    "getpwuid_r",
    "posix_spawn",
    "execv",
    "execve",
    "dlopen",
    "_ZN4llvm3sys14getHostCPUNameEv",
    "_ZN4llvm3sys18getHostCPUFeaturesEv",
    "_ZN4llvm3sys7Process20StandardErrHasColorsEv",
    "_ZN4llvm3sys7Process18StandardErrColumnsEv",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=cpp");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = env::var_os("LLVM_SYS_221_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    check_version(&prefix);
    compile_layer(&prefix);
    link(&prefix);
    println!("cargo:rustc-env=LOOM_LLVM_PACKAGE={}", package_version());
}

fn check_version(prefix: &Path) {
    let version = output(Command::new(prefix.join("bin/llvm-config")).arg("--version"));
    assert_eq!(
        version,
        PINNED_LLVM,
        "Loom is pinned to LLVM {PINNED_LLVM}; {} is another release",
        prefix.display()
    );
}

fn compile_layer(prefix: &Path) {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .compiler(prefix.join("bin/clang++"))
        .std("c++17")
        .opt_level(2)
        .debug(false)
        .pic(false)
        .include(prefix.join("include"))
        .flag("-fno-exceptions")
        .flag("-Wall")
        .flag("-Wno-unused-parameter")
        // Headers of LLVM itself are not ours to lint.
        .flag(format!("-isystem{}", prefix.join("include").display()))
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .define(
            "LOOM_VERSION",
            format!("\"{}\"", env::var("CARGO_PKG_VERSION").expect("cargo sets it")).as_str(),
        );
    for source in SOURCES {
        build.file(format!("cpp/{source}.cpp"));
    }
    build.compile("loom_engine_cpp");
}

/// lld takes archives in any order and links this in seconds. Full paths keep rustc from copying the archives
/// into a library of its own first.
fn link(prefix: &Path) {
    let libraries = prefix.join("lib");
    let argument = |it: &str| println!("cargo:rustc-link-arg={it}");
    argument(&format!("-B{}", prefix.join("bin").display()));
    argument("-fuse-ld=lld");
    argument("-no-pie");
    argument("-Wl,--build-id=sha1");
    // The log of consulted environment variables (cpp/support.cpp).
    argument("-Wl,--wrap=getenv");
    // The log of everything else that is consulted and done (cpp/accesses.cpp).
    for function in WATCHED {
        argument(&format!("-Wl,--wrap={function}"));
    }
    for archive in archives(&libraries, "libclang") {
        // clangd, clang-tidy and the refactoring tools are separate programs; nothing here refers to them.
        argument(&archive.display().to_string());
    }
    for archive in ["z", "zstd"] {
        argument(&format!("-l:lib{archive}.a"));
    }
}

/// All static archives in `directory` whose name starts with `start`, in a fixed order. The linker takes from
/// them only the members that something refers to.
fn archives(directory: &Path, start: &str) -> Vec<PathBuf> {
    let entries = directory
        .read_dir()
        .expect("the LLVM library directory can be listed");
    let mut found: Vec<_> = entries
        .map(|entry| entry.expect("the LLVM library directory can be listed").path())
        .filter(|path| {
            let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
            name.starts_with(start) && name.ends_with(".a")
        })
        .collect();
    found.sort();
    assert!(
        !found.is_empty(),
        "no {start}*.a in {}; is libclang-22-dev installed?",
        directory.display()
    );
    found
}

/// Where LLVM came from, as provenance; empty where no package manager of Debian's kind is at hand.
fn package_version() -> String {
    let query = Command::new("dpkg-query")
        .args(["-W", "-f=${Version}", "llvm-22-dev"])
        .output();
    query
        .ok()
        .filter(|it| it.status.success())
        .map_or_else(String::new, |it| text(it.stdout))
}

fn output(command: &mut Command) -> String {
    let result = command
        .output()
        .unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(
        result.status.success(),
        "{command:?} failed with {}",
        result.status
    );
    text(result.stdout)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .expect("tools print text")
        .trim()
        .to_owned()
}
