//! How much of a symbol a mention asks for, by policy (loom-language 4.6).

use super::*;

/// A program that calls another, which launches a kernel. Kernel and programs read one configuration symbol each.
const CALLED: &str = "\
//- input a.loom
config.decl @of_count : index
config.decl @of_body : index
config.decl @of_program : index
kernel.def @k(%n: index) {
  %unit = index.constant 1 : index
  %count = config.get @of_count : index
  kernel.launch.config workgroups(%count, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%b: buffer) {
  %size = config.get @of_body : index
  kernel.return
}
command.program.decl @inner() launch(%b: buffer)
command.program.def public @outer() launch(%b: buffer) {
  command.program.launch @inner(%b) : (buffer)
  command.return
}
//- input b.loom
config.decl @of_program : index
kernel.decl @k(%n: index) launch(%b: buffer)
command.program.def @inner() launch(%b: buffer) {
  %n = config.get @of_program : index
  kernel.launch @k[%n](%b) : [index](buffer)
  command.return
}
";

#[test]
fn a_linker_takes_whole_symbols() {
    check(
        "@outer",
        CALLED,
        expect![[r#"
        plan mode=link symbols=8
        [0] root @outer provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @inner provider=a.loom module= cause=0 flags=declaration
        [2] dependency @inner provider=b.loom module= cause=1 flags=definition
        [3] dependency @k provider=b.loom module= cause=2 flags=export,declaration
        [4] dependency @k provider=a.loom module= cause=3 flags=export,definition
        [5] dependency @of_program provider=b.loom module= cause=2 flags=declaration,config
        [6] dependency @of_body provider=a.loom module= cause=4 flags=declaration,config
        [7] dependency @of_count provider=a.loom module= cause=4 flags=declaration,config
    "#]],
    );
}

#[test]
fn a_product_takes_what_launches_ask_for() {
    // The called program with its body, of the kernel the configuration: what only its body reads is not taken.
    check(
        "@outer facets",
        CALLED,
        expect![[r#"
        plan mode=link symbols=7
        [0] root @outer provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @inner provider=a.loom module= cause=0 flags=declaration
        [2] dependency @inner provider=b.loom module= cause=1 flags=definition
        [3] dependency @k provider=b.loom module= cause=2 flags=export,declaration
        [4] dependency @k provider=a.loom module= cause=3 flags=export,definition
        [5] dependency @of_program provider=b.loom module= cause=2 flags=declaration,config
        [6] dependency @of_count provider=a.loom module= cause=4 flags=declaration,config
    "#]],
    );
    let dispatched = CALLED.replace(
        "kernel.launch @k[%n](%b) : [index](buffer)",
        "kernel.dispatch @k[%n](%b) : [index](buffer)",
    );
    check(
        "@outer facets",
        &dispatched,
        expect![[r#"
        plan mode=link symbols=6
        [0] root @outer provider=a.loom module= cause=- flags=public,export,definition
        [1] dependency @inner provider=a.loom module= cause=0 flags=declaration
        [2] dependency @inner provider=b.loom module= cause=1 flags=definition
        [3] dependency @k provider=b.loom module= cause=2 flags=export,declaration
        [4] dependency @k provider=a.loom module= cause=3 flags=export,definition
        [5] dependency @of_program provider=b.loom module= cause=2 flags=declaration,config
    "#]],
    );
}
