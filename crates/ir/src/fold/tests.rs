//! Folding against exhaustive evaluation by other means for all 8 bit types, and the reference's samples.

use super::*;

const NONE: Flags = Flags {
    nsw: false,
    nuw: false,
    field: (0, 0),
};

fn i8_of(value: i64) -> Exact {
    Exact::int(Scalar::I8, value as u64)
}

fn int2(name: &str, flags: Flags, a: i8, b: i8) -> Option<i64> {
    let types = [Scalar::I8];
    let folded = fold(
        &format!("scalar.{name}"),
        None,
        flags,
        &types,
        &[i8_of(a.into()), i8_of(b.into())],
    )?;
    folded.signed()
}

#[test]
fn all_pairs_of_i8() {
    for a in i8::MIN..=i8::MAX {
        for b in i8::MIN..=i8::MAX {
            let (ua, ub) = (a as u8, b as u8);
            let unsigned = |value: Option<u8>| value.map(|value| i64::from(value as i8));
            let signed = |value: Option<i8>| value.map(i64::from);
            let check = |name: &str, expected: Option<i64>| {
                assert_eq!(int2(name, NONE, a, b), expected, "{name} {a} {b}");
            };
            check("addi", signed(Some(a.wrapping_add(b))));
            check("subi", signed(Some(a.wrapping_sub(b))));
            check("muli", signed(Some(a.wrapping_mul(b))));
            check("divsi", signed(a.checked_div(b)));
            check("divui", unsigned(ua.checked_div(ub)));
            check("remsi", signed((b != 0).then(|| a.wrapping_rem(b))));
            check("remui", unsigned(ua.checked_rem(ub)));
            let quotient = f64::from(a) / f64::from(b);
            let fits = |value: f64| (b != 0 && value <= 127.0).then_some(value as i64);
            check("ceildivsi", fits(quotient.ceil()));
            check("floordivsi", fits(quotient.floor()));
            check(
                "ceildivui",
                (ub != 0).then(|| i64::from((f64::from(ua) / f64::from(ub)).ceil() as u8 as i8)),
            );
            check("minsi", signed(Some(a.min(b))));
            check("maxui", unsigned(Some(ua.max(ub))));
            check("xori", signed(Some(a ^ b)));
            let count = u32::from(ub);
            check("shrui", unsigned(ua.checked_shr(count)).filter(|_| b >= 0));
            check("shrsi", (b >= 0).then(|| i64::from(a >> count.min(7))));
            check(
                "shli",
                (b >= 0).then(|| if count >= 8 { 0 } else { i64::from(a << count) }),
            );
            check("rotli", signed(Some(a.rotate_left(count % 8))));
            check("rotri", signed(Some(a.rotate_right(count % 8))));
            assert_eq!(
                int2("addi", Flags { nsw: true, ..NONE }, a, b),
                a.checked_add(b).map(i64::from)
            );
            assert_eq!(
                int2("muli", Flags { nsw: true, ..NONE }, a, b),
                a.checked_mul(b).map(i64::from)
            );
            assert_eq!(
                int2("subi", Flags { nuw: true, ..NONE }, a, b),
                unsigned(ua.checked_sub(ub))
            );
            assert_eq!(
                int2("muli", Flags { nuw: true, ..NONE }, a, b),
                unsigned(ua.checked_mul(ub))
            );
        }
        let one = |name: &str| {
            let folded = fold(
                &format!("scalar.{name}"),
                None,
                NONE,
                &[Scalar::I8],
                &[i8_of(a.into())],
            );
            folded.and_then(Exact::signed)
        };
        assert_eq!(one("negi"), Some(a.wrapping_neg().into()));
        assert_eq!(one("absi"), Some(a.wrapping_abs().into()));
        assert_eq!(one("signi"), Some(a.signum().into()));
        assert_eq!(one("ctlzi"), Some(a.leading_zeros().into()));
        assert_eq!(one("cttzi"), Some(a.trailing_zeros().into()));
        assert_eq!(one("ctpopi"), Some(a.count_ones().into()));
    }
}

/// The value of an 8 bit float from its definition: exponent bits, bias, and whether the top exponent is special.
fn small_value(scalar: Scalar, bits: u8) -> f64 {
    let (exponent_bits, mantissa_bits, bias) = if scalar == Scalar::F8E4M3 {
        (4, 3, 7)
    } else {
        (5, 2, 15)
    };
    let mantissa = f64::from(bits & ((1 << mantissa_bits) - 1));
    let exponent = i32::from(bits >> mantissa_bits & ((1 << exponent_bits) - 1));
    let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
    let top = (1 << exponent_bits) - 1;
    let scale = f64::from(1 << mantissa_bits);
    match (scalar, exponent) {
        (Scalar::F8E4M3, _) if bits & 0x7f == 0x7f => f64::NAN,
        (Scalar::F8E5M2, exponent) if exponent == top => {
            if mantissa == 0.0 {
                sign * f64::INFINITY
            } else {
                f64::NAN
            }
        }
        (_, 0) => sign * mantissa / scale * 2f64.powi(1 - bias),
        _ => sign * (1.0 + mantissa / scale) * 2f64.powi(exponent - bias),
    }
}

/// The nearest 8 bit float, ties to the even one, by search; overflow as the type has it.
fn nearest(scalar: Scalar, value: f64) -> Option<u8> {
    if value.is_nan() {
        return None;
    }
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    let magnitude = value.abs();
    let largest: u8 = if scalar == Scalar::F8E4M3 { 0x7e } else { 0x7b };
    // One step above the largest number, as if the exponent range went on.
    let step = small_value(scalar, largest) - small_value(scalar, largest - 1);
    let beyond = small_value(scalar, largest) + step / 2.0;
    if magnitude >= beyond {
        // Halfway above the largest, which has an odd mantissa in E5M2 (rounds up) and an even one in E4M3.
        return Some(sign | if scalar == Scalar::F8E4M3 { largest } else { 0x7c });
    }
    let below = (0..=largest)
        .rev()
        .find(|&bits| small_value(scalar, bits) <= magnitude)?;
    if below == largest {
        return Some(sign | below);
    }
    let (low, high) = (small_value(scalar, below), small_value(scalar, below + 1));
    let up = match (magnitude - low).total_cmp(&(high - magnitude)) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => below & 1 == 1,
    };
    Some(sign | (below + u8::from(up)))
}

#[test]
fn all_pairs_of_8_bit_floats() {
    for scalar in [Scalar::F8E4M3, Scalar::F8E5M2] {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (x, y) = (small_value(scalar, a), small_value(scalar, b));
                let operands = [Exact::Float(scalar, a.into()), Exact::Float(scalar, b.into())];
                let check = |name: &str, value: f64| {
                    let folded = fold(&format!("scalar.{name}"), None, NONE, &[scalar], &operands);
                    // Without infinities, dividing by zero has no number to give.
                    let expected = match value.is_infinite() && scalar == Scalar::F8E4M3 {
                        true => None,
                        false => nearest(scalar, value),
                    };
                    assert_eq!(
                        folded.map(Exact::bits),
                        expected.map(u64::from),
                        "{name} {x} {y} in {scalar:?}"
                    );
                };
                // Sums and products of such short numbers are exact in a double; quotients round once more,
                // but never across a tie.
                check("addf", x + y);
                check("subf", x - y);
                check("mulf", x * y);
                check("divf", x / y);
                let compared = fold("scalar.cmpf", Some("ult"), NONE, &[scalar], &operands);
                assert_eq!(compared, Some(Exact::bool(x.is_nan() || y.is_nan() || x < y)));
            }
            let one = |name: &str| {
                let folded = fold(
                    &format!("scalar.{name}"),
                    None,
                    NONE,
                    &[scalar],
                    &[Exact::Float(scalar, a.into())],
                );
                folded.map(Exact::bits)
            };
            let x = small_value(scalar, a);
            for (name, value) in [
                ("sqrtf", x.sqrt()),
                ("ceilf", x.ceil()),
                ("floorf", x.floor()),
                ("truncf", x.trunc()),
                ("roundf", x.round()),
                ("roundevenf", x.round_ties_even()),
                ("absf", x.abs()),
            ] {
                assert_eq!(
                    one(name),
                    nearest(scalar, value).map(u64::from),
                    "{name} {x} in {scalar:?}"
                );
            }
        }
    }
}

/// Single precision against the processor.
#[test]
fn singles_agree_with_the_processor() {
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    };
    for _ in 0..20_000 {
        let (a, b, c) = (
            f32::from_bits(next()),
            f32::from_bits(next()),
            f32::from_bits(next()),
        );
        let exact = |value: f32| Exact::Float(Scalar::F32, value.to_bits().into());
        let check = |name: &str, operands: &[Exact], value: f32| {
            let folded = fold(&format!("scalar.{name}"), None, NONE, &[Scalar::F32], operands);
            let expected = (!value.is_nan()).then(|| exact(value));
            assert_eq!(folded, expected, "{name} {operands:?}");
        };
        check("addf", &[exact(a), exact(b)], a + b);
        check("mulf", &[exact(a), exact(b)], a * b);
        check("divf", &[exact(a), exact(b)], a / b);
        check("remf", &[exact(a), exact(b)], a % b);
        check("fmaf", &[exact(a), exact(b), exact(c)], a.mul_add(b, c));
        check("sqrtf", &[exact(a)], a.sqrt());
    }
}

fn literal(value: f64, scalar: Scalar) -> u64 {
    Exact::from_literal(&Attr::Float(value.to_bits()), scalar)
        .unwrap()
        .bits()
}

/// What the reference's folder was observed to do.
#[test]
fn observed_samples() {
    assert_eq!(literal(500.0, Scalar::F8E4M3), 0x7e);
    assert_eq!(literal(0.1, Scalar::F16), 0x2e66);
    assert_eq!(literal(1e40, Scalar::F32), f32::INFINITY.to_bits().into());
    let float = |scalar: Scalar, value: f64| Exact::Float(scalar, literal(value, scalar));
    let cast = |name: &str, from: Scalar, to: Scalar, operand: Exact| {
        fold(name, None, NONE, &[from, to], &[operand])
    };
    let (f32s, f16) = (Scalar::F32, Scalar::F16);
    assert_eq!(
        cast("scalar.fptrunc", f32s, f16, float(f32s, 65520.0)),
        Some(float(f16, f64::INFINITY))
    );
    assert_eq!(
        cast("scalar.fptrunc", f32s, Scalar::F8E5M2, float(f32s, 61440.0)),
        Some(Exact::Float(Scalar::F8E5M2, 0x7c))
    );
    assert_eq!(
        cast("scalar.fptrunc", f32s, Scalar::F8E4M3, float(f32s, f64::INFINITY)),
        Some(Exact::Float(Scalar::F8E4M3, 0x7e))
    );
    assert_eq!(
        cast("scalar.fptrunc", f32s, f16, float(f32s, 2f64.powi(-24))),
        Some(Exact::Float(f16, 1))
    );
    let big = float(f32s, 4e9);
    assert_eq!(
        cast("scalar.fptoui", f32s, Scalar::I32, big),
        Some(Exact::Int(Scalar::I32, 4_000_000_000))
    );
    assert_eq!(cast("scalar.fptosi", f32s, Scalar::I32, big), None);
    assert_eq!(
        cast("scalar.fptosi", f32s, Scalar::I32, float(f32s, f64::NAN)),
        None
    );
    assert_eq!(
        cast("scalar.extsi", Scalar::I1, Scalar::I32, Exact::bool(true)),
        Some(Exact::int(Scalar::I32, u64::MAX))
    );
    assert_eq!(
        cast("scalar.sitofp", Scalar::I32, f16, Exact::int(Scalar::I32, 70_000)),
        None
    );
    let e4m3 = float(Scalar::F8E4M3, 448.0);
    assert_eq!(
        fold("scalar.addf", None, NONE, &[Scalar::F8E4M3], &[e4m3, e4m3]),
        Some(e4m3)
    );
    let zeros = [float(f32s, -0.0), float(f32s, 0.0)];
    assert_eq!(
        fold("scalar.minnumf", None, NONE, &[f32s], &zeros),
        Some(zeros[0])
    );
    assert_eq!(
        fold("scalar.maxnumf", None, NONE, &[f32s], &zeros),
        Some(zeros[1])
    );
    let nan = float(f32s, f64::NAN);
    let clamp = [nan, float(f32s, 1.0), float(f32s, 2.0)];
    assert_eq!(
        fold("scalar.clampf", Some("number"), NONE, &[f32s], &clamp),
        Some(clamp[1])
    );
    assert_eq!(fold("scalar.clampf", Some("ieee"), NONE, &[f32s], &clamp), None);
}

#[test]
fn index_arithmetic_stays_in_its_domain() {
    let index = |value: i64| Exact::Index(Scalar::Index, value);
    let two = |name: &str, a: i64, b: i64| {
        fold(
            &format!("index.{name}"),
            None,
            NONE,
            &[Scalar::Index],
            &[index(a), index(b)],
        )
        .and_then(Exact::signed)
    };
    assert_eq!(two("add", i64::MAX, 1), None);
    assert_eq!(two("add", -5, 3), Some(-2));
    assert_eq!(two("div", 7, 2), Some(3));
    assert_eq!(two("div", -7, 2), None);
    assert_eq!(two("rem", 7, 0), None);
    assert_eq!(two("shli", 1, 63), None);
    assert_eq!(two("shli", 3, 4), Some(48));
    assert_eq!(two("shrui", -1, 1), None);
    assert_eq!(two("shrsi", -8, 1), Some(-4));
    let compare = |predicate, a, b| {
        fold(
            "index.cmp",
            Some(predicate),
            NONE,
            &[Scalar::Index],
            &[index(a), index(b)],
        )
    };
    assert_eq!(compare("ult", -1, 1), None);
    assert_eq!(compare("slt", -1, 1), Some(Exact::bool(true)));
    let types = [Scalar::Index, Scalar::Offset, Scalar::Offset];
    let scale = fold(
        "index.scale",
        None,
        NONE,
        &types,
        &[index(3), Exact::Index(Scalar::Offset, 16)],
    );
    assert_eq!(scale, Some(Exact::Index(Scalar::Offset, 48)));
    let cast = |value, to| fold("index.cast", None, NONE, &[Scalar::Index, to], &[index(value)]);
    assert_eq!(cast(1 << 40, Scalar::I32), None);
    assert_eq!(cast(-1, Scalar::I32), Some(Exact::Int(Scalar::I32, 0xffff_ffff)));
    let offset = Exact::Index(Scalar::Offset, 3);
    assert_eq!(
        fold(
            "index.sub",
            None,
            NONE,
            &[Scalar::Offset],
            &[offset, Exact::Index(Scalar::Offset, 4)]
        ),
        None
    );
}
