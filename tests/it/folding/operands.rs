//! Random operands that meet the borders: small numbers, powers of two, extremes, and plain noise.

use loom_ir::Scalar;

/// `count` tuples for the operand types, the same in every run.
pub fn tuples(op: &str, types: &[Scalar], count: usize) -> Vec<Vec<u64>> {
    let seed = op
        .bytes()
        .chain([types.len() as u8])
        .fold(0x9e37_79b9_7f4a_7c15, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    let mut random = Random(seed | 1);
    (0..count)
        .map(|_| types.iter().map(|&it| operand(&mut random, it)).collect())
        .collect()
}

/// Exponent and mantissa bits of a float type.
pub fn float_format(scalar: Scalar) -> (u32, u32) {
    match scalar {
        Scalar::F16 => (5, 10),
        Scalar::BF16 => (8, 7),
        Scalar::F32 => (8, 23),
        Scalar::F64 => (11, 52),
        _ => (0, 0),
    }
}

fn operand(random: &mut Random, scalar: Scalar) -> u64 {
    let width = scalar.bits();
    let mask = u64::MAX >> (64 - width);
    let noise = random.next();
    let bits = if scalar.is_float() {
        float(random, scalar, noise)
    } else {
        integer(random, width, noise)
    };
    bits & mask
}

fn integer(random: &mut Random, width: u32, noise: u64) -> u64 {
    match random.next() % 8 {
        0 => noise % 70,
        1 => (noise % 70).wrapping_neg(),
        2 => 1 << (noise % u64::from(width)),
        3 => (1u64 << (noise % u64::from(width))).wrapping_sub(1),
        4 => 1 << (width - 1),
        5 => (1u64 << (width - 1)).wrapping_sub(1),
        6 => noise >> (noise % 64),
        _ => noise,
    }
}

fn float(random: &mut Random, scalar: Scalar, noise: u64) -> u64 {
    let (exponent, mantissa) = float_format(scalar);
    let bias = (1u64 << (exponent - 1)) - 1;
    let sign = (noise >> 63) << (exponent + mantissa);
    let fraction = noise & ((1 << mantissa) - 1);
    let raised = match random.next() % 8 {
        // Zeros and subnormals.
        0 => return sign | if noise & 64 == 0 { 0 } else { fraction },
        // Infinities and NaNs.
        1 => return sign | ((1 << exponent) - 1) << mantissa | if noise & 64 == 0 { 0 } else { fraction },
        // Whole numbers and halves, where rounding modes differ.
        2 | 3 => {
            let shift = u64::from(mantissa) - (noise >> 20) % u64::from(mantissa.min(6));
            let exponent = bias + u64::from(mantissa) - shift;
            let kept = fraction >> (shift - 1) << (shift - 1);
            return sign | exponent << mantissa | kept & ((1 << mantissa) - 1);
        }
        // Near one.
        4 | 5 => bias + (noise >> 20) % 8 - 4,
        _ => (noise >> 20) % (1 << exponent),
    };
    sign | raised << mantissa | fraction
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
