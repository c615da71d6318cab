//! Command lines of loom-link.

mod configuration;
mod mistakes;
mod targets;

use std::io::ErrorKind;
use std::path::Path;

use expect_test::{Expect, expect};
use loom_store::{Call, System as _};

use super::run;
use crate::Status;
use crate::testing::World;

const REQUESTER: &str = include_str!("../../../../../docs/examples/product-frontiers/requester.loom");
const STAGE: &str = include_str!("../../../../../docs/examples/product-frontiers/stage.loom");
const PROVIDERS: &str = include_str!("../../../../../docs/examples/product-frontiers/providers.loom");

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
fn the_way_to_a_file_does_not_show() {
    let world = world();
    let linked = |app: &str, library: &str, form: &str| {
        let args = ["loom-link", app, "--library", library, "--root=@root", form];
        let run = world.run(run, &args, b"");
        assert_eq!((run.status, &*run.stderr), (Status::Success, ""));
        run.stdout
    };
    for form in ["--to=text", "--to=bc"] {
        let here = linked("app.loom", "lib.loom", form);
        assert_eq!(here, linked("/p/app.loom", "./../p/lib.loom", form));
    }
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
