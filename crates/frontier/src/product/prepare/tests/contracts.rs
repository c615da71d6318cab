//! Promises: relied upon where they are made, and reported where an exact value breaks them.

use super::*;

#[test]
fn contracts_of_programs() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%n: index)
command.program.def @stage(%n: index) launch() where [range(%n, 1, 8)] {
  %one = index.constant 1 : index
  kernel.dispatch @e[%one](%n) : [index](index)
  command.return
}
command.program.def public @main() launch() {
  %good = index.constant 8 : index
  %bad = index.constant 9 : index
  command.program.launch @stage[%good]() : [index]()
  command.program.launch @stage[%bad]() : [index]()
  command.return
}
",
        expect![[r#"
            a.loom:11:3: error [PROGRAM/002]: `range(%n, 1, 8)` of the contract of '@stage' does not hold here
              a.loom:2:21: the contract
              note: %n is 9
              help: pass values that the contract admits, or widen the contract
        "#]],
    );
}

#[test]
fn contracts_of_kernels_and_functions() {
    check_one(
        "@main",
        "\
kernel.def @k() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%n: index, %x: f32) where [mul(%n, 16), finite(%x)] {
  kernel.return
}
func.def @f(%n: index, %m: index) where [lt(%n, %m)] {
  func.return
}
command.program.def public @main() launch() {
  %a = index.constant 8 : index
  %b = index.constant 16 : index
  %x = scalar.constant 1.0 : f32
  %y = scalar.constant inf : f32
  kernel.launch @k(%a, %x) : (index, f32)
  kernel.launch @k(%b, %y) : (index, f32)
  kernel.launch @k(%b, %x) : (index, f32)
  func.call @f(%b, %a) : (index, index)
  func.call @f(%a, %a) : (index, index)
  func.call @f(%a, %b) : (index, index)
  command.return
}
",
        expect![[r#"
            a.loom:15:3: error [PROGRAM/002]: `mul(%n, 16)` of the contract of '@k' does not hold here
              a.loom:1:12: the contract
              note: %n is 8
              help: pass values that the contract admits, or widen the contract
            a.loom:16:3: error [PROGRAM/002]: `finite(%x)` of the contract of '@k' does not hold here
              a.loom:1:12: the contract
              note: %x is infinite
              help: pass values that the contract admits, or widen the contract
            a.loom:18:3: error [PROGRAM/002]: `lt(%n, %m)` of the contract of '@f' does not hold here
              a.loom:7:10: the contract
              note: %n is 16, %m is 8
              help: pass values that the contract admits, or widen the contract
            a.loom:19:3: error [PROGRAM/002]: `lt(%n, %m)` of the contract of '@f' does not hold here
              a.loom:7:10: the contract
              note: %n is 8, %m is 8
              help: pass values that the contract admits, or widen the contract
        "#]],
    );
}

#[test]
fn assumptions() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%n: index)
command.program.def public @main(%n: index) launch() {
  %a = index.constant 8 : index
  %b = index.assume %a [mul(%a, 16)] : index
  %m = index.assume %n [range(%n, 4, 4)] : index
  kernel.dispatch @e[%m](%n) : [index](index)
  command.return
}
",
        expect![[r#"
            a.loom:4:3: error [PROGRAM/002]: `mul(%a, 16)` of an assumption does not hold here
              note: %a is 8
              help: remove the assumption, or the code that contradicts it
        "#]],
    );
}

#[test]
fn an_interval_contradicts_too() {
    check_one(
        "@main",
        "\
command.program.def @stage(%n: index) launch() where [ge(%n, 100)] {
  command.return
}
command.program.def public @main(%n: index) launch() where [range(%n, 0, 50)] {
  command.program.launch @stage[%n]() : [index]()
  command.return
}
",
        expect![[r#"
            a.loom:5:3: error [PROGRAM/002]: `ge(%n, 100)` of the contract of '@stage' does not hold here
              a.loom:1:21: the contract
              note: %n lies between 0 and 50
              help: pass values that the contract admits, or widen the contract
        "#]],
    );
}

#[test]
fn promises_decide_branches() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%n: index)
command.program.def @stage(%n: index) launch() where [le(%n, 50)] {
  %hundred = index.constant 100 : index
  %many = index.cmp sgt, %n, %hundred : index
  scf.if %many {
    kernel.dispatch @e[%hundred](%hundred) : [index](index)
  } else {
    %one = index.constant 1 : index
    kernel.dispatch @e[%one](%one) : [index](index)
  }
  command.return
}
command.program.def public @main(%n: index) launch() {
  command.program.launch @stage[%n]() : [index]()
  command.return
}
",
        expect![[r#"
            program @main
              @e external [1 1 1] (1: index) at a.loom:9:5 from a.loom:14:3
        "#]],
    );
}
