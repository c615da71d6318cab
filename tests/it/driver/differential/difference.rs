//! What differs between two runs of one command, once the accepted differences are put aside: the programs' names,
//! the random part of temporary names, the carrier in objects and in the assembly they are made of, and Loom's line
//! of `--version`.

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::sync::LazyLock;

use loom_frontend::carrier::{PAYLOAD_SECTION, RECORD_SECTION};
use regex_lite::Regex;

use super::super::sandbox::Entry;

/// What one command did.
pub struct Run {
    /// Streams and status.
    pub output: Output,
    /// All files afterwards.
    pub files: BTreeMap<String, Entry>,
}

/// Everything that differs, in words; empty if nothing does.
pub fn differences(clang: &Run, loom: &Run) -> Vec<String> {
    let mut found = Vec::new();
    if clang.output.status != loom.output.status {
        found.push(format!(
            "status: clang {}, loom {}",
            clang.output.status, loom.output.status
        ));
    }
    let streams = [
        ("stdout", &clang.output.stdout, &loom.output.stdout),
        ("stderr", &clang.output.stderr, &loom.output.stderr),
    ];
    for (name, clang, loom) in streams {
        if bytes_differ(clang, loom) {
            found.push(format!(
                "{name}: {}",
                first_difference(&plain(clang), &plain(loom))
            ));
        }
    }
    let (clang, loom) = (named(&clang.files), named(&loom.files));
    for name in clang.keys().filter(|name| !loom.contains_key(*name)) {
        found.push(format!("{name}: only clang leaves it"));
    }
    for name in loom.keys().filter(|name| !clang.contains_key(*name)) {
        found.push(format!("{name}: only loom leaves it"));
    }
    for (name, clang) in &clang {
        if let Some(loom) = loom.get(name)
            && let Some(difference) = entry_difference(clang, loom)
        {
            found.push(format!("{name}: {difference}"));
        }
    }
    found
}

fn bytes_differ(clang: &[u8], loom: &[u8]) -> bool {
    clang != loom && stripped(clang) != stripped(loom) && plain(clang) != plain(loom)
}

fn entry_difference(clang: &Entry, loom: &Entry) -> Option<String> {
    let (
        Entry::File { content, mode },
        Entry::File {
            content: loom_content,
            mode: loom_mode,
        },
    ) = (clang, loom)
    else {
        return (clang != loom).then(|| format!("clang {clang:?}, loom {loom:?}"));
    };
    if mode != loom_mode {
        return Some(format!("mode: clang {mode:o}, loom {loom_mode:o}"));
    }
    if content == loom_content || is_bitcode(content) && is_bitcode(loom_content) {
        // Bitcode that goes on to a linker holds the carrier; its payload is looked at instead.
        return None;
    }
    let same = if content.starts_with(b"\x7fELF") {
        stripped(content) == stripped(loom_content)
    } else {
        plain(content) == plain(loom_content)
    };
    (!same).then(|| first_difference(&plain(content), &plain(loom_content)))
}

/// The files by names without random parts.
fn named(files: &BTreeMap<String, Entry>) -> BTreeMap<String, &Entry> {
    files
        .iter()
        .map(|(name, entry)| (plain(name.as_bytes()), entry))
        .collect()
}

fn is_bitcode(content: &[u8]) -> bool {
    content.starts_with(b"BC\xc0\xde")
}

/// An ELF file without Loom's sections, rewritten by llvm-objcopy even if it has none. Fat LTO's own copy of the
/// module holds the carrier too, and a build id is a digest of all the rest.
fn stripped(content: &[u8]) -> Vec<u8> {
    if !content.starts_with(b"\x7fELF") {
        return content.to_vec();
    }
    let directory = tempfile::TempDir::new().expect("a temporary directory");
    let (before, after) = (directory.path().join("before"), directory.path().join("after"));
    std::fs::write(&before, content).expect("a file can be written");
    let output = Command::new("llvm-objcopy-22")
        .args(
            [PAYLOAD_SECTION, RECORD_SECTION, ".llvm.lto", ".note.gnu.build-id"]
                .map(|it| format!("--remove-section={it}")),
        )
        .args([&before, &after])
        .output()
        .expect("llvm-objcopy-22 runs (installed by `make test`)");
    assert!(
        output.status.success(),
        "llvm-objcopy: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::read(&after).expect("llvm-objcopy writes its output")
}

/// Text without the programs' names, random parts of temporary names and Loom's version.
fn plain(bytes: &[u8]) -> String {
    static NAMES: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^(clang|clang\+\+|loom)-(22|cc|c\+\+): "));
    static RANDOM: LazyLock<Regex> = LazyLock::new(|| regex(r"-[0-9a-f]{6}(\.|\b)"));
    static VERSION: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^Loom [0-9.]+\n"));
    // Assembly that -save-temps or an external assembler leaves holds the carrier, and names the text section
    // elsewhere.
    static RECORD: LazyLock<Regex> = LazyLock::new(|| {
        let (start, end) = (
            "# Start of file scope inline assembly",
            "# End of file scope inline assembly",
        );
        regex(&format!(r"(?s) *{start}\n[^#]*?\.loom\.record.*?{end}\n"))
    });
    static PAYLOAD: LazyLock<Regex> =
        LazyLock::new(|| regex(r"(?s)\t\.type\t\.Lloom\.payload.*?\n\t\.size\t\.Lloom\.payload, \d+\n\n?"));
    static ASSEMBLY_LINE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^([^ \n]*\.s):\d+:"));
    let text = String::from_utf8_lossy(bytes);
    let text = RECORD.replace_all(&text, "");
    let text = PAYLOAD.replace_all(&text, "");
    let text = text.replace("\n\t.text\n", "\n");
    let text = ASSEMBLY_LINE.replace_all(&text, "$1:LINE:");
    let text = NAMES.replace_all(&text, "CC: ");
    let text = RANDOM.replace_all(&text, "-RANDOM$1");
    VERSION.replace_all(&text, "").into_owned()
}

fn first_difference(clang: &str, loom: &str) -> String {
    let (clang, loom): (Vec<_>, Vec<_>) = (clang.lines().collect(), loom.lines().collect());
    let at = (0..clang.len().max(loom.len())).find(|&at| clang.get(at) != loom.get(at));
    match at {
        Some(at) => {
            let line = |lines: &[&str]| {
                lines.get(at).map_or("(nothing)".to_owned(), |it| {
                    it.chars()
                        .take(400)
                        .collect::<String>()
                        .escape_debug()
                        .to_string()
                })
            };
            format!(
                "line {}:\n      clang: {}\n      loom:  {}",
                at + 1,
                line(&clang),
                line(&loom)
            )
        }
        None => "bytes differ".to_owned(),
    }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are valid")
}
