//! Roots, closure order and causes.

use super::*;
use crate::{Catalog, Role};

const CALLS: &str = "\
//- input a.loom
func.def @a() {
  func.call @deep() : ()
  func.return
}
func.def @b() {
  func.return
}
func.def @c() {
  func.return
}
func.def @deep() {
  func.return
}
func.def @unrelated() {
  func.call @a() : ()
  func.return
}
func.def public @root() {
  func.call @a() : ()
  func.call @b() : ()
  func.call @c() : ()
  func.call @a() : ()
  func.return
}
";

#[test]
fn mentions_are_walked_from_the_last() {
    check(
        "root",
        CALLS,
        expect![[r#"
        plan mode=link symbols=5
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @a provider=a.loom module= cause=0 flags=definition
        [2] dependency @c provider=a.loom module= cause=0 flags=definition
        [3] dependency @b provider=a.loom module= cause=0 flags=definition
        [4] dependency @deep provider=a.loom module= cause=1 flags=definition
    "#]],
    );
}

#[test]
fn roots_come_first_and_once() {
    check(
        "@b @root b exports",
        CALLS,
        expect![[r#"
        plan mode=link symbols=5
        [0] root @root provider=a.loom module= cause=- flags=public,export,definition
        [1] root @b provider=a.loom module= cause=- flags=definition
        [2] dependency @a provider=a.loom module= cause=0 flags=definition
        [3] dependency @c provider=a.loom module= cause=0 flags=definition
        [4] dependency @deep provider=a.loom module= cause=2 flags=definition
    "#]],
    );
}

#[test]
fn a_declaration_is_followed_by_its_definition() {
    check(
        "@root",
        "\
//- input a.loom
func.decl @far()
func.decl @near()
func.def public @root() {
  func.call @far() : ()
  func.call @near() : ()
  func.return
}
//- library lib.loom
func.def public @far() {
  func.call @inner() : ()
  func.return
}
func.def @inner() {
  func.return
}
func.def public @near() {
  func.call @inner() : ()
  func.return
}
",
        expect![[r#"
            plan mode=link symbols=6
            [0] root @root provider=a.loom module= cause=- flags=public,export,definition
            [1] dependency @near provider=a.loom module= cause=0 flags=declaration
            [2] dependency @near provider=lib.loom module= cause=1 flags=public,export,definition
            [3] dependency @far provider=a.loom module= cause=0 flags=declaration
            [4] dependency @far provider=lib.loom module= cause=3 flags=public,export,definition
            [5] dependency @inner provider=lib.loom module= cause=2 flags=definition
        "#]],
    );
}

#[test]
fn a_declared_root_is_defined_at_once() {
    check(
        "@f @g",
        "\
//- input a.loom
func.decl @f()
//- library lib.loom
func.def public @f() {
  func.return
}
func.def public @g() {
  func.return
}
",
        expect![[r#"
            plan mode=link symbols=3
            [0] root @f provider=a.loom module= cause=- flags=declaration
            [1] dependency @f provider=lib.loom module= cause=0 flags=public,export,definition
            [2] root @g provider=lib.loom module= cause=- flags=public,export,definition
        "#]],
    );
}

#[test]
fn a_root_is_an_input_before_a_library() {
    check(
        "@f",
        "\
//- library lib.loom
func.def public @f() {
  func.return
}
//- input a.loom
func.def public @f() {
  func.return
}
",
        expect![[r#"
            plan mode=link symbols=1
            [0] root @f provider=a.loom module= cause=- flags=public,export,definition
        "#]],
    );
}

#[test]
fn a_root_may_be_a_unique_private_symbol() {
    check(
        "@f",
        "//- library lib.loom\nfunc.def @f() {\n  func.return\n}\n",
        expect![[r#"
            plan mode=link symbols=1
            [0] root @f provider=lib.loom module= cause=- flags=definition
        "#]],
    );
}

#[test]
fn exports_of_inputs_are_roots() {
    check(
        "exports",
        "\
//- input a.loom
func.def @private() {
  func.return
}
func.def public @public() {
  func.return
}
command.program.def public @program() launch() {
  command.return
}
//- library lib.loom
func.def public @library() {
  func.return
}
",
        expect![[r#"
            plan mode=link symbols=2
            [0] root @public provider=a.loom module= cause=- flags=public,export,definition
            [1] root @program provider=a.loom module= cause=- flags=public,export,definition
        "#]],
    );
}

#[test]
fn inputs_own_their_private_definitions() {
    check(
        "@root",
        "\
//- input a.loom
func.decl @helper()
func.def public @root() {
  func.call @helper() : ()
  func.return
}
//- input b.loom
func.def @helper() {
  func.return
}
//- library lib.loom
func.def public @helper() {
  func.return
}
",
        expect![[r#"
            plan mode=link symbols=3
            [0] root @root provider=a.loom module= cause=- flags=public,export,definition
            [1] dependency @helper provider=a.loom module= cause=0 flags=declaration
            [2] dependency @helper provider=b.loom module= cause=1 flags=definition
        "#]],
    );
}

#[test]
fn a_library_is_satisfied_by_the_requester_before_other_libraries() {
    check(
        "@root",
        "\
//- library first.loom
func.decl @hook()
func.def public @entry() {
  func.call @hook() : ()
  func.return
}
//- library second.loom
func.def public @hook() {
  func.return
}
//- input a.loom
func.decl @entry()
func.def public @hook() {
  func.return
}
func.def public @root() {
  func.call @entry() : ()
  func.return
}
",
        expect![[r#"
            plan mode=link symbols=5
            [0] root @root provider=a.loom module= cause=- flags=public,export,definition
            [1] dependency @entry provider=a.loom module= cause=0 flags=declaration
            [2] dependency @entry provider=first.loom module= cause=1 flags=public,export,definition
            [3] dependency @hook provider=first.loom module= cause=2 flags=declaration
            [4] dependency @hook provider=a.loom module= cause=3 flags=public,export,definition
        "#]],
    );
}

#[test]
fn imports_and_targets_stay_open() {
    check(
        "@root",
        "\
//- input a.loom
target.decl @gpu
func.decl import(\"libm\") @sinf()
func.def public target(@gpu) @root() {
  func.call @sinf() : ()
  func.return
}
//- library lib.loom
func.def public @sinf() {
  func.return
}
",
        expect![[r#"
            plan mode=link symbols=3
            [0] root @root provider=a.loom module= cause=- flags=public,export,definition
            [1] dependency @sinf provider=a.loom module= cause=0 flags=import,declaration
            [2] dependency @gpu provider=a.loom module= cause=0 flags=declaration
        "#]],
    );
}

#[test]
fn a_library_kernel_satisfies_an_entry() {
    let fixture = "\
//- input a.loom
kernel.entry.decl @k(%b: buffer)
command.program.def public @p() launch(%b: buffer) {
  %unit = index.constant 1 : index
  kernel.dispatch @k[%unit](%b) : [index](buffer)
  command.return
}
//- library lib.loom
func.def @count() -> (index) {
  %unit = index.constant 1 : index
  func.return %unit : index
}
func.def @body() {
  func.return
}
kernel.def @k() {
  %unit = func.call @count() : () -> (index)
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%b: buffer) {
  func.call @body() : ()
  kernel.return
}
";
    check(
        "@p",
        fixture,
        expect![[r#"
        plan mode=link symbols=5
        [0] root @p provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @k provider=a.loom module= cause=0 flags=export,declaration
        [2] dependency @k provider=lib.loom module= cause=1 flags=export,definition
        [3] dependency @body provider=lib.loom module= cause=2 flags=definition
        [4] dependency @count provider=lib.loom module= cause=2 flags=definition
    "#]],
    );
    check(
        "@p facets",
        fixture,
        expect![[r#"
        plan mode=link symbols=3
        [0] root @p provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @k provider=a.loom module= cause=0 flags=export,declaration
        [2] dependency @k provider=lib.loom module= cause=1 flags=export,definition
    "#]],
    );
    let launched = fixture
        .replace(
            "kernel.entry.decl @k(%b: buffer)",
            "kernel.decl @k() launch(%b: buffer)",
        )
        .replace(
            "kernel.dispatch @k[%unit](%b) : [index](buffer)",
            "kernel.launch @k(%b) : (buffer)",
        );
    check(
        "@p facets",
        &launched,
        expect![[r#"
        plan mode=link symbols=4
        [0] root @p provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @k provider=a.loom module= cause=0 flags=export,declaration
        [2] dependency @k provider=lib.loom module= cause=1 flags=export,definition
        [3] dependency @count provider=lib.loom module= cause=2 flags=definition
    "#]],
    );
}

#[test]
fn facets_of_one_kernel_add_up() {
    let fixture = "\
//- input a.loom
func.def @count() -> (index) {
  %unit = index.constant 1 : index
  func.return %unit : index
}
func.def @body() {
  func.return
}
kernel.def @k() {
  %unit = func.call @count() : () -> (index)
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%b: buffer) {
  func.call @body() : ()
  kernel.return
}
command.program.def public @p() launch(%b: buffer) {
  %unit = index.constant 1 : index
  kernel.launch @k(%b) : (buffer)
  kernel.dispatch @k[%unit](%b) : [index](buffer)
  command.return
}
";
    let [text, _] = indexes(fixture);
    let facets = |words: &str, name: &str| {
        let plan = plan_link(&text, &options(words)).value.unwrap();
        let named = |planned: &&Planned| &*text.record(planned.id).name == name;
        let planned = plan.symbols.iter().find(named).unwrap();
        let record = text.record(planned.id);
        (
            planned.facets.names(record).join(" "),
            planned.facets.numbers(record),
        )
    };
    assert_eq!(
        facets("facets @p", "k"),
        ("contract configuration".to_owned(), vec![0x1001, 0x1002])
    );
    assert_eq!(
        facets("facets @p @k", "k"),
        (
            "contract configuration implementation".to_owned(),
            vec![0x1001, 0x1002, 0x1003]
        )
    );
    assert_eq!(
        facets("facets @p", "p"),
        ("contract implementation".to_owned(), vec![0x1e01, 0x1e02])
    );
    assert_eq!(facets("facets @p", "count"), ("definition".to_owned(), vec![1]));
}

#[test]
fn a_root_facet_takes_no_more() {
    let [text, _] = indexes(&example::sources(&[("input", "providers.loom")]));
    let id = text.candidates("classified")[0];
    let options = PlanOptions {
        root_facets: vec![(id, Facets::CONFIGURATION)],
        policy: DependencyPolicy::RequestedFacets,
        ..PlanOptions::default()
    };
    let plan = plan_link(&text, &options).value.unwrap();
    assert_eq!(plan.symbols.len(), 1);
    assert_eq!(
        plan.symbols[0].facets,
        Facets::CONTRACT.and(Facets::CONFIGURATION)
    );
    assert!(!plan.needs(0, Facet::Implementation));
    for (provider, ordinal) in [(1, 0), (0, 4)] {
        let nowhere = SymbolId { provider, ordinal };
        let options = PlanOptions {
            root_facets: vec![(nowhere, Facets::ALL)],
            ..PlanOptions::default()
        };
        let outcome = plan_link(&text, &options);
        assert_eq!((outcome.value, &*outcome.diagnostics[0].code), (None, "LINK/004"));
    }
}

#[test]
fn the_order_of_libraries_decides_nothing() {
    let words = "@heterogeneous open";
    let there = [
        ("input", "requester.loom"),
        ("library", "stage.loom"),
        ("library", "providers.loom"),
    ];
    let back = [
        ("library", "providers.loom"),
        ("library", "stage.loom"),
        ("input", "requester.loom"),
    ];
    assert_eq!(
        planned(words, &example::sources(&there)),
        planned(words, &example::sources(&back))
    );
}

#[test]
fn unrelated_symbols_change_nothing() {
    let used = "\
//- input a.loom
func.decl @f()
func.def public @root() {
  func.call @f() : ()
  func.return
}
//- library lib.loom
func.def public @f() {
  func.return
}
";
    let noise = "func.def public @noise() {\n  func.call @more() : ()\n  func.return\n}\nfunc.def @more() {\n  func.return\n}\n";
    let noisy = used.replace("func.def public @f", &format!("{noise}func.def public @f"));
    assert_ne!(used, noisy);
    assert_eq!(planned("@root", used), planned("@root", &noisy));
    let role = indexes(used)[0].providers()[1].role;
    assert_eq!(role, Role::Library);
}
