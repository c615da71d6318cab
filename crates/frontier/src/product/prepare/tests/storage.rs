//! Buffers, views, allocations and parameters.

use super::*;

/// A program over `@e(buffer)` and `@i(index)` with a bound buffer `%b`; `%u` is not known.
#[track_caller]
fn check_body(body: &str, expected: Expect) {
    let source = format!(
        "kernel.entry.decl @e(%b: buffer)\nkernel.entry.decl @o(%n: offset)\ncommand.program.def public @main(%u: index) launch(%b: buffer, %other: buffer) {{\n  %one = index.constant 1 : index\n  %at = index.constant 64 : offset\n{body}  command.return\n}}\n"
    );
    check_one("@main", &source, expected);
}

#[test]
fn views_are_ranges() {
    check_body(
        "\
  %w = buffer.view %b[%at] : buffer -> view<8x16xf32>
  %x = view.subview %w[1, 4] : view<8x16xf32> -> view<2x4xf32>
  %y = view.subview %x[1, 0] : view<2x4xf32> -> view<1x4xf32>
  %z = view.refine %w : view<8x16xf32> -> view<8x16xf32, align(1)>
  %s = view.subview %w[%one, 0] : view<8x16xf32> -> view<1x16xf32>
  kernel.dispatch @e[%one](%w) : [index](view<8x16xf32>)
  kernel.dispatch @e[%one](%x) : [index](view<2x4xf32>)
  kernel.dispatch @e[%one](%y) : [index](view<1x4xf32>)
  kernel.dispatch @e[%one](%z) : [index](view<8x16xf32, align(1)>)
  kernel.dispatch @e[%one](%s) : [index](view<1x16xf32>)
  kernel.dispatch @e[%one](%b) : [index](buffer)
",
        expect![[r#"
            program @main
              binding %b at a.loom:3:52
              binding %other at a.loom:3:64
              @e external [1 1 1] (binding 0+64:512) at a.loom:11:3
              @e external [1 1 1] (binding 0+144:32) at a.loom:12:3
              @e external [1 1 1] (binding 0+160:16) at a.loom:13:3
              @e external [1 1 1] (binding 0+64:512) at a.loom:14:3
              @e external [1 1 1] (binding 0+128:64) at a.loom:15:3
              @e external [1 1 1] (binding 0) at a.loom:16:3
        "#]],
    );
}

#[test]
fn strided_views() {
    check_body(
        "\
  %zero = index.constant 0 : offset
  %w = buffer.view %b[%zero] : buffer -> view<8x16xf32, #encoding.layout.strided<strides=[16, 1]>>
  %x = view.subview %w[1, 4] : view<8x16xf32, #encoding.layout.strided<strides=[16, 1]>> -> view<2x4xf32, #encoding.layout.strided<strides=[16, 1]>>
  %row = index.constant 32 : index
  %layout = encoding.layout.strided [%row, 1] : encoding<layout>
  %y = buffer.view %b[%zero] : buffer -> view<8x16xf32, %layout>
  %z = view.subview %y[2, 3] : view<8x16xf32, %layout> -> view<1x2xf32, %layout>
  %dense = encoding.layout.dense : encoding<layout>
  %v = buffer.view %b[%zero] : buffer -> view<4xi16, %dense>
  kernel.dispatch @e[%one](%x) : [index](view<2x4xf32, #encoding.layout.strided<strides=[16, 1]>>)
  kernel.dispatch @e[%one](%z) : [index](view<1x2xf32, %layout>)
  kernel.dispatch @e[%one](%v) : [index](view<4xi16, %dense>)
",
        expect![[r#"
            program @main
              binding %b at a.loom:3:52
              binding %other at a.loom:3:64
              @e external [1 1 1] (binding 0+80:80) at a.loom:15:3
              @e external [1 1 1] (binding 0+268:8) at a.loom:16:3
              @e external [1 1 1] (binding 0+0:8) at a.loom:17:3
        "#]],
    );
}

#[test]
fn extents_that_are_values() {
    check_body(
        "\
  %n = index.constant 10 : index
  %w = buffer.view %b[%at] : buffer -> view<[%n]x4xi8>
  %x = buffer.view %b[%at] : buffer -> view<[%u]x4xi8>
  %y = view.subview %x[2, 0] : view<[%u]x4xi8> -> view<1x4xi8>
  %none = buffer.view %b[%at] : buffer -> view<0x4xi8>
  kernel.dispatch @e[%one](%w) : [index](view<[%n]x4xi8>)
  kernel.dispatch @e[%one](%x) : [index](view<[%u]x4xi8>)
  kernel.dispatch @e[%one](%y) : [index](view<1x4xi8>)
  kernel.dispatch @e[%one](%none) : [index](view<0x4xi8>)
",
        expect![[r#"
            program @main
              binding %b at a.loom:3:52
              binding %other at a.loom:3:64
              @e external [1 1 1] (binding 0+64:40) at a.loom:11:3
              @e external [1 1 1] (binding 0+64) at a.loom:12:3
              @e external [1 1 1] (binding 0+72:4) at a.loom:13:3
              @e external [1 1 1] (binding 0+64:0) at a.loom:14:3
        "#]],
    );
}

#[test]
fn offsets_that_are_not_exact() {
    check_body(
        "\
  %from = index.cast %u : index to offset
  %w = buffer.view %b[%from] : buffer -> view<4xf32>
  %x = buffer.view %b[%at] : buffer -> view<8x[%u]xf32>
  %y = view.subview %x[1, 0] : view<8x[%u]xf32> -> view<1x4xf32>
  %z = view.subview %x[0, -99] : view<8x[%u]xf32> -> view<1x4xf32>
  kernel.dispatch @e[%one](%w) : [index](view<4xf32>)
  kernel.dispatch @e[%one](%y) : [index](view<1x4xf32>)
  kernel.dispatch @e[%one](%z) : [index](view<1x4xf32>)
",
        expect![[r#"
            a.loom:11:28: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type view<4xf32>; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:3:34: it depends on '%u', which is not known when the program is compiled
              help: pass a value that is exact at this launch, or read it from storage in the kernel
            a.loom:12:28: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type view<1x4xf32>; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:3:34: it depends on '%u', which is not known when the program is compiled
              help: pass a value that is exact at this launch, or read it from storage in the kernel
            a.loom:13:28: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type view<1x4xf32>; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:10:3: it depends on this `view.subview`, which has no exact value here
              help: pass a value that is exact at this launch, or read it from storage in the kernel
        "#]],
    );
}

#[test]
fn allocations() {
    check_body(
        "\
  %bytes = index.constant 100 : offset
  %a = buffer.alloca<global> align(256) %bytes : buffer
  %unused = buffer.alloca<global> %bytes : buffer
  %c = buffer.alloca<global> %at : buffer
  %v = buffer.view %a[%at] : buffer -> view<4xf32>
  kernel.dispatch @e[%one](%c) : [index](buffer)
  command.concurrent {
    %d = buffer.alloca<global> %at : buffer
    kernel.dispatch @e[%one](%v) : [index](view<4xf32>)
    kernel.dispatch @e[%one](%d) : [index](buffer)
  }
",
        expect![[r#"
            program @main
              binding %b at a.loom:3:52
              binding %other at a.loom:3:64
              allocation 0 %a: 100 bytes align 256
              allocation 1 %c: 64 bytes align 16
              allocation 2 %d: 64 bytes align 16
              allocate 0
              allocate 1
              @e external [1 1 1] (allocation 1) at a.loom:11:3
              concurrent
                allocate 2
                @e external [1 1 1] (allocation 0+64:16) at a.loom:14:5
                @e external [1 1 1] (allocation 2) at a.loom:15:5
        "#]],
    );
}

#[test]
fn allocations_of_loops_and_calls() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%b: buffer)
command.program.def @stage() launch(%b: buffer) {
  %one = index.constant 1 : index
  %bytes = index.constant 32 : offset
  %t = buffer.alloca<global> %bytes : buffer
  kernel.dispatch @e[%one](%t) : [index](buffer)
  kernel.dispatch @e[%one](%b) : [index](buffer)
  command.return
}
command.program.def public @main() launch(%b: buffer) {
  %zero = index.constant 0 : index
  %two = index.constant 2 : index
  %one = index.constant 1 : index
  scf.for %i = [%zero to %two step %one] unroll {
    command.program.launch @stage(%b) : (buffer)
  }
  command.return
}
",
        expect![[r#"
            program @main
              binding %b at a.loom:10:43
              allocation 0 %t: 32 bytes align 16
              allocation 1 %t: 32 bytes align 16
              allocate 0
              @e external [1 1 1] (allocation 0) at a.loom:6:3 from a.loom:15:5
              @e external [1 1 1] (binding 0) at a.loom:7:3 from a.loom:15:5
              allocate 1
              @e external [1 1 1] (allocation 1) at a.loom:6:3 from a.loom:15:5
              @e external [1 1 1] (binding 0) at a.loom:7:3 from a.loom:15:5
        "#]],
    );
}

#[test]
fn allocations_that_cannot_be_placed() {
    check_body(
        "\
  %bytes = index.cast %u : index to offset
  %a = buffer.alloca<global> %bytes : buffer
  %unused = buffer.alloca<global> %bytes : buffer
  %w = buffer.alloca<workgroup> %at : buffer
  kernel.dispatch @e[%one](%a) : [index](buffer)
  kernel.dispatch @e[%one](%w) : [index](buffer)
",
        expect![[r#"
            a.loom:7:3: error [PROGRAM/007]: an allocation requires an exact size in bytes
              a.loom:3:34: it depends on '%u', which is not known when the program is compiled
              a.loom:10:28: used here
              help: compute it from constants, configuration and arguments that the callers know
            a.loom:9:3: error [PROGRAM/007]: storage of a command program must be global
              a.loom:11:28: used here
              help: write `buffer.alloca<global>`; other spaces belong to kernels
        "#]],
    );
}

#[test]
fn lengths_and_packs() {
    check_body(
        "\
  %a = buffer.alloca<global> %at : buffer
  %n = buffer.length %a
  %c100 = index.constant 100 : offset
  %total, %x, %y = buffer.pack [align(16) %c100, align(256) %n] : offset
  kernel.dispatch @o[%one](%n) : [index](offset)
  kernel.dispatch @o[%one](%total) : [index](offset)
  kernel.dispatch @o[%one](%x) : [index](offset)
  kernel.dispatch @o[%one](%y) : [index](offset)
  %m = buffer.length %b
  kernel.dispatch @o[%one](%m) : [index](offset)
",
        expect![[r#"
            a.loom:15:28: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @o with type offset; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:14:3: it depends on this `buffer.length`, which has no exact value here
              help: pass a value that is exact at this launch, or read it from storage in the kernel
        "#]],
    );
}

#[test]
fn promises_about_buffers() {
    check_body(
        "\
  %x, %y = buffer.assume.noalias %b, %other : buffer, buffer
  %z = buffer.assume.alignment %y {minimum_alignment = 16} : buffer
  kernel.dispatch @e[%one](%z) : [index](buffer)
  kernel.dispatch @e[%one](%x) : [index](buffer)
",
        expect![[r#"
            program @main
              binding %b at a.loom:3:52
              binding %other at a.loom:3:64
              @e external [1 1 1] (binding 1) at a.loom:8:3
              @e external [1 1 1] (binding 0) at a.loom:9:3
        "#]],
    );
}

#[test]
fn parameters() {
    check_body(
        "\
  %zero = index.constant 0 : index
  %three = index.constant 3 : index
  scf.for %i = [%zero to %three step %one] unroll {
    %w = command.parameter %b, \"blk.{}.weight\"[%i] : view<4x4xf32>
    kernel.dispatch @e[%one](%w) : [index](view<4x4xf32>)
  }
  %again = command.parameter %b, \"blk.{}.weight\"[%one] : view<4x4xf32>
  %row = view.subview %again[1, 0] : view<4x4xf32> -> view<1x4xf32>
  kernel.dispatch @e[%one](%row) : [index](view<1x4xf32>)
  %unused = command.parameter %other, \"bias\" : view<4xf32>
  %plain = command.parameter %other, \"{}.{}\"[%three, %zero] : view<2xi64>
  kernel.dispatch @e[%one](%plain) : [index](view<2xi64>)
",
        expect![[r#"
            program @main
              binding %b at a.loom:3:52
              binding %other at a.loom:3:64
              parameter 0 'blk.0.weight' of 0: 64 bytes
              parameter 1 'blk.1.weight' of 0: 64 bytes
              parameter 2 'blk.2.weight' of 0: 64 bytes
              parameter 3 '3.0' of 1: 16 bytes
              @e external [1 1 1] (parameter 0+0:64) at a.loom:10:5
              @e external [1 1 1] (parameter 1+0:64) at a.loom:10:5
              @e external [1 1 1] (parameter 2+0:64) at a.loom:10:5
              @e external [1 1 1] (parameter 1+16:16) at a.loom:14:3
              @e external [1 1 1] (parameter 3+0:16) at a.loom:17:3
        "#]],
    );
}

#[test]
fn parameters_that_are_wrong() {
    check_body(
        "\
  %less = index.constant -1 : index
  %a = buffer.alloca<global> %at : buffer
  %p = command.parameter %b, \"w.{}\"[%u] : view<4xf32>
  %q = command.parameter %b, \"w.{}\"[%less] : view<4xf32>
  %r = command.parameter %b, \"w.{}\" : view<4xf32>
  %s = command.parameter %b, \"w\" : view<[%u]xf32>
  %t = command.parameter %a, \"w\" : view<4xf32>
  %unused = command.parameter %b, \"x.{}\"[%u] : view<4xf32>
  kernel.dispatch @e[%one](%p) : [index](view<4xf32>)
  kernel.dispatch @e[%one](%q) : [index](view<4xf32>)
  kernel.dispatch @e[%one](%r) : [index](view<4xf32>)
  kernel.dispatch @e[%one](%s) : [index](view<[%u]xf32>)
  kernel.dispatch @e[%one](%t) : [index](view<4xf32>)
",
        expect![[r#"
            a.loom:8:3: error [PROGRAM/008]: parameter key requires '%u' to be an exact number that is not negative
              a.loom:3:34: it depends on '%u', which is not known when the program is compiled
              a.loom:14:28: needed here
              help: fill keys with constants, configuration and arguments that the callers know
            a.loom:9:3: error [PROGRAM/008]: parameter key requires '%less' to be an exact number that is not negative
              a.loom:15:28: needed here
              note: it is -1
              help: fill keys with constants, configuration and arguments that the callers know
            a.loom:10:3: error [PROGRAM/008]: parameter key has 1 places `{}` but 0 arguments
              a.loom:16:28: needed here
              help: pass one argument for each `{}` of the key
            a.loom:11:3: error [PROGRAM/008]: parameter 'w' has a view of unknown size
              a.loom:17:28: needed here
              help: give its view extents and strides that are exact
            a.loom:12:3: error [PROGRAM/008]: a parameter is read from something that is no launch argument of the root
              a.loom:18:28: needed here
              help: read parameters from the whole of a buffer that the host binds
        "#]],
    );
}

#[test]
fn counts_in_storage() {
    check_body(
        "\
  %v = buffer.view %b[%at] : buffer -> view<3xi32>
  kernel.dispatch @e[%v](%other) : [view<3xi32>](buffer)
  %p = command.parameter %other, \"counts\" : view<3xi32>
  kernel.dispatch @e[%p](%b) : [view<3xi32>](buffer)
  %a = buffer.alloca<global> %at : buffer
  %zero = index.constant 0 : offset
  %w = buffer.view %a[%zero] : buffer -> view<3xi32>
  kernel.dispatch @e[%one](%a) : [index](buffer)
  kernel.dispatch @e[%w](%b) : [view<3xi32>](buffer)
",
        expect![[r#"
            program @main
              binding %b at a.loom:3:52
              binding %other at a.loom:3:64
              allocation 0 %a: 64 bytes align 16
              parameter 0 'counts' of 1: 12 bytes
              @e external [binding 0+64:12] (binding 1) at a.loom:7:3
              @e external [parameter 0+0:12] (binding 0) at a.loom:9:3
              allocate 0
              @e external [1 1 1] (allocation 0) at a.loom:13:3
              @e external [allocation 0+0:12] (binding 0) at a.loom:14:3
        "#]],
    );
}

#[test]
fn counts_in_storage_that_is_not_placed() {
    check_body(
        "\
  %from = index.cast %u : index to offset
  %v = buffer.view %b[%from] : buffer -> view<3xi32>
  kernel.dispatch @e[%v](%other) : [view<3xi32>](buffer)
",
        expect![[r#"
            a.loom:8:22: error [LOWERING/054]: portable command-program lowering cannot place the workgroup-count view for @e; it requires an exact byte offset in a launch argument, a parameter or an allocation
              a.loom:3:34: it depends on '%u', which is not known when the program is compiled
              help: take the view at an exact offset
        "#]],
    );
}

#[test]
fn bound_views() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%b: buffer)
command.program.def @stage() launch(%b: buffer) {
  %one = index.constant 1 : index
  %at = index.constant 8 : offset
  %v = buffer.view %b[%at] : buffer -> view<2xi32>
  kernel.dispatch @e[%one](%b) : [index](buffer)
  kernel.dispatch @e[%one](%v) : [index](view<2xi32>)
  command.return
}
command.program.def public @main(%n: index) launch(%v: view<4x4xf32>, %w: view<[%n]xf32>, %counts: view<3xi32>, %unused: buffer) {
  kernel.dispatch @e[%counts](%v) : [view<3xi32>](view<4x4xf32>)
  kernel.dispatch @e[%counts](%w) : [view<3xi32>](view<[%n]xf32>)
  %row = view.subview %v[2, 0] : view<4x4xf32> -> view<1x4xf32>
  command.program.launch @stage(%row) : (view<1x4xf32>)
  command.return
}
",
        expect![[r#"
            program @main
              binding %v at a.loom:10:52
              binding %w at a.loom:10:71
              binding %counts at a.loom:10:91
              binding %unused at a.loom:10:113
              @e external [binding 2+0:12] (binding 0+0:64) at a.loom:11:3
              @e external [binding 2+0:12] (binding 1) at a.loom:12:3
              @e external [1 1 1] (binding 0+32:16) at a.loom:6:3 from a.loom:14:3
              @e external [1 1 1] (binding 0+40:8) at a.loom:7:3 from a.loom:14:3
        "#]],
    );
}

#[test]
fn storage_that_is_chosen() {
    check_body(
        "\
  %yes = scalar.constant true : i1
  %c = scf.select %yes, %other, %b : buffer
  kernel.dispatch @e[%one](%c) : [index](buffer)
  %odd = index.cmp eq, %u, %one : index
  %d = scf.select %odd, %b, %b : buffer
  kernel.dispatch @e[%one](%d) : [index](buffer)
  %f = scf.select %odd, %other, %b : buffer
  kernel.dispatch @e[%one](%f) : [index](buffer)
",
        expect![[r#"
            a.loom:13:28: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type buffer; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:3:34: it depends on '%u', which is not known when the program is compiled
              help: pass a value that is exact at this launch, or read it from storage in the kernel
        "#]],
    );
}
