//! libclang, which carries a clang of its own, as an independent witness of what a compilation reads.
#![expect(
    unsafe_code,
    reason = "libclang is a C library; each block says why its call is sound"
)]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::path::PathBuf;
use std::ptr;

use clang_sys::{
    CXFile, CXSourceLocation, CXTranslationUnit_None, clang_createIndex, clang_disposeIndex,
    clang_disposeString, clang_disposeTranslationUnit, clang_getCString, clang_getFileName,
    clang_getInclusions, clang_parseTranslationUnit,
};
use loom_driver::Engine;
use loom_driver::base::Blob;
use loom_frontend::engine::{Access, CompileRequest, FileState, InputSource, OsBytes};

use super::world::{Project, host};

/// Every file that libclang includes is in the log of the engine.
#[test]
fn the_log_of_reads_is_complete() {
    let project = Project::new(&[
        (
            "main.c",
            "#include <stdio.h>\n#include <stddef.h>\n#include \"a/one.h\"\nint x = ONE + TWO;\n",
        ),
        ("a/one.h", "#pragma once\n#include \"two.h\"\n#define ONE 1\n"),
        (
            "a/two.h",
            "#pragma once\n#if __has_include(\"absent.h\")\n#endif\n#define TWO 2\n",
        ),
    ]);
    let log = accesses(&project, "-c main.c -o main.o");
    let files = log.iter().filter_map(|it| match it {
        Access::File(path) => as_path(path).canonicalize().ok(),
        _ => None,
    });
    let read: BTreeSet<_> = files.collect();
    let included = inclusions(project.path("main.c").to_str().expect("a temporary path is text"));
    assert!(included.len() >= 5, "libclang saw {included:?}");
    for file in included {
        let file = std::fs::canonicalize(&file).expect("an included file is there");
        // Both bring the same resource headers, each from its own copy of one directory.
        assert!(
            read.contains(&file),
            "{} is included but not in the log",
            file.display()
        );
    }
    let absent = project.path("a/absent.h");
    let mut looked_up = log.iter().filter_map(|it| match it {
        Access::File(path) => Some(as_path(path).components().collect::<PathBuf>()),
        _ => None,
    });
    assert!(looked_up.any(|it| it == absent), "a failed look-up is in the log");
}

fn accesses(project: &Project, arguments: &str) -> Vec<Access> {
    let unit = project.unit(arguments);
    let request = CompileRequest {
        argv: unit.argv,
        cwd: unit.cwd,
        env: Vec::new(),
        clock: 0,
        payload: true,
        files: Vec::new(),
    };
    let reply = host()
        .compile(&request, &mut RealFiles)
        .expect("the engine works");
    assert_eq!(reply.exit_status, 0, "{}", reply.rendered);
    reply.accesses
}

/// The real file system, straight.
struct RealFiles;

impl InputSource for RealFiles {
    fn file(&mut self, path: &[u8]) -> FileState {
        let path = as_path(path);
        let Ok(canonical) = path.canonicalize() else {
            return FileState::Absent;
        };
        let identity = canonical.as_os_str().as_encoded_bytes().to_vec();
        match std::fs::read(path) {
            Ok(bytes) => {
                let blob = Blob::new(bytes);
                FileState::File {
                    content: blob.digest(),
                    length: blob.bytes().len() as u64,
                    identity,
                }
            }
            Err(_) => FileState::Directory { identity },
        }
    }

    fn content(&mut self, path: &[u8]) -> Option<Blob> {
        std::fs::read(as_path(path)).ok().map(Blob::new)
    }

    fn directory(&mut self, path: &[u8]) -> Option<Vec<(OsBytes, bool)>> {
        let entries = std::fs::read_dir(as_path(path)).ok()?;
        let mut names: Vec<_> = entries
            .filter_map(Result::ok)
            .map(|it| (it.file_name().as_encoded_bytes().to_vec(), it.path().is_dir()))
            .collect();
        names.sort();
        Some(names)
    }

    fn used(&mut self, _: &Access) {}

    fn poll(&mut self) {}
}

fn as_path(bytes: &[u8]) -> &std::path::Path {
    use std::os::unix::ffi::OsStrExt;
    std::path::Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// The files that libclang includes when it parses `source`, without the source itself.
fn inclusions(source: &str) -> Vec<String> {
    extern "C" fn visit(file: CXFile, _: *mut CXSourceLocation, depth: c_uint, found: *mut c_void) {
        if depth == 0 {
            return;
        }
        // SAFETY: libclang passes a live file and the vector given to it below.
        unsafe {
            let name = clang_getFileName(file);
            let text = CStr::from_ptr(clang_getCString(name))
                .to_string_lossy()
                .into_owned();
            clang_disposeString(name);
            (*found.cast::<Vec<String>>()).push(text);
        }
    }
    clang_sys::load().expect("libclang is installed");
    let source = CString::new(source).expect("a path without NUL");
    let resources = CString::new("-resource-dir=/usr/lib/llvm-22/lib/clang/22").expect("no NUL");
    let arguments = [resources.as_ptr()];
    let mut found = Vec::<String>::new();
    // SAFETY: the library is loaded; all pointers live through the calls; both objects are disposed of once.
    unsafe {
        let index = clang_createIndex(0, 0);
        let unit = clang_parseTranslationUnit(
            index,
            source.as_ptr(),
            arguments.as_ptr(),
            arguments.len() as c_int,
            ptr::null_mut(),
            0,
            CXTranslationUnit_None,
        );
        assert!(!unit.is_null(), "libclang parses the source");
        clang_getInclusions(unit, visit, (&raw mut found).cast());
        clang_disposeTranslationUnit(unit);
        clang_disposeIndex(index);
    }
    found
}
