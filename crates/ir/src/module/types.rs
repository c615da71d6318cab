//! Types (loom-language 1.3, loom-ops 1).

use super::{Attr, TypeId, ValueId};

/// A type. Types of one item are interned, so equal types have equal ids.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// What an op with a syntax error left behind; never in a module without errors.
    Unknown,
    /// A scalar.
    Scalar(Scalar),
    /// An opaque storage root.
    Buffer,
    /// An encoding descriptor.
    Encoding(EncodingRole),
    /// A linear-use control value.
    Token(Token),
    /// A vector, view, tensor or tile.
    Shaped(Box<Shaped>),
    /// A block memory pool.
    Pool(Dim),
    /// Consecutive target registers.
    Register(Register),
    /// Arguments and results of something callable.
    Function(Function),
}

/// `(index, f32) -> (f32)`; the parts are types of the same item.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    /// Types of the arguments.
    pub args: Box<[TypeId]>,
    /// Types of the results.
    pub results: Box<[TypeId]>,
}

impl Function {
    /// How many types one function type may be made of.
    pub(crate) const MAX_PARTS: usize = 1024;
    /// How deep function types may nest.
    pub(crate) const MAX_DEPTH: usize = 16;
}

/// `reg<class>`, `reg<class xN>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Register {
    /// The target's word for the kind of register.
    pub class: Box<str>,
    /// How many; at least one.
    pub count: u32,
}

/// The scalar types, in the order of their reserved type numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Scalar {
    Index,
    Offset,
    I1,
    I8,
    I16,
    I32,
    I64,
    F8E4M3,
    F8E5M2,
    F16,
    BF16,
    F32,
    F64,
}

impl Scalar {
    /// All scalars.
    pub const ALL: [Scalar; 13] = [
        Scalar::Index,
        Scalar::Offset,
        Scalar::I1,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::F8E4M3,
        Scalar::F8E5M2,
        Scalar::F16,
        Scalar::BF16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The spelling.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Index => "index",
            Scalar::Offset => "offset",
            Scalar::I1 => "i1",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::F8E4M3 => "f8E4M3",
            Scalar::F8E5M2 => "f8E5M2",
            Scalar::F16 => "f16",
            Scalar::BF16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar spelled `name`.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Some(match name {
            "index" => Scalar::Index,
            "offset" => Scalar::Offset,
            "i1" => Scalar::I1,
            "i8" => Scalar::I8,
            "i16" => Scalar::I16,
            "i32" => Scalar::I32,
            "i64" => Scalar::I64,
            "f8E4M3" => Scalar::F8E4M3,
            "f8E5M2" => Scalar::F8E5M2,
            "f16" => Scalar::F16,
            "bf16" => Scalar::BF16,
            "f32" => Scalar::F32,
            "f64" => Scalar::F64,
            _ => return None,
        })
    }

    /// Payload bits; 64 for `index` and `offset`, whose carrier the target chooses.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::I1 => 1,
            Scalar::I8 | Scalar::F8E4M3 | Scalar::F8E5M2 => 8,
            Scalar::I16 | Scalar::F16 | Scalar::BF16 => 16,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::Index | Scalar::Offset | Scalar::I64 | Scalar::F64 => 64,
        }
    }

    /// Bytes one element takes in memory (loom-ops 1.3).
    pub fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    /// Whether this is one of the float types.
    pub fn is_float(self) -> bool {
        self >= Scalar::F8E4M3
    }

    /// Whether this is one of `i1` to `i64`.
    pub fn is_integer(self) -> bool {
        (Scalar::I1..=Scalar::I64).contains(&self)
    }

    /// Whether this is `index` or `offset`.
    pub fn is_index_like(self) -> bool {
        self <= Scalar::Offset
    }

    /// The reserved number of this type.
    pub fn type_id(self) -> TypeId {
        TypeId(1 + self as u32)
    }
}

/// What an encoding descriptor describes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum EncodingRole {
    Any,
    Layout,
    Schema,
    Storage,
    Transform,
}

impl EncodingRole {
    /// All roles.
    pub const ALL: [EncodingRole; 5] = [
        EncodingRole::Any,
        EncodingRole::Layout,
        EncodingRole::Schema,
        EncodingRole::Storage,
        EncodingRole::Transform,
    ];

    /// The spelling inside `encoding<..>`; empty for a bare `encoding`.
    pub fn name(self) -> &'static str {
        match self {
            EncodingRole::Any => "",
            EncodingRole::Layout => "layout",
            EncodingRole::Schema => "schema",
            EncodingRole::Storage => "storage",
            EncodingRole::Transform => "transform",
        }
    }
}

/// Control values that are used linearly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Token {
    AsyncCopy,
    AsyncGroup,
    BarrierPhase,
    Entropy,
    TensorDescriptor,
}

impl Token {
    /// All tokens.
    pub const ALL: [Token; 5] = [
        Token::AsyncCopy,
        Token::AsyncGroup,
        Token::BarrierPhase,
        Token::Entropy,
        Token::TensorDescriptor,
    ];

    /// The spelling.
    pub fn name(self) -> &'static str {
        match self {
            Token::AsyncCopy => "kernel.async.token",
            Token::AsyncGroup => "kernel.async.group",
            Token::BarrierPhase => "kernel.barrier.phase",
            Token::Entropy => "check.entropy",
            Token::TensorDescriptor => "kernel.tensor.lds.descriptor",
        }
    }
}

/// The kinds of shaped types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ShapeKind {
    Vector,
    View,
    Tensor,
    Tile,
}

impl ShapeKind {
    /// All kinds.
    pub const ALL: [ShapeKind; 4] = [
        ShapeKind::Vector,
        ShapeKind::View,
        ShapeKind::Tensor,
        ShapeKind::Tile,
    ];

    /// The spelling.
    pub fn name(self) -> &'static str {
        match self {
            ShapeKind::Vector => "vector",
            ShapeKind::View => "view",
            ShapeKind::Tensor => "tensor",
            ShapeKind::Tile => "tile",
        }
    }
}

/// A vector, view, tensor or tile.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shaped {
    /// Which of them.
    pub kind: ShapeKind,
    /// Element type.
    pub element: Scalar,
    /// Extents, outermost first.
    pub dims: Box<[Dim]>,
    /// Layout or encoding; absent when dense.
    pub layout: Option<Layout>,
    /// Access alignment of a view, when weaker than the element's natural one.
    pub align: Option<u64>,
}

/// One extent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    /// A literal.
    Static(u64),
    /// `[%v]`
    Value(ValueId),
}

/// The second field of a shaped type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// `#encoding.layout.strided<..>`
    Attr(Attr),
    /// `%layout`
    Value(ValueId),
}

/// The types that have reserved numbers, in the order of these. The numbers of all other types count on from
/// here in every encoded item, so nothing is added: a newer type goes into the items' tables, whatever it is.
pub(crate) const BUILTIN: [Type; 24] = [
    Type::Unknown,
    Type::Scalar(Scalar::Index),
    Type::Scalar(Scalar::Offset),
    Type::Scalar(Scalar::I1),
    Type::Scalar(Scalar::I8),
    Type::Scalar(Scalar::I16),
    Type::Scalar(Scalar::I32),
    Type::Scalar(Scalar::I64),
    Type::Scalar(Scalar::F8E4M3),
    Type::Scalar(Scalar::F8E5M2),
    Type::Scalar(Scalar::F16),
    Type::Scalar(Scalar::BF16),
    Type::Scalar(Scalar::F32),
    Type::Scalar(Scalar::F64),
    Type::Buffer,
    Type::Encoding(EncodingRole::Any),
    Type::Encoding(EncodingRole::Layout),
    Type::Encoding(EncodingRole::Schema),
    Type::Encoding(EncodingRole::Storage),
    Type::Encoding(EncodingRole::Transform),
    Type::Token(Token::AsyncCopy),
    Type::Token(Token::AsyncGroup),
    Type::Token(Token::BarrierPhase),
    Type::Token(Token::Entropy),
];

impl TypeId {
    /// The type of a value that stands for something with a syntax error.
    pub const UNKNOWN: TypeId = TypeId(0);
    /// `index`
    pub const INDEX: TypeId = TypeId(1);
    /// `offset`
    pub const OFFSET: TypeId = TypeId(2);
    /// `i1`
    pub const I1: TypeId = TypeId(3);
    /// `i32`
    pub const I32: TypeId = TypeId(6);
    /// `i64`
    pub const I64: TypeId = TypeId(7);
    /// `buffer`
    pub const BUFFER: TypeId = TypeId(14);

    /// The parameterless type spelled `name`.
    pub fn builtin(name: &str) -> Option<TypeId> {
        if let Some(scalar) = Scalar::from_name(name) {
            return Some(scalar.type_id());
        }
        match name {
            "buffer" => Some(TypeId::BUFFER),
            "encoding" => Some(TypeId(15)),
            _ => Token::ALL
                .into_iter()
                .position(|token| token.name() == name && token != Token::TensorDescriptor)
                .map(|at| TypeId(20 + at as u32)),
        }
    }
}

impl Type {
    /// The scalar, for a scalar type.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The shape, for a shaped type of `kind`.
    pub fn shaped(&self, kind: ShapeKind) -> Option<&Shaped> {
        match self {
            Type::Shaped(shaped) if shaped.kind == kind => Some(shaped),
            _ => None,
        }
    }
}

/// How many type numbers are reserved for types without parameters.
pub(crate) const fn builtin_types() -> usize {
    BUILTIN.len()
}

/// The spelling of a type without parameters.
#[cfg(test)]
pub(crate) fn builtin_name(id: TypeId) -> String {
    match &BUILTIN[id.index()] {
        Type::Scalar(scalar) => scalar.name().to_owned(),
        Type::Buffer => "buffer".to_owned(),
        Type::Token(token) => token.name().to_owned(),
        other => unreachable!("{other:?} binds no operand"),
    }
}
