//! Facts of whole items, and judgement against brute force.

use super::*;
use crate::fold::Exact;
use crate::module::{OpView, Scalar};
use crate::{Module, OpId, Predicate, parse};

fn module(text: &str) -> Module {
    let parsed = parse(text, &"x".into());
    assert_eq!(parsed.diagnostics, []);
    parsed.module
}

/// Every predicate of an op `index.assume` that has `check` as its result's name, judged where it stands
/// before the promise is made.
fn judged(text: &str) -> Vec<(String, Truth)> {
    let module = module(text);
    let mut answers = Vec::new();
    for item in &module.items {
        let facts = ItemFacts::of(item, |key| {
            (key == "rows").then_some(Exact::Index(Scalar::Index, 4096))
        });
        for number in 0..item.body.ops.len() as u32 {
            let view = OpView::new(&item.body, OpId(number));
            let asks = view.results().next().is_some_and(|result| {
                item.body
                    .text(item.body.values[result.index()].name)
                    .starts_with("check")
            });
            if view.def.name != "index.assume" || !asks {
                continue;
            }
            for (predicate, arguments) in item::predicates(view, "predicates") {
                let answer = facts.judge_at(OpId(number), predicate, &arguments);
                answers.push((predicate.name().to_owned(), answer));
            }
        }
    }
    answers
}

fn check(body: &str, expected: &[Truth]) {
    let text = format!(
        "func.def @f(%a: index, %b: index, %o: offset) where [range(%a, 0, 100), mul(%a, 4)] {{\n{body}\nfunc.return\n}}\n\nconfig.decl @rows : index\n"
    );
    let answers: Vec<Truth> = judged(&text).into_iter().map(|(_, truth)| truth).collect();
    assert_eq!(answers, expected, "{body}");
}

use Truth::{False, True, Unknown};

#[test]
fn arguments_have_the_facts_of_their_where_clause() {
    check(
        "%check = index.assume %a [ge(%a, 0), le(%a, 100), gt(%a, 100), mul(%a, 4), mul(%a, 8), eq(%a, 2), range(%a, 0, 50), range(%a, 5, 4)] : index",
        &[True, True, False, True, Unknown, False, Unknown, False],
    );
}

#[test]
fn arithmetic_carries_intervals_and_divisors() {
    check(
        "%c = index.constant 16 : index\n%m = index.mul %b, %c : index\n%check = index.assume %m [mul(%m, 16), mul(%m, 32), ge(%m, 0)] : index",
        &[True, Unknown, Unknown],
    );
    check(
        "%c = index.constant 3 : index\n%s = index.add %a, %c : index\n%check = index.assume %s [ge(%s, 3), le(%s, 103), mul(%s, 4)] : index",
        &[True, True, Unknown],
    );
    check(
        "%c = index.constant 4 : index\n%q = index.div %a, %c : index\n%r = index.rem %a, %c : index\n%check, %other = index.assume %q, %r [le(%q, 25), eq(%r, 0)] : index, index",
        &[True, True],
    );
    check(
        "%c = index.constant 2 : index\n%s = index.shli %a, %c : index\n%check = index.assume %s [mul(%s, 16), le(%s, 400)] : index",
        &[True, True],
    );
}

#[test]
fn one_value_equals_itself() {
    check(
        "%check = index.assume %b [eq(%b, %b), le(%b, %b), lt(%b, %b), ne(%b, %b), ge(%b, %a)] : index",
        &[True, True, False, False, Unknown],
    );
}

#[test]
fn constants_fold_and_configuration_is_known() {
    check(
        "%x = index.constant 6 : index\n%y = index.constant 7 : index\n%z = index.mul %x, %y : index\n%check = index.assume %z [eq(%z, 42), pow2(%z)] : index",
        &[True, False],
    );
    check(
        "%k = config.get @rows : index\n%check = index.assume %k [pow2(%k), ge(%k, 128)] : index",
        &[True, True],
    );
}

#[test]
fn assumptions_speak_of_their_results() {
    check(
        "%m = index.assume %b [range(%b, 1, 8), mul(%b, 3)] : index\n%check, %other = index.assume %m, %b [le(%m, 6), ge(%b, 0)] : index, index",
        &[True, Unknown],
    );
}

#[test]
fn branches_teach_their_regions() {
    check(
        "%c = index.constant 10 : index\n%less = index.cmp ult, %b, %c : index\nscf.if %less {\n%check = index.assume %b [lt(%b, 10), ge(%b, 0)] : index\n} else {\n%check1 = index.assume %b [ge(%b, 10)] : index\n}\n%check2 = index.assume %b [lt(%b, 10)] : index",
        &[True, True, Unknown, Unknown],
    );
    check(
        "%c = index.constant 10 : index\n%less = index.cmp slt, %b, %c : index\nscf.if %less {\n%check = index.assume %b [ge(%b, 10), ge(%b, 0)] : index\n} else {\n%check1 = index.assume %b [ge(%b, 10)] : index\n}",
        &[False, Unknown, True],
    );
}

#[test]
fn loops_and_joins_are_bounded() {
    check(
        "%z = index.constant 0 : index\n%s = index.constant 8 : index\nscf.for %i = [%z to %a step %s] {\n%check = index.assume %i [ge(%i, 0), lt(%i, 100), mul(%i, 8)] : index\n}",
        &[True, True, True],
    );
    check(
        "%x = index.constant 8 : index\n%y = index.constant 12 : index\n%less = index.cmp slt, %b, %x : index\n%r = scf.if %less -> (index) {\nscf.yield %x : index\n} else {\nscf.yield %y : index\n}\n%check = index.assume %r [ge(%r, 8), le(%r, 12), mul(%r, 4), eq(%r, 9)] : index",
        &[True, True, True, False],
    );
}

/// Judgement over small intervals and divisors agrees with trying every value.
#[test]
fn judgement_is_sound_and_sharp_on_small_sets() {
    let terms = |low: i64, high: i64, divisor: i64| {
        let known = Known::between(low, high).assume(Predicate::Mul, &[Known::integer(divisor)]);
        let members: Vec<i64> = (low..=high).filter(|value| value % divisor == 0).collect();
        (
            Term {
                known,
                value: None,
                float: false,
            },
            members,
        )
    };
    let holds = |predicate: Predicate, a: i64, b: i64| match predicate {
        Predicate::Eq => a == b,
        Predicate::Ne => a != b,
        Predicate::Lt => a < b,
        Predicate::Le | Predicate::Max => a <= b,
        Predicate::Gt => a > b,
        Predicate::Ge | Predicate::Min => a >= b,
        Predicate::Mul => b > 0 && a % b == 0,
        _ => a > 0 && a.unsigned_abs().is_power_of_two(),
    };
    let pairs = [
        Predicate::Eq,
        Predicate::Ne,
        Predicate::Lt,
        Predicate::Le,
        Predicate::Gt,
        Predicate::Ge,
        Predicate::Mul,
        Predicate::Min,
        Predicate::Max,
    ];
    for low in -5..=5 {
        for high in low..=7 {
            for divisor in 1..=4 {
                let (term, members) = terms(low, high, divisor);
                if members.is_empty() {
                    continue;
                }
                for constant in -6..=8 {
                    for predicate in pairs {
                        let answer = judge(predicate, &[term, Term::integer(constant)]);
                        let count = members
                            .iter()
                            .filter(|&&member| holds(predicate, member, constant))
                            .count();
                        match answer {
                            True => assert_eq!(count, members.len(), "{predicate:?} {members:?} {constant}"),
                            False => assert_eq!(count, 0, "{predicate:?} {members:?} {constant}"),
                            // Comparisons with a constant are decided whenever the interval decides them.
                            Unknown => assert!(
                                predicate == Predicate::Mul || (0 < count && count < members.len()),
                                "{predicate:?} {members:?} {constant}"
                            ),
                        }
                    }
                }
                let answer = judge(Predicate::Pow2, &[term]);
                let count = members
                    .iter()
                    .filter(|&&member| holds(Predicate::Pow2, member, 0))
                    .count();
                assert!(answer != True || count == members.len(), "{members:?}");
                assert!(answer != False || count == 0, "{members:?}");
            }
        }
    }
}

#[test]
fn float_relations_are_never_proven() {
    let one = Exact::Float(Scalar::F32, 1f32.to_bits().into());
    let term = Term {
        known: Known::of(one),
        value: Some(crate::ValueId(0)),
        float: true,
    };
    assert_eq!(judge(Predicate::Eq, &[term, term]), Unknown);
    assert_eq!(judge(Predicate::Finite, &[term]), True);
    let nan = Known::of(Exact::Float(Scalar::F32, f32::NAN.to_bits().into()));
    assert_eq!(judge(Predicate::NotNan, &[Term { known: nan, ..term }]), False);
    let promised = Known::NOTHING
        .assume(Predicate::NotNan, &[])
        .assume(Predicate::NotInf, &[]);
    assert_eq!(
        judge(
            Predicate::Finite,
            &[Term {
                known: promised,
                ..term
            }]
        ),
        True
    );
}
