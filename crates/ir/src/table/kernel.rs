//! Kernels and what stands in them (loom-language 1.2, loom-ops 2.7).

use super::row::{Row, Traits};

const TOP: Traits = Traits::TOP;
const END: Traits = Traits::TERMINATOR;
const P: Traits = Traits::PURE;
const U: Traits = Traits::UNKNOWN;

const fn query(name: &'static str, doc: &'static str) -> Row {
    Row::new(name, "<%dim=axis> : !T(index)", "T", P, doc)
}

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "kernel.def",
        "+retain (?target(@target=target)?) (?export(#export=string)?) (?linkage(%linkage=dso_local)?) @!kernel ARGS:workload REGION:config(kernel.launch.config) launch ARGS:args (?where [WHERE:where]?) REGION:body(kernel.return|cfg.br|cfg.cond_br)",
        "",
        TOP,
        "Defines a kernel: workload arguments, launch configuration, device arguments and body.",
    ),
    Row::new(
        "kernel.launch.config",
        "workgroups($gx:T, $gy:T, $gz:T) workgroup_size($sx:T, $sy:T, $sz:T) (?cluster_size($cx:T, $cy:T, $cz:T)?) : !T(index)",
        "",
        END,
        "Yields the launch geometry.",
    ),
    Row::new("kernel.return", "", "", END, "Ends a kernel body."),
    Row::new(
        "kernel.decl",
        "+retain @!kernel ARGS:workload launch ARGS:args",
        "",
        TOP,
        "Declares a kernel that is defined elsewhere.",
    ),
    Row::new(
        "kernel.entry.decl",
        "+retain (?target(@target=target)?) @!entry ARGS:args",
        "",
        TOP,
        "Declares an executable entry that the host provides.",
    ),
    Row::new(
        "kernel.launch",
        "@kernel=kernel(?[$workload*:W]?)($args*:A) : (?[!W*]?)(!A*)",
        "",
        U.and(Traits::COMMAND),
        "Launches a kernel for a logical workload.",
    ),
    Row::new(
        "kernel.dispatch",
        "@kernel=kernel|entry[$counts*:C]($args*:A) (?workgroup_size($sx:index, $sy:index, $sz:index)?) : [!C*](!A*)",
        "",
        U.and(Traits::COMMAND),
        "Dispatches an entry with physical workgroup counts.",
    ),
    query("kernel.workgroup.id", "Position of this workgroup."),
    query("kernel.workgroup.size", "Items per workgroup."),
    query("kernel.workgroup.count", "Number of workgroups."),
    query("kernel.workitem.id", "Position of this item in its workgroup."),
    query(
        "kernel.workitem.dispatch.id",
        "Position of this item in the whole dispatch.",
    ),
];
