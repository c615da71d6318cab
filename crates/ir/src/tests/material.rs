//! Types and attributes that generated modules are made of.

use std::sync::LazyLock;

use super::choices::Choices;
use crate::module::{Scalar, Type};
use crate::table::{Class, Form};

/// Types to choose from.
pub(super) const TYPES: &[&str] = &[
    "index",
    "offset",
    "i1",
    "i8",
    "i32",
    "i64",
    "f16",
    "bf16",
    "f32",
    "f64",
    "f8E4M3",
    "buffer",
    "encoding<layout>",
    "vector<4xf32>",
    "vector<2x8xi8>",
    "vector<4xi1>",
    "vector<4xindex>",
    "vector<8xf16>",
    "view<4xf32>",
    "view<8x16xi32, align(1)>",
    "view<4x4xf32, #encoding.layout.strided<strides=[8, 1]>>",
    "tensor<4x4xf32>",
    "kernel.async.token",
    "kernel.async.group",
    "kernel.barrier.phase",
    "check.entropy",
    "tile<4xf32>",
    "pool<4096>",
    "reg<vgpr x4>",
    "reg<scc>",
    "encoding<schema>",
    "encoding<transform>",
    "vector<8xi32>",
    "tile<16x128xf16>",
    "kernel.tensor.lds.descriptor",
    "(index, f32) -> (view<4xf32>)",
    "((index) -> ()) -> (() -> (i32), pool<4096>)",
];

pub(super) fn type_in(choices: &mut Choices<'_>, class: Class) -> String {
    static PARSED: LazyLock<Vec<Type>> =
        LazyLock::new(|| TYPES.iter().map(|text| parsed_type(text)).collect());
    let fits: Vec<&str> = TYPES
        .iter()
        .zip(&*PARSED)
        .filter(|(_, ty)| class.contains(ty))
        .map(|(text, _)| *text)
        .collect();
    match fits.as_slice() {
        [] => "index".to_owned(),
        fits => choices.pick(fits).to_owned(),
    }
}

/// The type that `text` spells, as far as classes tell types apart.
fn parsed_type(text: &str) -> Type {
    let module = crate::parse(&format!("func.decl @f(%x: {text})"), &"type".into()).module;
    let body = &module.items[0].body;
    body.ty(body.values[0].ty).clone()
}

pub(super) fn attr(choices: &mut Choices<'_>, form: Form, depth: u32) -> String {
    match form {
        Form::Int => choices
            .pick(&["0", "1", "4", "-7", "0x10", "9223372036854775807"])
            .to_owned(),
        Form::Float => choices
            .pick(&["0.0", "1.5", "-2.25e-3", "0x1.8p3", "inf", "nan", "0.1"])
            .to_owned(),
        Form::Number | Form::Literal => {
            let form = if choices.maybe() { Form::Int } else { Form::Float };
            attr(choices, form, depth)
        }
        Form::String => choices
            .pick(&["\"\"", "\"text\"", "\"a\\\"b\\u00e9\\n\""])
            .to_owned(),
        Form::Word => choices
            .pick(&["relaxed", "a.b", "x", "gfx11-generic", "a-1.b"])
            .to_owned(),
        Form::Ref => choices
            .pick(&["#a", "#a.b<32>", "#a<b=[1, 2], c=#d<e>>"])
            .to_owned(),
        Form::List => {
            let count = if depth > 2 { 0 } else { choices.below(3) };
            let items: Vec<String> = (0..count).map(|_| attr(choices, Form::List, depth + 1)).collect();
            if items.is_empty() {
                "[0, 1]".to_owned()
            } else {
                format!("[{}]", items.join(", "))
            }
        }
        Form::Any => choices
            .pick(&[
                "1",
                "2.5",
                "word",
                "\"s\"",
                "@sym",
                "{k = 1}",
                "true",
                "[-x, a-b]",
            ])
            .to_owned(),
    }
}

/// All scalar names are types.
#[test]
fn every_type_of_the_generator_parses() {
    for text in TYPES {
        assert_ne!(parsed_type(text), Type::Unknown, "{text}");
    }
    assert!(
        Scalar::ALL
            .iter()
            .all(|scalar| Scalar::from_name(scalar.name()) == Some(*scalar))
    );
}
