//! Launch configurations become physical counts.

use super::*;

const KERNEL: &str = "\
kernel.def @k(%n: index, %m: index) {
  %unit = index.constant 1 : index
  %size = index.constant 64 : index
  %last = index.constant 63 : index
  %up = index.add %n, %last : index
  %groups = index.div %up, %size : index
  kernel.launch.config workgroups(%groups, %m, %unit) workgroup_size(%size, %unit, %unit) : index
} launch(%b: buffer) {
  kernel.return
}
";

#[track_caller]
fn check_launch(words: &str, body: &str, expected: Expect) {
    let program = format!(
        "command.program.def public @main(%unknown: index) launch(%b: buffer) {{\n{body}  command.return\n}}\n"
    );
    check_one(words, &format!("{KERNEL}{program}"), expected);
}

#[test]
fn counts_follow_the_workload() {
    check_launch(
        "@main",
        "\
  %n = index.constant 100 : index
  %m = index.constant 3 : index
  kernel.launch @k[%n, %m](%b) : [index, index](buffer)
  kernel.launch @k[%m, %n](%b) : [index, index](buffer)
  kernel.launch @k[%n, %m](%b) : [index, index](buffer)
",
        expect![[r#"
            program @main
              binding %b at a.loom:11:58
              @k [2 3 1] (binding 0) at a.loom:14:3
              @k [1 100 1] (binding 0) at a.loom:15:3
              @k [2 3 1] (binding 0) at a.loom:16:3
        "#]],
    );
}

#[test]
fn no_workgroup_at_all() {
    check_launch(
        "@main",
        "\
  %n = index.constant 0 : index
  kernel.launch @k[%n, %n](%b) : [index, index](buffer)
",
        expect![[r#"
            program @main
              binding %b at a.loom:11:58
              @k [0 0 1] (binding 0) at a.loom:13:3
        "#]],
    );
}

#[test]
fn counts_out_of_range() {
    check_launch(
        "@main",
        "\
  %n = index.constant 100 : index
  %m = index.constant 4294967296 : index
  %less = index.constant -1 : index
  kernel.launch @k[%n, %m](%b) : [index, index](buffer)
  kernel.launch @k[%n, %less](%b) : [index, index](buffer)
",
        expect![[r#"
            a.loom:15:3: error [LOWERING/051]: command-program preparation requires workgroup-count dimension y of @k within the unsigned 32-bit range
              note: it is 4294967296
              help: launch from 0 to 4294967295 workgroups in each dimension
            a.loom:16:3: error [LOWERING/051]: command-program preparation requires workgroup-count dimension y of @k within the unsigned 32-bit range
              note: it is -1
              help: launch from 0 to 4294967295 workgroups in each dimension
        "#]],
    );
}

#[test]
fn counts_that_are_not_exact() {
    check_launch(
        "@main",
        "\
  %n = index.constant 100 : index
  %zero = index.constant 0 : index
  kernel.launch @k[%unknown, %n](%b) : [index, index](buffer)
  %none = index.div %n, %zero : index
  kernel.launch @k[%n, %none](%b) : [index, index](buffer)
",
        expect![[r#"
            a.loom:14:3: error [LOWERING/051]: command-program preparation requires workgroup-count dimension x of @k to be an exact unsigned 32-bit value
              a.loom:11:34: it depends on '%unknown', which is not known when the program is compiled
              help: compute it from constants, configuration and arguments that the callers know
            a.loom:16:3: error [LOWERING/051]: command-program preparation requires workgroup-count dimension y of @k to be an exact unsigned 32-bit value
              a.loom:15:3: it depends on this `index.div`, which has no exact value here
              help: compute it from constants, configuration and arguments that the callers know
        "#]],
    );
}

#[test]
fn dispatches_state_counts() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e()
kernel.def @k() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch() {
  kernel.return
}
command.program.def public @main(%unknown: index) launch() {
  %one = index.constant 1 : index
  %most = index.constant 4294967295 : index
  %zero = index.constant 0 : index
  kernel.dispatch @e[%most]() : [index]()
  kernel.dispatch @e[%one, %zero]() : [index, index]()
  kernel.dispatch @k[%one, %one, %most]() : [index, index, index]()
  command.return
}
",
        expect![[r#"
            program @main
              @e external [4294967295 1 1] () at a.loom:12:3
              @e external [1 0 1] () at a.loom:13:3
              @k [1 1 4294967295] () at a.loom:14:3
        "#]],
    );
}

#[test]
fn dispatch_counts_that_are_wrong() {
    check_one(
        "@main",
        "\
kernel.entry.decl @e()
command.program.def public @main(%unknown: index) launch() {
  %one = index.constant 1 : index
  %more = index.constant 4294967296 : index
  kernel.dispatch @e[%one, %more]() : [index, index]()
  kernel.dispatch @e[%one, %one, %unknown]() : [index, index, index]()
  kernel.dispatch @e[%one]() workgroup_size(%one, %one, %one) : [index]()
  command.return
}
",
        expect![[r#"
            a.loom:5:28: error [LOWERING/051]: command-program preparation requires workgroup-count dimension y of @e within the unsigned 32-bit range
              note: it is 4294967296
              help: launch from 0 to 4294967295 workgroups in each dimension
            a.loom:6:34: error [LOWERING/051]: command-program preparation requires workgroup-count dimension z of @e to be an exact unsigned 32-bit value
              a.loom:2:34: it depends on '%unknown', which is not known when the program is compiled
              help: compute it from constants, configuration and arguments that the callers know
            a.loom:7:45: error [LOWERING/055]: portable command-program lowering cannot carry the dispatch-time workgroup size for @e
              help: leave `workgroup_size` out: the executable entry has its size
        "#]],
    );
}

#[test]
fn kernels_without_configuration() {
    check(
        "@main",
        "\
//- input main.loom
command.program.decl @stage() launch()
command.program.def public @main() launch() {
  command.program.launch @stage() : ()
  command.return
}
//- library stage.loom
kernel.decl @k() launch()
command.program.def public @stage() launch() {
  kernel.launch @k() : ()
  kernel.launch @k() : ()
  command.return
}
",
        expect![[r#"
            stage.loom:1:13: error [LOWERING/050]: command-program preparation cannot configure the kernel declaration @k
              stage.loom:3:3: launched here
              main.loom:3:3: reached from here
              help: provide the kernel's definition, or repair the declaration or the library it comes from; an entry that the host provides is dispatched with physical counts
        "#]],
    );
}

#[test]
fn sizes_of_workgroups() {
    check_one(
        "@main",
        "\
kernel.def @k(%n: index) {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%n, %n, %unit) : index
} launch() {
  kernel.return
}
kernel.def @free() {
  %unit = index.constant 1 : index
  %size = target.subgroup.size : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%size, %unit, %unit) : index
} launch() {
  kernel.return
}
command.program.def public @main() launch() {
  %zero = index.constant 0 : index
  %many = index.constant 65536 : index
  %some = index.constant 16 : index
  kernel.launch @k[%some]() : [index]()
  kernel.launch @k[%zero]() : [index]()
  kernel.launch @k[%many]() : [index]()
  kernel.launch @free() : ()
  command.return
}
",
        expect![[r#"
            a.loom:19:3: error [PROGRAM/009]: @k has workgroup size 0 in x
              a.loom:1:12: the kernel
              help: compute sizes of at least 1 in the launch configuration
            a.loom:20:3: error [PROGRAM/009]: @k has more than 4294967295 items in a workgroup
              a.loom:1:12: the kernel
              help: compute sizes of at least 1 in the launch configuration
        "#]],
    );
}

#[test]
fn configurations_read_configuration() {
    let source = "\
config.decl @tile : %value: index where [range(%value, 1, 64)]
kernel.def @k(%n: index) {
  %unit = index.constant 1 : index
  %tile = config.get @tile : index
  %groups = index.div %n, %tile : index
  kernel.launch.config workgroups(%groups, %unit, %unit) workgroup_size(%tile, %unit, %unit) : index
} launch() {
  kernel.return
}
command.program.def public @main() launch() {
  %n = index.constant 64 : index
  kernel.launch @k[%n]() : [index]()
  command.return
}
";
    check_one(
        "@main tile=8",
        source,
        expect![[r#"
        program @main
          @k [8 1 1] () at a.loom:12:3
    "#]],
    );
    check_one(
        "@main",
        source,
        expect![[r#"
        a.loom:12:3: error [LOWERING/051]: command-program preparation requires workgroup-count dimension x of @k to be an exact unsigned 32-bit value
          a.loom:1:13: it depends on configuration '@tile', which has no value
          help: compute it from constants, configuration and arguments that the callers know
    "#]],
    );
}

#[test]
fn configurations_that_break_a_precondition() {
    check_one(
        "@main",
        "\
kernel.def @k(%n: index) {
  %unit = index.constant 1 : index
  %some = index.constant 64 : index
  %groups = index.div %some, %n : index
  kernel.launch.config workgroups(%groups, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch() {
  kernel.return
}
command.program.def public @main() launch() {
  %zero = index.constant 0 : index
  kernel.launch @k[%zero]() : [index]()
  command.return
}
",
        expect![[r#"
            a.loom:11:3: error [LOWERING/051]: command-program preparation requires workgroup-count dimension x of @k to be an exact unsigned 32-bit value
              a.loom:4:3: it depends on this `index.div`, which has no exact value here
              help: compute it from constants, configuration and arguments that the callers know
        "#]],
    );
}

/// What one program assumes of the target or of configuration says nothing about another.
#[test]
fn programs_share_no_assumptions() {
    check_one(
        "@first @second",
        "\
kernel.entry.decl @e(%n: index)
config.decl @tile : index
func.def pure @tile_and_size() -> (index, index) {
  %tile = config.get @tile : index
  %size = target.subgroup.size : index
  func.return %tile, %size : index, index
}
command.program.def public @first() launch() {
  %tile, %size = func.call pure @tile_and_size() : () -> (index, index)
  %a, %b = index.assume %tile, %size [eq(%tile, 8), eq(%size, 32)] : index, index
  kernel.dispatch @e[%a](%b) : [index](index)
  command.return
}
command.program.def public @second() launch() {
  %tile, %size = func.call pure @tile_and_size() : () -> (index, index)
  kernel.dispatch @e[%tile](%size) : [index](index)
  command.return
}
",
        expect![[r#"
            program @first
              @e external [8 1 1] (32: index) at a.loom:11:3
            a.loom:16:22: error [LOWERING/051]: command-program preparation requires workgroup-count dimension x of @e to be an exact unsigned 32-bit value
              a.loom:2:13: it depends on configuration '@tile', which has no value
              help: compute it from constants, configuration and arguments that the callers know
            a.loom:16:29: error [LOWERING/052]: portable command-program lowering cannot encode argument 0 of @e with type index; it requires an exact scalar bit pattern or an exact range of storage
              a.loom:5:3: it depends on this `target.subgroup.size`, which has no exact value here
              help: pass a value that is exact at this launch, or read it from storage in the kernel
        "#]],
    );
}

#[test]
fn configurations_branch_and_call() {
    check_one(
        "@main",
        "\
func.def pure @up(%n: index, %by: index) -> (index) {
  %one = index.constant 1 : index
  %a = index.add %n, %by : index
  %b = index.sub %a, %one : index
  %c = index.div %b, %by : index
  func.return %c : index
}
kernel.def @k(%n: index) {
  %unit = index.constant 1 : index
  %small = index.constant 64 : index
  %large = index.constant 256 : index
  %many = index.cmp sge, %n, %large : index
  %size = scf.if %many -> (index) {
    scf.yield %large : index
  } else {
    scf.yield %small : index
  }
  %groups = func.call pure @up(%n, %size) : (index, index) -> (index)
  kernel.launch.config workgroups(%groups, %unit, %unit) workgroup_size(%size, %unit, %unit) : index
} launch() {
  kernel.return
}
command.program.def public @main() launch() {
  %a = index.constant 100 : index
  %b = index.constant 1000 : index
  kernel.launch @k[%a]() : [index]()
  kernel.launch @k[%b]() : [index]()
  command.return
}
",
        expect![[r#"
            program @main
              @k [2 1 1] () at a.loom:26:3
              @k [4 1 1] () at a.loom:27:3
        "#]],
    );
}
