//! Command lines of loom-link.

use std::io::ErrorKind;
use std::path::Path;

use expect_test::{Expect, expect};
use loom_store::{Call, System as _};

use super::run;
use crate::Status;
use crate::testing::World;

const REQUESTER: &str = include_str!("../../../../../testdata/language/product-frontiers/requester.loom");
const STAGE: &str = include_str!("../../../../../testdata/language/product-frontiers/stage.loom");
const PROVIDERS: &str = include_str!("../../../../../testdata/language/product-frontiers/providers.loom");

const APP: &str = "\
// How large.
config.decl @tile.m : %v: index where [mul(%v, 16)]

func.decl @far(%n: index)

func.def public @root(%n: index) {
  %m = config.get @tile.m : index
  func.call @far(%m) : (index)
  func.return
}

func.def public @other() {
  func.return
}

check.case @works {
  check.return
}
";

const LIB: &str = "\
// Far away.
func.def public @far(%n: index) {
  func.return
}
";

fn world() -> World {
    let world = World::new(&[
        ("requester.loom", REQUESTER),
        ("stage.loom", STAGE),
        ("providers.loom", PROVIDERS),
        ("app.loom", APP),
        ("lib.loom", LIB),
        ("twin.loom", LIB),
        ("bad.loom", "func.decl @\n"),
        ("tile.json", "// Sizes.\n{ \"tile\": { \"m\": 32, }, }\n"),
        ("wrong.json", "{ \"tile\": { \"m\": \"32\" } }\n"),
    ]);
    let merged = world.run(
        run,
        &["loom-link", "lib.loom", "--to=bc", "-o", "lib.loombc"],
        b"",
    );
    assert_eq!((merged.status, &*merged.stderr), (Status::Success, ""));
    world
}

/// Runs a command line, its words separated by blanks.
#[track_caller]
fn check(words: &str, stdin: &str, expected: Expect) {
    let args: Vec<&str> = std::iter::once("loom-link")
        .chain(words.split_whitespace())
        .collect();
    expected.assert_eq(&world().run(run, &args, stdin.as_bytes()).render());
}

#[test]
fn links_roots() {
    check(
        "app.loom --library=lib.loombc --root=@root",
        "",
        expect![[r#"
        Success
        --- stdout
        // How large.
        config.decl @tile.m : %v: index where [mul(%v, 16)]

        // Far away.
        func.def @far(%n: index) {
          func.return
        }

        func.def public retain @root(%n: index) {
          %m = config.get @tile.m : index
          func.call @far(%m) : (index)
          func.return
        }
        --- stderr
    "#]],
    );
    check(
        "app.loom --library=lib.loom --root=root --root=other --config=tile.m=16",
        "",
        expect![[r#"
            Success
            --- stdout
            // How large.
            config.def @tile.m = 16 : %v: index where [mul(%v, 16)]

            // Far away.
            func.def @far(%n: index) {
              func.return
            }

            func.def public retain @root(%n: index) {
              %m = config.get @tile.m : index
              func.call @far(%m) : (index)
              func.return
            }

            func.def public retain @other() {
              func.return
            }
            --- stderr
        "#]],
    );
    check(
        "app.loom --library lib.loom --include-input-exports --strip-check --allow-unresolved",
        "",
        expect![[r#"
            Success
            --- stdout
            // How large.
            config.decl @tile.m : %v: index where [mul(%v, 16)]

            // Far away.
            func.def @far(%n: index) {
              func.return
            }

            func.def public retain @root(%n: index) {
              %m = config.get @tile.m : index
              func.call @far(%m) : (index)
              func.return
            }

            func.def public retain @other() {
              func.return
            }
            --- stderr
        "#]],
    );
}

#[test]
fn merges_without_roots() {
    check(
        "lib.loom app.loom --strip-check",
        "",
        expect![[r#"
        Success
        --- stdout
        // Far away.
        func.def public @far(%n: index) {
          func.return
        }

        // How large.
        config.decl @tile.m : %v: index where [mul(%v, 16)]

        func.def public @root(%n: index) {
          %m = config.get @tile.m : index
          func.call @far(%m) : (index)
          func.return
        }

        func.def public @other() {
          func.return
        }
        --- stderr
    "#]],
    );
    check(
        "--mode=merge --library=lib.loom app.loom",
        "",
        expect![[r#"
        Success
        --- stdout
        // How large.
        config.decl @tile.m : %v: index where [mul(%v, 16)]

        func.decl @far(%n: index)

        func.def public @root(%n: index) {
          %m = config.get @tile.m : index
          func.call @far(%m) : (index)
          func.return
        }

        func.def public @other() {
          func.return
        }

        check.case @works {
          check.return
        }
        --- stderr
    "#]],
    );
    check(
        "",
        LIB,
        expect![[r#"
        Success
        --- stdout
        // Far away.
        func.def public @far(%n: index) {
          func.return
        }
        --- stderr
    "#]],
    );
    check(
        "-",
        LIB,
        expect![[r#"
        Success
        --- stdout
        // Far away.
        func.def public @far(%n: index) {
          func.return
        }
        --- stderr
    "#]],
    );
}

#[test]
fn text_and_bytecode_libraries_give_one_output() {
    let world = world();
    let linked = |library: &str, to: &str| {
        let library = format!("--library={library}");
        let args = ["loom-link", "app.loom", &library, "--root=@root", to];
        let run = world.run(run, &args, b"");
        assert_eq!((run.status, &*run.stderr), (Status::Success, ""));
        run.stdout
    };
    assert_eq!(linked("lib.loom", "--to=text"), linked("lib.loombc", "--to=text"));
    assert_eq!(
        linked("lib.loom", "--to=bc"),
        linked("lib.loombc", "--to=bytecode")
    );
}

#[test]
fn the_example_of_the_specification() {
    let world = world();
    let run_in = |args: &[&str]| {
        let run = world.run(run, &[&["loom-link"], args].concat(), b"");
        assert_eq!((run.status, &*run.stderr), (Status::Success, ""), "{args:?}");
        String::from_utf8(run.stdout).unwrap()
    };
    run_in(&[
        "providers.loom",
        "--mode=merge",
        "--to=bc",
        "--output=providers.loombc",
    ]);
    let link = [
        "requester.loom",
        "--library=stage.loom",
        "--library=providers.loombc",
        "--mode=link",
    ];
    let roots = ["--root=@heterogeneous", "--allow-unresolved"];
    let linked = run_in(&[&link[..], &roots].concat());
    for wanted in [
        "kernel.def @local",
        "kernel.def export(\"classified\") @classified",
        "@large",
        "@small",
    ] {
        assert!(linked.contains(wanted), "{wanted}\n{linked}");
    }
    expect![[r#"
        plan mode=link symbols=10
        [0] root @heterogeneous provider=requester.loom module= cause=- flags=public,export,definition
        [1] provider @large provider=providers.loombc module= cause=- flags=definition
        [2] provider @small provider=providers.loombc module= cause=- flags=definition
        [3] dependency @external provider=requester.loom module= cause=0 flags=export,declaration
        [4] dependency @linked_stage provider=requester.loom module= cause=0 flags=declaration
        [5] dependency @linked_stage provider=stage.loom module= cause=4 flags=public,export,definition
        [6] dependency @local provider=requester.loom module= cause=0 flags=export,definition
        [7] dependency @frontier.schedule provider=providers.loombc module= cause=1 flags=declaration
        [8] dependency @classified provider=stage.loom module= cause=5 flags=export,declaration
        [9] dependency @classified provider=providers.loombc module= cause=8 flags=export,definition
    "#]]
    .assert_eq(&run_in(&[&link[..], &roots, &["--print-plan"]].concat()));
    let dot = run_in(&[&link[..], &roots, &["--print-plan", "--to=dot"]].concat());
    assert!(
        dot.starts_with("digraph plan {") && dot.contains("cluster_2"),
        "{dot}"
    );
    let json = run_in(&[&link[..], &roots, &["--print-plan", "--to=json"]].concat());
    assert!(
        json.starts_with("{\"schema_version\":1,\"mode\":\"link\","),
        "{json}"
    );
}

#[test]
fn lists_symbols() {
    check(
        "app.loom --library=lib.loombc --list-symbols",
        "",
        expect![[r#"
        Success
        --- stdout
        symbols 6
        [0] @tile.m role=input provider=app.loom module= identity=global flags=declaration,config
        [1] @far role=input provider=app.loom module= identity=global flags=declaration
        [2] @root role=input provider=app.loom module= identity=global flags=public,export,definition
        [3] @other role=input provider=app.loom module= identity=global flags=public,export,definition
        [4] @works role=input provider=app.loom module= identity=private flags=definition,test-only
        [5] @far role=library provider=lib.loombc module= identity=global flags=public,export,definition
        --- stderr
    "#]],
    );
    check(
        "--list-symbols --to=json",
        LIB,
        expect![[r#"
        Success
        --- stdout
        {"schema_version":1,"providers":[{"path":"<stdin>","role":"input"}],"symbols":[{"name":"far","kind":"function","op":"func.def","provider":0,"ordinal":0,"flags":["public","export","definition"],"identity":"global"}]}
        --- stderr
    "#]],
    );
}

#[test]
fn configuration() {
    check(
        "app.loom --config-file=tile.json --root=@root --allow-unresolved",
        "",
        expect![[r#"
            Success
            --- stdout
            // How large.
            config.def @tile.m = 32 : %v: index where [mul(%v, 16)]

            func.decl @far(%n: index)

            func.def public retain @root(%n: index) {
              %m = config.get @tile.m : index
              func.call @far(%m) : (index)
              func.return
            }
            --- stderr
        "#]],
    );
    check(
        "app.loom --root=@root --allow-unresolved --require-resolved-config",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/013]: unresolved config '@tile.m' remains for final compilation
             --> app.loom:2:13
              |
            2 | config.decl @tile.m : %v: index where [mul(%v, 16)]
              |             ^^^^^^^
              |
              = help: supply a value, such as `--config=tile.m=..`, or link a module that defines it
        "#]],
    );
    check(
        "app.loom --root=@root --allow-unresolved --config=tile.m=7",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/010]: symbol '@tile.m' value 7 violates constraint 'mul'
             --> app.loom:2:13
              |
            2 | config.decl @tile.m : %v: index where [mul(%v, 16)]
              |             ^^^^^^^
              |
              = note: the constraint is stated in 'app.loom'
              = help: supply or define a value that all constraints admit
        "#]],
    );
    check(
        "app.loom --root=@root --config-file=tile.json --config=tile.m=16 --config=x",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/016]: 'x' gives no configuration symbol a value
             |
             = help: write a name and a number, `true` or `false`, such as `tile=16`
            error[LINK/017]: duplicate config binding for 'tile.m'
             --> tile.json:2:18
              |
            2 | { "tile": { "m": 32, }, }
              |                  ^^
              |
              = help: give each configuration symbol one value
        "#]],
    );
    check(
        "app.loom --root=@root --config-file=wrong.json",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/016]: the value of 'tile.m' is neither a number nor a boolean
             --> wrong.json:1:18
              |
            1 | { "tile": { "m": "32" } }
              |                  ^^^^
              |
              = help: write a number within 64 bits, `true` or `false`
        "#]],
    );
    check(
        "app.loom --root=@root --config-file=missing.json",
        "",
        expect![[r#"
            Environment
            --- stdout
            --- stderr
            error[IO/001]: cannot read the file: no such file
            --> missing.json
        "#]],
    );
    check(
        "app.loom --root=@root --allow-unresolved --print-config-schema",
        "",
        expect![[r#"
            Success
            --- stdout
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "properties": {
                "tile": {
                  "properties": {
                    "m": {
                      "description": "How large.",
                      "multipleOf": 16,
                      "type": "integer",
                      "x-loom-constraints": [
                        "mul(%v, 16)"
                      ],
                      "x-loom-type": "index"
                    }
                  },
                  "type": "object"
                }
              },
              "type": "object"
            }
            --- stderr
        "#]],
    );
}

#[test]
fn conflicts_show_both_places() {
    check(
        "lib.loom twin.loom",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/001]: duplicate concrete symbol definition '@far'; global symbol '@far' selected from 'lib.loom' conflicts with 'twin.loom'
         --> twin.loom:2:17
          |
        2 | func.def public @far(%n: index) {
          |                 ^^^^
          |
         ::: lib.loom:2:17
          |
        2 | func.def public @far(%n: index) {
          |                 ---- first defined here
          |
          = help: keep one of the definitions, make one private, or rename one
    "#]],
    );
    check(
        "app.loom --root=@root",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/003]: unresolved exact declaration '@far'
         --> app.loom:4:11
          |
        4 | func.decl @far(%n: index)
          |           ^^^^
          |
          = note: no provider defines '@far'
          = help: add the library that defines it, or link partially and resolve it later
    "#]],
    );
    check(
        "app.loom --root=@root --library=lib.loombc --library=twin.loom --print-plan",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/002]: several libraries define '@far': 'lib.loombc', 'twin.loom'
             --> lib.loombc
              |
             ::: twin.loom:2:17
              |
            2 | func.def public @far(%n: index) {
              |                 ---- also defined here
              |
             ::: app.loom:4:11
              |
            4 | func.decl @far(%n: index)
              |           ---- declared here
              |
              = help: supply only the library that is meant, or rename one of the definitions
        "#]],
    );
    check(
        "app.loom --root=@rot",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/004]: root symbol '@rot' was not found
         --> app.loom:6:17
          |
        6 | func.def public @root(%n: index) {
          |                 ----- a similar name
          |
          = help: 'app.loom' has a symbol called '@root'
    "#]],
    );
    check(
        "app.loom --mode=link",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/006]: link planning requires a nonempty root set
         |
         = help: name a root, or take the exported symbols of the inputs as roots
    "#]],
    );
    check(
        "app.loom --root=@root --library=bad.loom --library=missing.loom",
        "",
        expect![[r#"
            Environment
            --- stdout
            --- stderr
            error[PARSE/024]: expected an identifier after `@`
             --> bad.loom:1:11
              |
            1 | func.decl @
              |           ^
              |
              = help: names consist of letters, digits, `_` and `$`; there is no quoted form
            error[IO/001]: cannot read the file: no such file
            --> missing.loom
        "#]],
    );
}

#[test]
fn usage() {
    check(
        "--mode=merge --root=@f app.loom",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: merge mode does not accept --root or --include-input-exports
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "- app.loom",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: '-' stdin input must be the only input path in this invocation
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "app.loom --library=-",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: library input requires a filesystem path, not stdin
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "app.loom --to=dot",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: --to=dot is for --print-plan
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "app.loom --print-plan --to=bc",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: --to=bc is for linked modules
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "app.loom --print-plan --list-symbols",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error: the argument '--print-plan' cannot be used with '--list-symbols'

        Usage: loom-link --print-plan <INPUT>...

        For more information, try '--help'.
    "#]],
    );
    check(
        "app.loom --mode=archive",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error: invalid value 'archive' for '--mode <MODE>'
          [possible values: auto, merge, link]

        For more information, try '--help'.
    "#]],
    );
    check(
        "--from=text lib.loombc",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[FORMAT/002]: the input is bytecode, not text
        --> lib.loombc
         = help: leave out --from to accept either
    "#]],
    );
    check(
        "--from=bc lib.loombc app.loom",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[FORMAT/002]: the input is not bytecode
         --> app.loom:1:1
          |
        1 | // How large.
          | ^
          |
          = help: leave out --from to accept either
    "#]],
    );
}

#[test]
fn diagnostics_as_json() {
    check(
        "app.loom --root=@root --diagnostics=json",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        {"severity":"error","code":"LINK/003","message":"unresolved exact declaration '@far'","place":{"file":"app.loom","start":{"line":4,"column":11,"offset":77},"end":{"line":4,"column":15,"offset":81}},"related":[],"notes":["no provider defines '@far'"],"help":"add the library that defines it, or link partially and resolve it later"}
    "#]],
    );
}

#[test]
fn help_names_examples_and_statuses() {
    let help = world().run(run, &["loom-link", "--help"], b"");
    assert_eq!((help.status, &*help.stderr), (Status::Success, ""));
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(
        help.contains("Examples:") && help.contains("Exit status:"),
        "{help}"
    );
}

/// A failed run leaves neither a new file nor changes the former one.
#[test]
fn failures_leave_the_former_output() {
    let world = world();
    world.system.write("/p/out.loom", "before");
    let failed = world.run(
        run,
        &["loom-link", "app.loom", "--root=@root", "-o", "out.loom"],
        b"",
    );
    assert_eq!(failed.status, Status::Diagnostics);
    assert_eq!(world.content("out.loom"), b"before");
    for call in [Call::Write, Call::Rename] {
        world.faults.fail(call, 1, ErrorKind::StorageFull);
        let failed = world.run(run, &["loom-link", "lib.loom", "-o", "out.loom"], b"");
        assert_eq!(failed.status, Status::Environment, "{call:?}");
        assert_eq!(world.content("out.loom"), b"before");
    }
    let names = world.system.read_dir(Path::new("/p")).unwrap().len();
    let done = world.run(run, &["loom-link", "lib.loom", "-o", "out.loom"], b"");
    assert_eq!(
        (done.status, world.content("out.loom")),
        (Status::Success, LIB.as_bytes().to_vec())
    );
    assert_eq!(world.system.read_dir(Path::new("/p")).unwrap().len(), names);
}

/// What is not needed of bytecode is not read, so its damage does not matter; what is needed is checked.
#[test]
fn damage_is_met_where_it_is_needed() {
    let world = world();
    let both = format!("{LIB}\nfunc.def public @unused(%n: index) {{\n  func.return\n}}\n");
    world.system.write("/p/both.loom", both.as_str());
    let merged = world.run(
        run,
        &["loom-link", "both.loom", "--to=bc", "-o", "both.loombc"],
        b"",
    );
    assert_eq!(merged.status, Status::Success);
    let mut bytes = world.content("both.loombc");
    // The last byte belongs to @unused.
    *bytes.last_mut().unwrap() ^= 0xff;
    world.system.write("/p/both.loombc", bytes.as_slice());
    let link = |root: &str| {
        let args = [
            "loom-link",
            "app.loom",
            "--library=both.loombc",
            root,
            "--root=@root",
        ];
        world.run(run, &args, b"")
    };
    assert_eq!(link("--root=@far").status, Status::Success);
    let failed = link("--root=@unused");
    assert_eq!(failed.status, Status::Diagnostics);
    assert!(
        failed.stderr.contains("BYTECODE/004") && failed.stderr.contains("both.loombc"),
        "{}",
        failed.stderr
    );
}
