//! Configuration values that the user supplies (loom-language 4.4 and 7).

use std::collections::BTreeMap;

use loom_ir::{Attr, Scalar};

pub use schema::config_schema;

mod file;
mod schema;

/// The values of configuration symbols, by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Configuration {
    values: BTreeMap<Box<str>, Literal>,
}

/// A value. Floats compare by bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A decimal or hexadecimal integer.
    Int(i64),
    /// The bits of a double.
    Float(u64),
}

impl Literal {
    /// The value that `text` spells: `true`, `false`, an integer, or a float.
    pub fn parse(text: &str) -> Option<Literal> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", text),
        };
        if let Some(hex) = digits.strip_prefix("0x") {
            // Without the check a second sign would pass.
            return hex
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit())
                .then(|| i64::from_str_radix(&format!("{sign}{hex}"), 16).ok())
                .flatten()
                .map(Literal::Int);
        }
        match text {
            "true" => return Some(Literal::Bool(true)),
            "false" => return Some(Literal::Bool(false)),
            "inf" | "-inf" | "nan" => {}
            _ if !digits.starts_with(|first: char| first.is_ascii_digit()) => return None,
            _ => {}
        }
        if let Ok(value) = text.parse() {
            return Some(Literal::Int(value));
        }
        // Digits alone are an integer that does not fit.
        let is_float = !digits.bytes().all(|byte| byte.is_ascii_digit());
        let value: f64 = is_float.then(|| text.parse().ok()).flatten()?;
        Some(Literal::Float(value.to_bits()))
    }

    /// The value as an attribute of type `scalar`, if it is one: integers within the type's range, and whole
    /// numbers also where a float is wanted.
    pub(crate) fn fitting(self, scalar: Scalar) -> Option<Attr> {
        let within =
            |low: i64, high: i64, value: i64| (low..=high).contains(&value).then_some(Attr::Int(value));
        match (scalar, self) {
            (scalar, Literal::Float(bits)) if scalar.is_float() => Some(Attr::Float(bits)),
            (scalar, Literal::Int(value)) if scalar.is_float() => Some(Attr::Float((value as f64).to_bits())),
            (Scalar::I1, Literal::Bool(value)) => Some(Attr::Bool(value)),
            (Scalar::I1, Literal::Int(value)) => within(0, 1, value),
            (Scalar::I8, Literal::Int(value)) => within(i8::MIN.into(), i8::MAX.into(), value),
            (Scalar::I16, Literal::Int(value)) => within(i16::MIN.into(), i16::MAX.into(), value),
            (Scalar::I32, Literal::Int(value)) => within(i32::MIN.into(), i32::MAX.into(), value),
            (Scalar::Offset, Literal::Int(value)) => within(0, i64::MAX, value),
            (Scalar::Index | Scalar::I64, Literal::Int(value)) => Some(Attr::Int(value)),
            _ => None,
        }
    }

    /// The attribute that stands for the value.
    pub(crate) fn attr(self) -> Attr {
        match self {
            Literal::Bool(value) => Attr::Bool(value),
            Literal::Int(value) => Attr::Int(value),
            Literal::Float(bits) => Attr::Float(bits),
        }
    }
}

impl Configuration {
    /// Gives `name`, with or without `@`, a value; `false` if it has one already, which then stays.
    pub fn bind(&mut self, name: &str, value: Literal) -> bool {
        let name = name.strip_prefix('@').unwrap_or(name);
        match self.values.contains_key(name) {
            true => false,
            false => self.values.insert(name.into(), value).is_none(),
        }
    }

    /// The names with their values, in order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Literal)> {
        self.values.iter().map(|(name, value)| (&**name, *value))
    }

    /// The value of `name`, if it has one.
    pub fn get(&self, name: &str) -> Option<Literal> {
        self.values.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_values() {
        let int = |value| Some(Literal::Int(value));
        let float = |value: f64| Some(Literal::Float(value.to_bits()));
        for (text, expected) in [
            ("7", int(7)),
            ("-7", int(-7)),
            ("0x10", int(16)),
            ("-0x10", int(-16)),
            ("1.5", float(1.5)),
            ("-1e3", float(-1000.0)),
            ("inf", float(f64::INFINITY)),
            ("true", Some(Literal::Bool(true))),
            ("false", Some(Literal::Bool(false))),
            ("", None),
            ("-", None),
            ("0x", None),
            ("0x-1", None),
            ("--1", None),
            ("+1", None),
            ("1x", None),
            ("infinity", None),
            ("9223372036854775808", None),
            ("text", None),
        ] {
            assert_eq!(Literal::parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_first_value_stays() {
        let mut config = Configuration::default();
        assert!(config.bind("@k", Literal::Int(1)));
        assert!(!config.bind("k", Literal::Int(2)));
        assert_eq!(config.get("k"), Some(Literal::Int(1)));
        assert_eq!(config.get("other"), None);
    }
}
