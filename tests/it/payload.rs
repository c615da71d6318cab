//! `loom payload` with the real engine, the real binary utilities and real files.

mod completions;
mod malformed;
mod packed;
mod round_trips;
mod streams;
mod treatments;

use std::process::Output;

use loom_tests::built;
use object::{Object as _, ObjectSection as _, ObjectSegment as _, SectionFlags};
use serde_json::Value;

use crate::driver::{Compiler, Sandbox};

/// What one run of `loom` left.
pub struct Ran {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Standard output as text.
    pub fn text(&self) -> &str {
        str::from_utf8(&self.stdout).expect("it is text")
    }

    /// The codes of the diagnostics, in order. The run must have had `--diagnostics=json`.
    pub fn codes(&self) -> Vec<String> {
        let lines = self.stderr.lines().map(|line| {
            let line: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{}", self.stderr));
            assert!(line["severity"] == "error", "{line}");
            line["code"].as_str().expect("a code is text").to_owned()
        });
        lines.collect()
    }
}

/// Runs `loom ARGUMENTS` in the working directory; a shell takes the arguments apart.
pub fn loom(sandbox: &Sandbox, arguments: &str) -> Ran {
    let Output {
        status,
        stdout,
        stderr,
    } = sandbox.run(
        Compiler::Loom,
        &format!("'{}' {arguments}", built::tool("loom").display()),
    );
    Ran {
        status: status.code().expect("it was not killed"),
        stdout,
        stderr: String::from_utf8(stderr).expect("messages are text"),
    }
}

/// As [`loom`]; fails unless it succeeds in silence. Returns standard output.
#[track_caller]
pub fn succeed(sandbox: &Sandbox, arguments: &str) -> String {
    let ran = loom(sandbox, arguments);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "loom {arguments}");
    ran.text().to_owned()
}

/// The first column of `loom payload identity`.
#[track_caller]
pub fn identities(sandbox: &Sandbox, file: &str) -> Vec<String> {
    let lines = succeed(sandbox, &format!("payload identity {file}"));
    let first = lines
        .lines()
        .map(|line| line.split("  ").next().unwrap_or_default());
    first.map(str::to_owned).collect()
}

/// Fails if one of Loom's sections in the ELF file `name` is allocated or lies in a load segment, and if there is
/// none.
#[track_caller]
pub fn assert_never_loaded(sandbox: &Sandbox, name: &str) {
    let bytes = sandbox.read(name);
    let file = object::File::parse(&*bytes).expect("it is ELF");
    let sections = file
        .sections()
        .filter(|it| it.name().is_ok_and(|it| it.starts_with(".loom.")));
    let sections: Vec<_> = sections.collect();
    assert!(!sections.is_empty(), "{name}");
    for section in sections {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
            panic!("it is ELF");
        };
        assert!(!sh_flags.contains(object::elf::SHF_ALLOC), "{name}");
        let (offset, size) = section.file_range().expect("it has content");
        for (start, length) in file.segments().map(|it| it.file_range()) {
            assert!(
                offset >= start + length || offset + size <= start,
                "{name}: in a load segment"
            );
        }
    }
}
