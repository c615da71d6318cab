//! The predicates of `where` clauses and assumptions (loom-language 2.1).

/// A predicate. The discriminants are its numbers in bytecode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Predicate {
    /// a = b
    Eq = 0,
    /// a ≠ b
    Ne = 1,
    /// a < b
    Lt = 2,
    /// a ≤ b
    Le = 3,
    /// a > b
    Gt = 4,
    /// a ≥ b
    Ge = 5,
    /// a is a multiple of b, which is positive
    Mul = 6,
    /// a ≥ b
    Min = 7,
    /// a ≤ b
    Max = 8,
    /// a is a positive power of two
    Pow2 = 9,
    /// b ≤ a ≤ c
    Range = 10,
    /// a is no NaN
    NotNan = 11,
    /// a is no infinity
    NotInf = 12,
    /// a is neither
    Finite = 13,
}

impl Predicate {
    /// All predicates, by number.
    pub const ALL: [Predicate; 14] = [
        Predicate::Eq,
        Predicate::Ne,
        Predicate::Lt,
        Predicate::Le,
        Predicate::Gt,
        Predicate::Ge,
        Predicate::Mul,
        Predicate::Min,
        Predicate::Max,
        Predicate::Pow2,
        Predicate::Range,
        Predicate::NotNan,
        Predicate::NotInf,
        Predicate::Finite,
    ];

    /// The spelling.
    pub fn name(self) -> &'static str {
        match self {
            Predicate::Eq => "eq",
            Predicate::Ne => "ne",
            Predicate::Lt => "lt",
            Predicate::Le => "le",
            Predicate::Gt => "gt",
            Predicate::Ge => "ge",
            Predicate::Mul => "mul",
            Predicate::Min => "min",
            Predicate::Max => "max",
            Predicate::Pow2 => "pow2",
            Predicate::Range => "range",
            Predicate::NotNan => "not_nan",
            Predicate::NotInf => "not_inf",
            Predicate::Finite => "finite",
        }
    }

    /// The predicate spelled `name`.
    pub fn from_name(name: &str) -> Option<Predicate> {
        Predicate::ALL
            .into_iter()
            .find(|predicate| predicate.name() == name)
    }

    /// The predicate with number `number`.
    pub fn from_number(number: u32) -> Option<Predicate> {
        Predicate::ALL.get(number as usize).copied()
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Predicate::Pow2 | Predicate::NotNan | Predicate::NotInf | Predicate::Finite => 1,
            Predicate::Range => 3,
            _ => 2,
        }
    }

    /// An example of use, for help texts.
    pub fn usage(self) -> String {
        let arguments = ["%v", "lo", "hi"];
        match self.arity() {
            1 => format!("`{}(%v)`", self.name()),
            2 => format!("`{}(%v, c)`", self.name()),
            _ => format!("`{}({})`", self.name(), arguments.join(", ")),
        }
    }
}
