//! One fixture per diagnostic of planning.

use super::*;

const F: &str = "func.def public @f() {\n  func.return\n}\n";

#[test]
fn duplicate_definitions_in_a_merge() {
    check(
        "merge",
        &format!("//- input a.loom\n{F}//- input b.loom\n// Later.\n{F}"),
        expect![[r#"
            b.loom:2:17: error [LINK/001]: duplicate concrete symbol definition '@f'; global symbol '@f' selected from 'a.loom' conflicts with 'b.loom'
              a.loom:1:17: first defined here
              help: keep one of the definitions, make one private, or rename one
        "#]],
    );
}

#[test]
fn duplicate_definitions_in_a_link() {
    check(
        "@f @root",
        &format!(
            "\
//- input a.loom
{F}//- input c.loom
func.decl @g()
func.def public @root() {{
  func.call @g() : ()
  func.return
}}
//- library lib.loom
{F}func.def public @g() {{
  func.call @f() : ()
  func.return
}}
"
        ),
        expect![[r#"
            lib.loom:1:17: error [LINK/001]: global symbol '@f' selected from 'a.loom' conflicts with 'lib.loom'
              a.loom:1:17: first defined here
              help: keep one of the definitions, make one private, or rename one
        "#]],
    );
}

#[test]
fn ambiguous_libraries() {
    check(
        "@root",
        &format!(
            "\
//- input a.loom
func.decl @f()
func.def public @root() {{
  func.call @f() : ()
  func.return
}}
//- library one.loom
{F}//- library two.loom

{F}"
        ),
        expect![[r#"
            one.loom:1:17: error [LINK/002]: several libraries define '@f': 'one.loom', 'two.loom'
              two.loom:2:17: also defined here
              a.loom:1:11: declared here
              help: supply only the library that is meant, or rename one of the definitions
        "#]],
    );
}

#[test]
fn ambiguous_private_definitions_of_inputs() {
    check(
        "merge",
        "\
//- input a.loom
func.decl @f()
//- input b.loom
func.def @f() {
  func.return
}
//- input c.loom
func.def @f() {
  func.return
}
",
        expect![[r#"
            b.loom:1:10: error [LINK/002]: several inputs define '@f': 'b.loom', 'c.loom'
              c.loom:1:10: also defined here
              a.loom:1:11: declared here
              help: keep one of the definitions, or rename them
        "#]],
    );
}

#[test]
fn ambiguous_root() {
    check(
        "@f",
        &format!("//- library one.loom\n{F}//- library two.loom\n{F}"),
        expect![[r#"
            one.loom:1:17: error [LINK/002]: several libraries define '@f': 'one.loom', 'two.loom'
              two.loom:1:17: also defined here
              help: supply only the library that is meant, or rename one of the definitions
        "#]],
    );
    check(
        "@f",
        &format!("//- input one.loom\n{F}//- input two.loom\n{F}"),
        expect![[r#"
            one.loom:1:17: error [LINK/002]: several inputs define '@f': 'one.loom', 'two.loom'
              two.loom:1:17: also defined here
              help: keep one of the definitions, or rename them
        "#]],
    );
}

#[test]
fn private_root_in_several_modules() {
    let private = "func.def @f() {\n  func.return\n}\n";
    check(
        "@f",
        &format!("//- library one.loom\n{private}//- library two.loom\n{private}"),
        expect![[r#"
            one.loom:1:10: error [LINK/005]: root symbol '@f' is private in several modules
              two.loom:1:10: also defined here
              help: make the one that is meant public
        "#]],
    );
}

const CALLER: &str = "\
//- input a.loom
func.decl @calculate()
func.def public @root() {
  func.call @calculate() : ()
  func.return
}
";

#[test]
fn unresolved_without_candidate() {
    check(
        "@root",
        CALLER,
        expect![[r#"
        a.loom:1:11: error [LINK/003]: unresolved exact declaration '@calculate'
          note: no provider defines '@calculate'
          help: add the library that defines it, or leave it open with `--allow-unresolved`
    "#]],
    );
    check(
        "@root open",
        CALLER,
        expect![[r#"
        plan mode=link symbols=2
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @calculate provider=a.loom module= cause=0 flags=declaration
    "#]],
    );
}

#[test]
fn unresolved_with_a_private_candidate() {
    let library = "//- library lib.loom\nfunc.def @calculate() {\n  func.return\n}\n";
    check(
        "@root",
        &format!("{CALLER}{library}"),
        expect![[r#"
        a.loom:1:11: error [LINK/003]: unresolved exact declaration '@calculate'
          lib.loom:1:10: the nearest candidate
          note: '@calculate' in 'lib.loom' is private
          help: make the definition in 'lib.loom' public
    "#]],
    );
}

#[test]
fn unresolved_with_a_candidate_of_another_kind() {
    let library = "//- library lib.loom\nconfig.def @calculate = 1 : index\n";
    check(
        "@root",
        &format!("{CALLER}{library}"),
        expect![[r#"
        a.loom:1:11: error [LINK/003]: unresolved exact declaration '@calculate'
          lib.loom:1:12: the nearest candidate
          note: '@calculate' in 'lib.loom' is a config, the declaration asks for a function
          help: declare a config, or link the module that defines the function
    "#]],
    );
}

#[test]
fn unresolved_with_a_similar_name() {
    let library = "//- library lib.loom\nfunc.def public @calculates() {\n  func.return\n}\n";
    check(
        "@root",
        &format!("{CALLER}{library}"),
        expect![[r#"
        a.loom:1:11: error [LINK/003]: unresolved exact declaration '@calculate'
          lib.loom:1:17: the nearest candidate
          note: 'lib.loom' defines '@calculates', whose name is similar
          help: declare '@calculates', or link the module that defines '@calculate'
    "#]],
    );
}

#[test]
fn unresolved_launch_needs_a_configuration() {
    let fixture = "\
//- input a.loom
kernel.decl @k() launch(%b: buffer)
command.program.def public @p() launch(%b: buffer) {
  kernel.launch @k(%b) : (buffer)
  command.return
}
";
    check(
        "@p facets",
        fixture,
        expect![[r#"
        a.loom:1:13: error [LINK/003]: unresolved exact declaration '@k'
          note: no provider defines '@k'
          help: add the library that defines it, or leave it open with `--allow-unresolved`
    "#]],
    );
}

#[test]
fn undeclared_mention() {
    check(
        "@root",
        "//- input a.loom\nfunc.def public @root() {\n  func.call @g() : ()\n  func.return\n}\n",
        expect![[r#"
            a.loom:1:17: error [LINK/003]: unresolved symbol '@g'
              note: `func.call` in '@root' mentions it, and the module does not declare it
              help: declare '@g' in 'a.loom'
        "#]],
    );
}

#[test]
fn unknown_root() {
    check(
        "@fnction",
        "//- library lib.loom\nfunc.def @function() {\n  func.return\n}\n",
        expect![[r#"
            -: error [LINK/004]: root symbol '@fnction' was not found
              lib.loom:1:10: a similar name
              help: 'lib.loom' has a symbol called '@function'
        "#]],
    );
    check(
        "@nothing",
        "//- library lib.loom\nfunc.def @function() {\n  func.return\n}\n",
        expect![[r#"
            -: error [LINK/004]: root symbol '@nothing' was not found
              help: list the symbols of the inputs and libraries to see what there is
        "#]],
    );
}

#[test]
fn no_root() {
    check(
        "",
        &format!("//- input a.loom\n{F}"),
        expect![[r#"
        -: error [LINK/006]: link planning requires a nonempty root set
          help: name a root, or take the exported symbols of the inputs as roots
    "#]],
    );
    check(
        "@",
        &format!("//- input a.loom\n{F}"),
        expect![[r#"
        -: error [LINK/006]: root symbol name must not be empty
          help: name a symbol, such as `@main`
    "#]],
    );
    check(
        "exports",
        &format!("//- library a.loom\n{F}"),
        expect![[r#"
        -: error [LINK/006]: link planning requires a nonempty root set
          note: the inputs export nothing
          help: name a root, or make a symbol public
    "#]],
    );
}

#[test]
fn roots_of_a_merge() {
    check(
        "merge @f",
        &format!("//- input a.loom\n{F}"),
        expect![[r#"
        -: error [LINK/014]: a merge does not accept roots
          help: a merge takes every symbol of its inputs: link instead, or leave the roots out
    "#]],
    );
}

#[test]
fn kinds_that_differ() {
    check(
        "merge",
        &format!("//- input a.loom\n{F}//- input b.loom\nkernel.decl @f() launch(%b: buffer)\n"),
        expect![[r#"
            b.loom:1:13: error [LINK/008]: '@f' is a kernel in 'b.loom' and a function in 'a.loom'
              a.loom:1:17: the function
              help: rename one of the two
        "#]],
    );
}
