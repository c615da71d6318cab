//! Value names, types and attributes as text.

use std::fmt::Write;

use super::Printer;
use crate::module::{Attr, Body, Dim, EncodingRole, Layout, Type, TypeId, ValueId};
use crate::number::write_float;
use crate::quote::write_quoted;

impl<'a> Printer<'a> {
    pub(super) fn value(&mut self, value: ValueId) {
        self.out.push('%');
        if !self.renamed.is_empty()
            && let Some(name) = self.renamed.get(&value)
        {
            self.out.push_str(name);
            return;
        }
        let name = self.body.values[value.index()].name;
        self.out.push_str(self.body.text(name));
    }

    pub(super) fn ty(&mut self, ty: TypeId) {
        let body = self.body;
        if let Type::Scalar(scalar) = body.ty(ty) {
            return self.out.push_str(scalar.name());
        }
        let mut out = std::mem::take(&mut self.out);
        let renamed = &self.renamed;
        write_type(
            &mut out,
            body,
            body.ty(ty),
            &mut |out, value| match renamed.get(&value) {
                Some(name) => out.push_str(name),
                None => out.push_str(body.text(body.values[value.index()].name)),
            },
        );
        self.out = out;
    }

    pub(super) fn attr(&mut self, attr: &Attr) {
        write_attr(&mut self.out, self.body, attr);
    }
}

/// The text of a type with values under their authored names, for messages.
pub fn type_text(body: &Body, ty: TypeId) -> String {
    let mut out = String::new();
    write_type(&mut out, body, body.ty(ty), &mut |out, value| {
        out.push_str(body.text(body.values[value.index()].name));
    });
    out
}

fn write_type<N: FnMut(&mut String, ValueId)>(out: &mut String, body: &Body, ty: &Type, name: &mut N) {
    match ty {
        Type::Unknown => out.push('?'),
        Type::Scalar(scalar) => out.push_str(scalar.name()),
        Type::Buffer => out.push_str("buffer"),
        Type::Encoding(EncodingRole::Any) => out.push_str("encoding"),
        Type::Encoding(role) => {
            out.push_str("encoding<");
            out.push_str(role.name());
            out.push('>');
        }
        Type::Token(token) => out.push_str(token.name()),
        Type::Register(register) => {
            out.push_str("reg<");
            out.push_str(&register.class);
            if register.count > 1 {
                // Writing to a string cannot fail.
                let _ = write!(out, " x{}", register.count);
            }
            out.push('>');
        }
        Type::Function(function) => {
            for (before, types) in [("(", &function.args), (" -> (", &function.results)] {
                out.push_str(before);
                for (position, &ty) in types.iter().enumerate() {
                    if position > 0 {
                        out.push_str(", ");
                    }
                    write_type(out, body, body.ty(ty), name);
                }
                out.push(')');
            }
        }
        Type::Pool(dim) => {
            out.push_str("pool<");
            write_dim(out, *dim, name);
            out.push('>');
        }
        Type::Shaped(shaped) => {
            out.push_str(shaped.kind.name());
            out.push('<');
            for dim in &shaped.dims {
                write_dim(out, *dim, name);
                out.push('x');
            }
            out.push_str(shaped.element.name());
            match &shaped.layout {
                None => {}
                Some(Layout::Value(value)) => {
                    out.push_str(", %");
                    name(out, *value);
                }
                Some(Layout::Attr(attr)) => {
                    out.push_str(", ");
                    write_attr(out, body, attr);
                }
            }
            if let Some(align) = shaped.align {
                // Writing to a string cannot fail.
                let _ = write!(out, ", align({align})");
            }
            out.push('>');
        }
    }
}

fn write_dim(out: &mut String, dim: Dim, name: &mut impl FnMut(&mut String, ValueId)) {
    match dim {
        Dim::Static(extent) => {
            let _ = write!(out, "{extent}");
        }
        Dim::Value(value) => {
            out.push_str("[%");
            name(out, value);
            out.push(']');
        }
    }
}

pub(crate) fn write_attr(out: &mut String, body: &Body, attr: &Attr) {
    match attr {
        Attr::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Attr::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Attr::Float(bits) => write_float(out, f64::from_bits(*bits)),
        Attr::String(id) => write_quoted(out, body.text(*id)),
        Attr::Word(id) => out.push_str(body.text(*id)),
        Attr::Symbol(id) => {
            out.push('@');
            out.push_str(body.text(*id));
        }
        Attr::List(list) => {
            out.push('[');
            for (position, attr) in list.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                write_attr(out, body, attr);
            }
            out.push(']');
        }
        Attr::Dict(pairs) => {
            out.push('{');
            let mut sorted: Vec<_> = pairs.iter().collect();
            sorted.sort_by_key(|(key, _)| body.text(*key));
            for (position, (key, attr)) in sorted.into_iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                out.push_str(body.text(*key));
                out.push_str(" = ");
                write_attr(out, body, attr);
            }
            out.push('}');
        }
        Attr::Ref { name, params } => {
            out.push('#');
            out.push_str(body.text(*name));
            if params.is_empty() {
                return;
            }
            out.push('<');
            for (position, param) in params.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                if param.key.0 != 0 {
                    out.push_str(body.text(param.key));
                    // `strided<strides=[8, 1]>` is written without blanks.
                    out.push('=');
                }
                write_attr(out, body, &param.value);
            }
            out.push('>');
        }
    }
}
