//! Command programs (loom-language 1.2).

use super::row::{Row, Rule, Traits};

const TOP: Traits = Traits::TOP;
const END: Traits = Traits::TERMINATOR;
const COMMAND: Traits = Traits::UNKNOWN.and(Traits::COMMAND);
const GROUP: Traits = Traits::RECURSIVE.and(Traits::COMMAND);

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "command.program.def",
        "+public +retain (?target(@target=target)?) @!program ARGS:specialization launch ARGS:args (?where [WHERE:where]?) REGION:body(command.return)",
        "",
        TOP,
        "Defines a command program.",
    )
    .rules(&[Rule::CommandBody]),
    Row::new(
        "command.program.decl",
        "+public +retain @!program ARGS:specialization launch ARGS:args (?where [WHERE:where]?)",
        "",
        TOP,
        "Declares a command program that is defined elsewhere.",
    ),
    Row::new(
        "command.program.launch",
        "@program=program(?[$specialization*:S]?)($args*:A) : (?[!S*]?)(!A*)",
        "",
        COMMAND,
        "Runs another command program.",
    )
    .rules(&[Rule::Launch("program")]),
    Row::new("command.return", "", "", END, "Ends a command program."),
    Row::new("command.yield", "", "", END, "Ends a group of commands."),
    Row::new(
        "command.serial",
        "REGION:body(~command.yield)",
        "",
        GROUP,
        "Commands that run one after another.",
    ),
    Row::new(
        "command.concurrent",
        "REGION:body(~command.yield)",
        "",
        GROUP,
        "Commands that may run at once.",
    ),
    Row::new(
        "command.parameter",
        "$storage:buffer, #key=string(?[$arguments*:index]?) : !T(view)",
        "T",
        Traits::READ,
        "A view of a named parameter.",
    ),
];
