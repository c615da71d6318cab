//! Position, visibility, retention, names, comments.

use super::names::HELPERS;
use super::*;
use crate::plan::tests::example;

#[test]
fn the_spec_example() {
    check(
        "@heterogeneous open",
        &example::sources(example::LINK),
        expect![[r#"
            // The requester mixes a local kernel, a library-provided child program, and an
            // entry whose executable is supplied outside Loom.
            kernel.def @local() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%storage: buffer) {
              kernel.return
            }

            command.program.def @linked_stage(%size: index) launch(%storage: buffer) {
              kernel.launch @classified(%size, %storage) : (index, buffer)
              command.return
            }

            kernel.entry.decl @external(%storage: buffer)

            command.program.def public retain @heterogeneous() launch(%storage: buffer) {
              %small = index.constant 64 : index
              %large = index.constant 256 : index
              %unit = index.constant 1 : index
              kernel.launch @local(%storage) : (buffer)
              command.program.launch @linked_stage[%small](%storage) : [index](buffer)
              command.program.launch @linked_stage[%large](%storage) : [index](buffer)
              kernel.dispatch @external[%unit](%storage) : [index](buffer)
              command.return
            }

            // The stage library depends only on the declared kernel contract. Its provider
            // and provider-local templates remain separate library inputs.
            kernel.def export("classified") @classified() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%size: index, %storage: buffer) {
              template.apply<@frontier.schedule>(%size) : (index)
              kernel.return
            }

            // One source library provides both the exact kernel definition and the
            // schedule variants whose decisions create independently compilable classes.
            template.decl @frontier.schedule(%size: index)

            template.def<@frontier.schedule> priority(10) @large(%size: index) where [ge(%size, 128)] {
              template.return
            }

            template.def<@frontier.schedule> priority(1) @small(%size: index) {
              template.return
            }
        "#]],
    );
}

#[test]
fn a_definition_stands_where_it_was_declared() {
    check(
        "@root",
        "\
//- library lib.loom
func.def @before() {
  func.return
}
// Computes.
func.def public @f() {
  func.call @before() : ()
  func.return
}
//- input a.loom
func.def @first() {
  func.return
}

// What the library gives.
func.decl @f()

// The root.
func.def public @root() {
  func.call @f() : ()
  func.call @first() : ()
  func.return
}
",
        expect![[r#"
            func.def @first() {
              func.return
            }

            // What the library gives.

            // Computes.
            func.def @f() {
              func.call @before() : ()
              func.return
            }

            // The root.
            func.def public retain @root() {
              func.call @f() : ()
              func.call @first() : ()
              func.return
            }

            func.def @before() {
              func.return
            }
        "#]],
    );
}

#[test]
fn inputs_come_before_libraries() {
    check(
        "@a @b",
        "\
//- library lib.loom
func.def public @b() {
  func.return
}
//- input a.loom
func.def @a() {
  func.return
}
",
        expect![[r#"
            func.def retain @a() {
              func.return
            }

            func.def public retain @b() {
              func.return
            }
        "#]],
    );
}

#[test]
fn dependencies_from_libraries_are_private() {
    check(
        "@root",
        "\
//- input a.loom
func.decl @f()
func.def public @mine() {
  func.return
}
func.def @root() {
  func.call @f() : ()
  func.call @mine() : ()
  func.return
}
//- library lib.loom
func.def public export(\"f\") @f() {
  func.call @g() : ()
  func.return
}
func.def public @g() {
  func.return
}
",
        expect![[r#"
            func.def export("f") @f() {
              func.call @g() : ()
              func.return
            }

            func.def public @mine() {
              func.return
            }

            func.def retain @root() {
              func.call @f() : ()
              func.call @mine() : ()
              func.return
            }

            func.def @g() {
              func.return
            }
        "#]],
    );
}

#[test]
fn a_library_root_keeps_what_it_is() {
    let library = "//- library lib.loom\nfunc.def public @f() {\n  func.return\n}\n";
    check(
        "@f",
        library,
        expect![[r#"
        func.def public retain @f() {
          func.return
        }
    "#]],
    );
    check(
        "@f",
        &format!("{library}//- input a.loom\nfunc.decl @f()\n"),
        expect![[r#"
            func.def retain @f() {
              func.return
            }
        "#]],
    );
    check(
        "@f",
        &format!("{library}//- input a.loom\nfunc.decl public @f()\n"),
        expect![[r#"
            func.def public retain @f() {
              func.return
            }
        "#]],
    );
}

#[test]
fn a_declared_root_is_retained() {
    check(
        "@f open",
        "//- input a.loom\nfunc.decl @f()\n//- library b.loom\n",
        expect![[r#"
            func.decl retain @f()
        "#]],
    );
}

#[test]
fn kernels_keep_their_export() {
    check(
        "@p",
        "\
//- input a.loom
kernel.decl @k() launch(%b: buffer)
command.program.def public @p() launch(%b: buffer) {
  kernel.launch @k(%b) : (buffer)
  command.return
}
//- library lib.loom
kernel.def export(\"other\") @k() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%b: buffer) {
  kernel.return
}
",
        expect![[r#"
            kernel.def export("other") @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%b: buffer) {
              kernel.return
            }

            command.program.def public retain @p() launch(%b: buffer) {
              kernel.launch @k(%b) : (buffer)
              command.return
            }
        "#]],
    );
}

#[test]
fn merged_inputs() {
    check(
        "merge",
        "\
//- input a.loom
// One.
func.decl @f()

func.def @helper() {
  func.return
}

func.def public @a() {
  func.call @helper() : ()
  func.call @f() : ()
  func.return
}

// The end of a.
//- input b.loom
// Two.
func.def @f() {
  func.call @open() : ()
  func.return
}

func.def @helper() {
  func.return
}

func.decl @open()

func.def @unused() {
  func.call @helper() : ()
  func.return
}

// The end of b.
//- library lib.loom
func.def public @open() {
  func.return
}
",
        expect![[r#"
            // One.

            // Two.
            func.def @f() {
              func.call @open() : ()
              func.return
            }

            func.def @helper() {
              func.return
            }

            func.def public @a() {
              func.call @helper() : ()
              func.call @f() : ()
              func.return
            }

            func.def @helper$link0() {
              func.return
            }

            func.decl @open()

            func.def @unused() {
              func.call @helper$link0() : ()
              func.return
            }

            // The end of a.

            // The end of b.
        "#]],
    );
}

#[test]
fn families_become_one() {
    check(
        "@root",
        "\
//- input a.loom
// What it is for.
template.decl @family(%n: index) where [ge(%n, 1)]

func.def public @root(%n: index) {
  template.apply<@family>(%n) : (index)
  func.return
}
//- library lib.loom
template.decl requires [#target.subgroup.size<32>] @family(%m: index) where [min(%m, 0), ge(%m, 1)]

template.def<@family> @best(%m: index) {
  template.return
}
",
        expect![[r#"
            // What it is for.
            template.decl requires [#target.subgroup.size<32>] @family(%n: index) where [ge(%n, 1), min(%n, 0)]

            func.def public retain @root(%n: index) {
              template.apply<@family>(%n) : (index)
              func.return
            }

            template.def<@family> @best(%m: index) {
              template.return
            }
        "#]],
    );
}

#[test]
fn the_order_of_libraries_shows_only_in_the_order() {
    let items = |fixture: &str| {
        let text = linked("@heterogeneous open", fixture);
        let mut items: Vec<String> = text
            .split("\n\n")
            .map(|item| item.trim_end().to_owned())
            .collect();
        items.sort();
        items
    };
    let back = [
        ("library", "providers.loom"),
        ("library", "stage.loom"),
        ("input", "requester.loom"),
    ];
    assert_eq!(
        items(&example::sources(example::LINK)),
        items(&example::sources(&back))
    );
}

#[test]
fn unrelated_symbols_do_not_show() {
    let noise = "func.def public @noise() {\n  func.call @helper() : ()\n  func.return\n}\n";
    let noisy = HELPERS.replace(
        "//- library two.loom\n",
        &format!("//- library two.loom\n{noise}"),
    );
    assert_eq!(linked("@root", HELPERS), linked("@root", &noisy));
}

#[test]
fn what_was_linked_links_to_itself() {
    let once = linked("@root", HELPERS);
    assert_eq!(linked("@root", &format!("//- input linked.loom\n{once}")), once);
}

#[test]
fn origins_name_the_definition_first() {
    let [text, _] = indexes(HELPERS);
    let linked = link(&text, &options("@root"), false).value.unwrap();
    let names = |id: &SymbolId| format!("{}@{}", text.provider_name(*id), text.record(*id).name);
    let origins: Vec<Vec<String>> = linked
        .items
        .iter()
        .map(|item| item.origins.iter().map(names).collect())
        .collect();
    assert_eq!(origins[0], ["one.loom@f", "a.loom@f"]);
    assert_eq!(origins[1], ["a.loom@helper"]);
}
