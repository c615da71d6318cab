//! The ops that LLVM has too, each with the function that says it in LLVM IR.

use loom_ir::Scalar;
use loom_ir::fold::Flags;

use super::{NO_FLAGS, is_nan};

/// One op, with the predicate or mode that `choice` is, for all its types.
pub struct Case {
    pub op: &'static str,
    pub choice: Option<&'static str>,
    pub flags: Flags,
    pub signatures: Vec<Signature>,
    /// When we may leave alone what LLVM folds.
    pub silence: Silence,
    /// When LLVM may leave alone, or call poison, what we fold.
    pub llvm_may_be_silent: fn(&Signature, &[u64]) -> bool,
}

/// When the language does not fold.
#[derive(Clone, Copy)]
pub enum Silence {
    Never,
    /// A NaN is no exact value.
    NotANumber,
    When(fn(&Signature, &[u64], u64) -> bool),
}

/// One typing of an op.
pub struct Signature {
    /// Types as the op states them.
    pub types: Vec<Scalar>,
    pub operands: Vec<Scalar>,
    pub result: Scalar,
    /// The textual module with the one function.
    pub function: String,
}

const INTEGERS: [Scalar; 5] = [Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64];
const FLOATS: [Scalar; 4] = [Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64];
const INTEGER_PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
const FLOAT_PREDICATES: [&str; 14] = [
    "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
];

/// Every case.
pub fn cases() -> Vec<Case> {
    [integers(), comparisons(), casts(), floats(), index()]
        .into_iter()
        .flatten()
        .collect()
}

fn integers() -> Vec<Case> {
    let two = |op, llvm: &str| {
        case(
            op,
            INTEGERS.map(|it| same(it, 2, &format!("{llvm} {{t}} %a, %b"))),
        )
    };
    let flagged = |op, llvm: &str, nsw: bool| {
        let checked = |it| same(it, 2, &checked(llvm, nsw));
        Case {
            flags: Flags {
                nsw,
                nuw: !nsw,
                ..NO_FLAGS
            },
            ..case(op, INTEGERS.map(checked))
        }
    };
    let call = |op, name: &str, arity: usize, more: &str| {
        let arguments = ["{t} %a", "{t} %a, {t} %b", "{t} %a, {t} %a, {t} %b"][arity - 1];
        let arity = arity.min(2);
        case(
            op,
            INTEGERS.map(|it| {
                same(
                    it,
                    arity,
                    &format!("call {{t}} @llvm.{name}.{{t}}({arguments}{more})"),
                )
            }),
        )
    };
    let mut cases = vec![
        two("scalar.addi", "add"),
        two("scalar.subi", "sub"),
        two("scalar.muli", "mul"),
        two("scalar.divui", "udiv"),
        two("scalar.remui", "urem"),
        // -1 / -1 leaves an i1, whose only numbers are 0 and -1; LLVM makes it 1 all the same.
        Case {
            silence: Silence::When(|signature, tuple, _| signature.result == Scalar::I1 && tuple == [1, 1]),
            ..two("scalar.divsi", "sdiv")
        },
        // MIN rem -1 is 0 in the language, poison in LLVM.
        Case {
            llvm_may_be_silent: |signature, tuple| tuple[1] == mask(signature.result),
            ..two("scalar.remsi", "srem")
        },
        two("scalar.andi", "and"),
        two("scalar.ori", "or"),
        two("scalar.xori", "xor"),
        // Counts from the width on shift everything out here and are poison in LLVM; a count that reads as
        // negative does not fold here.
        Case {
            silence: Silence::When(|signature, tuple, _| negative(signature, tuple[1])),
            llvm_may_be_silent: |signature, tuple| tuple[1] >= u64::from(signature.result.bits()),
            ..two("scalar.shli", "shl")
        },
        Case {
            silence: Silence::When(|signature, tuple, _| negative(signature, tuple[1])),
            llvm_may_be_silent: |signature, tuple| tuple[1] >= u64::from(signature.result.bits()),
            ..two("scalar.shrsi", "ashr")
        },
        two("scalar.shrui", "lshr"),
        flagged("scalar.addi", "add", true),
        flagged("scalar.addi", "add", false),
        flagged("scalar.subi", "sub", true),
        flagged("scalar.subi", "sub", false),
        flagged("scalar.muli", "mul", true),
        flagged("scalar.muli", "mul", false),
        call("scalar.minsi", "smin", 2, ""),
        call("scalar.maxsi", "smax", 2, ""),
        call("scalar.minui", "umin", 2, ""),
        call("scalar.maxui", "umax", 2, ""),
        call("scalar.absi", "abs", 1, ", i1 false"),
        call("scalar.ctlzi", "ctlz", 1, ", i1 false"),
        call("scalar.cttzi", "cttz", 1, ", i1 false"),
        call("scalar.ctpopi", "ctpop", 1, ""),
        call("scalar.rotli", "fshl", 3, ""),
        call("scalar.rotri", "fshr", 3, ""),
        case("scalar.negi", INTEGERS.map(|it| same(it, 1, "sub {t} 0, %a"))),
    ];
    cases.push(case(
        "scalar.fmai",
        INTEGERS.map(|it| same(it, 3, "mul {t} %a, %b\n  %r = add {t} %p, %c")),
    ));
    cases
}

fn comparisons() -> Vec<Case> {
    let integers = INTEGER_PREDICATES.map(|predicate| Case {
        choice: Some(predicate),
        ..case(
            "scalar.cmpi",
            INTEGERS.map(|it| to_bool(it, &format!("icmp {predicate} {{t}} %a, %b"))),
        )
    });
    let floats = FLOAT_PREDICATES.map(|predicate| Case {
        choice: Some(predicate),
        ..case(
            "scalar.cmpf",
            FLOATS.map(|it| to_bool(it, &format!("fcmp {predicate} {{t}} %a, %b"))),
        )
    });
    integers.into_iter().chain(floats).collect()
}

fn casts() -> Vec<Case> {
    let pairs = |from: &[Scalar], to: &[Scalar], fits: fn(Scalar, Scalar) -> bool| -> Vec<(Scalar, Scalar)> {
        from.iter()
            .flat_map(|&a| to.iter().map(move |&b| (a, b)))
            .filter(|&(a, b)| fits(a, b))
            .collect()
    };
    let cast = |op, llvm: &str, pairs: Vec<(Scalar, Scalar)>| {
        case(op, pairs.into_iter().map(|(from, to)| converts(from, to, llvm)))
    };
    let wider: fn(Scalar, Scalar) -> bool = |a, b| a.bits() < b.bits();
    let narrower: fn(Scalar, Scalar) -> bool = |a, b| a.bits() > b.bits();
    let any: fn(Scalar, Scalar) -> bool = |_, _| true;
    let number = |case| Case {
        silence: Silence::NotANumber,
        ..case
    };
    vec![
        cast("scalar.extsi", "sext", pairs(&INTEGERS, &INTEGERS, wider)),
        cast("scalar.extui", "zext", pairs(&INTEGERS, &INTEGERS, wider)),
        cast("scalar.trunci", "trunc", pairs(&INTEGERS, &INTEGERS, narrower)),
        number(cast("scalar.extf", "fpext", pairs(&FLOATS, &FLOATS, wider))),
        number(cast(
            "scalar.fptrunc",
            "fptrunc",
            pairs(&FLOATS, &FLOATS, narrower),
        )),
        // A number beyond the type is left alone here and an infinity in LLVM.
        Case {
            silence: Silence::When(|signature, _, theirs| is_infinite(signature.result, theirs)),
            ..cast("scalar.sitofp", "sitofp", pairs(&INTEGERS[1..], &FLOATS, any))
        },
        Case {
            silence: Silence::When(|signature, _, theirs| is_infinite(signature.result, theirs)),
            ..cast("scalar.uitofp", "uitofp", pairs(&INTEGERS[1..], &FLOATS, any))
        },
        cast("scalar.fptosi", "fptosi", pairs(&FLOATS, &INTEGERS[1..], any)),
        cast("scalar.fptoui", "fptoui", pairs(&FLOATS, &INTEGERS[1..], any)),
        cast(
            "scalar.bitcast",
            "bitcast",
            vec![
                (Scalar::F16, Scalar::I16),
                (Scalar::BF16, Scalar::I16),
                (Scalar::F32, Scalar::I32),
                (Scalar::F64, Scalar::I64),
                (Scalar::I16, Scalar::F16),
                (Scalar::I32, Scalar::F32),
                (Scalar::I64, Scalar::F64),
            ],
        ),
    ]
}

fn floats() -> Vec<Case> {
    let number = |op, signatures: [Signature; 4]| Case {
        silence: Silence::NotANumber,
        ..case(op, signatures)
    };
    let two = |op, llvm: &str| number(op, FLOATS.map(|it| same(it, 2, &format!("{llvm} {{t}} %a, %b"))));
    // LLVM's folder leaves some of these alone for bfloat.
    let call = |op, name: &str, arity: usize| {
        let arguments = ["{t} %a", "{t} %a, {t} %b", "{t} %a, {t} %b, {t} %c"][arity - 1];
        let silent = |signature: &Signature, _: &[u64]| signature.result == Scalar::BF16;
        let case = number(
            op,
            FLOATS.map(|it| same(it, arity, &format!("call {{t}} @llvm.{name}.{{s}}({arguments})"))),
        );
        Case {
            llvm_may_be_silent: silent,
            ..case
        }
    };
    let with_nan =
        |signature: &Signature, tuple: &[u64]| tuple.iter().any(|&it| is_nan(signature.result, it));
    vec![
        two("scalar.addf", "fadd"),
        two("scalar.subf", "fsub"),
        two("scalar.mulf", "fmul"),
        two("scalar.divf", "fdiv"),
        two("scalar.remf", "frem"),
        number("scalar.negf", FLOATS.map(|it| same(it, 1, "fneg {t} %a"))),
        call("scalar.absf", "fabs", 1),
        call("scalar.copysignf", "copysign", 2),
        call("scalar.minimumf", "minimum", 2),
        call("scalar.maximumf", "maximum", 2),
        // A signaling NaN may make LLVM's result a NaN or not, so it leaves that open.
        Case {
            llvm_may_be_silent: with_nan,
            ..call("scalar.minnumf", "minnum", 2)
        },
        Case {
            llvm_may_be_silent: with_nan,
            ..call("scalar.maxnumf", "maxnum", 2)
        },
        call("scalar.fmaf", "fma", 3),
        call("scalar.ceilf", "ceil", 1),
        call("scalar.floorf", "floor", 1),
        call("scalar.truncf", "trunc", 1),
        call("scalar.roundf", "round", 1),
        call("scalar.roundevenf", "roundeven", 1),
        // LLVM takes the root by the host's library, and only of what has one.
        Case {
            llvm_may_be_silent: |_, _| true,
            ..call("scalar.sqrtf", "sqrt", 1)
        },
    ]
}

/// `index` is 64 bits of mathematics: what wraps is no value, as LLVM's `nsw` says.
fn index() -> Vec<Case> {
    let two = |op, llvm: &str| case(op, [on_index(2, &format!("{llvm} i64 %a, %b"))]);
    let sign = |case| Case {
        silence: Silence::When(|_, tuple, _| any_negative(tuple)),
        ..case
    };
    let call = |op, name: &str| {
        case(
            op,
            [on_index(2, &format!("call i64 @llvm.{name}.i64(i64 %a, i64 %b)"))],
        )
    };
    let mut cases = vec![
        case("index.add", [on_index(2, &checked("add", true))]),
        case("index.sub", [on_index(2, &checked("sub", true))]),
        case("index.mul", [on_index(2, &checked("mul", true))]),
        // Only non-negative operands have a quotient that signed and unsigned division agree on.
        sign(two("index.div", "udiv")),
        sign(two("index.rem", "urem")),
        call("index.min", "smin"),
        call("index.max", "smax"),
        two("index.andi", "and"),
        two("index.ori", "or"),
        two("index.xori", "xor"),
        case("index.shli", [on_index(2, SHIFT_WITHOUT_LOSS)]),
        two("index.shrsi", "ashr"),
        sign(two("index.shrui", "lshr")),
        case("index.madd", [on_index(3, CHECKED_MULTIPLY_ADD)]),
    ];
    for predicate in INTEGER_PREDICATES {
        let mut signature = on_index(2, &format!("icmp {predicate} i64 %a, %b"));
        signature.function = signature
            .function
            .replace("define i64", "define i1")
            .replace("ret i64", "ret i1");
        signature.result = Scalar::I1;
        let comparison = Case {
            choice: Some(predicate),
            ..case("index.cmp", [signature])
        };
        cases.push(if predicate.starts_with('u') {
            sign(comparison)
        } else {
            comparison
        });
    }
    cases
}

/// LLVM folds `nsw` and `nuw` arithmetic as if it wrapped; its overflow intrinsics tell the truth. What overflows
/// is poison here.
fn checked(llvm: &str, signed: bool) -> String {
    let sign = if signed { "s" } else { "u" };
    format!(
        "call {{{{t}}, i1}} @llvm.{sign}{llvm}.with.overflow.{{t}}({{t}} %a, {{t}} %b)\n  \
         %o = extractvalue {{{{t}}, i1}} %p, 1\n  %v = extractvalue {{{{t}}, i1}} %p, 0\n  \
         %r = select i1 %o, {{t}} poison, {{t}} %v"
    )
}

/// A shift that loses nothing shifts back to where it came from.
const SHIFT_WITHOUT_LOSS: &str = "shl i64 %a, %b\n  %back = ashr i64 %p, %b\n  \
    %same = icmp eq i64 %back, %a\n  %r = select i1 %same, i64 %p, i64 poison";

const CHECKED_MULTIPLY_ADD: &str = "call {i64, i1} @llvm.smul.with.overflow.i64(i64 %a, i64 %b)\n  \
    %o = extractvalue {i64, i1} %p, 1\n  %v = extractvalue {i64, i1} %p, 0\n  \
    %q = call {i64, i1} @llvm.sadd.with.overflow.i64(i64 %v, i64 %c)\n  \
    %u = extractvalue {i64, i1} %q, 1\n  %w = extractvalue {i64, i1} %q, 0\n  \
    %e = or i1 %o, %u\n  %r = select i1 %e, i64 poison, i64 %w";

fn case(op: &'static str, signatures: impl IntoIterator<Item = Signature>) -> Case {
    Case {
        op,
        choice: None,
        flags: NO_FLAGS,
        signatures: signatures.into_iter().collect(),
        silence: Silence::Never,
        llvm_may_be_silent: |_, _| false,
    }
}

/// All operands and the result of one type.
fn same(scalar: Scalar, arity: usize, body: &str) -> Signature {
    signature(vec![scalar], vec![scalar; arity], scalar, body)
}

fn to_bool(scalar: Scalar, body: &str) -> Signature {
    signature(vec![scalar], vec![scalar; 2], Scalar::I1, body)
}

fn converts(from: Scalar, to: Scalar, llvm: &str) -> Signature {
    let body = format!("{llvm} {} %a to {}", name(from), name(to));
    signature(vec![from, to], vec![from], to, &body)
}

fn on_index(arity: usize, body: &str) -> Signature {
    signature(
        vec![Scalar::Index],
        vec![Scalar::Index; arity],
        Scalar::Index,
        body,
    )
}

/// Builds the function around `body`, whose result is `%r`; a first step of two is `%p`. `{t}` is the type of
/// the first operand, `{s}` its suffix in an intrinsic's name.
fn signature(types: Vec<Scalar>, operands: Vec<Scalar>, result: Scalar, body: &str) -> Signature {
    let body = body
        .replace("{t}", name(operands[0]))
        .replace("{s}", suffix(operands[0]));
    let first = if body.contains("%r =") { "%p" } else { "%r" };
    let parameters: Vec<_> = operands
        .iter()
        .zip(["%a", "%b", "%c"])
        .map(|(&it, argument)| format!("{} {argument}", name(it)))
        .collect();
    let function = format!(
        "{}define {result} @f({}) {{\n  {first} = {body}\n  ret {result} %r\n}}\n",
        declarations(&body),
        parameters.join(", "),
        result = name(result),
    );
    Signature {
        types,
        operands,
        result,
        function,
    }
}

/// The declarations of the intrinsics that `body` calls.
fn declarations(body: &str) -> String {
    let calls = body
        .lines()
        .filter_map(|line| line.split_once("call "))
        .map(|(_, call)| {
            let (head, arguments) = call.split_once('(').expect("a call has arguments");
            let types: Vec<_> = arguments
                .split(',')
                .filter_map(|it| it.split_whitespace().next())
                .collect();
            format!("declare {head}({})\n", types.join(", "))
        });
    calls.collect()
}

fn name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I1 => "i1",
        Scalar::I8 => "i8",
        Scalar::I16 => "i16",
        Scalar::I32 => "i32",
        Scalar::F16 => "half",
        Scalar::BF16 => "bfloat",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
        _ => "i64",
    }
}

fn suffix(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F16 => "f16",
        Scalar::BF16 => "bf16",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
        _ => name(scalar),
    }
}

fn mask(scalar: Scalar) -> u64 {
    u64::MAX >> (64 - scalar.bits())
}

fn negative(signature: &Signature, bits: u64) -> bool {
    bits >> (signature.result.bits() - 1) & 1 == 1
}

fn any_negative(tuple: &[u64]) -> bool {
    tuple.iter().any(|&it| (it as i64) < 0)
}

fn is_infinite(scalar: Scalar, bits: u64) -> bool {
    let magnitude = bits & mask(scalar) >> 1;
    !is_nan(scalar, bits) && is_nan(scalar, magnitude + 1)
}
