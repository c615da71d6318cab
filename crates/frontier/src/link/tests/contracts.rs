//! Declarations and definitions that must agree.

use super::*;

/// A declaration in the requester and a definition in a library.
fn pair(declared: &str, defined: &str) -> String {
    format!("//- input a.loom\n{declared}\n//- library lib.loom\n{defined} {{\n  func.return\n}}\n")
}

#[test]
fn predicates_are_joined() {
    check(
        "@f",
        &pair(
            "func.decl @f(%n: index, %m: index) where [ge(%n, 1), mul(%m, 16), le(%n, %m)]",
            "func.def public @f(%rows: index, %cols: index) where [mul(%cols, 16), lt(%rows, 4096)]",
        ),
        expect![[r#"
            func.def retain @f(%rows: index, %cols: index) where [mul(%cols, 16), lt(%rows, 4096), ge(%rows, 1), le(%rows, %cols)] {
              func.return
            }
        "#]],
    );
}

#[test]
fn argument_types() {
    check(
        "@f",
        &pair("func.decl @f(%n: index)", "func.def public @f(%n: i32)"),
        expect![[r#"
            a.loom:1:14: error [LINK/007]: linked declaration for '@f' has incompatible arg type at index 0
              lib.loom:1:20: the definition
              note: 'a.loom' and 'lib.loom' disagree
              help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
        "#]],
    );
}

#[test]
fn argument_counts() {
    check(
        "@f",
        &pair("func.decl @f(%n: index)", "func.def public @f()"),
        expect![[r#"
            a.loom:1:14: error [LINK/007]: linked declaration for '@f' has incompatible arg count: 1 and 0
              lib.loom:1:17: the definition
              note: 'a.loom' and 'lib.loom' disagree
              help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
        "#]],
    );
}

#[test]
fn result_types() {
    let fixture = "\
//- input a.loom
func.decl @f() -> (index)
//- library lib.loom
func.def public @f() -> (i32) {
  %x = scalar.constant 1 : i32
  func.return %x : i32
}
";
    check(
        "@f",
        fixture,
        expect![[r#"
        a.loom:1:11: error [LINK/007]: linked declaration for '@f' has incompatible result type at index 0
          lib.loom:1:17: the definition
          note: 'a.loom' and 'lib.loom' disagree
          help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
    "#]],
    );
}

#[test]
fn dimensions_correspond_by_position() {
    let view = |n: &str| format!("(%{n}: index, %v: view<[%{n}]xf32>)");
    let same = pair(
        &format!("func.decl @f{}", view("n")),
        &format!("func.def public @f{}", view("rows")),
    );
    check(
        "@f",
        &same,
        expect![[r#"
        func.def retain @f(%rows: index, %v: view<[%rows]xf32>) {
          func.return
        }
    "#]],
    );
    let other = pair(
        "func.decl @f(%n: index, %m: index, %v: view<[%n]xf32>)",
        "func.def public @f(%n: index, %m: index, %v: view<[%m]xf32>)",
    );
    check(
        "@f",
        &other,
        expect![[r#"
        a.loom:1:36: error [LINK/007]: linked declaration for '@f' has incompatible arg type at index 2
          lib.loom:1:42: the definition
          note: 'a.loom' and 'lib.loom' disagree
          help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
    "#]],
    );
}

#[test]
fn purity_and_targets() {
    check(
        "@f",
        &pair("func.decl pure @f()", "func.def public @f()"),
        expect![[r#"
            a.loom:1:16: error [LINK/007]: linked declaration for '@f' has incompatible purity: the definition is not pure
              lib.loom:1:17: the definition
              note: 'a.loom' and 'lib.loom' disagree
              help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
        "#]],
    );
    check(
        "@f",
        &pair("func.decl @f()", "func.def public pure @f()"),
        expect![[r#"
            func.def retain pure @f() {
              func.return
            }
        "#]],
    );
    let targets = pair(
        "target.decl @gpu\nfunc.decl target(@gpu) @f()",
        "target.decl @cpu\nfunc.def public target(@cpu) @f()",
    );
    check(
        "@f",
        &targets,
        expect![[r#"
        a.loom:2:24: error [LINK/007]: linked declaration for '@f' has incompatible target
          lib.loom:2:30: the definition
          note: 'a.loom' and 'lib.loom' disagree
          help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
    "#]],
    );
}

#[test]
fn kernels_compare_workload_and_arguments() {
    let fixture = |declared: &str, defined: &str| {
        format!(
            "\
//- input a.loom
{declared}
//- library lib.loom
kernel.def @k{defined}
"
        )
    };
    let config = "{
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
}";
    let defined = format!("(%n: index) {config} launch(%b: buffer) {{\n  kernel.return\n}}");
    check(
        "@k",
        &fixture("kernel.decl @k(%m: index) launch(%c: buffer)", &defined),
        expect![[r#"
            kernel.def retain @k(%n: index) {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%b: buffer) {
              kernel.return
            }
        "#]],
    );
    check(
        "@k",
        &fixture("kernel.decl @k() launch(%c: buffer)", &defined),
        expect![[r#"
            a.loom:1:13: error [LINK/007]: linked declaration for '@k' has incompatible workload arg count: 0 and 1
              lib.loom:1:15: the definition
              note: 'a.loom' and 'lib.loom' disagree
              help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
        "#]],
    );
    check(
        "@k",
        &fixture("kernel.entry.decl @k(%c: buffer)", &defined),
        expect![[r#"
            kernel.def retain @k(%n: index) {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%b: buffer) {
              kernel.return
            }
        "#]],
    );
    check(
        "@k",
        &fixture("kernel.entry.decl @k(%c: index)", &defined),
        expect![[r#"
            a.loom:1:22: error [LINK/007]: linked declaration for '@k' has incompatible arg type at index 0
              lib.loom:4:10: the definition
              note: 'a.loom' and 'lib.loom' disagree
              help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
        "#]],
    );
}

#[test]
fn programs_compare_both_lists() {
    let fixture = |declared: &str| {
        format!(
            "\
//- input a.loom
command.program.decl @p{declared}
//- library lib.loom
command.program.def public @p(%n: index) launch(%b: buffer) where [ge(%n, 1)] {{
  command.return
}}
"
        )
    };
    check(
        "@p",
        &fixture("(%size: index) launch(%c: buffer) where [mul(%size, 4)]"),
        expect![[r#"
            command.program.def retain @p(%n: index) launch(%b: buffer) where [ge(%n, 1), mul(%n, 4)] {
              command.return
            }
        "#]],
    );
    check(
        "@p",
        &fixture("(%size: offset) launch(%c: buffer)"),
        expect![[r#"
            a.loom:1:25: error [LINK/007]: linked declaration for '@p' has incompatible specialization arg type at index 0
              lib.loom:1:31: the definition
              note: 'a.loom' and 'lib.loom' disagree
              help: make the declaration in 'a.loom' what 'lib.loom' says, or change the latter
        "#]],
    );
}

#[test]
fn declarations_agree_with_each_other() {
    let fixture =
        |second: &str| format!("//- input a.loom\nfunc.decl @f(%n: index)\n//- input b.loom\n{second}\n");
    check(
        "merge",
        &fixture("func.decl pure @f(%m: index) where [ge(%m, 1)]"),
        expect![[r#"
            func.decl pure @f(%n: index) where [ge(%n, 1)]
        "#]],
    );
    check(
        "merge",
        &fixture("func.decl @f(%m: f32)"),
        expect![[r#"
        b.loom:1:14: error [LINK/007]: linked declaration for '@f' has incompatible arg type at index 0
          a.loom:1:14: the other declaration
          note: 'b.loom' and 'a.loom' disagree
          help: make the declaration in 'b.loom' what 'a.loom' says, or change the latter
    "#]],
    );
}

#[test]
fn imports_agree() {
    let fixture =
        |first: &str, second: &str| format!("//- input a.loom\n{first}\n//- input b.loom\n{second}\n");
    let (plain, sinf) = ("func.decl @f()", "func.decl import(\"libm\", \"sinf\") @f()");
    check(
        "merge",
        &fixture(plain, sinf),
        expect![[r#"
        func.decl import("libm", "sinf") @f()
    "#]],
    );
    check(
        "merge",
        &fixture(sinf, "func.decl import(\"libm\", \"cosf\") @f()"),
        expect![[r#"
            b.loom:1:34: error [LINK/007]: linked declaration for '@f' has incompatible import
              a.loom:1:34: the other declaration
              note: 'b.loom' and 'a.loom' disagree
              help: make the declaration in 'b.loom' what 'a.loom' says, or change the latter
        "#]],
    );
}

#[test]
fn several_declarations_report_each() {
    let fixture = "\
//- input a.loom
func.decl @f(%n: index)
//- input b.loom
func.decl @f(%n: i32, %m: i32)
//- input c.loom
func.def public @f(%n: f32) {
  func.return
}
";
    check(
        "merge",
        fixture,
        expect![[r#"
        a.loom:1:14: error [LINK/007]: linked declaration for '@f' has incompatible arg type at index 0
          c.loom:1:20: the definition
          note: 'a.loom' and 'c.loom' disagree
          help: make the declaration in 'a.loom' what 'c.loom' says, or change the latter
        b.loom:1:14: error [LINK/007]: linked declaration for '@f' has incompatible arg count: 2 and 1
          c.loom:1:20: the definition
          note: 'b.loom' and 'c.loom' disagree
          help: make the declaration in 'b.loom' what 'c.loom' says, or change the latter
    "#]],
    );
}
