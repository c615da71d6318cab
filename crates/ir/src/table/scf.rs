//! Structured and unstructured control (loom-ops 2.6).

use super::row::{Row, Rule, Traits};

const NEST: Traits = Traits::RECURSIVE;
const END: Traits = Traits::TERMINATOR;
const PS: Traits = Traits::PURE.and(Traits::SPECULATABLE);

pub(super) const ROWS: &[Row] = &[
    Row::new("scf.yield", "(?$values*:T : !T*?)", "", END, "Yields the values of a region.").rules(&[Rule::Yield]),
    Row::new("scf.if", "$condition:i1 (?-> (!R*)?) REGION:then(~scf.yield) (?else REGION:else(~scf.yield)?)", "R*", NEST, "Runs one of two regions.")
        .rules(&[Rule::ElseForResults]),
    Row::new(
        "scf.for",
        "BIND:iv:lower = [$lower to $upper:lower step $step:lower] CARRIES:inits (?-> (!R*)?) (?pipeline($pipeline:index)?) +unroll(?($factor:index)?) (?schedule(%schedule=linear|interleaved|recurrence)?) REGION:body(~scf.yield)",
        "R*",
        NEST,
        "Runs a region for each index of a half-open range.",
    )
    .rules(&[Rule::Loop]),
    Row::new(
        "scf.while",
        "CARRIES:inits (?-> (!R*)?) REGION:before(scf.condition) do ARGS:args REGION:after(~scf.yield)",
        "R*",
        NEST,
        "Runs two regions in turn while a condition holds.",
    )
    .rules(&[Rule::While]),
    Row::new("scf.condition", "$condition:C(?, $values*:T?) : !C(i1)(?, !T*?)", "", END, "Goes on with a while loop, or leaves it with values.")
        .rules(&[Rule::Yield]),
    Row::new("scf.switch", "$selector:index (?-> (!R*)?) CASES:cases(~scf.yield)", "R*", NEST, "Runs the region of a key.")
        .rules(&[Rule::SwitchKeys]),
    Row::new("scf.lookup", "$selector:index ROWS:rows default($default*:T) : !T*", "T*", PS, "The values in the row of a key.")
        .rules(&[Rule::LookupKeys]),
    Row::new("scf.select", "$condition:i1, $true:T, $false:T : !T", "T", PS, "One of two values."),
    Row::new("scf.schedule.fence", "", "", Traits::HINT, "Keeps the scheduler from moving ops across."),
    Row::new("cfg.br", "LABEL:target PASS:values", "", END, "Goes on in another block.").rules(&[Rule::Branch]),
    Row::new("cfg.cond_br", "$condition:i1, LABEL:then PASS:then_values, LABEL:else PASS:else_values", "", END, "Goes on in one of two blocks.")
        .rules(&[Rule::Branch]),
];
