//! Exact values and facts.

use super::*;

/// A program that dispatches with what `body` computes; `%u` is not known.
#[track_caller]
fn check_values(words: &str, top: &str, types: &str, body: &str, arguments: &str, expected: Expect) {
    let parameters: Vec<String> = types
        .split(", ")
        .enumerate()
        .map(|(at, ty)| format!("%p{at}: {ty}"))
        .collect();
    let parameters = parameters.join(", ");
    let source = format!(
        "{top}kernel.entry.decl @e({parameters})\ncommand.program.def public @main(%u: index) launch() {{\n  %c1 = index.constant 1 : index\n{body}  kernel.dispatch @e[%c1]({arguments}) : [index]({types})\n  command.return\n}}\n"
    );
    check_one(words, &source, expected);
}

#[test]
fn scalars_wrap_and_round() {
    check_values(
        "@main",
        "",
        "i8, i32, f32, f16, i1, offset, i64",
        "\
  %a = scalar.constant 127 : i8
  %b = scalar.constant 1 : i8
  %sum = scalar.addi %a, %b : i8
  %c = scalar.constant 2147483647 : i32
  %d = scalar.addi %c, %c : i32
  %x = scalar.constant 1.0 : f32
  %three = scalar.constant 3.0 : f32
  %third = scalar.divf %x, %three : f32
  %h = scalar.fptrunc %third : f32 to f16
  %less = scalar.cmpi ult, %c, %d : i32
  %stride = index.constant 24 : offset
  %at = index.scale %c1, %stride : index, offset -> offset
  %field = scalar.bitfield.extracts %a {offset = 3, width = 4} : i8 -> i64
",
        "%sum, %d, %third, %h, %less, %at, %field",
        expect![[r#"
            program @main
              @e external [1 1 1] (-128: i8, -2: i32, 0x3eaaaaab: f32, 0x3555: f16, 1: i1, 24: offset, -1: i64) at a.loom:17:3
        "#]],
    );
}

#[test]
fn algebra_needs_no_values() {
    check_values(
        "@main",
        "",
        "index, index, i1, index, index, index",
        "\
  %zero = index.constant 0 : index
  %a = index.sub %u, %u : index
  %b = index.mul %u, %zero : index
  %twice = index.add %u, %u : index
  %again = index.add %u, %u : index
  %same = index.cmp eq, %twice, %again : index
  %c = index.sub %twice, %again : index
  %p = index.max %u, %zero : index
  %d = index.rem %p, %c1 : index
  %e = index.madd %zero, %u, %c1 : index
",
        "%a, %b, %same, %c, %d, %e",
        expect![[r#"
            program @main
              @e external [1 1 1] (0: index, 0: index, 1: i1, 0: index, 0: index, 1: index) at a.loom:14:3
        "#]],
    );
}

#[test]
fn facts_are_enough() {
    check_values(
        "@main",
        "",
        "index, index, i1",
        "\
  %sixteen = index.constant 16 : index
  %m = index.mul %u, %sixteen : index
  %r = index.rem %m, %sixteen : index
  %p = index.assume %u [range(%u, 0, 15)] : index
  %q = index.div %p, %sixteen : index
  %less = index.cmp slt, %p, %sixteen : index
",
        "%r, %q, %less",
        expect![[r#"
            program @main
              @e external [1 1 1] (0: index, 0: index, 1: i1) at a.loom:10:3
        "#]],
    );
}

#[test]
fn what_does_not_fold() {
    check_values(
        "@main",
        "",
        "index, i32, f32, index",
        "\
  %most = index.constant 9223372036854775807 : index
  %over = index.add %most, %c1 : index
  %a = scalar.constant 1 : i32
  %z = scalar.constant 0 : i32
  %q = scalar.divsi %a, %z : i32
  %x = scalar.constant 1.0 : f32
  %y = scalar.expf %x : f32
",
        "%over, %q, %y, %u",
        expect![[r#"
            a.loom:11:27: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type index; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:5:3: it depends on this `index.add`, which has no exact value here
              help: pass a value that is exact at this launch, or read it from storage in the kernel
            a.loom:11:34: error [LOWERING/052]: portable command-program lowering cannot encode argument 1 of @e with type i32; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:8:3: it depends on this `scalar.divsi`, which has no exact value here
              help: pass a value that is exact at this launch, or read it from storage in the kernel
            a.loom:11:38: error [LOWERING/052]: portable command-program lowering cannot encode argument 2 of @e with type f32; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:10:3: it depends on this `scalar.expf`, which has no exact value here
              help: pass a value that is exact at this launch, or read it from storage in the kernel
            a.loom:11:42: error [LOWERING/052]: portable command-program lowering cannot encode argument 3 of @e with type index; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:2:34: it depends on '%u', which is not known when the program is compiled
              help: pass a value that is exact at this launch, or read it from storage in the kernel
        "#]],
    );
}

#[test]
fn selected_and_looked_up() {
    check_values(
        "@main",
        "",
        "index, index, index, index",
        "\
  %c2 = index.constant 2 : index
  %c3 = index.constant 3 : index
  %yes = scalar.constant true : i1
  %a = scf.select %yes, %c2, %c3 : index
  %odd = index.cmp slt, %u, %c2 : index
  %b = scf.select %odd, %c3, %c3 : index
  %c, %d = scf.lookup %c2 {
    0 = (%c1, %c1),
    2 = (%c3, %c2)
  } default(%c1, %c2) : index, index
",
        "%a, %b, %c, %d",
        expect![[r#"
            program @main
              @e external [1 1 1] (2: index, 3: index, 3: index, 2: index) at a.loom:14:3
        "#]],
    );
}

#[test]
fn configuration() {
    let top = "\
config.decl @width : index
config.def @scale = 0.25 : f32
";
    let body = "\
  %w = config.get @width : index
  %s = config.get @scale : f32
";
    check_values(
        "@main width=12",
        top,
        "index, f32",
        body,
        "%w, %s",
        expect![[r#"
        program @main
          @e external [1 1 1] (12: index, 0x3e800000: f32) at a.loom:8:3
    "#]],
    );
    check_values(
        "@main",
        top,
        "index, f32",
        body,
        "%w, %s",
        expect![[r#"
        a.loom:8:27: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type index; it requires an exact scalar bit pattern or an exact range of storage
          a.loom:1:13: it depends on configuration '@width', which has no value
          help: pass a value that is exact at this launch, or read it from storage in the kernel
    "#]],
    );
}

#[test]
fn unknown_arguments_that_nothing_needs() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%b: buffer)
command.program.def public @main(%n: index, %x: f32) launch(%b: buffer) {
  %one = index.constant 1 : index
  %m = index.add %n, %one : index
  %y = scalar.addf %x, %x : f32
  %v = vector.constant 0.0 : vector<4xf32>
  kernel.dispatch @e[%one](%b) : [index](buffer)
  command.return
}
",
        expect![[r#"
            program @main
              binding %b at a.loom:2:61
              @e external [1 1 1] (binding 0) at a.loom:7:3
        "#]],
    );
}

#[test]
fn arguments_that_are_no_argument() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%v: vector<4xf32>)
command.program.def public @main() launch() {
  %one = index.constant 1 : index
  %v = vector.constant 0.0 : vector<4xf32>
  kernel.dispatch @e[%one](%v) : [index](vector<4xf32>)
  command.return
}
",
        expect![[r#"
            a.loom:5:28: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type vector<4xf32>; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:4:3: it depends on this `vector.constant`, which has no exact value here
              help: pass a value that is exact at this launch, or read it from storage in the kernel
        "#]],
    );
}
