//! How an argument of a decision follows from the launch arguments of its kernel.

use std::fmt::Write;

use loom_ir::Scalar;
use loom_ir::facts::Known;
use loom_ir::fold::Exact;

/// An argument of a decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// The launch argument at this position.
    Argument(u32),
    /// A sum of multiples of launch arguments.
    Affine(Affine),
    /// The same value at every launch.
    Constant(Exact),
    /// Something else that the kernel computes.
    Computed,
    /// Something that depends on the results of a chosen template.
    Chosen,
    /// No condition looks at it.
    Ignored,
}

/// `constant + Σ factor · argument`, as mathematical integers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Affine {
    /// What is added.
    pub constant: i64,
    /// Launch arguments by ascending position, with factors other than 0.
    pub terms: Vec<(u32, i64)>,
}

impl Affine {
    /// The sum of nothing but `constant`.
    pub fn constant(constant: i64) -> Affine {
        Affine {
            constant,
            terms: Vec::new(),
        }
    }

    /// The launch argument at `position`.
    pub fn argument(position: u32) -> Affine {
        Affine {
            constant: 0,
            terms: vec![(position, 1)],
        }
    }

    /// The value, if it has no term.
    pub fn exact(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + other · factor`, unless a factor leaves its range.
    pub fn plus(&self, other: &Affine, factor: i64) -> Option<Affine> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = self.terms.clone();
        for &(argument, times) in &other.terms {
            let times = times.checked_mul(factor)?;
            match terms.binary_search_by_key(&argument, |term| term.0) {
                Ok(at) => terms[at].1 = terms[at].1.checked_add(times)?,
                Err(at) => terms.insert(at, (argument, times)),
            }
        }
        terms.retain(|term| term.1 != 0);
        Some(Affine { constant, terms })
    }

    /// The product, if one of the two has no term.
    pub fn times(&self, other: &Affine) -> Option<Affine> {
        let zero = Affine::constant(0);
        match (self.exact(), other.exact()) {
            (_, Some(factor)) => zero.plus(self, factor),
            (Some(factor), _) => zero.plus(other, factor),
            _ => None,
        }
    }

    /// The value where `argument` tells exact launch arguments; `None` when one is not known, or the sum leaves
    /// its range.
    pub fn at(&self, argument: impl Fn(u32) -> Option<i64>) -> Option<i64> {
        let mut sum = i128::from(self.constant);
        for &(position, factor) in &self.terms {
            // A factor and an argument have 64 bits each, and there are far fewer than 2^63 terms.
            sum = sum.checked_add(i128::from(factor) * i128::from(argument(position)?))?;
        }
        i64::try_from(sum).ok()
    }
}

impl Input {
    /// What is known of it where `argument` tells the launch arguments.
    pub fn at(&self, argument: &dyn Fn(u32) -> Option<Exact>) -> Known {
        match self {
            Input::Argument(position) => argument(*position).map_or(Known::NOTHING, Known::of),
            Input::Affine(affine) => {
                let number = |position| argument(position).and_then(Exact::signed);
                let exact = affine.at(number).map(|value| Exact::Index(Scalar::Index, value));
                exact.map_or(Known::NOTHING, Known::of)
            }
            Input::Constant(exact) => Known::of(*exact),
            Input::Computed | Input::Chosen | Input::Ignored => Known::NOTHING,
        }
    }

    /// The input in words, with the `names` of the launch arguments.
    pub fn text(&self, names: &[Box<str>]) -> String {
        let name = |position: u32| match names.get(position as usize).map(|name| &**name) {
            Some("") | None => format!("%{position}"),
            Some(name) => format!("%{name}"),
        };
        match self {
            Input::Argument(position) => name(*position),
            Input::Affine(affine) => affine_text(affine, name),
            Input::Constant(exact) => exact_text(*exact),
            Input::Computed => "a computed value".to_owned(),
            Input::Chosen => "the result of another choice".to_owned(),
            Input::Ignored => "anything".to_owned(),
        }
    }
}

fn affine_text(affine: &Affine, name: impl Fn(u32) -> String) -> String {
    let mut text = String::new();
    let mut add = |factor: i64, term: String| {
        let sign = match (text.is_empty(), factor < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let _ = write!(text, "{sign}{term}");
    };
    for &(argument, factor) in &affine.terms {
        let term = match factor.unsigned_abs() {
            1 => name(argument),
            times => format!("{times} * {}", name(argument)),
        };
        add(factor, term);
    }
    if affine.constant != 0 || affine.terms.is_empty() {
        add(affine.constant, affine.constant.unsigned_abs().to_string());
    }
    text
}

/// An exact value as source spells it; floats by their bits.
pub(in crate::product) fn exact_text(exact: Exact) -> String {
    match exact {
        Exact::Float(scalar, bits) => format!("{} bits {bits:#x}", scalar.name()),
        Exact::Int(Scalar::I1, bits) => (bits != 0).to_string(),
        _ => exact.signed().unwrap_or_default().to_string(),
    }
}
