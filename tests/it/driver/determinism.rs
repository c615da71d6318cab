//! Equal inputs, equal bytes: wherever, however often and by whomever an object is made.

use std::path::Path;
use std::process::Command;

use super::{Compiled, Compiler, Sandbox, Worker};

/// Options of the strictest comparison: names of values and debug information are in the module.
const OPTIONS: &str = "-O2 -g -fno-discard-value-names -fdebug-compilation-dir=.";

#[test]
fn two_directories_with_relative_paths() {
    for options in ["-O2", OPTIONS] {
        let (here, there) = (Sandbox::new(), Sandbox::new());
        for sandbox in [&here, &there] {
            sandbox.succeed(
                Compiler::Loom,
                &format!(
                    "$CC {options} -I first -MD -c plain.c -o plain.o && $CXX {options} -c unit.cc -o unit.o"
                ),
            );
        }
        assert_ne!(here.path(""), there.path(""));
        for object in ["plain.o", "unit.o"] {
            assert!(here.read(object) == there.read(object), "{options}: {object}");
            Compiled::from_object(&here.path(object));
        }
    }
}

/// The directory of the compilation is debug information like any other; without a relative one payloads differ,
/// and only there.
#[test]
fn the_compilation_directory_is_debug_information() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    let text = |sandbox: &Sandbox| {
        sandbox.succeed(Compiler::Loom, "$CC -g -c plain.c -o plain.o");
        let text = Compiled::from_object(&sandbox.path("plain.o")).text();
        let directory = sandbox.path("").display().to_string();
        text.replace(directory.trim_end_matches('/'), "DIRECTORY")
    };
    assert_eq!(text(&here), text(&there));
}

#[test]
fn twenty_repetitions() {
    let sandbox = Sandbox::new();
    for source in ["plain.c", "unit.cc"] {
        let object = || {
            sandbox.succeed(Compiler::Loom, &format!("$CC {OPTIONS} -c {source} -o out.o"));
            sandbox.read("out.o")
        };
        let first = object();
        for repetition in 1..20 {
            assert!(object() == first, "{source}, repetition {repetition}");
        }
    }
}

#[test]
fn first_and_hundredth_compile_of_a_worker() {
    let sandbox = Sandbox::new();
    let worker = Worker::start();
    let compile =
        |source: &str| worker.compile(&sandbox.path(""), &format!("{OPTIONS} -c {source} -o out.o"));
    let first = compile("plain.c");
    assert_eq!(first.exit_status, 0, "{}", first.rendered);
    for round in 0..98 {
        let source = [
            "unit.cc", "part.c", "error.c", "vector.c", "unit.ll", "warn.c", "absent.c",
        ][round % 7];
        compile(source);
    }
    let hundredth = compile("plain.c");
    assert!(first.object == hundredth.object);
    assert!(first.module == hundredth.module);
    assert_eq!(first.messages, hundredth.messages);

    sandbox.succeed(Compiler::Loom, &format!("$CC {OPTIONS} -c plain.c -o out.o"));
    let object = first.object.expect("it compiled");
    assert!(
        object.bytes() == sandbox.read("out.o"),
        "the command makes what the worker makes"
    );
}

#[test]
fn eight_workers_at_once() {
    let sandbox = Sandbox::new();
    let objects = std::thread::scope(|scope| {
        let compiles: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    Worker::start().compile(&sandbox.path(""), &format!("{OPTIONS} -c unit.cc -o unit.o"))
                })
            })
            .collect();
        let replies = compiles
            .into_iter()
            .map(|it| it.join().expect("no thread panicked"));
        replies
            .map(|it| it.object.expect("it compiled"))
            .collect::<Vec<_>>()
    });
    assert!(objects.iter().all(|it| *it == objects[0]));
}

#[test]
fn address_space_randomization_on_and_off() {
    let sandbox = Sandbox::new();
    for source in ["plain.c", "unit.cc"] {
        sandbox.succeed(
            Compiler::Loom,
            &format!(
                "$CC {OPTIONS} -c {source} -o random.o
                 setarch -R $CC {OPTIONS} -c {source} -o fixed.o"
            ),
        );
        assert!(sandbox.read("random.o") == sandbox.read("fixed.o"), "{source}");
    }
}

/// Archives and links of equal objects are equal too.
#[test]
fn linked_outputs() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    for sandbox in [&here, &there] {
        sandbox.succeed(
            Compiler::Loom,
            "$CC -O2 -c main.c part.c plain.c && ar rcsD all.a part.o plain.o && $CC -fuse-ld=lld main.o all.a -o out
             $CC -fuse-ld=lld -flto main.c part.c plain.c -o lto",
        );
    }
    for name in ["all.a", "out", "lto"] {
        assert!(here.read(name) == there.read(name), "{name}");
    }
    let status = Command::new(here.path("out"))
        .output()
        .expect("the program runs")
        .status;
    assert!(status.success());
    assert!(Path::new(&here.path("lto")).is_file());
}
