//! Command lines of loom.

use expect_test::{Expect, expect};
use loom_db::testing::Fault;

use super::run;
use crate::Status;
use crate::testing::World;

#[track_caller]
fn check(args: &[&str], stdin: &str, expected: Expect) {
    let world = World::new(&[("a.loom", "kernel.decl @k( ) launch()\n")]);
    let args = [&["loom"], args].concat();
    expected.assert_eq(&world.run(run, &args, stdin.as_bytes()).render());
}

#[test]
fn version_names_engine_and_provider() {
    check(
        &["--version"],
        "",
        expect![[r#"
            Success
            --- stdout
            Loom 0.1.0
            LLVM      22.1.8
            Clang     fake clang 22.1.8
            MLIR      none
            provider  llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1
            package   unknown
            engine    build-id 0000000000000000000000000000000000000000
            loom      build-id none
            --- stderr
        "#]],
    );
}

#[test]
fn version_without_an_engine_is_an_environment_failure() {
    let world = World::new(&[]);
    world.engine.inject([Fault::Failure("cannot start".to_owned())]);
    expect![[r#"
        Environment
        --- stdout
        Loom 0.1.0
        loom      build-id none
        --- stderr
        error[ENGINE/001]: the engine stopped
         |
         = note: caused by: cannot start
         = help: this says nothing about the input; the next request starts the engine again
    "#]]
    .assert_eq(&world.run(run, &["loom", "-V"], b"").render());
}

#[test]
fn session_answers_lines() {
    check(
        &["session", "--stdio"],
        r#"{"id": 1, "method": "artifact", "kind": "module_text", "path": "a.loom"}"#,
        expect![[r#"
            Success
            --- stdout
            {"id":1,"status":"ok","value":{"text":"kernel.decl @k() launch()\n"},"diagnostics":[],"executed":["module_diagnostics","parsed_module","module_text"]}
            --- stderr
        "#]],
    );
    check(
        &["session", "--stdio"],
        r#"{"id": 2, "method": "fly"}"#,
        expect![[r#"
            Success
            --- stdout
            {"id":2,"status":"error","value":null,"diagnostics":[{"severity":"error","code":"PROTOCOL/001","message":"not a request: unknown variant `fly`, expected one of `change`, `artifact`, `cancel`, `versions`","place":null,"related":[],"notes":[],"help":"see the session schema"}],"executed":[]}
            --- stderr
        "#]],
    );
}

#[test]
fn usage() {
    let world = World::new(&[]);
    for args in [
        &["loom"][..],
        &["loom", "session"],
        &["loom", "payload"],
        &["loom", "payload", "show"],
        &["loom", "payload", "extract", "x.o"],
        &["loom", "payload", "pack", "x.ll"],
        &["loom", "payload", "diff", "x.o"],
        &[
            "loom",
            "payload",
            "diff",
            "a.o",
            "b.o",
            "--member=x.o",
            "--member-a=y.o",
        ],
        &["loom", "completions"],
        &["loom", "x"],
    ] {
        let run = world.run(run, args, b"");
        assert_eq!(run.status, Status::Usage, "{args:?}");
        assert!(run.stdout.is_empty());
        assert!(run.stderr.contains("Usage:"), "{}", run.stderr);
    }
    let help = world.run(run, &["loom", "--help"], b"");
    assert_eq!(help.status, Status::Success);
    assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:"));
}
