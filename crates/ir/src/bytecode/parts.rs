//! The parts of an item's bytes: values, strings, types, attributes.

use super::item::{ItemEncoder, NONE};
use super::wire::Writer;
use crate::module::{Attr, Dim, Indexed, Layout, StringId, Token, Type, TypeId, ValueId};
use crate::symbols::Reference;

impl ItemEncoder<'_> {
    pub(super) fn text(&mut self, id: StringId) {
        let number = self.string(id);
        self.scratch.out.uint(number);
    }

    pub(super) fn string(&mut self, id: StringId) -> u64 {
        if let Some(number) = self.scratch.strings.get(id.0) {
            return number.into();
        }
        let number = self.scratch.strings.len as u32;
        self.scratch.strings.set(id.0, number);
        self.scratch.string_bytes.block(self.body.text(id).as_bytes());
        number.into()
    }

    pub(super) fn refer(&mut self, id: StringId) {
        let (symbol, (op, slot)) = (self.body.text(id).into(), self.place);
        self.references.push(Reference {
            symbol,
            op,
            slot,
            facet: self.facet,
        });
    }

    pub(super) fn ty(&mut self, id: TypeId) {
        let number = self.type_number(id);
        self.scratch.out.uint(number);
    }

    pub(super) fn type_number(&mut self, id: TypeId) -> u64 {
        let builtin = crate::module::builtin_types();
        if id.index() < builtin {
            return u64::from(id.0);
        }
        let own = id.0 - builtin as u32;
        if let Some(number) = self.scratch.types.get(own) {
            return u64::from(number) + builtin as u64;
        }
        // Parts come before the whole in the table of types.
        let (mut args, mut results) = (Vec::new(), Vec::new());
        if let Type::Function(function) = self.body.ty(id) {
            args = function.args.iter().map(|&part| self.type_number(part)).collect();
            results = function
                .results
                .iter()
                .map(|&part| self.type_number(part))
                .collect();
        }
        let number = self.scratch.types.len as u32;
        self.scratch.types.set(own, number);
        let mut bytes = std::mem::take(&mut self.scratch.type_bytes);
        match self.body.ty(id) {
            Type::Pool(dim) => {
                bytes.u8(4);
                self.dim(&mut bytes, *dim);
            }
            Type::Register(register) => {
                bytes.u8(5);
                bytes.block(register.class.as_bytes());
                bytes.uint(register.count.into());
            }
            Type::Function(_) => {
                bytes.u8(6);
                for parts in [&args, &results] {
                    bytes.uint(parts.len() as u64);
                    parts.iter().for_each(|&part| bytes.uint(part));
                }
            }
            Type::Token(Token::TensorDescriptor) => bytes.u8(7),
            Type::Shaped(shaped) => {
                bytes.u8(shaped.kind as u8);
                bytes.u8(shaped.element as u8);
                bytes.uint(shaped.dims.len() as u64);
                shaped.dims.iter().for_each(|&dim| self.dim(&mut bytes, dim));
                bytes.uint(shaped.align.unwrap_or(0));
                match &shaped.layout {
                    None => bytes.u8(0),
                    Some(Layout::Value(value)) => {
                        bytes.u8(1);
                        bytes.uint(self.scratch.values[value.index()].into());
                    }
                    Some(Layout::Attr(attr)) => {
                        bytes.u8(2);
                        std::mem::swap(&mut self.scratch.out, &mut bytes);
                        self.attr(attr);
                        std::mem::swap(&mut self.scratch.out, &mut bytes);
                    }
                }
            }
            // All others have reserved numbers.
            _ => bytes.u8(u8::MAX),
        }
        self.scratch.type_bytes = bytes;
        u64::from(number) + builtin as u64
    }

    pub(super) fn dim(&mut self, bytes: &mut Writer, dim: Dim) {
        match dim {
            // Extents are below 2^63.
            Dim::Static(extent) => bytes.uint(extent << 1),
            Dim::Value(value) => bytes.uint(u64::from(self.scratch.values[value.index()]) << 1 | 1),
        }
    }

    pub(super) fn attr(&mut self, attr: &Attr) {
        match attr {
            Attr::Bool(value) => self.scratch.out.u8(u8::from(*value)),
            Attr::Int(value) => {
                self.scratch.out.u8(2);
                self.scratch.out.int(*value);
            }
            Attr::Float(bits) => {
                self.scratch.out.u8(3);
                self.scratch.out.bytes.extend_from_slice(&bits.to_le_bytes());
            }
            Attr::String(id) => self.tagged(4, *id),
            Attr::Word(id) => self.tagged(5, *id),
            Attr::Symbol(id) => {
                self.refer(*id);
                self.tagged(6, *id);
            }
            Attr::List(list) => {
                self.scratch.out.u8(7);
                self.scratch.out.uint(list.len() as u64);
                list.iter().for_each(|attr| self.attr(attr));
            }
            Attr::Dict(pairs) => {
                self.scratch.out.u8(8);
                self.scratch.out.uint(pairs.len() as u64);
                for (key, attr) in pairs {
                    self.text(*key);
                    self.attr(attr);
                }
            }
            Attr::Ref { name, params } => {
                self.tagged(9, *name);
                self.scratch.out.uint(params.len() as u64);
                for param in params {
                    self.text(param.key);
                    self.attr(&param.value);
                }
            }
        }
    }

    pub(super) fn tagged(&mut self, tag: u8, id: StringId) {
        self.scratch.out.u8(tag);
        self.text(id);
    }

    pub(super) fn value_name(&mut self, value: ValueId) {
        let Some(name) = self.renamed.get(&value) else {
            return self.text(self.body.values[value.index()].name);
        };
        if let Some(id) = self.body.strings.find(name) {
            return self.text(id);
        }
        let number = match self.extra.iter().find(|(known, _)| known == name) {
            Some((_, number)) => *number,
            None => {
                let number = self.scratch.strings.len as u32;
                self.scratch.strings.len += 1;
                self.scratch.strings.order.push(NONE);
                self.scratch.string_bytes.block(name.as_bytes());
                self.extra.push((name.clone(), number));
                number
            }
        };
        self.scratch.out.uint(number.into());
    }

    pub(super) fn define(&mut self, value: ValueId) {
        self.scratch.values[value.index()] = self.next_value;
        self.next_value += 1;
    }

    pub(super) fn typed_name(&mut self, value: ValueId) {
        self.value_name(value);
        self.ty(self.body.type_of(value));
    }

    pub(super) fn value(&mut self, value: ValueId) {
        // Most operands were defined just before: the distance is the shorter number.
        let number = self.scratch.values[value.index()];
        self.scratch
            .out
            .uint(u64::from(self.next_value.wrapping_sub(number)));
    }

    pub(super) fn indexed(&mut self, word: u32) {
        match Indexed::from_word(word) {
            Indexed::Value(value) => {
                let number = self.scratch.values[value.index()];
                self.scratch
                    .out
                    .uint(u64::from(self.next_value.wrapping_sub(number)) << 1);
            }
            Indexed::Static(attr) => {
                self.scratch.out.uint(1);
                self.attr(&self.body.attrs[attr.index()]);
            }
        }
    }
}
