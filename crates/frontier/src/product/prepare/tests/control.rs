//! Branches and loops.

use super::*;

/// A program over entries `@e(index)` and `@f()`; `%u` is not known.
#[track_caller]
fn check_body(body: &str, expected: Expect) {
    let source = format!(
        "kernel.entry.decl @e(%n: index)\nkernel.entry.decl @f()\ncommand.program.def public @main(%u: index) launch() {{\n  %c0 = index.constant 0 : index\n  %c1 = index.constant 1 : index\n  %c4 = index.constant 4 : index\n{body}  command.return\n}}\n"
    );
    check_one("@main", &source, expected);
}

#[test]
fn known_branches() {
    check_body(
        "\
  %less = index.cmp slt, %c1, %c4 : index
  scf.if %less {
    kernel.dispatch @e[%c1](%c1) : [index](index)
    kernel.dispatch @e[%c1](%c4) : [index](index)
  } else {
    kernel.dispatch @f[%c1]() : [index]()
  }
  %n = scf.if %less -> (index) {
    scf.yield %c4 : index
  } else {
    scf.yield %u : index
  }
  command.concurrent {
    scf.if %less {
      kernel.dispatch @e[%n](%c1) : [index](index)
      kernel.dispatch @e[%n](%c4) : [index](index)
    }
  }
",
        expect![[r#"
            program @main
              @e external [1 1 1] (1: index) at a.loom:9:5
              @e external [1 1 1] (4: index) at a.loom:10:5
              concurrent
                @e external [4 1 1] (1: index) at a.loom:21:7
                @e external [4 1 1] (4: index) at a.loom:22:7
        "#]],
    );
}

#[test]
fn unknown_branches_with_commands() {
    check_body(
        "\
  %less = index.cmp slt, %u, %c4 : index
  scf.if %less {
    kernel.dispatch @e[%u](%u) : [index](index)
  }
  scf.if %less {
  } else {
    kernel.dispatch @f[%c1]() : [index]()
  }
",
        expect![[r#"
            a.loom:8:3: error [PROGRAM/001]: source operation `scf.if` is not representable in a portable command schedule
              help: make its condition exact, or launch a kernel that decides
            a.loom:11:3: error [PROGRAM/001]: source operation `scf.if` is not representable in a portable command schedule
              help: make its condition exact, or launch a kernel that decides
        "#]],
    );
}

#[test]
fn unknown_branches_without_commands() {
    check_body(
        "\
  %less = index.cmp slt, %u, %c4 : index
  %n = scf.if %less -> (index) {
    %m = index.max %u, %c4 : index
    scf.yield %m : index
  } else {
    scf.yield %c4 : index
  }
  %unused = scf.if %less -> (index) {
    scf.yield %u : index
  } else {
    scf.yield %c0 : index
  }
  scf.if %less {
    %bytes = index.constant 64 : offset
    %b = buffer.alloca<global> %bytes : buffer
  }
  kernel.dispatch @e[%n](%n) : [index](index)
",
        expect![[r#"
            program @main
              @e external [4 1 1] (4: index) at a.loom:23:3
        "#]],
    );
}

#[test]
fn needed_results_of_unknown_branches() {
    check_body(
        "\
  %less = index.cmp slt, %u, %c4 : index
  %n = scf.if %less -> (index) {
    scf.yield %c1 : index
  } else {
    scf.yield %c4 : index
  }
  %m = index.add %n, %c1 : index
  kernel.dispatch @e[%m](%m) : [index](index)
",
        expect![[r#"
            a.loom:8:3: error [PROGRAM/001]: source operation `scf.if` is not representable in a portable command schedule
              a.loom:14:22: needed here
              help: make its condition exact, or launch a kernel that decides
        "#]],
    );
}

#[test]
fn path_facts() {
    check_body(
        "\
  %less = index.cmp slt, %u, %c4 : index
  %n = scf.if %less -> (index) {
    %again = index.cmp sge, %u, %c4 : index
    %m = scf.select %again, %u, %c1 : index
    scf.yield %m : index
  } else {
    %same = index.cmp sge, %u, %c4 : index
    %m = scf.select %same, %c1, %u : index
    scf.yield %m : index
  }
  kernel.dispatch @e[%n](%n) : [index](index)
",
        expect![[r#"
            program @main
              @e external [1 1 1] (1: index) at a.loom:17:3
        "#]],
    );
}

#[test]
fn facts_of_a_branch_end_with_it() {
    check_body(
        "\
  %is = index.cmp eq, %u, %c4 : index
  %n = scf.if %is -> (index) {
    %m = index.add %u, %c1 : index
    scf.yield %m : index
  } else {
    scf.yield %c0 : index
  }
  %m = index.add %u, %c1 : index
  kernel.dispatch @e[%m](%c1) : [index](index)
",
        expect![[r#"
            a.loom:15:22: error [LOWERING/051]: command-program preparation requires workgroup-count dimension x of @e to be an exact unsigned 32-bit value
              a.loom:3:34: it depends on '%u', which is not known when the program is compiled
              help: compute it from constants, configuration and arguments that the callers know
        "#]],
    );
}

#[test]
fn unrolled_loops() {
    check_body(
        "\
  %sum = scf.for %i = [%c1 to %c4 step %c1](%acc = %c0 : index) -> (index) unroll {
    %next = index.madd %i, %i, %acc : index
    kernel.dispatch @e[%i](%next) : [index](index)
    scf.yield %next : index
  }
  kernel.dispatch @e[%c1](%sum) : [index](index)
  command.concurrent {
    scf.for %i = [%c0 to %c4 step %c1] unroll {
      scf.for %j = [%c0 to %i step %c1] unroll {
        %n = index.mul %i, %j : index
        kernel.dispatch @e[%c1](%n) : [index](index)
      }
    }
  }
  scf.for %i = [%c4 to %c0 step %c1] unroll {
    kernel.dispatch @f[%c1]() : [index]()
  }
",
        expect![[r#"
            program @main
              @e external [1 1 1] (1: index) at a.loom:9:5
              @e external [2 1 1] (5: index) at a.loom:9:5
              @e external [3 1 1] (14: index) at a.loom:9:5
              @e external [1 1 1] (14: index) at a.loom:12:3
              concurrent
                @e external [1 1 1] (0: index) at a.loom:17:9
                @e external [1 1 1] (0: index) at a.loom:17:9
                @e external [1 1 1] (2: index) at a.loom:17:9
                @e external [1 1 1] (0: index) at a.loom:17:9
                @e external [1 1 1] (3: index) at a.loom:17:9
                @e external [1 1 1] (6: index) at a.loom:17:9
        "#]],
    );
}

#[test]
fn loops_over_offsets() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e(%b: buffer, %at: offset)
command.program.def public @main() launch(%b: buffer) {
  %one = index.constant 1 : index
  %zero = index.constant 0 : offset
  %end = index.constant 48 : offset
  %by = index.constant 16 : offset
  scf.for %at = [%zero to %end step %by] unroll {
    %v = buffer.view %b[%at] : buffer -> view<4xf32>
    kernel.dispatch @e[%one](%v, %at) : [index](view<4xf32>, offset)
  }
  command.return
}
",
        expect![[r#"
            program @main
              binding %b at a.loom:2:43
              @e external [1 1 1] (binding 0+0:16, 0: offset) at a.loom:9:5
              @e external [1 1 1] (binding 0+16:16, 16: offset) at a.loom:9:5
              @e external [1 1 1] (binding 0+32:16, 32: offset) at a.loom:9:5
        "#]],
    );
}

#[test]
fn unknown_trip_counts() {
    check_body(
        "\
  scf.for %i = [%c0 to %u step %c1] unroll {
    kernel.dispatch @e[%c1](%i) : [index](index)
  }
  %none = index.sub %c4, %c4 : index
  scf.for %i = [%c0 to %c4 step %none] unroll {
    kernel.dispatch @e[%c1](%i) : [index](index)
  }
  %n = scf.for %i = [%c0 to %u step %c1](%acc = %c0 : index) -> (index) unroll {
    %next = index.add %acc, %i : index
    scf.yield %next : index
  }
  %unused = scf.for %i = [%c0 to %u step %c1](%acc = %c0 : index) -> (index) unroll {
    %next = index.add %acc, %i : index
    scf.yield %next : index
  }
  kernel.dispatch @e[%c1](%n) : [index](index)
",
        expect![[r#"
            a.loom:7:1: error [STRUCTURE/014]: attribute 'unroll' value 0 must satisfy exact static trip count
              help: make its bounds and its step exact
            a.loom:11:3: error [STRUCTURE/014]: attribute 'unroll' value 0 must satisfy exact static trip count
              help: make its bounds and its step exact
            a.loom:14:3: error [STRUCTURE/014]: attribute 'unroll' value 0 must satisfy exact static trip count
              a.loom:22:27: needed here
              help: make its bounds and its step exact
        "#]],
    );
}

#[test]
fn loops_that_are_not_unrolled() {
    check_body(
        "\
  scf.for %i = [%c0 to %c4 step %c1] {
    kernel.dispatch @e[%c1](%i) : [index](index)
  }
  scf.for %i = [%c0 to %u step %c1] {
    kernel.dispatch @e[%c1](%i) : [index](index)
  }
  %n = scf.for %i = [%c0 to %u step %c1](%acc = %c0 : index) -> (index) {
    %next = index.add %acc, %i : index
    scf.yield %next : index
  }
  kernel.dispatch @e[%n](%c1) : [index](index)
",
        expect![[r#"
            a.loom:7:1: error [PROGRAM/001]: source operation `scf.for` is not representable in a portable command schedule
              help: make its bounds exact and write `unroll`
            a.loom:10:3: error [PROGRAM/001]: source operation `scf.for` is not representable in a portable command schedule
              help: make its bounds exact and write `unroll`
            a.loom:13:3: error [PROGRAM/001]: source operation `scf.for` is not representable in a portable command schedule
              a.loom:17:22: needed here
              help: make its bounds exact and write `unroll`
        "#]],
    );
}

#[test]
fn loops_without_commands_are_computed() {
    check_body(
        "\
  %two = index.constant 2 : index
  %n = scf.for %i = [%c0 to %c4 step %c1](%acc = %c1 : index) -> (index) {
    %next = index.mul %acc, %two : index
    scf.yield %next : index
  }
  %m = scf.while(%x = %n : index) -> (index) {
    %go = index.cmp sgt, %x, %c4 : index
    scf.condition %go, %x : i1, index
  } do(%y: index) {
    %half = index.div %y, %two : index
    scf.yield %half : index
  }
  kernel.dispatch @e[%n](%m) : [index](index)
  scf.for %i = [%c0 to %c1 step %c1] {
    kernel.dispatch @f[%c1]() : [index]()
  }
  scf.for %i = [%c0 to %c4 step %c1] unroll(%c4) {
    kernel.dispatch @f[%c4]() : [index]()
  }
",
        expect![[r#"
            program @main
              @e external [16 1 1] (4: index) at a.loom:19:3
              @f external [1 1 1] () at a.loom:21:5
              @f external [4 1 1] () at a.loom:24:5
              @f external [4 1 1] () at a.loom:24:5
              @f external [4 1 1] () at a.loom:24:5
              @f external [4 1 1] () at a.loom:24:5
        "#]],
    );
}

#[test]
fn while_loops_with_commands() {
    check_body(
        "\
  %m = scf.while(%x = %c4 : index) -> (index) {
    %go = index.cmp sgt, %x, %c0 : index
    scf.condition %go, %x : i1, index
  } do(%y: index) {
    kernel.dispatch @f[%c1]() : [index]()
    %less = index.sub %y, %c1 : index
    scf.yield %less : index
  }
",
        expect![[r#"
            a.loom:7:1: error [PROGRAM/001]: source operation `scf.while` is not representable in a portable command schedule
              help: write an `scf.for` with exact bounds and `unroll`
        "#]],
    );
}

#[test]
fn while_loops_that_are_not_known() {
    check_body(
        "\
  %m = scf.while(%x = %u : index) -> (index) {
    %go = index.cmp sgt, %x, %c0 : index
    scf.condition %go, %x : i1, index
  } do(%y: index) {
    %less = index.sub %y, %c1 : index
    scf.yield %less : index
  }
  kernel.dispatch @e[%c1](%m) : [index](index)
",
        expect![[r#"
            a.loom:7:1: error [PROGRAM/001]: source operation `scf.while` is not representable in a portable command schedule
              a.loom:14:27: needed here
              help: write an `scf.for` with exact bounds and `unroll`
        "#]],
    );
}

#[test]
fn switches() {
    check_body(
        "\
  %n = scf.switch %c4 -> (index) {
    case 1 {
      scf.yield %c0 : index
    }
    case 4 {
      kernel.dispatch @f[%c4]() : [index]()
      scf.yield %c1 : index
    }
    default {
      scf.yield %u : index
    }
  }
  %m = scf.switch %c0 -> (index) {
    case 1 {
      scf.yield %c0 : index
    }
    default {
      scf.yield %c4 : index
    }
  }
  kernel.dispatch @e[%n](%m) : [index](index)
  scf.switch %u {
    default {
      kernel.dispatch @f[%c1]() : [index]()
    }
  }
  scf.switch %u {
    case 1 {
      kernel.dispatch @f[%c1]() : [index]()
    }
    default {
    }
  }
",
        expect![[r#"
            a.loom:33:3: error [PROGRAM/001]: source operation `scf.switch` is not representable in a portable command schedule
              help: make its selector exact
        "#]],
    );
}

#[test]
fn a_switch_without_cases() {
    check_body(
        "\
  %n = scf.switch %u -> (index) {
    default {
      kernel.dispatch @f[%c1]() : [index]()
      scf.yield %c4 : index
    }
  }
  kernel.dispatch @e[%n](%n) : [index](index)
",
        expect![[r#"
            program @main
              @f external [1 1 1] () at a.loom:9:7
              @e external [4 1 1] (4: index) at a.loom:13:3
        "#]],
    );
}
