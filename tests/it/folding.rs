//! The language's folder against LLVM's, on random operands: where both give a number it is the same one, and
//! where only one does, the language says why (loom-ops 2 and 7).

mod cases;
mod operands;

use loom_ir::Scalar;
use loom_ir::fold::{Exact, Flags, fold};

use crate::engine::world::host;
use cases::{Case, Silence, cases};
use operands::tuples;

/// Tuples an op is tried with, shared out among its types.
const TUPLES: usize = 100_000;

#[test]
fn folding_agrees_with_llvm() {
    let host = host();
    let mut problems = Vec::new();
    for case in cases() {
        let count = TUPLES / case.signatures.len();
        let before = problems.len();
        let (mut compared, mut numbers) = (0, 0);
        for signature in &case.signatures {
            let operands = tuples(case.op, &signature.operands, count);
            let arity = signature.operands.len();
            let answers = host.fold_constants(&signature.function, arity as u32, operands.concat());
            let answers = answers.unwrap_or_else(|failure| panic!("{failure}\n{}", signature.function));
            let answers = answers.unwrap_or_else(|error| {
                panic!("{}: {error}\n{}", case.op, signature.function);
            });
            for (tuple, theirs) in operands.iter().zip(answers) {
                let exact: Vec<_> = signature
                    .operands
                    .iter()
                    .zip(tuple)
                    .map(|(&it, &bits)| exact(it, bits))
                    .collect();
                let ours = fold(case.op, case.choice, case.flags, &signature.types, &exact).map(Exact::bits);
                compared += 1;
                numbers += usize::from(ours.is_some() && theirs.is_some());
                if !case.agree(signature, tuple, ours, theirs) {
                    problems.push(format!(
                        "{} {exact:x?}: {ours:x?}, LLVM {theirs:x?}",
                        case.label()
                    ));
                }
            }
        }
        assert!(
            compared >= TUPLES / 2 && numbers * 20 >= compared,
            "{}: {numbers} of {compared}",
            case.label()
        );
        // A few of each kind are enough to see it.
        problems.truncate(before + 3);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

impl Case {
    fn label(&self) -> String {
        format!("{} {}", self.op, self.choice.unwrap_or_default())
    }

    /// Whether two answers agree: equal numbers, or silence that the language or LLVM explains.
    fn agree(
        &self,
        signature: &cases::Signature,
        tuple: &[u64],
        ours: Option<u64>,
        theirs: Option<u64>,
    ) -> bool {
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => ours == theirs,
            (None, None) => true,
            (Some(_), None) => (self.llvm_may_be_silent)(signature, tuple),
            (None, Some(theirs)) => match self.silence {
                Silence::Never => false,
                Silence::NotANumber => is_nan(signature.result, theirs),
                Silence::When(silent) => silent(signature, tuple, theirs),
            },
        }
    }
}

fn exact(scalar: Scalar, bits: u64) -> Exact {
    match scalar {
        Scalar::Index | Scalar::Offset => Exact::Index(scalar, bits as i64),
        _ if scalar.is_float() => Exact::Float(scalar, bits),
        _ => Exact::int(scalar, bits),
    }
}

/// Whether the bits are a NaN, or an infinity, of a float type.
fn is_nan(scalar: Scalar, bits: u64) -> bool {
    let (exponent, mantissa) = operands::float_format(scalar);
    let (fraction, raised) = (
        bits & ((1 << mantissa) - 1),
        bits >> mantissa & ((1 << exponent) - 1),
    );
    raised == (1 << exponent) - 1 && fraction != 0
}

const NO_FLAGS: Flags = Flags {
    nsw: false,
    nuw: false,
    field: (0, 0),
};
