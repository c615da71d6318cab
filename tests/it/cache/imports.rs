//! The engine's log is complete: whatever it can reach the outside world by is watched, or known to be harmless.

use std::collections::BTreeSet;
use std::fs;

use loom_tests::built;
use object::{Object, ObjectSymbol};

use crate::tidy::workspace::root;

/// Functions of the C library by which a process looks at files, the clock, the machine or its user, or starts others.
/// Those that the engine imports must be watched (build.rs, `WATCHED`).
const REACHING: &[&str] = &[
    "access",
    "asctime",
    "chdir",
    "chmod",
    "chown",
    "clock",
    "connect",
    "creat",
    "creat64",
    "ctime",
    "daemon",
    "dlopen",
    "eaccess",
    "euidaccess",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "faccessat",
    "fchdir",
    "fchmodat",
    "fdopendir",
    "fexecve",
    "fopen",
    "fopen64",
    "freopen",
    "freopen64",
    "fstatat",
    "fstatat64",
    "ftime",
    "ftw",
    "getcontext",
    "getdomainname",
    "getgrgid_r",
    "getgrnam_r",
    "gethostname",
    "getlogin",
    "getlogin_r",
    "getpwnam",
    "getpwnam_r",
    "getpwuid",
    "getpwuid_r",
    "gettimeofday",
    "getxattr",
    "glob",
    "glob64",
    "inotify_add_watch",
    "lgetxattr",
    "link",
    "linkat",
    "listxattr",
    "localtime",
    "localtime_r",
    "lstat",
    "lstat64",
    "mkdir",
    "mkdirat",
    "mkdtemp",
    "mkfifo",
    "mknod",
    "mkostemp",
    "mkstemp",
    "mkstemp64",
    "mktemp",
    "name_to_handle_at",
    "nftw",
    "open",
    "open64",
    "openat",
    "openat64",
    "open_by_handle_at",
    "opendir",
    "pathconf",
    "popen",
    "posix_spawn",
    "posix_spawnp",
    "readlink",
    "readlinkat",
    "realpath",
    "canonicalize_file_name",
    "remove",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "scandir",
    "scandir64",
    "secure_getenv",
    "shm_open",
    "stat",
    "stat64",
    "strftime_l",
    "symlink",
    "symlinkat",
    "system",
    "tempnam",
    "time",
    "timespec_get",
    "tmpfile",
    "tmpnam",
    "truncate",
    "truncate64",
    "unlink",
    "unlinkat",
    "utime",
    "utimensat",
    "utimes",
    "vfork",
    "__lxstat",
    "__xstat",
    "__lxstat64",
    "__xstat64",
    "__open_2",
    "__open64_2",
    "__openat_2",
    "__readlink_chk",
    "__realpath_chk",
];

/// Imports of other parts of the engine, each with the reason why no compile is in them.
const ELSEWHERE: &[(&str, &str)] = &[
    ("chmod", "the store puts outputs in place with it"),
    (
        "execvp",
        "Rust's library, asking a linker for its version; such a link is not answered from the cache",
    ),
    ("posix_spawnp", "as execvp"),
    (
        "unlinkat",
        "Rust's library, removing the folder of a watched link, which is not answered from the cache",
    ),
    ("openat64", "as unlinkat"),
    ("fdopendir", "as unlinkat"),
    ("clock", "zstd's builder of dictionaries, which nobody calls"),
    ("fstatat64", "Rust's library, listing directories for the store"),
];

#[test]
fn every_way_to_the_outside_world_is_watched() {
    let engine = fs::read(built::tool("loom-engine")).expect("it can be read");
    let engine = object::File::parse(&engine[..]).expect("it is an ELF file");
    let imports: BTreeSet<_> = engine
        .dynamic_symbols()
        .filter(|it| it.is_undefined())
        .filter_map(|it| it.name().ok())
        .collect();
    assert!(imports.contains("open") && imports.len() > 100, "{imports:?}");
    let script = fs::read_to_string(root().join("crates/frontend/engine/build.rs")).expect("it is there");
    let watched = |name: &str| script.contains(&format!("    \"{name}\",\n"));
    let unwatched: Vec<_> = REACHING
        .iter()
        .filter(|it| {
            imports.contains(*it) && !watched(it) && !ELSEWHERE.iter().any(|(other, _)| other == *it)
        })
        .collect();
    assert!(unwatched.is_empty(), "not watched: {unwatched:?}");
    assert!(watched("open64") && !watched("open6"), "the list is found");
}
