//! One-shot, worker and session hosts: equal bytes, bounded memory, and no harm from a worker's death.

use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use loom_driver::base::Blob;
use loom_driver::engine_host::WorkerHost;
use loom_driver::{Engine, MemorySystem, Session};
use loom_frontend::carrier::{PAYLOAD_SECTION, RECORD_SECTION};
use loom_tests::built;
use object::{Object, ObjectSection};

use super::world::{Project, host, unit};

const PROGRAM: &str = "\
#include <stdio.h>
#include \"table.h\"
struct point { int x, y; };
static int weigh(struct point p) { return p.x * TABLE + p.y; }
int main(int argc, char **argv) {
    struct point p = {argc, 1};
    for (int i = 0; i < argc; i++)
        printf(\"%s %d\\n\", argv[i], weigh(p));
    return 0;
}
";

const CPLUSPLUS: &str = "\
#include <map>
#include <string>
std::map<std::string, int> counts;
int count(const std::string &word) { return ++counts[word]; }
";

/// LLVM IR through inkwell, into MLIR through melior, and a C string through clang, in one process.
#[test]
fn one_process_holds_clang_llvm_and_mlir() {
    let system = MemorySystem::default();
    let host = host();
    let mut session = Session::new(Arc::new(system), Arc::clone(&host) as _);
    session.apply(
        loom_driver::Change::default().set_file(b"/sources/string.c", *b"int f(int x) { return x + 1; }"),
    );

    let unit = unit("/sources".as_ref(), "-c string.c -o string.o");
    let module = session
        .snapshot()
        .normalized_bitcode(&unit)
        .expect("the engine works")
        .expect("it compiles");
    let process = host.worker_ids();
    assert_eq!(process.len(), 1);

    let text = b"define i32 @g(i32 %x) {\n  %y = mul i32 %x, 3\n  ret i32 %y\n}\n";
    let mlir = host
        .import_into_mlir(Blob::new(*text))
        .expect("the engine works")
        .expect("it imports");
    assert!(mlir.contains("llvm.func @g(%arg0: i32) -> i32"), "{mlir}");
    assert!(mlir.contains("llvm.mul"), "{mlir}");
    let mlir = host
        .import_into_mlir(module.bitcode)
        .expect("the engine works")
        .expect("it imports");
    assert!(mlir.contains("llvm.func @f"), "{mlir}");
    assert_eq!(host.worker_ids(), process, "all of it happened in one process");
}

#[test]
fn versions_name_the_pinned_provider() {
    let versions = host().versions().expect("the engine works");
    assert_eq!(versions.llvm, "22.1.8");
    assert_eq!(versions.repository, "llvm-project");
    assert_eq!(versions.commit, "ca7933e47d3a3451d81e72ac174dcb5aa28b59d1");
    let engine = fs::read(built::tool("loom-engine")).expect("the engine can be read");
    let file = object::File::parse(&*engine).expect("the engine is ELF");
    let build_id = file
        .build_id()
        .expect("notes are well formed")
        .expect("the linker wrote a build-id");
    let hex: String = build_id.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(versions.build_id, hex);
}

#[test]
fn every_host_gives_the_same_object() {
    let project = Project::new(&[
        ("main.c", PROGRAM),
        ("include/table.h", "#define TABLE 7\n"),
        ("count.cc", CPLUSPLUS),
    ]);
    let host = host();
    let session = project.session(&host);
    for arguments in [
        "-Iinclude -c main.c -o out.o",
        "-Iinclude -O2 -g -c main.c -o out.o",
        "-Iinclude -O1 -ffunction-sections --target=aarch64-linux-gnu -ffreestanding -nostdinc -c leaf.c -o out.o",
        "-O2 -c count.cc -o out.o",
        "-O2 -mllvm -inline-threshold=0 -c count.cc -o out.o",
    ] {
        project.write(
            "leaf.c",
            "#include \"table.h\"\nint leaf(void) { return TABLE; }\n",
        );
        let mut one_shot = Command::new(built::tool("loom-cc"));
        let status = one_shot
            .args(arguments.split(' '))
            .current_dir(project.root())
            .env("LOOM_CACHE", "off")
            .status();
        assert!(status.expect("loom-cc starts").success(), "{arguments}");
        let expected = fs::read(project.path("out.o")).expect("loom-cc wrote its object");

        let object = session.snapshot().object(&project.unit(arguments));
        let object = object.expect("the engine works").expect("it compiles");
        assert!(
            object.bytes() == expected,
            "one shot and session differ: {arguments}"
        );

        let fresh = project
            .session(&self::host())
            .snapshot()
            .object(&project.unit(arguments));
        assert_eq!(
            fresh.expect("the engine works"),
            Some(object),
            "a fresh worker differs: {arguments}"
        );
    }
}

#[test]
fn an_object_carries_one_payload_and_one_record() {
    let project = Project::new(&[("leaf.c", "int leaf(int x) { return x; }\n")]);
    let object = project
        .session(&host())
        .snapshot()
        .object(&project.unit("-c leaf.c -o leaf.o"));
    let object = object.expect("the engine works").expect("it compiles");
    let file = object::File::parse(object.bytes()).expect("it is an object");
    for name in [PAYLOAD_SECTION, RECORD_SECTION] {
        let sections = file.sections().filter(|it| it.name() == Ok(name)).count();
        assert_eq!(sections, 1, "{name}");
    }
}

#[test]
fn a_thousand_compiles_in_one_worker() {
    let project = Project::new(&[("main.c", PROGRAM), ("include/table.h", "#define TABLE 7\n")]);
    let host = host();
    let arguments = "-Iinclude -O1 -c main.c -o out.o";
    let mut session = project.session(&host);
    let expected = session
        .snapshot()
        .object(&project.unit(arguments))
        .expect("the engine works");
    let process = host.worker_ids();
    let mut after_hundred = 0;
    for round in 0..1000 {
        // A comment that moves nothing: the compile runs, its object stays.
        project.write("include/table.h", &format!("#define TABLE 7 // {round}\n"));
        let path = project.path("include/table.h");
        session.apply(loom_driver::Change::default().reread(path.as_os_str().as_encoded_bytes()));
        let object = session
            .snapshot()
            .object(&project.unit(arguments))
            .expect("the engine works");
        assert!(object == expected, "round {round} differs from a fresh process");
        if round == 100 {
            after_hundred = resident_kilobytes(process[0]);
        }
    }
    assert_eq!(host.worker_ids(), process, "one worker did all of it");
    let growth = resident_kilobytes(process[0]).saturating_sub(after_hundred);
    assert!(growth < 16 << 10, "900 compiles grew the worker by {growth} KiB");
}

/// A worker that is killed while it compiles costs one answer, which says so, and nothing else.
#[test]
fn a_killed_worker_costs_one_answer() {
    // Long enough for any kill to come in time: the compiler evaluates this loop step by step.
    let endless = "constexpr bool spin() { for (long i = 0; i < 4000000000; ++i) {} return true; }\n\
                   static_assert(spin());\n";
    let project = Project::new(&[
        ("endless.cc", endless),
        ("leaf.c", "int leaf(void) { return 1; }\n"),
    ]);
    let host = host();
    let session = project.session(&host);
    let endless = project.unit("-std=c++17 -fconstexpr-steps=2147483647 -c endless.cc -o endless.o");

    let killer = thread::spawn({
        let host = Arc::clone(&host);
        move || {
            let victim = loop {
                match host.worker_ids()[..] {
                    [victim] => break victim,
                    _ => thread::sleep(Duration::from_millis(5)),
                }
            };
            thread::sleep(Duration::from_millis(100));
            assert!(
                Command::new("kill")
                    .arg("-KILL")
                    .arg(victim.to_string())
                    .status()
                    .expect("kill")
                    .success()
            );
        }
    });
    let answer = session.snapshot().object(&endless);
    killer.join().expect("the killer found its victim");
    let diagnostic = answer.expect_err("the engine died").diagnostic();
    let said = format!("{diagnostic:?}");
    assert!(said.contains("stopped in the middle of a request"), "{said}");
    assert!(said.contains("SIGKILL"), "{said}");

    let next = session.snapshot().object(&project.unit("-c leaf.c -o leaf.o"));
    assert!(next.expect("a new worker answers").is_some());
    assert_eq!(host.worker_ids().len(), 1);
}

#[test]
fn an_engine_that_is_not_there_is_said_so() {
    let missing = Arc::new(WorkerHost::new("/nowhere/loom-engine"));
    let failure = missing.versions().expect_err("there is no engine");
    let said = failure.to_string();
    assert!(
        said.starts_with("cannot start the engine '/nowhere/loom-engine': "),
        "{said}"
    );
}

fn resident_kilobytes(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the worker lives");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .expect("a resident size");
    line.trim_end_matches("kB").trim().parse().expect("a number")
}
