//! The pragma under every kind of command: preprocessing, headers, assembly, link-time optimization, other targets.

use super::cases::{hints, messages, payload_text};
use crate::driver::{Compiler, Sandbox, Worker};

const SOURCE: &str = "#pragma loom candidate
int f(int n) {
#pragma loom candidate
  while (n > 3) n /= 2;
  return n;
}
";

const HINTS: [&str; 2] = [
    "function.2.0|6|unit|2|5|1|1|2|1|6|2",
    "loop.1.0|1|6|unit|2|5|3|1|4|3|4|24 on 1",
];

fn with_source() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("unit.c", SOURCE);
    sandbox
}

/// The messages of a command that fails and leaves nothing.
#[track_caller]
fn refusal(sandbox: &Sandbox, script: &str) -> Vec<String> {
    let before = sandbox.files();
    let output = sandbox.run(Compiler::Loom, script);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{script}: {stderr}");
    assert!(
        sandbox.files().keys().eq(before.keys()),
        "{script} left something"
    );
    messages(&stderr, "unit.c")
}

#[test]
fn preprocessing_alone_is_refused() {
    let sandbox = with_source();
    for script in [
        "$CC -E unit.c -o unit.i",
        "$CC -E -dM unit.c -o unit.i",
        "$CC -M unit.c > /dev/null",
        "$CC -MM unit.c -o unit.d",
        "$CC -M -MF unit.d unit.c",
        "$CC -MM -MG -MF unit.d unit.c -o other.d",
        "$CC -M -MF /dev/stdout unit.c",
        "$CC -save-temps -c unit.c -o unit.o",
        "$CC -E -frewrite-includes unit.c -o unit.i",
        "$CC -no-integrated-cpp -c unit.c -o unit.o",
        "$CC -E -MD -MF unit.d unit.c -o unit.i",
        "$CC -save-temps -MD -c unit.c -o unit.o",
    ] {
        let found = refusal(&sandbox, script);
        let message = "unit:1:1: error: candidate_hint_unsupported_construct: preprocessing alone cannot keep the source range of a candidate";
        assert_eq!(found[0], message, "{script}");
        assert!(
            found[1].contains("note: compile the source in one step"),
            "{found:?}"
        );
    }
    assert!(std::path::Path::new("/dev/stdout").exists());
    // Dependencies beside a compile are no preprocessing alone.
    for options in ["-MD", "-MMD -MF named.d", "-Wp,-MD,other.d"] {
        sandbox.succeed(Compiler::Loom, &format!("$CC {options} -c unit.c -o made.o"));
        assert_eq!(hints(&payload_text(&sandbox, "made.o")), HINTS, "{options}");
    }
}

/// A source without a candidate fails as with clang, whose dependency file stays.
#[test]
fn other_failures_are_those_of_clang() {
    let sandbox = with_source();
    sandbox.write("unit.c", "int f(void) { return missing; }\n");
    for compiler in [Compiler::Clang, Compiler::Loom] {
        let output = sandbox.run(compiler, "rm -f *.d; $CC -MD -c unit.c -o made.o");
        assert_eq!(output.status.code(), Some(1));
        assert!(sandbox.path("made.d").is_file() && !sandbox.path("made.o").exists());
    }
}

/// A refused compile leaves nothing beside its object either, whichever stage refuses.
#[test]
fn refused_compiles_leave_nothing() {
    let sandbox = with_source();
    for source in [
        "#pragma loom candidate\nint x;\n",
        "int f(int n) {\n#pragma loom candidate\n  while (n) { if (n-- == 3) continue; n--; }\n  return n;\n}\n",
    ] {
        sandbox.write("unit.c", source);
        for options in [
            "-MD -c",
            "-MMD -MF named.d -c",
            "-Wp,-MD,other.d -c",
            "-g -gsplit-dwarf -c",
            "-O2 -fsave-optimization-record -c",
            "-fstack-usage -c",
            "--coverage -c",
            "-S",
            "-S -emit-llvm",
            "-emit-llvm -c",
            "-O1 -flto -c",
            "-O1 -flto=thin -ffat-lto-objects -c",
            "-fno-integrated-as -c",
            "-MD",
        ] {
            let found = refusal(&sandbox, &format!("$CC {options} unit.c -o made"));
            assert!(
                found[0].contains(": error: candidate_hint_"),
                "{options}: {found:?}"
            );
        }
    }
}

#[test]
fn headers_that_are_compiled_are_refused() {
    let sandbox = with_source();
    sandbox.write("hinted.h", SOURCE);
    sandbox.write("module.modulemap", "module hinted { header \"hinted.h\" }\n");
    sandbox.write("uses.c", "#include \"hinted.h\"\nint g(void) { return f(9); }\n");
    let lost = "error: candidate_hint_unsupported_construct: a candidate in a precompiled header or module would be lost";
    for script in [
        "$CC -x c-header hinted.h -o hinted.pch",
        "$CC -x c++-header hinted.h -o hinted.pch",
        "$CXX -std=c++20 -fmodule-header hinted.h -o hinted.pcm",
        "$CC -fmodules -fmodules-cache-path=cache -c uses.c -o uses.o; status=$?; rm -rf cache; exit $status",
    ] {
        let found = refusal(&sandbox, script);
        assert!(found.iter().any(|it| it.contains(lost)), "{script}: {found:?}");
    }
    sandbox.write(
        "named.cppm",
        "export module named;\n#pragma loom candidate\nexport int f() { return 0; }\n",
    );
    let found = refusal(&sandbox, "$CXX -std=c++20 --precompile named.cppm -o named.pcm");
    assert!(found[0].contains(lost), "{found:?}");
    // A header that is read as text is part of the source.
    sandbox.succeed(Compiler::Loom, "$CC -c uses.c -o made.o");
    assert_eq!(hints(&payload_text(&sandbox, "made.o")).len(), 2);
}

/// The hint survives whatever way the object is made.
#[test]
fn every_way_to_an_object() {
    let sandbox = with_source();
    for options in [
        "-O0",
        "-O1",
        "-O2",
        "-O3",
        "-Os",
        "-Oz",
        "-g",
        "-flto",
        "-flto=thin",
        "-flto -ffat-lto-objects -O2",
        "-flto=thin -ffat-lto-objects",
        "-fno-integrated-as",
        "-fno-integrated-cc1",
        "-O2 -mllvm -opt-bisect-limit=0",
        "-fsanitize=address,undefined",
        "-pg",
        "-fprofile-generate",
        "-fopenmp",
        "-O2 -fno-inline",
        "-std=c89 -ansi",
    ] {
        sandbox.succeed(Compiler::Loom, &format!("$CC {options} -c unit.c -o made.o"));
        assert_eq!(hints(&payload_text(&sandbox, "made.o")), HINTS, "{options}");
    }
    sandbox.succeed(Compiler::Loom, "$CC -O1 -x c -c - -o made.o < unit.c");
    let from_stdin = hints(&payload_text(&sandbox, "made.o"));
    assert_eq!(from_stdin[0], "function.2.0|7|<stdin>|2|5|1|1|2|1|6|2");
}

#[test]
fn modules_written_as_text_have_the_hints() {
    let sandbox = with_source();
    for level in ["-O0", "-O2"] {
        let output = sandbox.succeed(Compiler::Loom, &format!("$CC {level} -S -emit-llvm unit.c -o -"));
        let text = String::from_utf8(output.stdout).expect("it is text");
        assert_eq!(hints(&text), HINTS);
        assert!(
            !text.contains("llvm.global.annotations") && !text.contains("@llvm.annotation"),
            "{text}"
        );
        assert!(!text.contains("switch "), "{text}");
    }
}

#[test]
fn syntax_alone_is_checked() {
    let sandbox = with_source();
    let output = sandbox.succeed(Compiler::Loom, "$CC -fsyntax-only -Weverything unit.c");
    assert!(
        !String::from_utf8_lossy(&output.stderr).contains("loom"),
        "{output:?}"
    );
    sandbox.write("unit.c", "#pragma loom candidate\nint x;\n");
    let found = refusal(&sandbox, "$CC -fsyntax-only unit.c");
    assert!(
        found[0].starts_with("unit:1:1: error: candidate_hint_invalid_placement: "),
        "{found:?}"
    );
}

/// No warning but those of the twin, whichever are asked for.
#[test]
fn no_warning_is_about_the_marker() {
    let sandbox = with_source();
    let warnings = |compiler, text: &str| {
        sandbox.write("unit.c", text);
        let output = sandbox.run(compiler, "$CC -O2 -Weverything -Rpass=loop -c unit.c -o made.o");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let hinted = warnings(Compiler::Loom, SOURCE);
    let plain = warnings(Compiler::Clang, &super::cases::twin(SOURCE));
    assert_eq!(messages(&hinted, "unit.c"), messages(&plain, "unit.c"));
}

/// Decision 20: code as clang's, and a warning for each candidate.
#[test]
fn targets_without_carrier_warn() {
    let sandbox = with_source();
    for target in ["wasm32", "arm64-apple-macos", "x86_64-pc-windows-gnu"] {
        let script = format!("$CC --target={target} -O1 -c unit.c -o made.o");
        let output = sandbox.succeed(Compiler::Loom, &script);
        let found = messages(&String::from_utf8_lossy(&output.stderr), "unit.c");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("unit:1:1: warning: objects for '"),
            "{found:?}"
        );
        assert!(
            found[1].ends_with("cannot carry a payload; this candidate has no effect [-Wignored-pragmas]")
        );
        let object = sandbox.read("made.o");
        sandbox.succeed(Compiler::Clang, &format!("{script} -Wno-unknown-pragmas"));
        assert!(object == sandbox.read("made.o"), "{target}");
        let silent = sandbox.succeed(Compiler::Loom, &format!("{script} -Wno-ignored-pragmas"));
        assert!(silent.stderr.is_empty());
        let found = refusal(
            &sandbox,
            &format!("$CC --target={target} -Werror -c unit.c -o other.o"),
        );
        assert!(found[0].contains("error: objects for"), "{found:?}");
    }
}

/// Decision 10: what clang writes about a crash has the source as it is, whatever the pragma means.
#[test]
fn crash_reproducers_keep_the_pragma() {
    let sandbox = with_source();
    sandbox.write("unit.c", &format!("{SOURCE}#pragma clang __debug crash\n"));
    let output = sandbox.run(Compiler::Loom, "$CC -c unit.c -o made.o");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("candidate_hint"), "{stderr}");
    let files = sandbox.files();
    let reproducer = files
        .keys()
        .find(|it| it.starts_with("temporary/") && it.ends_with(".c"));
    let reproducer = reproducer.unwrap_or_else(|| panic!("no reproducer: {stderr}"));
    let text = std::fs::read_to_string(sandbox.path("..").join(reproducer)).expect("it can be read");
    assert_eq!(text.matches("#pragma loom candidate").count(), 2, "{text}");
}

/// The category is the rule in SARIF.
#[test]
fn sarif_names_the_category() {
    let sandbox = with_source();
    sandbox.write(
        "unit.c",
        "#pragma loom candidate\nint x;\n#pragma loom\nint y = z;\n",
    );
    let output = sandbox.run(
        Compiler::Loom,
        "$CC -fdiagnostics-format=sarif -Wno-sarif-format-unstable -c unit.c -o made.o",
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    let json = stderr.lines().find(|it| it.starts_with('{'));
    let json: serde_json::Value =
        serde_json::from_str(json.unwrap_or_else(|| panic!("{stderr}"))).expect("it is JSON");
    let run = &json["runs"][0];
    let results = run["results"].as_array().expect("there are results");
    let rules: Vec<_> = results
        .iter()
        .map(|it| it["ruleId"].as_str().unwrap_or_default())
        .collect();
    for category in [
        "candidate_hint_invalid_encoding",
        "candidate_hint_invalid_placement",
    ] {
        assert!(rules.contains(&category), "{rules:?}");
        let known = run["tool"]["driver"]["rules"]
            .as_array()
            .expect("there are rules");
        let index = known.iter().position(|it| it["id"] == category);
        assert!(index.is_some(), "{known:?}");
    }
    // Others keep clang's numbers.
    assert!(rules.iter().any(|it| it.parse::<u32>().is_ok()), "{rules:?}");
}

#[test]
fn workers_report_categories_as_messages() {
    let sandbox = with_source();
    let worker = Worker::start();
    let reply = worker.compile(&sandbox.path(""), "-c unit.c -o unit.o");
    assert_eq!(reply.exit_status, 0, "{}", reply.rendered);
    sandbox.write("unit.c", "#pragma loom candidate\nint x;\n");
    let reply = worker.compile(&sandbox.path(""), "-c unit.c -o unit.o");
    assert_eq!(reply.exit_status, 1);
    let first = &reply.messages[0];
    assert_eq!((first.level.as_str(), first.line, first.column), ("error", 1, 1));
    assert!(
        first.message.starts_with("candidate_hint_invalid_placement: "),
        "{}",
        first.message
    );
    assert!(reply.object.is_none(), "a refused compile has an object");
    // The next compile of the process knows nothing of it.
    sandbox.write("unit.c", "int x;\n");
    assert_eq!(
        worker
            .compile(&sandbox.path(""), "-c unit.c -o unit.o")
            .exit_status,
        0
    );
}
