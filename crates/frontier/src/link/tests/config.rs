//! Configuration: values, predicates, and what is supplied.

use super::*;

/// A requester that reads `@k`, which it declares so, and a library.
fn reads(declared: &str, library: &str) -> String {
    format!(
        "\
//- input a.loom
{declared}
func.def public @root() -> (index) {{
  %k = config.get @k : index
  func.return %k : index
}}
//- library lib.loom
{library}
"
    )
}

#[test]
fn a_definition_replaces_declarations() {
    let fixture = reads(
        "// How many.\nconfig.decl @k : %value: index where [range(%value, 0, 8192)]",
        "// A page.\nconfig.def @k = 4096 : %v: index where [mul(%v, 16)]",
    );
    check(
        "@root",
        &fixture,
        expect![[r#"
        // How many.

        // A page.
        config.def @k = 4096 : %v: index where [mul(%v, 16), range(%v, 0, 8192)]

        func.def public retain @root() -> (index) {
          %k = config.get @k : index
          func.return %k : index
        }
    "#]],
    );
}

#[test]
fn a_declaration_may_stay_open() {
    let fixture = reads("config.decl @k : index", "");
    check(
        "@root",
        &fixture,
        expect![[r#"
        config.decl @k : index

        func.def public retain @root() -> (index) {
          %k = config.get @k : index
          func.return %k : index
        }
    "#]],
    );
    check(
        "@root resolved",
        &fixture,
        expect![[r#"
        a.loom:1:13: error [LINK/013]: unresolved config '@k' remains for final compilation
          help: supply a value, such as `--config=k=..`, or link a module that defines it
    "#]],
    );
}

#[test]
fn a_supplied_value_wins() {
    let fixture = reads("config.decl @k : index", "config.def @k = 4 : index");
    check(
        "@root k=8 unknown=1 resolved",
        &fixture,
        expect![[r#"
        config.def @k = 8 : index

        func.def public retain @root() -> (index) {
          %k = config.get @k : index
          func.return %k : index
        }
    "#]],
    );
    check(
        "@root k=8",
        &reads("config.def @k = 4 : index", ""),
        expect![[r#"
            config.def @k = 8 : index

            func.def public retain @root() -> (index) {
              %k = config.get @k : index
              func.return %k : index
            }
        "#]],
    );
}

#[test]
fn a_definition_of_the_requester_hides_those_of_libraries() {
    let fixture = format!(
        "{}//- input b.loom\nconfig.def @k = 5 : index\n",
        reads("config.decl @k : index", "config.def @k = 4 : index")
    );
    check(
        "@root",
        &fixture,
        expect![[r#"
        config.def @k = 5 : index

        func.def public retain @root() -> (index) {
          %k = config.get @k : index
          func.return %k : index
        }
    "#]],
    );
}

#[test]
fn a_violated_predicate() {
    let constrained = "config.decl @k : %v: index where [mul(%v, 16), max(%v, 64)]";
    check(
        "@root",
        &reads(constrained, "config.def @k = 7 : index"),
        expect![[r#"
            a.loom:1:13: error [LINK/010]: symbol '@k' value 7 violates constraint 'mul'
              lib.loom:1:12: the value
              note: the constraint is stated in 'a.loom'
              help: supply or define a value that all constraints admit
        "#]],
    );
    check(
        "@root k=80",
        &reads(constrained, ""),
        expect![[r#"
        a.loom:1:13: error [LINK/010]: symbol '@k' value 80 violates constraint 'max'
          note: the constraint is stated in 'a.loom'
          help: supply or define a value that all constraints admit
    "#]],
    );
}

#[test]
fn equal_definitions_merge_and_others_conflict() {
    let fixture =
        |first: &str, second: &str| format!("//- input a.loom\n{first}\n//- input b.loom\n{second}\n");
    let four = "config.def @count = 4 : index";
    check(
        "merge",
        &fixture(four, four),
        expect![[r#"
        config.def @count = 4 : index
    "#]],
    );
    check(
        "merge",
        &fixture(four, "config.def @count = 5 : index"),
        expect![[r#"
            b.loom:1:12: error [LINK/011]: duplicate value definition '@count' has incompatible contract field 'value'
              a.loom:1:12: the definition
              note: it is 4 in 'a.loom' and 5 in 'b.loom'
              help: keep one of the definitions, or supply the value with `--config=count=..`
        "#]],
    );
    check(
        "merge count=6",
        &fixture(four, "config.def @count = 5 : index"),
        expect![[r#"
            config.def @count = 6 : index
        "#]],
    );
    check(
        "merge",
        &fixture(four, "config.decl @count : i32"),
        expect![[r#"
        b.loom:1:13: error [LINK/007]: linked declaration for '@count' has incompatible type
          a.loom:1:12: the definition
          note: 'b.loom' and 'a.loom' disagree
          help: make the declaration in 'b.loom' what 'a.loom' says, or change the latter
    "#]],
    );
}

#[test]
fn libraries_that_define_differently() {
    let fixture = format!(
        "{}//- library other.loom\nconfig.def @k = 5 : index\n",
        reads("config.decl @k : index", "config.def @k = 4 : index")
    );
    check(
        "@root",
        &fixture,
        expect![[r#"
        other.loom:1:12: error [LINK/011]: duplicate value definition '@k' has incompatible contract field 'value'
          lib.loom:1:12: the definition
          note: it is 4 in 'lib.loom' and 5 in 'other.loom'
          help: keep one of the definitions, or supply the value with `--config=k=..`
    "#]],
    );
}

#[test]
fn supplied_values_have_the_declared_type() {
    let of = |ty: &str| format!("//- input a.loom\nconfig.decl @k : {ty}\n");
    check(
        "merge k=1.5",
        &of("index"),
        expect![[r#"
        a.loom:1:13: error [LINK/012]: config value 1.5 for '@k' does not fit its type index
          help: supply a value of type index
    "#]],
    );
    check(
        "merge k=300",
        &of("i8"),
        expect![[r#"
        a.loom:1:13: error [LINK/012]: config value 300 for '@k' does not fit its type i8
          help: supply a value of type i8
    "#]],
    );
    check(
        "merge k=-1",
        &of("offset"),
        expect![[r#"
        a.loom:1:13: error [LINK/012]: config value -1 for '@k' does not fit its type offset
          help: supply a value of type offset
    "#]],
    );
    check(
        "merge k=true",
        &of("i1"),
        expect![[r#"
        config.def @k = true : i1
    "#]],
    );
    check(
        "merge k=3",
        &of("f32"),
        expect![[r#"
        config.def @k = 3.0 : f32
    "#]],
    );
    check(
        "merge k=inf",
        &of("%v: f32 where [finite(%v)]"),
        expect![[r#"
        a.loom:1:13: error [LINK/010]: symbol '@k' value inf violates constraint 'finite'
          note: the constraint is stated in 'a.loom'
          help: supply or define a value that all constraints admit
    "#]],
    );
}
