//! Flags, identities and look-ups, from text and from bytecode.

use expect_test::{Expect, expect};

use crate::testing::indexes;
use crate::{Catalog, list_symbols};

fn check(fixture: &str, expected: Expect) {
    let [text, bytecode] = indexes(fixture);
    expected.assert_eq(&list_symbols(&text));
    assert_eq!(list_symbols(&text), list_symbols(&bytecode));
    for (name, fixture_name) in [("f", "f"), ("@f", "no name has an @")] {
        assert_eq!(text.candidates(name), bytecode.candidates(name), "{fixture_name}");
    }
}

#[test]
fn functions() {
    check(
        "\
//- input a.loom
func.def @private() {
  func.return
}
func.def export(\"x\") @exported() {
  func.return
}
func.def public @public() {
  func.return
}
func.def retain @retained() {
  func.return
}
func.decl @declared()
func.decl public @declared_public()
func.decl import(\"libm\") @imported()
func.decl import(\"libm\", \"sinf\") @renamed()
",
        expect![[r#"
            symbols 8
            [0] @private role=input provider=a.loom module= identity=private flags=definition
            [1] @exported role=input provider=a.loom module= identity=private flags=definition
            [2] @public role=input provider=a.loom module= identity=global flags=public,export,definition
            [3] @retained role=input provider=a.loom module= identity=private flags=definition
            [4] @declared role=input provider=a.loom module= identity=global flags=declaration
            [5] @declared_public role=input provider=a.loom module= identity=global flags=public,declaration
            [6] @imported role=input provider=a.loom module= identity=global flags=import,declaration
            [7] @renamed role=input provider=a.loom module= identity=global flags=import,declaration
        "#]],
    );
}

#[test]
fn templates_and_configuration() {
    check(
        "\
//- library lib.loom
template.decl @family(%n: index)
template.def<@family> @provider(%n: index) {
  template.return
}
template.def<@family> public @offered(%n: index) {
  template.return
}
template.ukernel<@family> @micro(%n: index)
config.decl @tile : index
config.def @count = 4 : index
target.decl @gpu
",
        expect![[r#"
            symbols 7
            [0] @family role=library provider=lib.loom module= identity=global flags=declaration
            [1] @provider role=library provider=lib.loom module= identity=private flags=definition
            [2] @offered role=library provider=lib.loom module= identity=global flags=public,export,definition
            [3] @micro role=library provider=lib.loom module= identity=private flags=definition
            [4] @tile role=library provider=lib.loom module= identity=global flags=declaration,config
            [5] @count role=library provider=lib.loom module= identity=global flags=definition,config
            [6] @gpu role=library provider=lib.loom module= identity=global flags=declaration
        "#]],
    );
}

#[test]
fn kernels_and_programs() {
    check(
        "\
//- input a.loom
kernel.decl @declared() launch(%b: buffer)
kernel.entry.decl @entry(%b: buffer)
kernel.def @defined() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch() {
  kernel.return
}
kernel.def retain export(\"other\") @renamed() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch() {
  kernel.return
}
command.program.decl @later() launch(%b: buffer)
command.program.def @private() launch(%b: buffer) {
  command.return
}
command.program.def public @public() launch(%b: buffer) {
  command.return
}
",
        expect![[r#"
            symbols 7
            [0] @declared role=input provider=a.loom module= identity=global flags=export,declaration
            [1] @entry role=input provider=a.loom module= identity=global flags=export,declaration
            [2] @defined role=input provider=a.loom module= identity=global flags=export,definition
            [3] @renamed role=input provider=a.loom module= identity=global flags=export,definition
            [4] @later role=input provider=a.loom module= identity=global flags=declaration
            [5] @private role=input provider=a.loom module= identity=private flags=definition
            [6] @public role=input provider=a.loom module= identity=global flags=public,export,definition
        "#]],
    );
}

#[test]
fn providers_in_command_line_order() {
    check(
        "\
//- library z.loom
func.def public @f() {
  func.return
}
//- input a.loom
func.decl @f()
//- library b.loom
func.def @f() {
  func.return
}
",
        expect![[r#"
            symbols 3
            [0] @f role=library provider=z.loom module= identity=global flags=public,export,definition
            [1] @f role=input provider=a.loom module= identity=global flags=declaration
            [2] @f role=library provider=b.loom module= identity=private flags=definition
        "#]],
    );
    let [text, _] =
        indexes("//- input a.loom\nfunc.decl @g()\nfunc.decl @f()\n//- input b.loom\nfunc.decl @f()\n");
    let found: Vec<_> = text
        .candidates("f")
        .iter()
        .map(|id| (id.provider, id.ordinal))
        .collect();
    assert_eq!(found, [(0, 1), (1, 0)]);
    assert_eq!(text.candidates("nothing"), []);
    let ordinal = |provider, name| text.named(provider, name).map(|id| id.ordinal);
    assert_eq!(
        [ordinal(0, "f"), ordinal(1, "f"), ordinal(1, "g")],
        [Some(1), Some(0), None]
    );
    assert_eq!((text.count(0), text.count(1)), (2, 1));
}

#[test]
fn members_of_a_family() {
    let [text, bytecode] = indexes(
        "\
//- input a.loom
template.decl @one()
template.decl @two()
template.def<@two> @b() {
  template.return
}
//- library b.loom
template.decl @two()
template.ukernel<@two> @a()
",
    );
    let members: Vec<_> = text
        .members("two")
        .iter()
        .map(|&id| text.record(id).name.to_string())
        .collect();
    assert_eq!(members, ["b", "a"]);
    assert_eq!(text.members("two"), bytecode.members("two"));
    assert_eq!(text.members("one"), []);
}
