//! Sets of types that a row admits.

use crate::module::{EncodingRole, Scalar, ShapeKind, Token, Type};

/// A set of type classes, written in a row as `!T(int|float)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class(u64);

/// Scalar classes take the low bits; the same classes as vector elements are `VECTOR` bits higher.
const INDEX: u64 = 1;
const OFFSET: u64 = 2;
const I1: u64 = 4;
const WIDE_INT: u64 = 8;
const FLOAT: u64 = 16;
const INT: u64 = I1 | WIDE_INT;
const SCALAR: u64 = INDEX | OFFSET | INT | FLOAT;
const VECTOR: u32 = 8;
const BUFFER: u64 = 1 << 16;
const VIEW: u64 = 1 << 17;
const TENSOR: u64 = 1 << 18;
const TILE: u64 = 1 << 19;
/// A bare `encoding` may be of any role.
const ANY_ENCODING: u64 = 1 << 20;
const POOL: u64 = 1 << 21;
const ASYNC_TOKEN: u64 = 1 << 22;
const ASYNC_GROUP: u64 = 1 << 23;
const PHASE: u64 = 1 << 24;
const ENTROPY: u64 = 1 << 25;
const I32: u64 = 1 << 26;
const I64: u64 = 1 << 27;
const REGISTER: u64 = 1 << 28;
const DESCRIPTOR: u64 = 1 << 29;
const FUNCTION: u64 = 1 << 30;
const LAYOUT: u64 = 1 << 31;
const SCHEMA: u64 = 1 << 32;
const STORAGE: u64 = 1 << 33;
const TRANSFORM: u64 = 1 << 34;
const ENCODING: u64 = ANY_ENCODING | LAYOUT | SCHEMA | STORAGE | TRANSFORM;

impl Class {
    /// Every type.
    pub const ANY: Class = Class(u64::MAX);

    /// The class written as `text`, alternatives separated by `|`.
    ///
    /// # Panics
    /// On an unknown class word.
    pub(super) fn parse(text: &str) -> Class {
        Class(text.split('|').map(word).fold(0, |all, bits| all | bits))
    }

    /// Whether `ty` is in the class. The type of an erroneous value is in every class.
    pub fn contains(self, ty: &Type) -> bool {
        self.0 == u64::MAX || self.0 & bits(ty) != 0
    }

    /// The class in words, for `expected ..`.
    pub fn describe(self) -> String {
        const WORDS: &[(&str, u64)] = &[
            ("scalar", SCALAR),
            ("integer", INT),
            ("integer wider than i1", WIDE_INT),
            ("i1", I1),
            ("i32", I32),
            ("i64", I64),
            ("float", FLOAT),
            ("index", INDEX),
            ("offset", OFFSET),
            ("vector", SCALAR << VECTOR),
            ("vector of integers", INT << VECTOR),
            ("vector of integers wider than i1", WIDE_INT << VECTOR),
            ("vector of i1", I1 << VECTOR),
            ("vector of floats", FLOAT << VECTOR),
            ("vector of index", INDEX << VECTOR),
            ("vector of offset", OFFSET << VECTOR),
            ("buffer", BUFFER),
            ("view", VIEW),
            ("tensor", TENSOR),
            ("tile", TILE),
            ("encoding", ENCODING),
            ("encoding<layout>", ANY_ENCODING | LAYOUT),
            ("encoding<schema>", ANY_ENCODING | SCHEMA),
            ("encoding<transform>", ANY_ENCODING | TRANSFORM),
            ("pool", POOL),
            ("kernel.async.token", ASYNC_TOKEN),
            ("kernel.async.group", ASYNC_GROUP),
            ("kernel.barrier.phase", PHASE),
            ("check.entropy", ENTROPY),
            ("register", REGISTER),
            ("kernel.tensor.lds.descriptor", DESCRIPTOR),
            ("function", FUNCTION),
        ];
        if self.0 == u64::MAX {
            return "any type".to_owned();
        }
        let mut left = self.0;
        let mut words = Vec::new();
        for &(name, bits) in WORDS {
            if left & bits == bits {
                words.push(name);
                left &= !bits;
            }
        }
        match words.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => "no type".to_owned(),
        }
    }
}

fn word(word: &str) -> u64 {
    match word {
        "any" => u64::MAX,
        "index" => INDEX,
        "offset" => OFFSET,
        "i1" => I1,
        "i32" => I32,
        "i64" => I64,
        "int" => INT,
        "wide" => WIDE_INT,
        "float" => FLOAT,
        "scalar" => SCALAR,
        "vector" => SCALAR << VECTOR,
        "vindex" => INDEX << VECTOR,
        "vint" => INT << VECTOR,
        "vwide" => WIDE_INT << VECTOR,
        "vi1" => I1 << VECTOR,
        "vfloat" => FLOAT << VECTOR,
        "buffer" => BUFFER,
        "view" => VIEW,
        "tensor" => TENSOR,
        "tile" => TILE,
        "encoding" => ENCODING,
        "layout" => ANY_ENCODING | LAYOUT,
        "schema" => ANY_ENCODING | SCHEMA,
        "transform" => ANY_ENCODING | TRANSFORM,
        "pool" => POOL,
        "token" => ASYNC_TOKEN,
        "group" => ASYNC_GROUP,
        "phase" => PHASE,
        "entropy" => ENTROPY,
        "register" => REGISTER,
        "descriptor" => DESCRIPTOR,
        "function" => FUNCTION,
        _ => panic!("unknown type class {word}"),
    }
}

fn bits(ty: &Type) -> u64 {
    match ty {
        Type::Unknown => u64::MAX,
        Type::Scalar(scalar) => {
            scalar_bits(*scalar)
                | match scalar {
                    Scalar::I32 => I32,
                    Scalar::I64 => I64,
                    _ => 0,
                }
        }
        Type::Buffer => BUFFER,
        Type::Encoding(role) => match role {
            EncodingRole::Any => ANY_ENCODING,
            EncodingRole::Layout => LAYOUT,
            EncodingRole::Schema => SCHEMA,
            EncodingRole::Storage => STORAGE,
            EncodingRole::Transform => TRANSFORM,
        },
        Type::Pool(_) => POOL,
        Type::Register(_) => REGISTER,
        Type::Function(_) => FUNCTION,
        Type::Token(token) => match token {
            Token::AsyncCopy => ASYNC_TOKEN,
            Token::AsyncGroup => ASYNC_GROUP,
            Token::BarrierPhase => PHASE,
            Token::Entropy => ENTROPY,
            Token::TensorDescriptor => DESCRIPTOR,
        },
        Type::Shaped(shaped) => match shaped.kind {
            ShapeKind::Vector => scalar_bits(shaped.element) << VECTOR,
            ShapeKind::View => VIEW,
            ShapeKind::Tensor => TENSOR,
            ShapeKind::Tile => TILE,
        },
    }
}

fn scalar_bits(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Index => INDEX,
        Scalar::Offset => OFFSET,
        Scalar::I1 => I1,
        scalar if scalar.is_float() => FLOAT,
        _ => WIDE_INT,
    }
}
