//! Kernels and what stands in them (loom-language 1.2, loom-ops 2.7).

use super::row::{Row, Rule, Traits};

const TOP: Traits = Traits::TOP;
const END: Traits = Traits::TERMINATOR;
const P: Traits = Traits::PURE;
const U: Traits = Traits::UNKNOWN;

const fn query(name: &'static str, doc: &'static str) -> Row {
    Row::new(name, "<%dim=axis> : !T(index)", "T", P, doc).rules(&[Rule::KernelOnly])
}

const fn lane(name: &'static str, doc: &'static str) -> Row {
    Row::new(name, ": !T(index)", "T", P, doc).rules(&[Rule::KernelOnly])
}

const C: Traits = Traits::UNKNOWN.and(Traits::CONVERGENT);
const ASYNC: Traits = Traits::READ.and(Traits::WRITE);

const fn collective(
    name: &'static str,
    syntax: &'static str,
    results: &'static str,
    doc: &'static str,
) -> Row {
    Row::new(name, syntax, results, C, doc).rules(&[Rule::KernelOnly, Rule::RankOne])
}

const REDUCE: &str =
    "<%kind=reduction,&fast> $value:T {cluster_size:int?,cluster_stride:int?} : !T(int|float|vint|vfloat)";
const SCAN: &str = "<%kind=reduction,&fast> $value:T {direction:forward|backward?,mode:inclusive|exclusive?} : !T(int|float|vint|vfloat)";
const TENSOR_COPY: &str = "$source:S to $target:D using $descriptor:L {cache_scope:word?,cache_temporal:word?} : !S(view) to !D(view), !L(descriptor) -> !T(token)";
const MASK: &str = "$predicate:P : !P(i1) -> !R(i32|i64)";

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "kernel.def",
        "+retain (?target(@target=target)?) (?export(#export=string)?) (?linkage(%linkage=dso_local)?) @!kernel ARGS:workload REGION:config(kernel.launch.config) launch ARGS:args (?where [WHERE:where]?) REGION:body(kernel.return|cfg.br|cfg.cond_br)",
        "",
        TOP,
        "Defines a kernel: workload arguments, launch configuration, device arguments and body.",
    )
    .rules(&[Rule::PureConfig]),
    Row::new(
        "kernel.launch.config",
        "workgroups($gx:T, $gy:T, $gz:T) workgroup_size($sx:T, $sy:T, $sz:T) (?cluster_size($cx:T, $cy:T, $cz:T)?) : !T(index)",
        "",
        END,
        "Yields the launch geometry.",
    )
    .rules(&[Rule::Geometry]),
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
    )
    .rules(&[Rule::Launch("kernel")]),
    Row::new(
        "kernel.dispatch",
        "@kernel=kernel|entry[$counts*:C]($args*:A) (?workgroup_size($sx:index, $sy:index, $sz:index)?) : [!C*](!A*)",
        "",
        U.and(Traits::COMMAND),
        "Dispatches an entry with physical workgroup counts.",
    )
    .rules(&[Rule::Launch("kernel")]),
    query("kernel.workgroup.id", "Position of this workgroup."),
    query("kernel.workgroup.size", "Items per workgroup."),
    query("kernel.workgroup.count", "Number of workgroups."),
    query("kernel.workitem.id", "Position of this item in its workgroup."),
    query(
        "kernel.workitem.dispatch.id",
        "Position of this item in the whole dispatch.",
    ),
    query("kernel.cluster.id", "Position of this cluster."),
    query("kernel.cluster.workgroup.id", "Position of this workgroup in its cluster."),
    query("kernel.cluster.size", "Workgroups per cluster."),
    query("kernel.cluster.count", "Number of clusters."),
    lane("kernel.cluster.workgroup.flat_id", "Flat position of this workgroup in its cluster."),
    lane("kernel.subgroup.id", "Number of this subgroup in its workgroup."),
    lane("kernel.subgroup.count", "Subgroups per workgroup."),
    lane("kernel.subgroup.size", "Lanes per subgroup."),
    lane("kernel.subgroup.lane.id", "Number of this lane in its subgroup."),
    Row::new("kernel.exit", "$condition:T : !T(i1) (?REGION:body(kernel.return)?)", "", U, "Leaves the kernel for the items whose condition holds.")
        .rules(&[Rule::DirectlyInside("kernel.def")]),
    Row::new("kernel.assert", "$condition:T #message=string : !T(i1)", "", U, "Traps when the condition does not hold."),
    Row::new("kernel.barrier", "<%memory=space> scope(%scope=scope) ordering(%ordering=ordering)", "", Traits::FENCE.and(Traits::CONVERGENT), "Waits for all items of the scope.")
        .rules(&[Rule::KernelOnly, Rule::Barrier]),
    Row::new("kernel.barrier.arrive", "<%memory=space> scope(%scope=scope) ordering(%ordering=ordering) -> !T(phase)", "T", Traits::FENCE.and(Traits::CONVERGENT), "Arrives at a barrier.")
        .rules(&[Rule::KernelOnly, Rule::Barrier, Rule::UsedOnce("kernel.barrier.wait"), Rule::SplitBarrier]),
    Row::new("kernel.barrier.wait", "$phase:T : !T(phase)", "", Traits::FENCE.and(Traits::CONVERGENT), "Waits until all have arrived.")
        .rules(&[Rule::KernelOnly]),
    collective("kernel.subgroup.shuffle", "<%mode=xor|up|down|index> $value:T, $offset:O, $width:W : !T(scalar|vector), !O(i32), !W(i32)", "T,i1", "The value of another lane."),
    collective("kernel.subgroup.broadcast", "$value:T from $lane:L : !T(scalar|vector), !L(i32)", "T", "The value of one lane."),
    collective("kernel.subgroup.broadcast.first", "$value:T : !T(scalar|vector)", "T", "The value of the first active lane."),
    collective("kernel.subgroup.reduce", REDUCE, "T", "Combines the values of the active lanes.").rules(&[Rule::KernelOnly, Rule::RankOne, Rule::ReductionKind, Rule::Clusters]),
    collective("kernel.subgroup.scan", SCAN, "T", "Combines the values up to each lane.").rules(&[Rule::KernelOnly, Rule::RankOne, Rule::ReductionKind]),
    collective("kernel.subgroup.vote.any", "$predicate:P : !P(i1)", "P", "Whether any active lane says yes."),
    collective("kernel.subgroup.vote.all", "$predicate:P : !P(i1)", "P", "Whether all active lanes say yes."),
    collective("kernel.subgroup.vote.ballot", MASK, "R", "Which active lanes say yes."),
    collective("kernel.subgroup.active.mask", ": !R(i32|i64)", "R", "Which lanes are active."),
    collective("kernel.subgroup.match.any", "$value:T : !T(scalar) -> !R(i32|i64)", "R", "Which active lanes hold the same value."),
    collective("kernel.subgroup.match.all", "$value:T : !T(scalar) -> !R(i32|i64)", "R", "All active lanes if they hold one value, else none."),
    collective("kernel.workgroup.reduce", "<%kind=reduction,&fast> $value:T : !T(int|float|vint|vfloat)", "T", "Combines the values of all items.").rules(&[Rule::KernelOnly, Rule::RankOne, Rule::ReductionKind, Rule::Collective]),
    collective("kernel.workgroup.scan", SCAN, "T", "Combines the values up to each item.").rules(&[Rule::KernelOnly, Rule::RankOne, Rule::ReductionKind, Rule::Collective]),
    collective("kernel.workgroup.vote.any", "$predicate:P : !P(i1)", "P", "Whether any item says yes.").rules(&[Rule::KernelOnly, Rule::Collective]),
    collective("kernel.workgroup.vote.all", "$predicate:P : !P(i1)", "P", "Whether all items say yes.").rules(&[Rule::KernelOnly, Rule::Collective]),
    collective("kernel.workgroup.vote.count", "$predicate:P : !P(i1) -> !R(i32)", "R", "How many items say yes.").rules(&[Rule::KernelOnly, Rule::Collective]),
    Row::new("kernel.async.copy", "$source:S to $target:D {cache_scope:word?,cache_temporal:word?,direction:word} : !S(view) to !D(view) -> !T(token)", "T", ASYNC, "Starts a copy.")
        .rules(&[Rule::KernelOnly, Rule::CachePair, Rule::AsyncCopy, Rule::UsedOnce("kernel.async.group")]),
    Row::new("kernel.async.copy.mask", "$source:S to $target:D, $mask:M {cache_scope:word?,cache_temporal:word?,direction:word} : !S(view) to !D(view), !M(i1) -> !T(token)", "T", ASYNC, "Starts a copy where the mask is set.")
        .rules(&[Rule::KernelOnly, Rule::CachePair, Rule::UsedOnce("kernel.async.group")]),
    Row::new("kernel.async.gather", "$source:S[$offset:index] to $target:D {cache_scope:word?,cache_temporal:word?,direction:word} : !S(view) to !D(view) -> !T(token)", "T", ASYNC, "Starts a gather; lane l writes slot l.")
        .rules(&[Rule::KernelOnly, Rule::CachePair, Rule::UsedOnce("kernel.async.group")]),
    Row::new("kernel.async.gather.mask", "$source:S[$offset:index] to $target:D, $mask:M {cache_scope:word?,cache_temporal:word?,direction:word} : !S(view) to !D(view), !M(i1) -> !T(token)", "T", ASYNC, "Starts a gather where the mask is set.")
        .rules(&[Rule::KernelOnly, Rule::CachePair, Rule::UsedOnce("kernel.async.group")]),
    Row::new("kernel.async.cluster.gather", "$source:S[$offset:index] to $target:D {cache_scope:word?,cache_temporal:word?,direction:word} : !S(view) to !D(view) -> !T(token)", "T", ASYNC, "Starts a gather for a whole cluster.")
        .rules(&[Rule::KernelOnly, Rule::CachePair, Rule::UsedOnce("kernel.async.group")]),
    Row::new("kernel.async.cluster.gather.mask", "$source:S[$offset:index] to $target:D, $mask:M {cache_scope:word?,cache_temporal:word?,direction:word} : !S(view) to !D(view), !M(i1) -> !T(token)", "T", ASYNC, "Starts a gather for a whole cluster where the mask is set.")
        .rules(&[Rule::KernelOnly, Rule::CachePair, Rule::UsedOnce("kernel.async.group")]),
    Row::new("kernel.async.group", "$tokens*:A : !A*(token) -> !T(group)", "T", U, "Collects copies that are waited for together.").rules(&[Rule::KernelOnly, Rule::UsedOnce("kernel.async.wait")]),
    Row::new("kernel.async.wait", "$group:T {newer_groups:int} : !T(group)", "", U, "Waits for a group and older ones.")
        .rules(&[Rule::KernelOnly, Rule::NotNegativeKey("newer_groups")]),
    Row::new("kernel.launch.serial", "REGION:body(~command.yield)", "", Traits::RECURSIVE.and(Traits::COMMAND), "Launches that run one after another."),
    Row::new("kernel.launch.concurrent", "REGION:body(~command.yield)", "", Traits::RECURSIVE.and(Traits::COMMAND), "Launches that may run at once."),
    Row::new("kernel.tensor.lds.descriptor", "dgroups($groups*:G) : !G*(vwide) -> !T(descriptor)", "T", P, "Groups the words that describe a tensor copy of AMDGPU hardware.")
        .rules(&[Rule::KernelOnly, Rule::DescriptorGroups]),
    Row::new("kernel.async.tensor.load.to.lds", TENSOR_COPY, "T", ASYNC, "Starts a tensor copy into workgroup memory.")
        .rules(&[Rule::KernelOnly, Rule::CachePair, Rule::TensorCopy, Rule::UsedOnce("kernel.async.group")]),
    Row::new("kernel.async.tensor.store.from.lds", TENSOR_COPY, "T", ASYNC, "Starts a tensor copy out of workgroup memory.")
        .rules(&[Rule::KernelOnly, Rule::CachePair, Rule::TensorCopy, Rule::UsedOnce("kernel.async.group")]),
];
