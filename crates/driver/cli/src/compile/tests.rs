//! Command lines of loom-compile.

use std::io::ErrorKind;
use std::path::Path;

use expect_test::{Expect, expect};
use loom_store::{Call, System as _};

use super::run;
use crate::Status;
use crate::testing::World;

const SOURCES: [(&str, &str); 3] = [
    (
        "requester.loom",
        include_str!("../../../../../docs/examples/product-frontiers/requester.loom"),
    ),
    (
        "stage.loom",
        include_str!("../../../../../docs/examples/product-frontiers/stage.loom"),
    ),
    (
        "providers.loom",
        include_str!("../../../../../docs/examples/product-frontiers/providers.loom"),
    ),
];

/// The example of the specification, linked.
fn world() -> World {
    let world = World::new(&SOURCES);
    let args = "loom-link requester.loom --library=stage.loom --library=providers.loom --root=@heterogeneous \
                --allow-unresolved -o linked.loom";
    let linked = world.run(
        crate::link::run,
        &args.split_whitespace().collect::<Vec<_>>(),
        b"",
    );
    assert_eq!(linked.status, Status::Success, "{}", linked.stderr);
    world
}

fn compile(world: &World, arguments: &str) -> crate::testing::Run {
    let args: Vec<&str> = std::iter::once("loom-compile")
        .chain(arguments.split_whitespace())
        .collect();
    world.run(run, &args, b"")
}

const BUILD: &str = "linked.loom --format=loom-command --output=out/set.json --emit-command-artifacts=out/programs \
                     --emit-kernel-requests=out/requests";

/// The files below `out`, sorted.
fn files(world: &World) -> String {
    let mut found = Vec::new();
    for directory in ["out", "out/programs", "out/requests"] {
        let entries = world
            .system
            .read_dir(&Path::new("/p").join(directory))
            .unwrap_or_default();
        let names = entries
            .iter()
            .map(|entry| String::from_utf8_lossy(&entry.name).into_owned());
        found.extend(
            names
                .filter(|name| name.contains('.'))
                .map(|name| format!("{directory}/{name}")),
        );
    }
    found.sort();
    found.join(" ")
}

#[test]
fn programs_requests_and_a_manifest() {
    let world = world();
    let built = compile(&world, BUILD);
    assert_eq!((built.status, &*built.stderr), (Status::Success, ""));
    expect!["out/programs/program-0.loomcmd out/requests/kernel-0.loombc out/requests/kernel-1.loombc out/requests/kernel-2.loombc out/set.json"].assert_eq(&files(&world));
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"heterogeneous","artifact":"program-0.loomcmd","byte_length":454,"entry_requirements":[0,1,2,3]}],"entries":[{"symbol":"local","source_request":"kernel-0.loombc"},{"symbol":"classified","source_request":"kernel-1.loombc"},{"symbol":"classified","source_request":"kernel-2.loombc"},{"symbol":"external"}]}
    "#]].assert_eq(&String::from_utf8(world.content("out/set.json")).unwrap());
    assert_eq!(world.content("out/programs/program-0.loomcmd").len(), 454);
    let printed = compile(
        &world,
        "linked.loom --format=loom-command --emit-command-artifacts=out/programs",
    );
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"heterogeneous","artifact":"program-0.loomcmd","byte_length":436,"entry_requirements":[0,1,2]}],"entries":[{"symbol":"local"},{"symbol":"classified"},{"symbol":"external"}]}
    "#]].assert_eq(&String::from_utf8(printed.stdout).unwrap());
}

#[test]
fn pictures_and_explanations() {
    let world = world();
    expect![[r#"
        Success
        --- stdout
        digraph product {
          rankdir=LR;
          compound=true;
          node [shape=box];
          r0 [label="requirement 0\n@local\nclass 0, kernel-0.loombc"];
          r1 [label="requirement 1\n@classified\nclass 0, kernel-1.loombc"];
          r2 [label="requirement 2\n@classified\nclass 1, kernel-2.loombc"];
          r3 [label="requirement 3\n@external\nbound by the host", style=dashed];
          subgraph cluster_p0 {
            label="@heterogeneous (454 bytes)";
            subgraph cluster_p0w0 {
              label="wave 0";
              p0c0 [label="@local\n1 × 1 × 1\n%storage", style=rounded];
            }
            subgraph cluster_p0w1 {
              label="wave 1";
              p0c1 [label="@classified\n1 × 1 × 1\n64, %storage", style=rounded];
            }
            subgraph cluster_p0w2 {
              label="wave 2";
              p0c2 [label="@classified\n1 × 1 × 1\n256, %storage", style=rounded];
            }
            subgraph cluster_p0w3 {
              label="wave 3";
              p0c3 [label="@external\n1 × 1 × 1\n%storage", style=rounded];
            }
          }
          p0c0 -> p0c1 [ltail=cluster_p0w0, lhead=cluster_p0w1];
          p0c1 -> p0c2 [ltail=cluster_p0w1, lhead=cluster_p0w2];
          p0c2 -> p0c3 [ltail=cluster_p0w2, lhead=cluster_p0w3];
          p0c0 -> r0 [style=dotted];
          p0c1 -> r1 [style=dotted];
          p0c2 -> r2 [style=dotted];
          p0c3 -> r3 [style=dotted];
        }
        --- stderr
    "#]]
    .assert_eq(&compile(&world, "linked.loom --format=dot").render());
    expect![[r#"
        Success
        --- stdout
        kernel @local: 1 launch, 0 decisions, 1 class
          linked.loom:21:3: class 0, requirement 0

        kernel @classified: 2 launches, 1 decision, 2 classes
          linked.loom:11:3: class 0, requirement 1
            decision 0 @frontier.schedule with %size = 64: @small
              @large, priority 10: ruled out, ge(%size, 128) does not hold
              @small, priority 1: chosen, it has no conditions
          linked.loom:11:3: class 1, requirement 2
            decision 0 @frontier.schedule with %size = 256: @large
              @large, priority 10: chosen, ge(%size, 128) holds
              @small, priority 1: suits, but @large has the higher priority
        --- stderr
    "#]]
    .assert_eq(&compile(&world, "linked.loom --explain-classes").render());
}

#[test]
fn a_request_is_a_module_like_any_other() {
    let world = world();
    compile(&world, BUILD);
    for number in 0..3 {
        let request = format!("out/requests/kernel-{number}.loombc");
        let text = world.run(
            crate::format::run,
            &["loom-format", "--to=text", "-o", "r.loom", &request],
            b"",
        );
        assert_eq!(text.status, Status::Success, "{}", text.stderr);
        let check = world.run(crate::format::run, &["loom-format", "--check", "r.loom"], b"");
        assert_eq!(check.status, Status::Success, "{}", check.stderr);
        // Linking it again changes nothing, from bytecode or text.
        for file in [&*request, "r.loom"] {
            let again = world.run(crate::link::run, &["loom-link", file, "-o", "again.loom"], b"");
            assert_eq!(again.status, Status::Success, "{}", again.stderr);
            assert!(world.content("again.loom") == world.content("r.loom"), "{number}");
        }
        // Neither does linking what its kernel needs, once what it does not need is gone.
        let root = if number == 0 {
            "--root=@local"
        } else {
            "--root=@classified"
        };
        let once = world.run(
            crate::link::run,
            &["loom-link", "r.loom", root, "-o", "once.loom"],
            b"",
        );
        assert_eq!(once.status, Status::Success, "{}", once.stderr);
        world.run(
            crate::link::run,
            &["loom-link", "once.loom", root, "-o", "twice.loom"],
            b"",
        );
        assert!(
            world.content("once.loom") == world.content("twice.loom"),
            "{number}"
        );
    }
}

#[test]
fn stale_requests_go_if_the_former_manifest_lists_them() {
    let world = world();
    compile(&world, BUILD);
    for path in [
        "/p/out/requests/kernel-7.loombc",
        "/p/out/programs/program-7.loomcmd",
    ] {
        world.system.write(path, "the user's own");
    }
    let blind =
        "linked.loom --format=loom-command --output=out/set.json --emit-command-artifacts=out/programs";
    assert_eq!(compile(&world, blind).status, Status::Success);
    expect!["out/programs/program-0.loomcmd out/programs/program-7.loomcmd out/requests/kernel-0.loombc out/requests/kernel-1.loombc out/requests/kernel-2.loombc out/requests/kernel-7.loombc out/set.json"].assert_eq(&files(&world));
    // Now the requests are nobody's; with their directory they are written over, and kernel-7 stays.
    let text = String::from_utf8(world.content("linked.loom")).unwrap();
    let small = text.replace(
        "  %large = index.constant 256 : index\n",
        "  %large = index.constant 25 : index\n",
    );
    assert_ne!(small, text);
    compile(&world, BUILD);
    world.system.write("/p/linked.loom", small);
    assert_eq!(compile(&world, BUILD).status, Status::Success);
    expect!["out/programs/program-0.loomcmd out/programs/program-7.loomcmd out/requests/kernel-0.loombc out/requests/kernel-1.loombc out/requests/kernel-7.loombc out/set.json"].assert_eq(&files(&world));
}

#[test]
fn a_run_that_fails_changes_nothing() {
    let world = world();
    compile(&world, BUILD);
    let before = files(&world);
    let contents = || -> Vec<Vec<u8>> { files(&world).split(' ').map(|file| world.content(file)).collect() };
    let old = contents();
    let text = String::from_utf8(world.content("linked.loom")).unwrap();
    world
        .system
        .write("/p/linked.loom", text.replace("constant 64", "constant 65"));
    let (writes, renames) = (world.faults.calls(Call::Write), world.faults.calls(Call::Rename));
    assert_eq!(compile(&world, BUILD).status, Status::Success);
    let new = contents();
    assert_ne!(old, new, "the other run makes other files");
    let steps = [
        (Call::Write, world.faults.calls(Call::Write) - writes),
        (Call::Rename, world.faults.calls(Call::Rename) - renames),
    ];
    for (call, count) in steps {
        assert_eq!(count, 5, "a program, three requests, the manifest");
        for nth in 1..=count {
            // Back to the old files.
            world.system.write("/p/linked.loom", &*text);
            assert_eq!(compile(&world, BUILD).status, Status::Success);
            assert_eq!(contents(), old);
            world
                .system
                .write("/p/linked.loom", text.replace("constant 64", "constant 65"));
            world.faults.fail(call, nth, ErrorKind::StorageFull);
            let failed = compile(&world, BUILD);
            assert_eq!(failed.status, Status::Environment, "{call:?} {nth}");
            assert_eq!(files(&world), before, "{call:?} {nth}");
            assert_eq!(contents(), old, "{call:?} {nth}");
        }
    }
}

#[test]
fn configuration_reaches_programs() {
    let program = "\
config.decl @rows : index

kernel.entry.decl @entry(%n: index)

command.program.def public @main() launch() {
  %rows = config.get @rows : index
  %unit = index.constant 1 : index
  kernel.dispatch @entry[%unit](%rows) : [index](index)
  command.return
}
";
    let world = World::new(&[("main.loom", program), ("c.json", "{ \"rows\": 8 }\n")]);
    let build = "main.loom --format=loom-command --emit-command-artifacts=out/programs";
    let bytes = |more: &str| {
        let built = compile(&world, &format!("{build} {more}"));
        assert_eq!(built.status, Status::Success, "{}", built.stderr);
        world.content("out/programs/program-0.loomcmd")
    };
    assert_eq!(bytes("--config=rows=8"), bytes("--config-file=c.json"));
    assert_ne!(bytes("--config=rows=8"), bytes("--config=rows=9"));
    expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LOWERING/052]: portable command-program lowering cannot encode argument 0 of @entry with type index; it requires an exact scalar bit pattern or an exact range of storage
         --> main.loom:8:33
          |
        1 | config.decl @rows : index
          |             ----- it depends on configuration '@rows', which has no value
        ...
        8 |   kernel.dispatch @entry[%unit](%rows) : [index](index)
          |                                 ^^^^^
          |
          = help: pass a value that is exact at this launch, or read it from storage in the kernel
    "#]].assert_eq(&compile(&world, build).render());
    expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/013]: unresolved config '@rows' remains for final compilation
         --> main.loom:1:13
          |
        1 | config.decl @rows : index
          |             ^^^^^
          |
          = help: supply a value, such as `--config=rows=..`, or link a module that defines it
    "#]]
    .assert_eq(&compile(&world, &format!("{build} --require-resolved-config")).render());
}

#[track_caller]
fn check_mistake(arguments: &str, expected: Expect) {
    let world = world();
    world.system.write("/p/file", "a file");
    world
        .system
        .write("/p/none.loom", "func.def public @f() {\n  func.return\n}\n");
    world.system.write("/p/bad.loom", "kernel.decl @\n");
    expected.assert_eq(&compile(&world, arguments).render());
}

#[test]
fn mistakes() {
    check_mistake(
        "linked.loom",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: loom-compile needs --format=loom-command or --format=dot
         |
         = help: see loom-compile --help
    "#]],
    );
    check_mistake(
        "linked.loom --format=loom-command",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: --format=loom-command requires --emit-command-artifacts=DIR
         |
         = help: see loom-compile --help
    "#]],
    );
    check_mistake(
        "linked.loom --format=dot --emit-command-artifacts=x",
        expect![[r#"
            Usage
            --- stdout
            --- stderr
            error[USAGE/001]: --format=dot writes no artifacts and requests
             |
             = help: see loom-compile --help
        "#]],
    );
    check_mistake(
        "linked.loom --format=loom-command --emit-command-artifacts=file",
        expect![[r#"
            Usage
            --- stdout
            --- stderr
            error[USAGE/001]: artifact path 'file' is not a directory
             |
             = help: see loom-compile --help
        "#]],
    );
    check_mistake(
        "linked.loom --format=dot --config-file=-",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: --config-file requires a filesystem path, not stdin
         |
         = help: see loom-compile --help
    "#]],
    );
    check_mistake(
        "missing.loom --format=dot",
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/001]: cannot read the file: no such file
        --> missing.loom
    "#]],
    );
    check_mistake(
        "bad.loom --format=dot",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[PARSE/024]: expected an identifier after `@`
         --> bad.loom:1:13
          |
        1 | kernel.decl @
          |             ^
          |
          = help: names consist of letters, digits, `_` and `$`; there is no quoted form
    "#]],
    );
    check_mistake(
        "none.loom --format=dot",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/006]: the inputs export no command program
         |
         = help: name a program as a root, or make one `public` or `retain`
    "#]],
    );
    check_mistake(
        "linked.loom --format=dot --root=@heterogenous",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/004]: root symbol '@heterogenous' was not found
          --> linked.loom:17:35
           |
        17 | command.program.def public retain @heterogeneous() launch(%storage: buffer) {
           |                                   -------------- a similar name
           |
           = help: 'linked.loom' has a symbol called '@heterogeneous'
    "#]],
    );
    check_mistake(
        "linked.loom --format=dot --root=@local",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[PROGRAM/005]: '@local' is no command program with a body
         --> linked.loom:3:12
          |
        3 | kernel.def @local() {
          |            ^^^^^^
          |
          = help: name a `command.program.def`, or link the module that defines it
    "#]],
    );
}

#[test]
fn standard_input() {
    let world = world();
    let content = world.content("linked.loom");
    for args in [
        &["loom-compile", "--format=dot"][..],
        &["loom-compile", "-", "--format=dot"],
    ] {
        let piped = world.run(run, args, &content);
        assert_eq!(piped.stdout, compile(&world, "linked.loom --format=dot").stdout);
        assert_eq!(piped.status, Status::Success);
    }
}
