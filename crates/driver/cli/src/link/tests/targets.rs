//! `--target`, `--cpu` and `--features`.

use super::*;

const CHOICE: &str = "\
template.decl @sum()

func.def public @root() {
  template.apply<@sum>() : ()
  func.return
}

template.def<@sum> requires [#target.subgroup.size<64>] @wide() {
  template.return
}

template.def<@sum> requires [#target.subgroup.size<32>] @narrow() {
  template.return
}
";

/// The plan for root `@root` of [`CHOICE`], or what is wrong with the command line.
#[track_caller]
fn check_plan(flags: &str, expected: Expect) {
    check(&format!("- --root=@root --print-plan {flags}"), CHOICE, expected);
}

#[test]
fn the_target_decides_what_is_taken() {
    check_plan(
        "",
        expect![[r#"
        Success
        --- stdout
        plan mode=link symbols=4
        [0] root @root provider=<stdin> module= cause=- flags=public,export,definition
        [1] provider @wide provider=<stdin> module= cause=- flags=definition
        [2] provider @narrow provider=<stdin> module= cause=- flags=definition
        [3] dependency @sum provider=<stdin> module= cause=0 flags=declaration
        --- stderr
    "#]],
    );
    check_plan(
        "--target=amdgpu:gfx942",
        expect![[r#"
        Success
        --- stdout
        plan mode=link symbols=3
        [0] root @root provider=<stdin> module= cause=- flags=public,export,definition
        [1] provider @wide provider=<stdin> module= cause=- flags=definition
        [2] dependency @sum provider=<stdin> module= cause=0 flags=declaration
        --- stderr
    "#]],
    );
    check_plan(
        "--target=amdgcn-amd-amdhsa --cpu=gfx1100",
        expect![[r#"
        Success
        --- stdout
        plan mode=link symbols=3
        [0] root @root provider=<stdin> module= cause=- flags=public,export,definition
        [1] provider @narrow provider=<stdin> module= cause=- flags=definition
        [2] dependency @sum provider=<stdin> module= cause=0 flags=declaration
        --- stderr
    "#]],
    );
    check_plan(
        "--target=amdgcn-amd-amdhsa --cpu=gfx1100 --features=-xnack,+wavefrontsize64",
        expect![[r#"
            Success
            --- stdout
            plan mode=link symbols=3
            [0] root @root provider=<stdin> module= cause=- flags=public,export,definition
            [1] provider @wide provider=<stdin> module= cause=- flags=definition
            [2] dependency @sum provider=<stdin> module= cause=0 flags=declaration
            --- stderr
        "#]],
    );
}

#[test]
fn targets_that_there_are_not() {
    check_plan(
        "--target=amdgpu:gfx9000",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/018]: unknown processor 'gfx9000'
         |
         = help: processors of this family are written like `gfx942`
    "#]],
    );
    check_plan(
        "--target=amdgpu:gfx942 --cpu=gfx90a",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/018]: target 'amdgpu:gfx942' is for processor 'gfx942', not for 'gfx90a'
         |
         = help: leave out one of the two
    "#]],
    );
    check_plan(
        "--cpu=gfx90a",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error: the following required arguments were not provided:
          --target <TARGET>

        Usage: loom-link --target <TARGET> --root <SYMBOL> --print-plan --cpu <PROCESSOR> <INPUT>...

        For more information, try '--help'.
    "#]],
    );
}
