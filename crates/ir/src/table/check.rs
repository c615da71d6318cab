//! Checks, benchmarks and scenarios (loom-ops 4).

use super::row::{Row, Rule, Traits};

const TOP: Traits = Traits::TOP.and(Traits::TEST_ONLY);
const END: Traits = Traits::TERMINATOR;
const U: Traits = Traits::UNKNOWN;
const P: Traits = Traits::PURE;
const CASE: &[&str] = &["check.case", "check.scenario"];
const EXPECT: &[&str] = &["check.case", "check.compare"];

pub(super) const ROWS: &[Row] = &[
    Row::new("check.case", "+public @!case REGION:body(check.return)", "", TOP, "Defines a test case."),
    Row::new("check.return", "", "", END, "Ends a case or scenario."),
    Row::new("check.requires", "<#provider=word> {*}", "", U, "Skips the case unless the provider offers something.")
        .rules(&[Rule::Inside(CASE)]),
    Row::new("check.skip_if", "<#provider=word> {*} reason(#reason=string)", "", U, "Skips the case when the provider says so.")
        .rules(&[Rule::Inside(CASE)]),
    Row::new("check.param.range", "%kind=linear|po2 bounds(#low=number to #high=number) (?step(#step=number)?) (?name(#name=string)?) : !T(wide|index|float)", "T", P, "A parameter that runs over a range.")
        .rules(&[Rule::Inside(CASE), Rule::Numbers(&["low", "high", "step"]), Rule::ParameterRange]),
    Row::new("check.param.choice", "values(#values=list) (?name(#name=string)?) : !T(wide|index)", "T", P, "A parameter that takes listed values.")
        .rules(&[Rule::Inside(CASE), Rule::Choices]),
    Row::new("check.param.seed", "base(#base=int) count(#count=int) (?name(#name=string)?) : !T(i64)", "T", P, "A parameter that takes consecutive seeds.")
        .rules(&[Rule::Inside(CASE), Rule::Positive("count")]),
    Row::new("check.literal", "value(#value=lit) : !T(scalar)", "T", P, "A fixed scalar.").rules(&[Rule::Inside(CASE), Rule::Literal]),
    Row::new("check.generate.iota", "offset(#offset=number) step(#step=number) (?period(#period=int)?) : !T(tensor)", "T", P, "A counting tensor.")
        .rules(&[Rule::Inside(CASE), Rule::Numbers(&["offset", "step"]), Rule::Positive("period")]),
    Row::new("check.generate.fill", "value(#value=lit) : !T(tensor)", "T", P, "A tensor of equal elements.").rules(&[Rule::Inside(CASE), Rule::Literal]),
    Row::new("check.generate.random.uniform", "seed($seed:i64) range(#low=number to #high=number) : !T(tensor)", "T", P, "A tensor of random elements.")
        .rules(&[Rule::Inside(CASE), Rule::Numbers(&["low", "high"])]),
    Row::new("check.file.read.npy", "path(#path=string) : !T(tensor)", "T", U, "A tensor from a file.").rules(&[Rule::Inside(CASE)]),
    Row::new("check.tensor.view", "$tensor:T offset(#offset=int) : !T(tensor) -> !R(tensor)", "R", P, "Another name for bytes of a tensor.")
        .rules(&[Rule::Inside(CASE), Rule::NotNegative("offset")]),
    Row::new("check.oracle.call", "<#provider=word> (?callee(@callee=function|kernel)?) inputs($inputs*:A) : (!A*) -> (!R*)", "R*", U, "What a reference computes.")
        .rules(&[Rule::Inside(CASE)]),
    Row::new("check.expect.equal", "actual($actual:T) expected($expected:T) : !T(scalar|tensor)", "", U, "Expects equal elements.").rules(&[Rule::Inside(EXPECT)]),
    Row::new("check.expect.bitwise", "actual($actual:T) expected($expected:T) : !T(scalar|tensor)", "", U, "Expects equal bytes.").rules(&[Rule::Inside(EXPECT)]),
    Row::new("check.expect.close", "actual($actual:T) expected($expected:T) atol(#atol=float) rtol(#rtol=float) (?nan(%nan=same|different)?) : !T(scalar|tensor)", "", U, "Expects elements within a tolerance.")
        .rules(&[Rule::Inside(EXPECT), Rule::Tolerances]),
    Row::new("check.expect.shape", "actual($actual:T) shape $shape[]:index : !T(tensor)", "", U, "Expects rank and extents.")
        .rules(&[Rule::Inside(EXPECT), Rule::ShapeRank]),
    Row::new("check.expect.event", "<#provider=word> {count:int,type:string}", "", U, "Expects a number of events.").rules(&[Rule::Inside(EXPECT)]),
    Row::new("check.file.write.npy", "value($value:T) path(#path=string) (?mode(%mode=on_failure|always)?) : !T(tensor)", "", U, "Writes a tensor to a file.").rules(&[Rule::Inside(CASE)]),
    Row::new("check.benchmark", "<@case=case> @!benchmark {*}", "", TOP, "Times a case with some parameters fixed."),
    Row::new("check.scenario", "+public @!scenario (?configure[#configurations=int] ARGS:args?) REGION:body(check.return)", "", TOP, "Defines a randomized scenario.")
        .rules(&[Rule::Positive("configurations")]),
    Row::new("check.trial", "~[#trials=int] ARGS:args REGION:body(check.compare|check.invoke)", "", U, "One randomized trial of a scenario.")
        .rules(&[Rule::Inside(&["check.scenario"]), Rule::Positive("trials")]),
    Row::new("check.compare", "<@subject=function|kernel|program,?@oracle=function|kernel|program>(?[$workload*:W]?)($args*:A) : (?[!W*]?)(!A*) -> COMPARED:results REGION:body(~check.yield)", "", END, "Runs a subject and its oracle and compares.")
        .rules(&[Rule::Inside(&["check.trial"])]),
    Row::new("check.invoke", "<@subject=function|kernel|program>(?[$workload*:W]?)($args*:A) : (?[!W*]?)(!A*) -> (!R*)", "", END, "Runs a subject.")
        .rules(&[Rule::Inside(&["check.trial"])]),
    Row::new("check.yield", "", "", END, "Ends the expectations of a comparison."),
    Row::new("check.entropy.read", "$entropy:E$counter[]:index : !E(entropy) -> !R(i64)", "R", P, "Random bits at a counter."),
    Row::new("check.entropy.fork", "$entropy:E name(#name=string) : !E(entropy)", "E", P, "An independent source of random bits."),
];
