//! The command line of `loom raise`, over an engine that only repeats.

use expect_test::{Expect, expect};

use crate::loom;
use crate::testing::World;

fn check(args: &[&str], expected: Expect) -> World {
    let world = World::new(&[("linked.bc", "module\n")]);
    let run = world.run(loom::run, &[&["loom", "raise"], args].concat(), b"from stdin\n");
    expected.assert_eq(&run.render());
    world
}

#[test]
fn s0_goes_where_it_is_wanted() {
    let world = check(
        &["linked.bc", "-o", "s0.mlir"],
        expect![[r#"
            Success
            --- stdout
            --- stderr
        "#]],
    );
    let s0 = String::from_utf8(world.content("s0.mlir")).unwrap();
    assert!(
        s0.starts_with("fake S0 RaiseOptions { form: Text") && s0.ends_with("module\n"),
        "{s0}"
    );
}

#[test]
fn options_reach_the_engine() {
    check(
        &[
            "-",
            "-o-",
            "--to=bytecode",
            "--no-locations",
            "--keep-hints",
            "--require-hints",
        ],
        expect![[r#"
            Success
            --- stdout
            fake S0 RaiseOptions { form: Bytecode, drop_locations: true, keep_hints: true, require_hints: true, threads: false }
            from stdin
            --- stderr
        "#]],
    );
}

#[test]
fn standard_output_takes_one_thing() {
    check(
        &["linked.bc", "-o", "-", "--report=json"],
        expect![[r#"
            Usage
            --- stdout
            --- stderr
            error[USAGE/001]: standard output is asked to take several outputs
             |
             = help: name a file with --output, --report-output or --hint-report
        "#]],
    );
}

#[test]
fn a_missing_module_is_an_environment_failure() {
    check(
        &["absent.bc", "-o", "s0.mlir"],
        expect![[r#"
            Environment
            --- stdout
            --- stderr
            error[IO/001]: cannot read 'absent.bc': no such file
        "#]],
    );
}

#[test]
fn reports_are_written_beside_the_module() {
    let args = [
        "linked.bc",
        "-o",
        "s0.mlir",
        "--report=html",
        "--report-output=s0.html",
        "--hint-report=hints.json",
    ];
    let world = check(
        &args,
        expect![[r#"
            Success
            --- stdout
            --- stderr
        "#]],
    );
    assert!(world.content("s0.html").starts_with(b"<!DOCTYPE html>"));
    assert_eq!(world.content("hints.json"), b"[]\n");
}
