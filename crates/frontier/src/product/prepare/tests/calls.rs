//! Programs and functions are walked in place.

use super::*;

#[test]
fn programs_call_programs() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%n: index, %b: buffer)
command.program.def @leaf(%n: index) launch(%a: buffer, %b: buffer) {
  kernel.dispatch @e[%n](%n, %b) : [index](index, buffer)
  kernel.dispatch @e[%n](%n, %a) : [index](index, buffer)
  command.return
}
command.program.def @middle(%n: index) launch(%a: buffer, %b: buffer) {
  %two = index.constant 2 : index
  %m = index.mul %n, %two : index
  command.program.launch @leaf[%m](%b, %a) : [index](buffer, buffer)
  command.return
}
command.program.def public @main() launch(%a: buffer, %b: buffer) {
  %n = index.constant 21 : index
  command.program.launch @middle[%n](%a, %b) : [index](buffer, buffer)
  command.return
}
",
        expect![[r#"
            program @main
              binding %a at a.loom:13:43
              binding %b at a.loom:13:55
              @e external [42 1 1] (42: index, binding 0) at a.loom:3:3 from a.loom:10:3 from a.loom:15:3
              @e external [42 1 1] (42: index, binding 1) at a.loom:4:3 from a.loom:10:3 from a.loom:15:3
        "#]],
    );
}

#[test]
fn functions_compute() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%n: index, %x: f32)
func.def @up(%n: index, %by: index) -> (index) {
  %one = index.constant 1 : index
  %a = index.add %n, %by : index
  %b = index.sub %a, %one : index
  %c = index.div %b, %by : index
  func.return %c : index
}
func.def pure @half(%x: f32) -> (f32) {
  %h = scalar.constant 0.5 : f32
  %y = scalar.mulf %x, %h : f32
  func.return %y : f32
}
command.program.def public @main() launch() {
  %n = index.constant 1000 : index
  %by = index.constant 256 : index
  %groups = func.call @up(%n, %by) : (index, index) -> (index)
  %x = scalar.constant 3.0 : f32
  %y = func.call pure @half(%x) : (f32) -> (f32)
  kernel.dispatch @e[%groups](%n, %y) : [index](index, f32)
  command.return
}
",
        expect![[r#"
            program @main
              @e external [4 1 1] (1000: index, 0x3fc00000: f32) at a.loom:20:3
        "#]],
    );
}

#[test]
fn functions_of_several_blocks() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%n: index)
func.def @clamp(%n: index, %high: index) -> (index) {
  %big = index.cmp sgt, %n, %high : index
  cfg.cond_br %big, ^high, ^done(%n: index)
^high:
  cfg.br ^done(%high: index)
^done(%r: index):
  func.return %r : index
}
command.program.def public @main(%unknown: index) launch() {
  %n = index.constant 1000 : index
  %high = index.constant 64 : index
  %groups = func.call @clamp(%n, %high) : (index, index) -> (index)
  kernel.dispatch @e[%groups](%n) : [index](index)
  %unused = func.call @clamp(%unknown, %high) : (index, index) -> (index)
  command.return
}
",
        expect![[r#"
            program @main
              @e external [64 1 1] (1000: index) at a.loom:14:3
        "#]],
    );
}

#[test]
fn unknown_branches_between_blocks() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%n: index)
func.def @clamp(%n: index, %high: index) -> (index) {
  %big = index.cmp sgt, %n, %high : index
  cfg.cond_br %big, ^high, ^done(%n: index)
^high:
  cfg.br ^done(%high: index)
^done(%r: index):
  func.return %r : index
}
command.program.def public @main(%unknown: index) launch() {
  %high = index.constant 64 : index
  %groups = func.call @clamp(%unknown, %high) : (index, index) -> (index)
  kernel.dispatch @e[%groups](%high) : [index](index)
  command.return
}
",
        expect![[r#"
            a.loom:4:3: error [PROGRAM/001]: source operation `cfg.cond_br` is not representable in a portable command schedule
              a.loom:13:22: needed here
              a.loom:12:3: reached from here
              help: make its condition exact
        "#]],
    );
}

#[test]
fn commands_of_functions() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%b: buffer)
func.def @twice(%n: index, %b: buffer) {
  kernel.dispatch @e[%n](%b) : [index](buffer)
  kernel.dispatch @e[%n](%b) : [index](buffer)
  func.return
}
command.program.def public @main() launch(%a: buffer, %b: buffer) {
  %n = index.constant 1 : index
  %m = index.constant 2 : index
  command.concurrent {
    func.call @twice(%n, %a) : (index, buffer)
    func.call @twice(%m, %b) : (index, buffer)
  }
  command.return
}
",
        expect![[r#"
            program @main
              binding %a at a.loom:7:43
              binding %b at a.loom:7:55
              concurrent
                serial
                  @e external [1 1 1] (binding 0) at a.loom:3:3 from a.loom:11:5
                  @e external [1 1 1] (binding 0) at a.loom:4:3 from a.loom:11:5
                serial
                  @e external [2 1 1] (binding 1) at a.loom:3:3 from a.loom:12:5
                  @e external [2 1 1] (binding 1) at a.loom:4:3 from a.loom:12:5
        "#]],
    );
}

#[test]
fn called_programs_stay_serial() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e()
command.program.def @two(%n: index) launch() {
  kernel.dispatch @e[%n]() : [index]()
  kernel.dispatch @e[%n]() : [index]()
  command.return
}
command.program.def @one(%n: index) launch() {
  kernel.dispatch @e[%n]() : [index]()
  command.return
}
command.program.def @none(%n: index) launch() {
  command.return
}
command.program.def public @main() launch() {
  %a = index.constant 1 : index
  %b = index.constant 2 : index
  command.concurrent {
    command.program.launch @two[%a]() : [index]()
    command.program.launch @one[%b]() : [index]()
    command.program.launch @none[%b]() : [index]()
    command.serial {
      kernel.dispatch @e[%a]() : [index]()
      command.concurrent {
        command.program.launch @two[%b]() : [index]()
        kernel.dispatch @e[%a]() : [index]()
      }
    }
  }
  command.concurrent {
  }
  kernel.launch.concurrent {
    kernel.dispatch @e[%a]() : [index]()
    kernel.launch.serial {
      kernel.dispatch @e[%a]() : [index]()
      kernel.dispatch @e[%b]() : [index]()
    }
  }
  command.return
}
",
        expect![[r#"
            program @main
              concurrent
                serial
                  @e external [1 1 1] () at a.loom:3:3 from a.loom:18:5
                  @e external [1 1 1] () at a.loom:4:3 from a.loom:18:5
                @e external [2 1 1] () at a.loom:8:3 from a.loom:19:5
                serial
                  @e external [1 1 1] () at a.loom:22:7
                  concurrent
                    serial
                      @e external [2 1 1] () at a.loom:3:3 from a.loom:24:9
                      @e external [2 1 1] () at a.loom:4:3 from a.loom:24:9
                    @e external [1 1 1] () at a.loom:25:9
              concurrent
                @e external [1 1 1] () at a.loom:32:5
                serial
                  @e external [1 1 1] () at a.loom:34:7
                  @e external [2 1 1] () at a.loom:35:7
        "#]],
    );
}

#[test]
fn missing_bodies() {
    check_one(
        "@main",
        "\
command.program.decl @elsewhere(%n: index) launch()
func.decl @f(%n: index) -> (index)
func.decl import(\"libm\") @g(%n: index)
command.program.def public @main() launch() {
  %n = index.constant 1 : index
  command.program.launch @elsewhere[%n]() : [index]()
  %m = func.call @f(%n) : (index) -> (index)
  func.call @g(%m) : (index)
  command.return
}
",
        expect![[r#"
            a.loom:6:3: error [LOWERING/044]: inline-callables cannot inline command.program.launch to @elsewhere: callee_missing_body
              a.loom:1:22: declared here
              help: link the module that defines it
            a.loom:7:3: error [LOWERING/044]: inline-callables cannot inline func.call to @f: callee_missing_body
              a.loom:2:11: declared here
              help: link the module that defines it
            a.loom:8:3: error [LOWERING/044]: inline-callables cannot inline func.call to @g: callee_missing_body
              a.loom:3:26: declared here
              help: link the module that defines it
        "#]],
    );
}

#[test]
fn cycles() {
    check_one(
        "@main @self",
        "\
kernel.entry.decl @e()
command.program.def @self() launch() {
  command.program.launch @self() : ()
  command.return
}
func.def @ping(%n: index) -> (index) {
  %m = func.call @pong(%n) : (index) -> (index)
  func.return %m : index
}
func.def @pong(%n: index) -> (index) {
  %m = func.call @ping(%n) : (index) -> (index)
  func.return %m : index
}
command.program.def public @main() launch() {
  %n = index.constant 1 : index
  %m = func.call @ping(%n) : (index) -> (index)
  kernel.dispatch @e[%m]() : [index]()
  command.return
}
",
        expect![[r#"
            a.loom:11:3: error [LOWERING/044]: inline-callables cannot inline func.call to @ping: required_cycle
              a.loom:6:10: the symbol that needs itself
              a.loom:7:3: reached from here
              a.loom:16:3: reached from here
              help: break the cycle: what a program does must be finite when it is compiled
            a.loom:3:3: error [LOWERING/044]: inline-callables cannot inline command.program.launch to @self: required_cycle
              a.loom:2:21: the symbol that needs itself
              help: break the cycle: what a program does must be finite when it is compiled
        "#]],
    );
}

#[test]
fn effects_of_functions() {
    check_one(
        "@main",
        "\
func.def @clear(%b: buffer) {
  %zero = index.constant 0 : offset
  %bytes = index.constant 16 : offset
  %value = scalar.constant 0 : i32
  buffer.fill %value, %b[%zero], %bytes : i32
  func.return
}
command.program.def public @main() launch(%b: buffer) {
  func.call @clear(%b) : (buffer)
  command.return
}
",
        expect![[r#"
            a.loom:5:3: error [STRUCTURE/053]: 'buffer.fill' has observable effects in a command-program body but does not represent an explicit command
              a.loom:9:3: reached from here
              help: do the work in a kernel that the program launches
        "#]],
    );
}

#[test]
fn dead_calls_need_nothing() {
    check_one(
        "@main",
        "\
kernel.decl @k(%n: index) launch()
command.program.decl @elsewhere() launch()
command.program.def public @main() launch() {
  %no = scalar.constant false : i1
  scf.if %no {
    %n = index.constant 1 : index
    kernel.launch @k[%n]() : [index]()
    command.program.launch @elsewhere() : ()
  }
  command.return
}
",
        expect![[r#"
            program @main
        "#]],
    );
}

#[test]
fn other_modules_are_named() {
    check(
        "@main",
        "\
//- input main.loom
command.program.decl @stage(%n: index) launch(%b: buffer)
command.program.def public @main() launch(%b: buffer) {
  %n = index.constant 3 : index
  command.program.launch @stage[%n](%b) : [index](buffer)
  command.return
}
//- library stage.loom
func.def @helper(%n: index) -> (index) {
  %one = index.constant 1 : index
  %m = index.add %n, %one : index
  func.return %m : index
}
kernel.entry.decl @run(%n: i64, %b: buffer)
command.program.def public @stage(%n: index) launch(%b: buffer) {
  %m = func.call @helper(%n) : (index) -> (index)
  %i = index.cast %m : index to i64
  kernel.dispatch @run[%m](%i, %b) : [index](i64, buffer)
  command.return
}
",
        expect![[r#"
            program @main
              binding %b at main.loom:2:43
              @run external [4 1 1] (4: i64, binding 0) at stage.loom:10:3 from main.loom:4:3
        "#]],
    );
}

#[test]
fn roots_that_are_no_programs() {
    check_one(
        "@k @p",
        "\
kernel.def @k() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch() {
  kernel.return
}
command.program.decl public @p() launch()
",
        expect![[r#"
            a.loom:1:12: error [PROGRAM/005]: '@k' is no command program with a body
              help: name a `command.program.def`, or link the module that defines it
            a.loom:7:29: error [PROGRAM/005]: '@p' is no command program with a body
              help: name a `command.program.def`, or link the module that defines it
        "#]],
    );
}

#[test]
fn bindings_are_storage() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%b: buffer)
command.program.def public @main() launch(%b: buffer, %v: view<4xf32>, %n: i32) {
  %one = index.constant 1 : index
  kernel.dispatch @e[%one](%b) : [index](buffer)
  command.return
}
",
        expect![[r#"
            a.loom:2:72: error [PROGRAM/006]: launch argument '%n' of '@main' is no storage
              note: the host binds buffers and views
              help: make it a specialization argument, or read it from a buffer in the kernels
        "#]],
    );
}

/// Who knows the specialization arguments of a root may say so.
#[test]
fn roots_with_values() {
    let fixture = "\
//- input a.loom
kernel.entry.decl @e(%n: index, %x: f32)
command.program.def public @main(%n: index, %x: f32, %unused: index) launch() where [le(%n, 8)] {
  kernel.dispatch @e[%n](%n, %x) : [index](index, f32)
  command.return
}
";
    let [text, _] = indexes(fixture);
    let linked = link(&text, &link_options("@main"), false).value.expect("a link");
    let root = linked.items[1].origins[0];
    let index = |value| Some(Exact::Index(loom_ir::Scalar::Index, value));
    let half = Some(Exact::Float(loom_ir::Scalar::F32, 0x3f00_0000));
    let mut preparation = Preparation::new(&text, &linked);
    let mut out = String::new();
    for values in [
        &[index(5), half][..],
        &[index(9), half],
        &[half, half],
        &[None, half],
        &[index(5)],
    ] {
        let outcome = preparation.specialized(root, values);
        out += &render(&parts(fixture), &outcome.diagnostics);
        if let Some(program) = &outcome.value {
            out += &shown(&text, &parts(fixture), program);
        }
    }
    expect![[r#"
        program @main
          @e external [5 1 1] (5: index, 0x3f000000: f32) at a.loom:3:3
        a.loom:2:28: error [PROGRAM/002]: `le(%n, 8)` of the contract of '@main' does not hold here
          a.loom:2:28: the contract
          note: %n is 9
          help: pass values that the contract admits, or widen the contract
        a.loom:2:34: error [PROGRAM/005]: the value given for '%n' of '@main' is none of its type
          help: give a value of the argument's type
        a.loom:3:22: error [LOWERING/051]: command-program preparation requires workgroup-count dimension x of @e to be an exact unsigned 32-bit value
          a.loom:2:34: it depends on '%n', which is not known when the program is compiled
          help: compute it from constants, configuration and arguments that the callers know
        a.loom:3:26: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type index; it requires an exact scalar bit pattern or an exact range of storage
          a.loom:2:34: it depends on '%n', which is not known when the program is compiled
          help: pass a value that is exact at this launch, or read it from storage in the kernel
        a.loom:3:30: error [LOWERING/052]: portable command-program lowering cannot encode argument 1 of @e with type f32; it requires an exact scalar bit pattern or an exact range of storage
          a.loom:2:45: it depends on '%x', which is not known when the program is compiled
          help: pass a value that is exact at this launch, or read it from storage in the kernel
    "#]].assert_eq(&out);
}
