//! Ops that mean the same for a scalar and for each lane of a vector (loom-ops 2.2, 2.3).
//!
//! Each line of the macro is one row of either family.

use super::row::{Row, Rule, Traits};

const P: Traits = Traits::PURE;
const PS: Traits = Traits::PURE.and(Traits::SPECULATABLE);

macro_rules! rows {
    ($family:literal, $int:literal, $float:literal) => {
        &[
            rows!(@wrap $family, $int, "addi", "Sum modulo 2^w."),
            rows!(@wrap $family, $int, "subi", "Difference modulo 2^w."),
            rows!(@wrap $family, $int, "muli", "Product modulo 2^w."),
            Row::new(
                concat!($family, ".fmai"),
                concat!("<&wrap> $a:T, $b:T, $c:T : !T(", $int, ")"),
                "T",
                P,
                "a * b + c modulo 2^w.",
            ),
            rows!(@two $family, $int, "divsi", P, "Signed quotient, rounded toward zero."),
            rows!(@two $family, $int, "divui", P, "Unsigned quotient."),
            rows!(@two $family, $int, "remsi", P, "Signed remainder with the sign of the dividend."),
            rows!(@two $family, $int, "remui", P, "Unsigned remainder."),
            rows!(@two $family, $int, "ceildivsi", P, "Signed quotient, rounded up."),
            rows!(@two $family, $int, "ceildivui", P, "Unsigned quotient, rounded up."),
            rows!(@two $family, $int, "floordivsi", P, "Signed quotient, rounded down."),
            rows!(@one $family, $int, "negi", "Negation modulo 2^w."),
            rows!(@one $family, $int, "absi", "Absolute value; that of the least value is itself."),
            rows!(@one $family, $int, "signi", "-1, 0 or 1."),
            rows!(@two $family, $int, "minsi", PS, "The smaller of two, signed."),
            rows!(@two $family, $int, "maxsi", PS, "The larger of two, signed."),
            rows!(@two $family, $int, "minui", PS, "The smaller of two, unsigned."),
            rows!(@two $family, $int, "maxui", PS, "The larger of two, unsigned."),
            rows!(@two $family, $int, "andi", PS, "Bitwise and."),
            rows!(@two $family, $int, "ori", PS, "Bitwise or."),
            rows!(@two $family, $int, "xori", PS, "Bitwise exclusive or."),
            rows!(@wrap $family, $int, "shli", "Shift left by less than the width."),
            rows!(@two $family, $int, "shrsi", P, "Arithmetic shift right by less than the width."),
            rows!(@two $family, $int, "shrui", P, "Logical shift right by less than the width."),
            rows!(@two $family, $int, "rotli", P, "Rotate left."),
            rows!(@two $family, $int, "rotri", P, "Rotate right."),
            rows!(@one $family, $int, "ctlzi", "Leading zeros."),
            rows!(@one $family, $int, "cttzi", "Trailing zeros."),
            rows!(@one $family, $int, "ctpopi", "Ones."),
            rows!(@field $family, $int, "bitfield.extractu", "A bit field, zero extended."),
            rows!(@field $family, $int, "bitfield.extracts", "A bit field, sign extended."),
            rows!(@float2 $family, $float, "addf", PS, "Sum."),
            rows!(@float2 $family, $float, "subf", PS, "Difference."),
            rows!(@float2 $family, $float, "mulf", PS, "Product."),
            rows!(@float2 $family, $float, "divf", PS, "Quotient."),
            rows!(@float2 $family, $float, "remf", P, "Remainder as C's fmod."),
            Row::new(
                concat!($family, ".fmaf"),
                concat!("<&fast> $a:T, $b:T, $c:T : !T(", $float, ")"),
                "T",
                P,
                "a * b + c, rounded once.",
            ),
            rows!(@float1 $family, $float, "negf", "Flips the sign bit."),
            rows!(@float1 $family, $float, "absf", "Clears the sign bit."),
            rows!(@float2 $family, $float, "copysignf", P, "The first with the sign of the second."),
            rows!(@float2 $family, $float, "minimumf", P, "The smaller of two; NaN if either is."),
            rows!(@float2 $family, $float, "maximumf", P, "The larger of two; NaN if either is."),
            rows!(@float2 $family, $float, "minnumf", P, "The smaller of two; a NaN is ignored."),
            rows!(@float2 $family, $float, "maxnumf", P, "The larger of two; a NaN is ignored."),
            Row::new(
                concat!($family, ".clampf"),
                concat!("<%mode=ordered|number|ieee,&fast> $value:T, $low:T, $high:T : !T(", $float, ")"),
                "T",
                P,
                "The value within bounds.",
            ),
            rows!(@float1 $family, $float, "expf", "e^x."),
            rows!(@float1 $family, $float, "exp2f", "2^x."),
            rows!(@float1 $family, $float, "expm1f", "e^x - 1."),
            rows!(@float1 $family, $float, "logf", "Natural logarithm."),
            rows!(@float1 $family, $float, "log2f", "Logarithm to base 2."),
            rows!(@float1 $family, $float, "log10f", "Logarithm to base 10."),
            rows!(@float1 $family, $float, "log1pf", "ln(1 + x)."),
            rows!(@float2 $family, $float, "powf", P, "x^y."),
            rows!(@float1 $family, $float, "sqrtf", "Square root."),
            rows!(@float1 $family, $float, "rsqrtf", "Reciprocal square root."),
            rows!(@float1 $family, $float, "cbrtf", "Cube root."),
            rows!(@float1 $family, $float, "sinf", "Sine."),
            rows!(@float1 $family, $float, "cosf", "Cosine."),
            rows!(@float1 $family, $float, "tanf", "Tangent."),
            rows!(@float1 $family, $float, "asinf", "Arc sine."),
            rows!(@float1 $family, $float, "acosf", "Arc cosine."),
            rows!(@float1 $family, $float, "atanf", "Arc tangent."),
            rows!(@float2 $family, $float, "atan2f", P, "Arc tangent of y / x, by quadrant."),
            rows!(@float1 $family, $float, "sinhf", "Hyperbolic sine."),
            rows!(@float1 $family, $float, "coshf", "Hyperbolic cosine."),
            rows!(@float1 $family, $float, "tanhf", "Hyperbolic tangent."),
            rows!(@float1 $family, $float, "asinhf", "Inverse hyperbolic sine."),
            rows!(@float1 $family, $float, "acoshf", "Inverse hyperbolic cosine."),
            rows!(@float1 $family, $float, "atanhf", "Inverse hyperbolic tangent."),
            rows!(@float1 $family, $float, "sinturnsf", "Sine of 2 pi x, exact at quarter turns."),
            rows!(@float1 $family, $float, "costurnsf", "Cosine of 2 pi x, exact at quarter turns."),
            rows!(@float1 $family, $float, "erff", "Error function."),
            rows!(@float1 $family, $float, "erfcf", "Complementary error function."),
            rows!(@float1 $family, $float, "logisticf", "1 / (1 + e^-x)."),
            rows!(@float1 $family, $float, "siluf", "x * logistic(x)."),
            rows!(@float1 $family, $float, "softplusf", "ln(1 + e^x)."),
            Row::new(
                concat!($family, ".geluf"),
                concat!("<%form=erf|tanh|logistic,&fast> $input:T {scale:float?} : !T(", $float, ")"),
                "T",
                P,
                "Gaussian error linear unit in one of three forms.",
            )
            .rules(&[Rule::GeluScale]),
            rows!(@plain $family, $float, "signf", "-1, 0 or 1; zeros and NaN give +0."),
            rows!(@float1 $family, $float, "ceilf", "Rounds up."),
            rows!(@float1 $family, $float, "floorf", "Rounds down."),
            rows!(@float1 $family, $float, "truncf", "Rounds toward zero."),
            rows!(@float1 $family, $float, "roundf", "Rounds to nearest, ties away from zero."),
            rows!(@float1 $family, $float, "roundevenf", "Rounds to nearest, ties to even."),
            rows!(@cast $family, "sitofp", $int, $float, "<&fast> ", P, &[Rule::SameShape], "Signed integer to float."),
            rows!(@cast $family, "uitofp", $int, $float, "<&fast> ", P, &[Rule::SameShape], "Unsigned integer to float."),
            rows!(@cast $family, "fptosi", $float, $int, "", P, &[Rule::SameShape], "Float to signed integer, toward zero."),
            rows!(@cast $family, "fptoui", $float, $int, "", P, &[Rule::SameShape], "Float to unsigned integer, toward zero."),
            rows!(@cast $family, "extf", $float, $float, "<&fast> ", PS, &[Rule::SameShape, Rule::Wider], "Float to a wider float, exactly."),
            rows!(@cast $family, "fptrunc", $float, $float, "<&fast> ", PS, &[Rule::SameShape, Rule::Narrower], "Float to a narrower float."),
            rows!(@cast $family, "extsi", $int, $int, "", PS, &[Rule::SameShape, Rule::Wider], "Sign extension."),
            rows!(@cast $family, "extui", $int, $int, "", PS, &[Rule::SameShape, Rule::Wider], "Zero extension."),
            rows!(@cast $family, "trunci", $int, $int, "", PS, &[Rule::SameShape, Rule::Narrower], "Keeps the low bits."),
        ]
    };
    (@wrap $family:literal, $class:literal, $name:literal, $doc:literal) => {
        Row::new(
            concat!($family, ".", $name),
            concat!("<&wrap> $lhs:T, $rhs:T : !T(", $class, ")"),
            "T",
            P,
            $doc,
        )
    };
    (@two $family:literal, $class:literal, $name:literal, $traits:expr, $doc:literal) => {
        Row::new(concat!($family, ".", $name), concat!("$lhs:T, $rhs:T : !T(", $class, ")"), "T", $traits, $doc)
    };
    (@one $family:literal, $class:literal, $name:literal, $doc:literal) => {
        Row::new(concat!($family, ".", $name), concat!("$input:T : !T(", $class, ")"), "T", PS, $doc)
    };
    (@field $family:literal, $class:literal, $name:literal, $doc:literal) => {
        Row::new(
            concat!($family, ".", $name),
            concat!("$input:T {offset:int,width:int} : !T(", $class, ") -> !R(", $class, ")"),
            "R",
            PS,
            $doc,
        )
        .rules(&[Rule::SameShape, Rule::Bitfield])
    };
    (@float2 $family:literal, $class:literal, $name:literal, $traits:expr, $doc:literal) => {
        Row::new(
            concat!($family, ".", $name),
            concat!("<&fast> $lhs:T, $rhs:T : !T(", $class, ")"),
            "T",
            $traits,
            $doc,
        )
    };
    (@float1 $family:literal, $class:literal, $name:literal, $doc:literal) => {
        Row::new(concat!($family, ".", $name), concat!("<&fast> $input:T : !T(", $class, ")"), "T", P, $doc)
    };
    (@plain $family:literal, $class:literal, $name:literal, $doc:literal) => {
        Row::new(concat!($family, ".", $name), concat!("$input:T : !T(", $class, ")"), "T", P, $doc)
    };
    (@cast $family:literal, $name:literal, $from:literal, $to:literal, $flags:literal, $traits:expr, $rules:expr, $doc:literal) => {
        Row::new(
            concat!($family, ".", $name),
            concat!($flags, "$input:T : !T(", $from, ") to !R(", $to, ")"),
            "R",
            $traits,
            $doc,
        )
        .rules($rules)
    };
}

pub(super) const SCALAR: &[Row] = rows!("scalar", "int", "float");
pub(super) const VECTOR: &[Row] = rows!("vector", "vint", "vfloat");
