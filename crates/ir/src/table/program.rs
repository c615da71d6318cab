//! Functions, templates, configuration, targets and globals (loom-language 1.2, loom-ops 2.8).

use super::row::{Row, Rule, Traits};

const TOP: Traits = Traits::TOP;
const END: Traits = Traits::TERMINATOR;
const P: Traits = Traits::PURE;
const U: Traits = Traits::UNKNOWN;

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "func.def",
        "+public +retain +place=host|device|initializer|deinitializer +pure +heat=hot|cold +inlining=inline|noinline (?target(@target=target)?) (?abi(#abi=word(?, {*}?))?) (?export(#export=string)?) @!function ARGS:args (?-> (RESULTS:results)?) (?where [WHERE:where]?) REGION:body(func.return|cfg.br|cfg.cond_br)",
        "",
        TOP,
        "Defines a function.",
    )
    .rules(&[Rule::PureBody]),
    Row::new(
        "func.decl",
        "+public +retain (?import(#library=string(?, #symbol=string?))?) +pure +inlining=inline|noinline (?target(@target=target)?) @!function ARGS:args (?-> (RESULTS:results)?) (?where [WHERE:where]?)",
        "",
        TOP,
        "Declares a function that is defined elsewhere.",
    ),
    Row::new(
        "func.call",
        "+pure +inlining=inline|noinline @callee=function($args*:A) : (!A*) (?-> (!R*)?)",
        "R*",
        U.and(Traits::COMMAND),
        "Calls a function.",
    )
    .rules(&[Rule::Call("callee")]),
    Row::new(
        "func.return",
        "(?$values*:T : !T*?)",
        "",
        END,
        "Returns from a function.",
    )
    .rules(&[Rule::Return]),
    Row::new(
        "template.decl",
        "+public +pure (?requires #requires=list?) @!template ARGS:args (?-> (RESULTS:results)?) (?where [WHERE:where]?)",
        "",
        TOP,
        "Declares a template family and its contract.",
    ),
    Row::new(
        "template.def",
        "<@family=template> +public +retain +pure (?target(@target=target)?) (?requires #requires=list?) (?priority(#priority=int)?) @!provider ARGS:args (?-> (RESULTS:results)?) (?where [WHERE:where]?) REGION:body(template.return|cfg.br|cfg.cond_br)",
        "",
        TOP,
        "Defines a provider of a template family.",
    )
    .rules(&[Rule::PureBody, Rule::Provider]),
    Row::new(
        "template.ukernel",
        "<@family=template> +public +retain +pure (?target(@target=target)?) (?requires #requires=list?) (?priority(#priority=int)?) @!provider ARGS:args (?-> (RESULTS:results)?) (?where [WHERE:where]?)",
        "",
        TOP,
        "A provider of a template family that has no body here.",
    )
    .rules(&[Rule::Provider]),
    Row::new(
        "template.apply",
        "<@family=template>($args*:A) +pure +heat=hot|cold : (!A*) (?-> (!R*)?)",
        "R*",
        U,
        "Asks for the best provider of a template family.",
    )
    .rules(&[Rule::Call("family")]),
    Row::new(
        "template.call",
        "+pure @callee=provider($args*:A) : (!A*) (?-> (!R*)?)",
        "R*",
        U,
        "Calls a named provider.",
    )
    .rules(&[Rule::Call("callee")]),
    Row::new(
        "template.return",
        "(?$values*:T : !T*?)",
        "",
        END,
        "Returns from a provider.",
    )
    .rules(&[Rule::Return]),
    Row::new(
        "config.decl",
        "@!config : (?TYPED:value?) (?!T?) (?where [WHERE:where]?)",
        "",
        TOP,
        "Declares a configuration value.",
    ),
    Row::new(
        "config.def",
        "@!config = #default=lit : (?TYPED:value?) (?!T?) (?where [WHERE:where]?)",
        "",
        TOP,
        "Defines a configuration value.",
    )
    .rules(&[Rule::ConfigValue]),
    Row::new(
        "config.get",
        "@key=config : !T(scalar)",
        "T",
        P,
        "Reads a configuration value.",
    )
    .rules(&[Rule::ConfigType]),
    Row::new("target.decl", "@!target", "", TOP, "Declares a target."),
    Row::new(
        "target.subgroup.size",
        ": !T(index)",
        "T",
        P,
        "The subgroup size of the target, known when it is.",
    ),
    Row::new("global.rodata.def", "@!global = bytes(#bytes=string)", "", TOP, "Constant bytes, in hexadecimal.").rules(&[Rule::HexBytes]),
    Row::new("global.variable", "@!global : !T(scalar)", "", TOP, "A variable of the host program."),
    Row::new("global.load", "@global=global : !T(buffer|scalar)", "T", Traits::READ, "The buffer of constant bytes, or the value of a variable.")
        .rules(&[Rule::GlobalType]),
    Row::new("global.store", "$value:T, @global=global : !T(scalar)", "", Traits::WRITE, "Sets a variable.").rules(&[Rule::GlobalType]),
    Row::new("amdgpu.target", "<#processor=word> @!target {*}", "", TOP, "Declares an AMDGPU target with its facts.")
        .rules(&[Rule::PositiveKey("subgroup_size")]),
];
