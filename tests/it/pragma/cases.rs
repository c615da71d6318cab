//! Sources in testdata/pragma, and what loom-cc makes of them.

use std::fs;

use crate::driver::{Compiled, Compiler, Sandbox};
use crate::tidy::workspace::root;
use loom_tests::built;

/// The pragma, as it stands on its line.
pub const PRAGMA: &str = "#pragma loom candidate";

/// One source of a file in testdata/pragma.
pub struct Case {
    /// What it is about.
    pub name: String,
    /// `c`, `c++` or both.
    pub languages: Vec<String>,
    /// Options of the compiler.
    pub options: String,
    /// The text.
    pub source: String,
}

/// The cases of testdata/pragma/`file`, in its order.
pub fn cases(file: &str) -> Vec<Case> {
    let path = root().join("testdata/pragma").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut cases: Vec<Case> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(header) = line.strip_prefix("//- ") {
            let mut parts = header.trim_end().splitn(3, "; ");
            let mut part = || parts.next().unwrap_or_default().to_owned();
            cases.push(Case {
                name: part(),
                languages: part().split(' ').map(str::to_owned).collect(),
                options: part(),
                source: String::new(),
            });
        } else if let Some(case) = cases.last_mut() {
            case.source += line;
        }
    }
    assert!(cases.len() > 10, "{file} has few cases");
    cases
}

/// What became of one compile to an object.
pub struct Outcome {
    /// The exit status.
    pub status: Option<i32>,
    /// Errors, warnings and notes, the source called `unit`.
    pub messages: Vec<String>,
    /// Names of files that were not there before.
    pub left: Vec<String>,
    /// The hints in the payload: one line for each string, and how many loops carry it.
    pub hints: Vec<String>,
}

/// Headers that cases include.
const HEADERS: [(&str, &str); 2] = [
    ("dangling.h", "int dangling;\n#pragma loom candidate\n"),
    (
        "hinted.h",
        "#pragma loom candidate\nstatic inline int hinted(int n) {\n#pragma loom candidate\n  while (n) n--;\n  return n;\n}\n",
    ),
];

/// Compiles `source` with `options` in a sandbox of its own.
pub fn compile(language: &str, options: &str, source: &str) -> Outcome {
    let sandbox = Sandbox::new();
    compile_in(&sandbox, language, options, source)
}

/// As [`compile`], in `sandbox`.
pub fn compile_in(sandbox: &Sandbox, language: &str, options: &str, source: &str) -> Outcome {
    let (compiler, name) = match language {
        "c" => ("$CC", "unit.c"),
        _ => ("$CXX", "unit.cc"),
    };
    for (header, text) in HEADERS {
        sandbox.write(header, text);
    }
    sandbox.write(name, source);
    let before = sandbox.files();
    let output = sandbox.run(
        Compiler::Loom,
        &format!("{compiler} {options} -c {name} -o made.o"),
    );
    let after = sandbox.files();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Outcome {
        status: output.status.code(),
        messages: messages(&stderr, name),
        left: after
            .keys()
            .filter(|it| !before.contains_key(*it))
            .cloned()
            .collect(),
        hints: if output.status.success() && sandbox.path("made.o").is_file() {
            hints(&payload_text(sandbox, "made.o"))
        } else {
            Vec::new()
        },
    }
}

/// The module in an object's payload as text. Objects of link-time optimization are modules themselves.
pub fn payload_text(sandbox: &Sandbox, object: &str) -> String {
    if !sandbox.read(object).starts_with(b"BC") {
        return Compiled::from_object(&sandbox.path(object)).text();
    }
    let loom = built::tool("loom");
    let script = format!(
        "{} payload extract --bitcode {object} -o extracted.bc && llvm-dis-22 extracted.bc -o -; rm -f extracted.bc",
        loom.display()
    );
    String::from_utf8(sandbox.succeed(Compiler::Loom, &script).stdout).expect("llvm-dis prints UTF-8")
}

/// The lines of clang's output that are messages, each beginning with its place.
pub fn messages(stderr: &str, name: &str) -> Vec<String> {
    let kinds = ["error: ", "warning: ", "note: ", "remark: "];
    let is_message = |line: &&str| kinds.iter().any(|kind| line.contains(kind)) && !line.starts_with(' ');
    stderr
        .lines()
        .filter(is_message)
        .map(|line| line.replace(name, "unit"))
        .collect()
}

/// The hints in a module's text: each string once, in the order of the module's metadata, with the number of loops
/// that carry it.
pub fn hints(text: &str) -> Vec<String> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for line in text.lines().filter(|it| it.starts_with('!')) {
        let is_property = line.contains("!\"llvm.loop.loom.candidate\"");
        let strings = line
            .split("!\"loom.candidate.")
            .skip(1)
            .filter_map(|it| it.split('"').next());
        for string in strings {
            let known = found.iter().position(|(it, _)| it == string);
            let at = known.unwrap_or_else(|| {
                found.push((string.to_owned(), 0));
                found.len() - 1
            });
            found[at].1 += if is_property { loops_with(text, line) } else { 0 };
        }
    }
    found
        .into_iter()
        .map(|(string, loops)| {
            let string = string.replace("unit.cc", "unit").replace("unit.c", "unit");
            if string.starts_with("loop.") {
                format!("{string} on {loops}")
            } else {
                string
            }
        })
        .collect()
}

/// How many branches close a loop that has the property on `line`.
pub fn loops_with(text: &str, line: &str) -> usize {
    let property = line.split(' ').next().unwrap_or_default();
    let node = |line: &str| {
        let is_loop = line.starts_with('!')
            && line.contains(" = distinct !{")
            && line.split(['{', '}', ',', ' ']).any(|it| it == property);
        is_loop.then(|| line.split(' ').next().unwrap_or_default().to_owned())
    };
    let nodes: Vec<String> = text.lines().filter_map(node).collect();
    let carries = |line: &&str| {
        line.split("!llvm.loop ")
            .nth(1)
            .is_some_and(|rest| nodes.iter().any(|it| rest.split([',', ' ']).next() == Some(it)))
    };
    text.lines().filter(carries).count()
}

/// The unhinted twin: each pragma line is a comment of equal length (decision 14).
pub fn twin(source: &str) -> String {
    source.replace(PRAGMA, "/*                  */")
}

#[test]
fn twins_have_equal_lengths() {
    let source = format!("  {PRAGMA}\nint x;\n");
    assert_eq!(twin(&source).len(), source.len());
}
