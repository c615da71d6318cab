//! Attribute values: literals, words, symbols, lists, dictionaries and `#` references.

use super::StringId;

/// A literal or other compile-time value of an op. Floats compare by bits, so attributes have value equality.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Attr {
    /// `true` or `false`.
    Bool(bool),
    /// A decimal or hexadecimal integer.
    Int(i64),
    /// The bits of the authored double.
    Float(u64),
    /// A string literal, unescaped.
    String(StringId),
    /// A bare word such as `relaxed`, dots included.
    Word(StringId),
    /// `@name`.
    Symbol(StringId),
    /// `[a, b]`
    List(Box<[Attr]>),
    /// `{key = value}`, in authored order.
    Dict(Box<[(StringId, Attr)]>),
    /// `#name` or `#name<params>`; the name is stored without `#`.
    Ref {
        /// The dotted name.
        name: StringId,
        /// What stands between the angle brackets.
        params: Box<[Param]>,
    },
}

/// One parameter of a `#` reference.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// `key` of `key = value`; empty for a positional parameter.
    pub key: StringId,
    /// The value.
    pub value: Attr,
}
