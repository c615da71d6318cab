//! Command lines of loom-format.

use std::io::ErrorKind;
use std::path::Path;

use expect_test::{Expect, expect};
use loom_store::{Call, System as _};

use super::run;
use crate::Status;
use crate::testing::World;

const CANONICAL: &str = "// A kernel.\nkernel.decl @k() launch(%size: index)\n";
const LOOSE: &str = "// A kernel.\nkernel.decl   @k( ) launch( %size:index )\n";
const INVALID: &str = "kernel.decl @k() launch(%size: index\n";
const UNVERIFIED: &str =
    "command.program.def @f() launch() {\n  kernel.launch @g() : ()\n  command.return\n}\n";

fn world() -> World {
    World::new(&[
        ("good.loom", CANONICAL),
        ("loose.loom", LOOSE),
        ("bad.loom", INVALID),
        ("wrong.loom", UNVERIFIED),
        ("latin1.loom", ""),
    ])
}

#[track_caller]
fn check(args: &[&str], stdin: &str, expected: Expect) {
    let args = [&["loom-format"], args].concat();
    expected.assert_eq(&world().run(run, &args, stdin.as_bytes()).render());
}

#[test]
fn converts_standard_input_and_files() {
    check(
        &[],
        LOOSE,
        expect![[r#"
        Success
        --- stdout
        // A kernel.
        kernel.decl @k() launch(%size: index)
        --- stderr
    "#]],
    );
    check(
        &["-"],
        CANONICAL,
        expect![[r#"
        Success
        --- stdout
        // A kernel.
        kernel.decl @k() launch(%size: index)
        --- stderr
    "#]],
    );
    check(
        &["loose.loom"],
        "",
        expect![[r#"
        Success
        --- stdout
        // A kernel.
        kernel.decl @k() launch(%size: index)
        --- stderr
    "#]],
    );
    check(
        &["/p/good.loom", "--from=text", "--to=text"],
        "",
        expect![[r#"
        Success
        --- stdout
        // A kernel.
        kernel.decl @k() launch(%size: index)
        --- stderr
    "#]],
    );
}

#[test]
fn reports_and_writes_nothing_for_invalid_input() {
    check(
        &["bad.loom", "-o", "out"],
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[PARSE/003]: unexpected end of file, expected `,`
             --> bad.loom:1:38
              |
            1 | kernel.decl @k() launch(%size: index
              |                                     ^
              |
              = help: the op is written `kernel.decl [retain] @name(%name: type, ..) launch(%name: type, ..)`
        "#]],
    );
    check(
        &[],
        UNVERIFIED,
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[SYMBOL/002]: symbol '@g' is referenced but not defined
         --> <stdin>:2:17
          |
        2 |   kernel.launch @g() : ()
          |                 ^^
          |
          = help: there is a symbol called `@f`
    "#]],
    );
    check(
        &["missing.loom"],
        "",
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/001]: cannot read the file: no such file
        --> missing.loom
    "#]],
    );
    check(
        &["."],
        "",
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/001]: cannot read the file: it is a directory
        --> .
    "#]],
    );
    let world = world();
    assert_eq!(
        world
            .run(run, &["loom-format", "bad.loom", "-o", "good.loom"], b"")
            .status,
        Status::Diagnostics
    );
    assert_eq!(world.content("good.loom"), CANONICAL.as_bytes());
}

#[test]
fn check_reports_all_files() {
    check(
        &["--check", "good.loom"],
        "",
        expect![[r#"
        Success
        --- stdout
        --- stderr
    "#]],
    );
    check(
        &["--check", "good.loom", "loose.loom", "bad.loom", "wrong.loom"],
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[FORMAT/001]: the module is not in canonical form
             --> loose.loom:2:13
              |
            2 | kernel.decl   @k( ) launch( %size:index )
              |             ^
              |
              = help: run `loom-format --in-place loose.loom`
            error[PARSE/003]: unexpected end of file, expected `,`
             --> bad.loom:1:38
              |
            1 | kernel.decl @k() launch(%size: index
              |                                     ^
              |
              = help: the op is written `kernel.decl [retain] @name(%name: type, ..) launch(%name: type, ..)`
            error[SYMBOL/002]: symbol '@g' is referenced but not defined
             --> wrong.loom:2:17
              |
            2 |   kernel.launch @g() : ()
              |                 ^^
              |
              = help: there is a symbol called `@f`
        "#]],
    );
    check(
        &["--check"],
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: no input files
         |
         = help: see loom-format --help
    "#]],
    );
    check(
        &["--check", "-"],
        LOOSE,
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[FORMAT/001]: the module is not in canonical form
         --> <stdin>:2:13
          |
        2 | kernel.decl   @k( ) launch( %size:index )
          |             ^
    "#]],
    );
}

#[test]
fn in_place_never_overwrites_an_invalid_file() {
    let world = world();
    let files = ["good.loom", "loose.loom", "bad.loom", "wrong.loom"];
    let run = world.run(run, &[&["loom-format", "--in-place"], &files[..]].concat(), b"");
    assert_eq!(run.status, Status::Diagnostics);
    assert!(run.stdout.is_empty());
    assert!(
        run.stderr.contains("bad.loom") && run.stderr.contains("wrong.loom"),
        "{}",
        run.stderr
    );
    for (file, content) in files.into_iter().zip([CANONICAL, CANONICAL, INVALID, UNVERIFIED]) {
        assert_eq!(world.content(file), content.as_bytes(), "{file}");
    }
}

#[test]
fn text_to_bytecode_to_text_is_identical() {
    let world = world();
    let convert = |args: &[&str]| {
        let run = world.run(run, &[&["loom-format"], args].concat(), b"");
        assert_eq!((run.status, run.stderr.as_str()), (Status::Success, ""));
    };
    convert(&["loose.loom", "--to=bc", "--output=a.loombc"]);
    convert(&["a.loombc", "--from=bytecode", "-o", "b.loom"]);
    convert(&["b.loom", "--to=bytecode", "-o", "b.loombc"]);
    convert(&["--check", "a.loombc", "b.loom"]);
    assert_eq!(world.content("b.loom"), CANONICAL.as_bytes());
    assert_eq!(world.content("a.loombc"), world.content("b.loombc"));
    convert(&["--in-place", "a.loombc"]);
    assert_eq!(world.content("a.loombc"), world.content("b.loombc"));
    let cut = world.content("a.loombc");
    world.system.write("/p/cut.loombc", &cut[..cut.len() - 1]);
    expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[BYTECODE/003]: unexpected end of bytecode
        --> cut.loombc
         = help: the file is truncated: write it again from its text
    "#]]
    .assert_eq(&world.run(run, &["loom-format", "cut.loombc"], b"").render());
    expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[FORMAT/002]: the input is bytecode, not text
        --> a.loombc
         = help: leave out --from to accept either
    "#]]
    .assert_eq(
        &world
            .run(run, &["loom-format", "--from=text", "a.loombc"], b"")
            .render(),
    );
}

#[test]
fn usage() {
    check(
        &["--in-place"],
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: no input files
         |
         = help: see loom-format --help
    "#]],
    );
    check(
        &["--in-place", "-"],
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: standard input cannot be rewritten in place
         |
         = help: see loom-format --help
    "#]],
    );
    check(
        &["good.loom", "loose.loom"],
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: several inputs need --check or --in-place
         |
         = help: see loom-format --help
    "#]],
    );
    check(
        &["--check", "good.loom", "-"],
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: '-' must be the only input
         |
         = help: see loom-format --help
    "#]],
    );
    check(
        &["--check", "--in-place", "good.loom"],
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error: the argument '--check' cannot be used with '--in-place'

        Usage: loom-format --check <INPUT>...

        For more information, try '--help'.
    "#]],
    );
    check(
        &["--too=bc"],
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error: unexpected argument '--too' found

          tip: a similar argument exists: '--to'

        Usage: loom-format --to <FORM> [INPUT]...

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn diagnostics_as_json() {
    check(
        &[
            "--check",
            "--diagnostics=json",
            "loose.loom",
            "wrong.loom",
            "missing",
        ],
        "",
        expect![[r#"
            Environment
            --- stdout
            --- stderr
            {"severity":"error","code":"FORMAT/001","message":"the module is not in canonical form","place":{"file":"loose.loom","start":{"line":2,"column":13,"offset":25},"end":{"line":2,"column":13,"offset":25}},"related":[],"notes":[],"help":"run `loom-format --in-place loose.loom`"}
            {"severity":"error","code":"SYMBOL/002","message":"symbol '@g' is referenced but not defined","place":{"file":"wrong.loom","start":{"line":2,"column":17,"offset":52},"end":{"line":2,"column":19,"offset":54}},"related":[],"notes":[],"help":"there is a symbol called `@f`"}
            {"severity":"error","code":"IO/001","message":"cannot read the file: no such file","place":{"file":"missing","start":null,"end":null},"related":[],"notes":[],"help":null}
        "#]],
    );
}

#[test]
fn help_and_version() {
    let world = world();
    let help = world.run(run, &["loom-format", "--help"], b"");
    assert_eq!((help.status, help.stderr.as_str()), (Status::Success, ""));
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(
        help.contains("Examples:") && help.contains("Exit status:"),
        "{help}"
    );
    check(
        &["--version"],
        "",
        expect![[r#"
        Success
        --- stdout
        loom-format 0.1.0
        --- stderr
    "#]],
    );
}

#[test]
fn an_output_that_cannot_be_written_is_an_environment_failure() {
    check(
        &["good.loom", "-o", "missing/out.loom"],
        "",
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/003]: cannot write 'missing/out.loom': entity not found
    "#]],
    );
    check(
        &["good.loom", "-o", "."],
        "",
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/003]: cannot write '.': is a directory
    "#]],
    );
}

/// A full disk, or any other fault on the way to the new content, costs nothing but the run.
#[test]
fn a_fault_while_writing_leaves_the_former_file() {
    for call in [Call::Write, Call::Permissions, Call::Rename] {
        let world = world();
        world.faults.fail(call, 1, ErrorKind::StorageFull);
        let failed = world.run(run, &["loom-format", "--in-place", "loose.loom"], b"");
        assert_eq!(failed.status, Status::Environment, "{call:?}");
        assert!(
            failed.stderr.contains("cannot write 'loose.loom'"),
            "{}",
            failed.stderr
        );
        assert_eq!(world.content("loose.loom"), LOOSE.as_bytes(), "{call:?}");
        assert_eq!(
            world.system.read_dir(Path::new("/p")).unwrap().len(),
            5,
            "{call:?} left a file behind"
        );
        assert_eq!(
            world
                .run(run, &["loom-format", "--in-place", "loose.loom"], b"")
                .status,
            Status::Success
        );
        assert_eq!(world.content("loose.loom"), CANONICAL.as_bytes());
    }
}

#[test]
fn a_file_that_cannot_be_read_stops_no_other() {
    let world = world();
    world.faults.fail(Call::Read, 1, ErrorKind::PermissionDenied);
    let args = ["loom-format", "--check", "good.loom", "loose.loom"];
    expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/001]: cannot read the file: injected: Read number 1
        --> good.loom
        error[FORMAT/001]: the module is not in canonical form
         --> loose.loom:2:13
          |
        2 | kernel.decl   @k( ) launch( %size:index )
          |             ^
          |
          = help: run `loom-format --in-place loose.loom`
    "#]]
    .assert_eq(&world.run(run, &args, b"").render());
}
