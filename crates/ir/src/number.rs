//! Float literals: reading every admitted spelling, writing the canonical one.

/// The double a float token stands for; `None` when it is malformed.
///
/// Decimal literals round to nearest even; hexadecimal ones (`0x1.8p3`) too.
pub(crate) fn parse_float(text: &str) -> Option<f64> {
    let (negative, magnitude) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let value = match magnitude
        .strip_prefix("0x")
        .or_else(|| magnitude.strip_prefix("0X"))
    {
        Some(hex) => parse_hex(hex)?,
        None => match magnitude {
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            _ => magnitude.parse().ok()?,
        },
    };
    Some(if negative { -value } else { value })
}

fn parse_hex(text: &str) -> Option<f64> {
    let (digits, exponent) = match text.find(['p', 'P']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut exponent = exponent.checked_sub(4 * fraction.len() as i64)?;
    // Bits beyond 60 only matter for rounding: they are folded into one sticky bit.
    let mut mantissa: u64 = 0;
    let mut sticky = false;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = u64::from(digit.to_digit(16)?);
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
        } else {
            sticky |= digit != 0;
            exponent = exponent.checked_add(4)?;
        }
    }
    Some(scale(mantissa, sticky, exponent))
}

/// `mantissa * 2^exponent`, rounded once.
fn scale(mantissa: u64, sticky: bool, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let shift = i64::from(mantissa.leading_zeros());
    let mantissa = mantissa << shift;
    // The value is mantissa * 2^top with the leading bit of mantissa set: 1.m * 2^(top + 63).
    let top = exponent.saturating_sub(shift);
    let unbiased = top.saturating_add(63);
    if unbiased > 1023 {
        return f64::INFINITY;
    }
    let drop = if unbiased >= -1022 {
        11
    } else {
        11 + (-1022 - unbiased)
    };
    if drop > 64 {
        return 0.0;
    }
    let (kept, lost) = if drop == 64 {
        (0, mantissa)
    } else {
        (mantissa >> drop, mantissa << (64 - drop))
    };
    let half = 1u64 << 63;
    let up = lost > half || (lost == half && (sticky || kept & 1 == 1));
    let kept = kept + u64::from(up);
    let biased = if unbiased >= -1022 {
        (unbiased + 1022) as u64
    } else {
        0
    };
    // The implicit bit of a normal number adds one to the exponent field, as does a carry out of the mantissa.
    f64::from_bits((biased << 52) + kept)
}

/// Appends the canonical spelling: C's `%.17g`, and `.0` when that looks like an integer (loom-language 1.4).
pub(crate) fn write_float(out: &mut String, value: f64) {
    if value.is_nan() {
        out.push_str("nan");
        return;
    }
    if value.is_infinite() {
        out.push_str(if value < 0.0 { "-inf" } else { "inf" });
        return;
    }
    use std::fmt::Write;
    let mut buffer = Stack::default();
    // Writing to the stack buffer cannot fail: 17 digits, sign, point and exponent fit.
    let _ = write!(buffer, "{value:.16e}");
    let text = buffer.text();
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa
        .strip_prefix('-')
        .map_or(("", mantissa), |rest| ("-", rest));
    out.push_str(sign);
    let first = &mantissa[..1];
    let rest = mantissa[1..].trim_start_matches('.').trim_end_matches('0');
    if !(-4..17).contains(&exponent) {
        out.push_str(first);
        if !rest.is_empty() {
            out.push('.');
            out.push_str(rest);
        }
        let _ = write!(
            out,
            "e{}{:02}",
            if exponent < 0 { '-' } else { '+' },
            exponent.unsigned_abs()
        );
        return;
    }
    if exponent < 0 {
        out.push_str("0.");
        (1..-exponent).for_each(|_| out.push('0'));
        out.push_str(first);
        out.push_str(rest);
        return;
    }
    out.push_str(first);
    let whole = exponent as usize;
    if rest.len() <= whole {
        out.push_str(rest);
        (rest.len()..whole).for_each(|_| out.push('0'));
        out.push_str(".0");
    } else {
        out.push_str(&rest[..whole]);
        out.push('.');
        out.push_str(&rest[whole..]);
    }
}

/// Text on the stack.
#[derive(Default)]
struct Stack {
    bytes: [u8; 32],
    length: usize,
}

impl Stack {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl std::fmt::Write for Stack {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let target = self
            .bytes
            .get_mut(self.length..self.length + text.len())
            .ok_or(std::fmt::Error)?;
        target.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut out = String::new();
        write_float(&mut out, parse_float(text).unwrap());
        out
    }

    #[test]
    fn canonical_spelling() {
        for (authored, canonical) in [
            ("0.1", "0.10000000000000001"),
            ("1e10", "10000000000.0"),
            ("1.0e-6", "9.9999999999999995e-07"),
            ("1e40", "1e+40"),
            ("-0.0", "-0.0"),
            ("0.5", "0.5"),
            ("0x1.8p3", "12.0"),
            ("100000000000000000.0", "1e+17"),
            ("12345678901234567.0", "12345678901234568.0"),
            ("0.0001", "0.0001"),
            ("9.5367431640625e-07", "9.5367431640625e-07"),
            ("-inf", "-inf"),
            ("nan", "nan"),
            ("123.25", "123.25"),
        ] {
            assert_eq!(written(authored), canonical, "{authored}");
            assert_eq!(written(canonical), canonical);
        }
    }

    #[test]
    fn hexadecimal_literals_round_once() {
        assert_eq!(parse_float("0x1p-1074"), Some(f64::from_bits(1)));
        assert_eq!(parse_float("0x1p-1075"), Some(0.0));
        assert_eq!(parse_float("0x1.8p-1075"), Some(f64::from_bits(1)));
        assert_eq!(parse_float("0x1.fffffffffffff8p1023"), Some(f64::INFINITY));
        assert_eq!(parse_float("0x1.fffffffffffffp1023"), Some(f64::MAX));
        assert_eq!(parse_float("0x1.00000000000008p0"), Some(1.0));
        assert_eq!(
            parse_float("0x1.000000000000080000000000000001p0"),
            Some(1.0 + f64::EPSILON)
        );
        assert_eq!(parse_float("0x1p-1022"), Some(f64::MIN_POSITIVE));
        assert_eq!(parse_float("0x1.2p99999999999999999999"), None);
    }
}
