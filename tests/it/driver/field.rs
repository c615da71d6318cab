//! Bugs that other compilers and caches have shipped, each as a test that Loom is free of it.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use expect_test::expect;
use loom_frontend::engine::Access;

use super::differential::same;
use super::{Compiled, Compiler, Sandbox, Worker};

/// A header that appears earlier on the include path must be noticed, so a failed look-up is an input.
#[test]
fn failed_look_ups_are_inputs() {
    let sandbox = Sandbox::new();
    let worker = Worker::start();
    sandbox.succeed(Compiler::Loom, "mkdir early");
    let compile = || worker.compile(&sandbox.path(""), "-I early -I second -c pick.c -o pick.o");
    let before = compile();
    assert_eq!(before.exit_status, 0, "{}", before.rendered);
    let absent = Access::File(sandbox.path("early/picked.h").display().to_string().into_bytes());
    assert!(before.accesses.contains(&absent), "{:?}", before.accesses);
    // The directory itself was looked up, so that it may also appear later.
    let nowhere = worker.compile(&sandbox.path(""), "-I appears -I second -c pick.c -o pick.o");
    let directory = sandbox.path("appears").display().to_string();
    let seen = nowhere.accesses.iter().any(|access| match access {
        Access::File(path) => String::from_utf8_lossy(path).starts_with(&directory),
        _ => false,
    });
    assert!(seen, "{:?}", nowhere.accesses);

    sandbox.succeed(Compiler::Loom, "cp first/picked.h early/");
    assert_ne!(compile().object, before.object);
}

/// `__has_include` of a header that is absent is an input too.
#[test]
fn has_include_is_an_input() {
    let sandbox = Sandbox::new();
    let reply = Worker::start().compile(&sandbox.path(""), "-I first -c pick.c -o pick.o");
    let absent = Access::File(sandbox.path("first/nowhere.h").display().to_string().into_bytes());
    assert!(reply.accesses.contains(&absent), "{:?}", reply.accesses);
}

/// A cache once renamed its result over /dev/null when it ran as root.
#[test]
fn dev_null_stays_a_device() {
    let sandbox = Sandbox::new();
    for options in [
        "-c part.c",
        "-S part.c",
        "-E part.c",
        "-c error.c",
        "-c part.c -MD -MF /dev/null",
        "-M plain.c",
    ] {
        sandbox.run(Compiler::Loom, &format!("$CC {options} -o /dev/null"));
        let kind = fs::metadata("/dev/null")
            .expect("there is a null device")
            .file_type();
        assert!(kind.is_char_device(), "{options}");
    }
    // A private device, which a root user's compiler could replace.
    if sandbox.run(Compiler::Loom, "mknod null c 1 3").status.success() {
        sandbox.succeed(Compiler::Loom, "$CC -c part.c -o null");
        let kind = fs::metadata(sandbox.path("null"))
            .expect("it is there")
            .file_type();
        assert!(kind.is_char_device(), "renamed over the device");
    }
}

#[test]
fn fifos_are_written_and_stay() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "mkfifo pipe deps; cat pipe > object & cat deps > caught & $CC -O1 -c plain.c -o pipe -MD -MF deps; wait
         $CC -O1 -c plain.c -o plain.o -MD",
    );
    for name in ["pipe", "deps"] {
        let kind = fs::symlink_metadata(sandbox.path(name))
            .expect("it is there")
            .file_type();
        assert!(kind.is_fifo(), "{name} was renamed over");
    }
    assert!(sandbox.read("object") == sandbox.read("plain.o"));
    assert!(String::from_utf8_lossy(&sandbox.read("caught")).contains("sub/other.h"));
    Compiled::from_object(&sandbox.path("object"));
}

#[test]
fn standard_output_gets_the_object() {
    let sandbox = Sandbox::new();
    let output = sandbox.succeed(Compiler::Loom, "$CC -O1 -c plain.c -o - | cat; test ! -e -");
    sandbox.succeed(Compiler::Loom, "$CC -O1 -c plain.c -o plain.o");
    assert!(output.stdout == sandbox.read("plain.o"));
}

/// An output that is a symbolic link or has other names is clang's to replace, in clang's way.
#[test]
fn links_as_outputs() {
    same("touch real.o; ln -s real.o link.o; ln real.o hard.o; $CC -c part.c -o link.o");
    same("touch real.o; ln real.o hard.o; $CC -c part.c -o hard.o; test -s real.o; echo $?");
    same("touch keep.o; chmod 444 keep.o; $CC -c part.c -o keep.o");
    same("umask 077; $CC -c part.c -o private.o; $CC -S part.c");
}

#[test]
fn wp_md_writes_the_file_it_names() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -Wp,-MD,named.d -MT target -c plain.c -o plain.o",
    );
    let rule = String::from_utf8(sandbox.read("named.d")).expect("it is text");
    assert!(rule.starts_with("target"), "{rule}");
    assert!(rule.contains("local.h") && rule.contains("sub/other.h"), "{rule}");
    assert!(!Path::new(&sandbox.path("plain.d")).exists());
    same("$CC -Wp,-MD,named.d -Wp,-MP -c plain.c");
    same("$CC -Wp,-MMD,named.d -MD -c plain.c");
}

/// Headers that clang only tries in order to recover from an error leaked into dependency files.
#[test]
fn recovery_does_not_leak_into_dependencies() {
    let sandbox = Sandbox::new();
    for source in ["angled.c", "misspelt.c"] {
        for options in ["-MD", "-MMD -MG", "-M", "-MM -MG", "-MD -MF deps -fsyntax-only"] {
            super::differential::same_in(
                &sandbox,
                &format!("$CC {options} -c {source} -o out"),
                &[
                    // Suggested by clang for quotes instead of angle brackets, and for a misspelt name.
                    ("sub/wanted.h", "#include \"other.h\"\nint wanted;\n"),
                    ("angled.c", "#include <sub/wanted.h>\nint x;\n"),
                    (
                        "misspelt.c",
                        "#include \"sub/wanted.h.\"\n#if __has_include(\"sub/absent.h\")\n#endif\nint y;\n",
                    ),
                ],
            );
        }
    }
}

/// Expanded once, with every way of quoting; not at all when the name only looks like one.
#[test]
fn response_files_are_expanded_once() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "quoted.rsp",
        "-DA=1 '-DTEXT=\"it is\"' \"-DMORE=a b\" -c\tmacros.c\n  -o \"out \\\"quoted\\\".o\" @inner.rsp",
    );
    sandbox.write(
        "inner.rsp",
        "-DPREINCLUDED=\\11 -include 'pre.h' \"-DB=@quoted.rsp\"",
    );
    sandbox.write("pre.h", "#ifdef PREINCLUDED\nint eleven = PREINCLUDED;\n#endif\n");
    sandbox.succeed(Compiler::Loom, "$CC @quoted.rsp");
    let text = Compiled::from_object(&sandbox.path("out \"quoted\".o")).text();
    assert!(text.contains("c\"it is\\00\""), "{text}");
    assert!(text.contains("@eleven = dso_local global i32 11"), "{text}");
    // Without such a file the argument stays as it is.
    same("$CC -c @not-there.rsp part.c");
    same("printf -- '-c\\r\\npart.c\\r\\n' > crlf.rsp; $CC @crlf.rsp");
    same("printf '\\357\\273\\277-c part.c' > bom.rsp; $CC @bom.rsp");
    same(
        "mkdir d; printf -- '-c part.c @more.rsp' > d/top.rsp; echo -O2 > more.rsp; echo -O1 > d/more.rsp; $CC @d/top.rsp",
    );
    same("echo '@self.rsp' > self.rsp; $CC @self.rsp -c part.c");
}

/// A long command line goes to the linker through a response file, and in process nowhere at all.
#[test]
fn long_command_lines() {
    same(
        "for i in $(seq 4000); do echo -DNAME_NUMBER_$i=some_value_of_$i; done > long.rsp; $CC @long.rsp -c part.c",
    );
    same(
        "$CC -c -x c /dev/null -o o.o; for i in $(seq 900); do cp o.o object_number_$i.o; done
         $CC whole.c object*.o -o out && ./out; rm o*.o",
    );
}

/// LLVM's options exist once, and all libraries' options are there.
#[test]
fn options_are_registered_once() {
    let sandbox = Sandbox::new();
    for script in [
        "$CC -c part.c -mllvm --help-list-hidden",
        "$CC -c part.c -mllvm -version",
    ] {
        let output = sandbox.run(Compiler::Loom, script);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("registered more than once"), "{text}");
        assert_eq!(
            output.status,
            sandbox.run(Compiler::Clang, script).status,
            "{script}"
        );
    }
    let options = |compiler| {
        let output = sandbox.run(compiler, "$CC -c part.c -mllvm --help-list-hidden");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("--"));
        names
            .map(|it| it.split([' ', '=', '[']).next().unwrap_or_default().to_owned())
            .collect::<std::collections::BTreeSet<_>>()
    };
    let (clang, loom) = (options(Compiler::Clang), options(Compiler::Loom));
    assert!(clang.len() > 1000, "{}", clang.len());
    let more: Vec<_> = loom.difference(&clang).collect();
    assert!(more.is_empty(), "options of Loom's own: {more:?}");
    // clang-22 runs on a shared libLLVM. Parts of it that clang has no use for (libLTO, the JIT, the front end of
    // llvm-mc) register options there, without effect on clang. A clang linked statically has none of them.
    let missing: Vec<_> = clang.difference(&loom).map(String::as_str).collect();
    expect!["as-secure-log-file asm-show-inst crel cs-profile-generate cs-profile-path ctx-prof-include-empty dataflow-log dwarf-version dwarf64 emit-compact-unwind-non-canonical emit-dwarf-unwind execute-concurrency executor extbinary-write-vtable-type-prof fatal-warnings fdpic filter gsframe implicit-mapsyms incremental-linker-compatible lto-aix-system-assembler lto-discard-value-names lto-pass-remarks-filter lto-pass-remarks-format lto-pass-remarks-hotness-threshold lto-pass-remarks-output lto-pass-remarks-with-hotness lto-stats-file mc-relax-all no-deprecated-warn no-type-check no-warn regalloc-cheap-remat-weight regalloc-copy-weight regalloc-expensive-remat-weight regalloc-load-weight regalloc-store-weight save-temp-labels target-abi threads use-undef x86-relax-relocations x86-sse2avx"].assert_eq(&missing.join(" "));
}

/// Every command starts LLVM anew; nothing is registered a second time for a second job.
#[test]
fn many_jobs_in_one_process() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -mllvm -unroll-threshold=10 -c plain.c part.c vector.c remarks.c library.c bare.c unit.ll unit.cc -Wno-everything",
    );
    for object in [
        "plain.o",
        "part.o",
        "vector.o",
        "remarks.o",
        "library.o",
        "bare.o",
        "unit.o",
    ] {
        Compiled::from_object(&sandbox.path(object));
    }
}

/// A crash of the compiler is a diagnostic with a reproducer, as with clang.
#[test]
fn a_crash_leaves_a_reproducer() {
    for (action, pragma) in [
        ("-c", "crash"),
        ("-S", "llvm_fatal_error"),
        ("-c", "assert"),
        ("-E", "crash"),
    ] {
        let sandbox = Sandbox::new();
        let outcomes = [Compiler::Clang, Compiler::Loom].map(|compiler| {
            sandbox.fill();
            sandbox.write(
                "crash.c",
                &format!("int before;\n#pragma clang __debug {pragma}\nint after;\n"),
            );
            let output = sandbox.run(compiler, &format!("$CC {action} crash.c -o out"));
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let marks = [
                "PLEASE submit a bug report",
                "PLEASE ATTACH THE FOLLOWING FILES",
                "Preprocessed source(s)",
            ];
            let left = sandbox
                .files()
                .into_keys()
                .filter(|it| it.starts_with("temporary/") || it.ends_with("/out"));
            let mut kinds: Vec<_> = left
                .map(|it| it.rsplit('.').next().unwrap_or_default().to_owned())
                .collect();
            kinds.sort();
            (output.status.code(), marks.map(|it| text.contains(it)), kinds)
        });
        assert_eq!(outcomes[0], outcomes[1], "{action} {pragma}");
    }
}

#[test]
fn a_signal_removes_what_was_begun() {
    for compiler in [Compiler::Clang, Compiler::Loom] {
        let sandbox = Sandbox::new();
        // The compiler waits for its input; killed, it leaves no half-written object and no temporary file.
        let output = sandbox.run(
            compiler,
            "mkfifo input; sleep 5 > input & $CC -x c -c input -o out.o & job=$!; sleep 0.5; kill -TERM $job; wait $job; echo status $?; kill %1",
        );
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            text.contains("status 143"),
            "{compiler:?}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let left: Vec<_> = sandbox
            .files()
            .into_keys()
            .filter(|it| it.contains("out.o") || it.starts_with("temporary/"))
            .collect();
        assert_eq!(left, Vec::<String>::new(), "{compiler:?}");
    }
}

/// A failed look-up of a working directory, an unwritable directory and a full disk are clang's errors.
#[test]
fn failures_of_the_file_system() {
    same("mkdir gone; cd gone; rmdir ../gone; $CC -c ../part.c -o out.o");
    same("mkdir closed; chmod 0 closed; $CC -I closed -c part.c; chmod 755 closed");
    same("$CC -O1 -c plain.c -o - > /dev/full");
    same("$CC -E plain.c > /dev/full");
}

/// Timers need a clock that clang's own main function makes; a driver that forgot it crashed.
#[test]
fn time_reports_have_the_parts_of_clangs() {
    let sandbox = Sandbox::new();
    for options in [
        "-ftime-report",
        "-O2 -ftime-report=per-pass",
        "-ftime-report part.c",
    ] {
        let parts = |compiler| {
            let output = sandbox.succeed(compiler, &format!("$CC {options} -c plain.c"));
            let report = String::from_utf8_lossy(&output.stderr);
            let lines = report.lines().map(str::trim);
            let titles = lines.filter(|it| it.ends_with(" report"));
            let mut titles: Vec<_> = titles.map(str::to_owned).collect();
            titles.sort();
            titles
        };
        let wanted = parts(Compiler::Clang);
        assert!(!wanted.is_empty());
        assert_eq!(parts(Compiler::Loom), wanted, "{options}");
    }
}
