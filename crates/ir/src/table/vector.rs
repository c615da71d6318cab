//! Vector ops that only vectors have (loom-ops 2.3).

use super::row::{Row, Rule, Traits};

const P: Traits = Traits::PURE;
const R: Traits = Traits::READ;
const W: Traits = Traits::WRITE;
const RW: Traits = Traits::READ.and(Traits::WRITE);

const fn classify(name: &'static str, doc: &'static str) -> Row {
    Row::new(name, "$input:T : !T(vfloat) -> !R(vi1)", "R", P, doc).rules(&[Rule::SameShape])
}

pub(super) const ROWS: &[Row] = &[
    Row::new("vector.constant", "#value=lit : !T(vector)", "T", P, "The same exact value in every lane.")
        .rules(&[Rule::Literal]),
    Row::new("vector.poison", ": !T(vector)", "T", P, "A vector of invalid values."),
    Row::new("vector.empty", ": !T(vector)", "T", P, "The vector without lanes.").rules(&[Rule::NoLanes]),
    Row::new("vector.splat", "$input : !T(vector)", "T", P, "The same scalar in every lane.").rules(&[Rule::Splat]),
    Row::new("vector.iota", "$start step $step : !T(vindex|vwide)", "T", P, "Lane i is start + i * step.")
        .rules(&[Rule::Splat]),
    Row::new(
        "vector.mask.range",
        "[$low:T to $high:T step $step:T] : !T(index) -> !R(vi1)",
        "R",
        P,
        "Lane i tells whether low + i * step is below high.",
    )
    .rules(&[Rule::RankOne]),
    Row::new("vector.broadcast", "$input:T : !T(vector) -> !R(vector)", "R", P, "Repeats lanes along leading or single extents.")
        .rules(&[Rule::SameElement, Rule::Broadcast]),
    Row::new("vector.from_elements", "$elements* : !T(vector)", "T", P, "Lanes from scalars, row by row.")
        .rules(&[Rule::Elements]),
    Row::new("vector.extract", "$input:T$indices[]:index : !T(vector) -> !R(scalar|vector)", "R", P, "One lane or a trailing part.")
        .rules(&[Rule::Extract]),
    Row::new("vector.insert", "$value:R into $input:T$indices[]:index : !R(scalar|vector), !T(vector)", "T", P, "Replaces one lane or a trailing part.")
        .rules(&[Rule::Extract]),
    Row::new("vector.slice", "$input:T$offsets[]:index : !T(vector) -> !R(vector)", "R", P, "A box of lanes.")
        .rules(&[Rule::SameElement, Rule::Slice]),
    Row::new("vector.concat", "<#axis=int> $inputs*:T : !T*(vector) -> !R(vector)", "R", P, "Vectors one after another along an axis.")
        .rules(&[Rule::Concat]),
    Row::new("vector.transpose", "<#permutation=list> $input:T : !T(vector) -> !R(vector)", "R", P, "Permutes axes.")
        .rules(&[Rule::SameElement, Rule::Transpose]),
    Row::new("vector.shuffle", "<#lanes=list> $input:T : !T(vector)", "T", P, "Result lane i is source lane lanes[i].")
        .rules(&[Rule::Shuffle]),
    Row::new("vector.interleave", "<#axis=int> $even:T, $odd:U : !T(vector), !U(vector) -> !R(vector)", "R", P, "Alternates two vectors along an axis.")
        .rules(&[Rule::Interleave]),
    Row::new("vector.deinterleave", "<#axis=int> $input:T : !T(vector) -> !E(vector), !O(vector)", "E,O", P, "Splits even and odd positions along an axis.")
        .rules(&[Rule::Interleave]),
    Row::new("vector.select", "$mask, $true:T, $false:T : !T(vector)", "T", P, "Chooses lane by lane.").rules(&[Rule::Mask]),
    Row::new("vector.cmpi", "%predicate=icmp, $lhs:T, $rhs:T : !T(vint|vindex) -> !R(vi1)", "R", P, "Compares integers lane by lane.")
        .rules(&[Rule::SameShape]),
    Row::new("vector.cmpf", "<&fast> %predicate=fcmp, $lhs:T, $rhs:T : !T(vfloat) -> !R(vi1)", "R", P, "Compares floats lane by lane.")
        .rules(&[Rule::SameShape]),
    classify("vector.isnanf", "Which lanes are NaN."),
    classify("vector.isinff", "Which lanes are infinities."),
    classify("vector.isfinitef", "Which lanes are neither NaN nor infinity."),
    Row::new("vector.index_cast", "$input:T : !T(vint|vindex) to !R(vint|vindex)", "R", P, "Converts indices and integers lane by lane.")
        .rules(&[Rule::SameShape, Rule::IndexCast]),
    Row::new("vector.bitcast", "$input:T : !T(vint|vfloat) to !R(vint|vfloat)", "R", P, "The same bits as another vector type.")
        .rules(&[Rule::SameBits]),
    Row::new("vector.bitfield.insert", "$field:T into $base:U {offset:int,width:int} : !T(vint), !U(vint)", "U", P, "Replaces a bit field of every lane.")
        .rules(&[Rule::Bitfield]),
    Row::new("vector.bitpack", "<#width=int> $input:T : !T(vint) -> !R(vint)", "R", P, "Packs the low bits of all lanes.")
        .rules(&[Rule::Bitpack]),
    Row::new("vector.bitunpacku", "<#width=int> $input:T : !T(vint) -> !R(vint)", "R", P, "Unpacks zero-extended bits into lanes.")
        .rules(&[Rule::Bitpack]),
    Row::new("vector.bitunpacks", "<#width=int> $input:T : !T(vint) -> !R(vint)", "R", P, "Unpacks sign-extended bits into lanes.")
        .rules(&[Rule::Bitpack]),
    Row::new("vector.reduce", "<%kind=reduction,&fast> $input:T, $init:I : !T(vint|vfloat), !I(int|float)", "I", P, "Folds all lanes from an initial value, in lane order.")
        .rules(&[Rule::ReductionKind, Rule::ReduceAll]),
    Row::new("vector.reduce.axes", "<%kind=reduction,&fast> $input:T, $init:I axes #axes=list : !T(vint|vfloat), !I(vint|vfloat)", "I", P, "Folds some axes.")
        .rules(&[Rule::ReductionKind, Rule::ReduceAxes]),
    Row::new("vector.dotf", "<&fast> $a:T, $b:U, $c:I : !T(vfloat), !U(vfloat), !I(float)", "I", P, "Dot product by fused steps in lane order.")
        .rules(&[Rule::Dot(1, None)]),
    Row::new("vector.dot2f", "<&fast> $a:T, $b:U, $c:I : !T(vfloat), !U(vfloat), !I(vfloat)", "I", P, "Dot products of pairs.")
        .rules(&[Rule::Dot(2, Some((&["f16", "bf16"], "f32")))]),
    Row::new("vector.dot4i", "<%signs=s8s8|u8s8|s8u8|u8u8> $a:T, $b:U, $c:I : !T(vint), !U(vint), !I(vint)", "I", P, "Dot products of quadruples of bytes.")
        .rules(&[Rule::Dot(4, Some((&["i8"], "i32")))]),
    Row::new("vector.dot8i4", "<%signs=s4s4|u4s4|s4u4|u4u4> $a:T, $b:T, $c:T : !T(vint)", "T", P, "Dot products of packed nibbles.")
        .rules(&[Rule::Lanes("i32")]),
    Row::new("vector.dot4f8", "<%formats=fp8fp8|fp8bf8|bf8fp8|bf8bf8> $a:T, $b:T, $c:I : !T(vint), !I(vfloat)", "I", P, "Dot products of packed small floats.")
        .rules(&[Rule::Lanes("i32")]),
    Row::new("vector.table.lookup", "$table:T[$indices:I] : !T(vector), !I(vint|vindex) -> !R(vector)", "R", P, "Lane i is the table entry indices[i].")
        .rules(&[Rule::TableLookup]),
    Row::new("vector.table.quantize", "$input:T, $thresholds:U {nan:zero|max,tie:lower|upper} : !T(vfloat), !U(vfloat) -> !R(vint)", "R", P, "The ordinal of the bin of each lane.")
        .rules(&[Rule::TableQuantize]),
    Row::new("vector.decode", "$payload:T using $schema:S AUX:aux : !T(vector), !S(schema) -> !R(vector)", "R", P, "Decodes packed values.")
        .rules(&[Rule::Auxiliary]),
    Row::new("vector.encode", "$input:T using $schema:S AUX:aux : !T(vector), !S(schema) -> !R(vector)", "R", P, "Encodes values.")
        .rules(&[Rule::Auxiliary]),
    Row::new("vector.fragment.load", "<%role=fragment> $view:V$indices[]:index shape $shape[]:index {cache_scope:word?,cache_temporal:word?} : !V(view) -> !R(vector)", "R", R.and(Traits::CONVERGENT), "Loads a matrix operand spread over a subgroup.")
        .rules(&[Rule::Access, Rule::FragmentShape, Rule::CachePair]),
    Row::new("vector.fragment.store", "<%role=fragment> $value:T, $view:V$indices[]:index shape $shape[]:index {cache_scope:word?,cache_temporal:word?} : !T(vector), !V(view)", "", W.and(Traits::CONVERGENT), "Stores a matrix operand spread over a subgroup.")
        .rules(&[Rule::Access, Rule::FragmentShape, Rule::CachePair]),
    Row::new("vector.mma", "$a:T, $b:U, $c:I : !T(vector), !U(vector), !I(vector)", "I", Traits::PURE.and(Traits::CONVERGENT), "Multiplies matrix operands.")
        .rules(&[Rule::FragmentRoles]),
    Row::new("vector.load", "<&volatile> $view:V$indices[]:index {cache_scope:word?,cache_temporal:word?} : !V(view) -> !R(vector)", "R", R, "Loads the lanes at an origin.")
        .rules(&[Rule::Access, Rule::CachePair]),
    Row::new("vector.store", "<&volatile> $value:T, $view:V$indices[]:index {cache_scope:word?,cache_temporal:word?} : !T(vector), !V(view)", "", W, "Stores the lanes at an origin.")
        .rules(&[Rule::Access, Rule::CachePair]),
    Row::new("vector.load.mask", "$view:V$indices[]:index, $mask:M, $old:R {cache_scope:word?,cache_temporal:word?} : !V(view), !M(vi1), !R(vector)", "R", R, "Loads the lanes whose mask is set.")
        .rules(&[Rule::Access, Rule::CachePair]),
    Row::new("vector.store.mask", "$value:T, $view:V$indices[]:index, $mask:M {cache_scope:word?,cache_temporal:word?} : !T(vector), !V(view), !M(vi1)", "", W, "Stores the lanes whose mask is set.")
        .rules(&[Rule::Access, Rule::CachePair]),
    Row::new("vector.load.expand", "$view:V$indices[]:index, $mask:M, $old:R : !V(view), !M(vi1), !R(vector)", "R", R, "Spreads consecutive elements over the active lanes.")
        .rules(&[Rule::Access, Rule::RankOne]),
    Row::new("vector.store.compress", "$value:T, $view:V$indices[]:index, $mask:M : !T(vector), !V(view), !M(vi1)", "", W, "Stores the active lanes as consecutive elements.")
        .rules(&[Rule::Access, Rule::RankOne]),
    Row::new("vector.gather", "$view:V$indices[]:index[$offsets:O] : !V(view), !O(vindex|vwide) -> !R(vector)", "R", R, "Loads each lane at its own offset.")
        .rules(&[Rule::Access]),
    Row::new("vector.scatter", "$value:T, $view:V$indices[]:index[$offsets:O] : !T(vector), !V(view), !O(vindex|vwide)", "", W, "Stores each lane at its own offset.")
        .rules(&[Rule::Access]),
    Row::new("vector.gather.mask", "$view:V$indices[]:index[$offsets:O], $mask:M, $old:R : !V(view), !O(vindex|vwide), !M(vi1), !R(vector)", "R", R, "Loads each active lane at its own offset.")
        .rules(&[Rule::Access]),
    Row::new("vector.scatter.mask", "$value:T, $view:V$indices[]:index[$offsets:O], $mask:M : !T(vector), !V(view), !O(vindex|vwide), !M(vi1)", "", W, "Stores each active lane at its own offset.")
        .rules(&[Rule::Access]),
    Row::new("vector.atomic.reduce", "<%kind=atomic,&noftz> $value:T, $view:V$indices[]:index[$offsets:O] {ordering:ordering,scope:scope} : !T(vector), !V(view), !O(vindex|vwide)", "", RW, "Combines each lane with memory atomically.")
        .rules(&[Rule::Access, Rule::AtomicKind]),
    Row::new("vector.atomic.reduce.mask", "<%kind=atomic,&noftz> $value:T, $view:V$indices[]:index[$offsets:O], $mask:M {ordering:ordering,scope:scope} : !T(vector), !V(view), !O(vindex|vwide), !M(vi1)", "", RW, "Combines each active lane with memory atomically.")
        .rules(&[Rule::Access, Rule::AtomicKind]),
    Row::new("vector.atomic.rmw", "<%kind=atomic,&noftz> $value:T, $view:V$indices[]:index[$offsets:O] {ordering:ordering,scope:scope} : !T(vector), !V(view), !O(vindex|vwide) -> !R(vector)", "R", RW, "Combines each lane with memory and yields the old values.")
        .rules(&[Rule::Access, Rule::AtomicKind]),
    Row::new("vector.atomic.rmw.mask", "<%kind=atomic,&noftz> $value:T, $view:V$indices[]:index[$offsets:O], $mask:M, $old:R {ordering:ordering,scope:scope} : !T(vector), !V(view), !O(vindex|vwide), !M(vi1), !R(vector)", "R", RW, "Combines each active lane with memory and yields the old values.")
        .rules(&[Rule::Access, Rule::AtomicKind]),
    Row::new("vector.atomic.cmpxchg", "$expected:T, $value:T, $view:V$indices[]:index[$offsets:O] {failure_ordering:ordering,scope:scope,success_ordering:ordering} : !T(vector), !V(view), !O(vindex|vwide) -> !R(vector)", "R", RW, "Compares and exchanges each lane.")
        .rules(&[Rule::Access, Rule::ExchangeOrder]),
    Row::new("vector.transform", "$input:T, $transform:S : !T(vfloat), !S(transform) -> !R(vfloat)", "R", P, "Applies a numeric transform along the last axis.")
        .rules(&[Rule::SameElement, Rule::Transform]),
    Row::new("vector.fragment", "<%role=fragment> $data:T shape $shape[]:index (?using AUX:params?) (?where [WHERE:where]?) : !T(vector)", "T", P, "The same lanes as part of a matrix operand that a subgroup holds.")
        .rules(&[Rule::FragmentShape, Rule::Ranges]),
    Row::new("vector.fragment.repack", "<%role=fragment> $input:T shape $shape[]:index : !T(vector) -> !R(vector)", "R", Traits::PURE.and(Traits::CONVERGENT), "Turns a matrix operand into one of another role.")
        .rules(&[Rule::FragmentShape]),
];
