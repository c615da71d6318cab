//! Strings, types, attributes and slots.

use super::{Bound, Decoder};
use crate::bytecode::wire::Read;
use crate::module::{
    Attr, Dim, Indexed, Layout, Param, Register, Scalar, ShapeKind, Shaped, Span, StringId, Token, Type,
    TypeId, ValueId,
};
use crate::predicate::Predicate;
use crate::table::{OpDef, SlotKind};

impl Decoder<'_> {
    /// The strings and types at the beginning of a facet.
    pub(super) fn tables(&mut self) -> Read<()> {
        for _ in 0..self.reader.count(1)? {
            let text = self.reader.text()?;
            let plain = text
                .bytes()
                .all(|byte| crate::lexer::is_word(byte) || byte == b'.');
            let id = self.builder.string(text);
            self.strings.push(id);
            self.plain.push(plain);
        }
        for _ in 0..self.reader.count(2)? {
            let ty = self.type_entry()?;
            self.types.push(ty);
        }
        Ok(())
    }

    fn type_entry(&mut self) -> Read<TypeId> {
        let tag = self.reader.u8()?;
        if tag == 6 {
            // Parts stand before the whole in the table.
            let (args, results) = (self.type_list()?, self.type_list()?);
            return match self.builder.function(args, results) {
                Some(ty) => Ok(ty),
                None => self.reader.fail("function type too large"),
            };
        }
        let ty = self.plain_type(tag)?;
        Ok(self.builder.ty(ty))
    }

    fn plain_type(&mut self, tag: u8) -> Read<Type> {
        if tag == 4 {
            return Ok(Type::Pool(self.dim()?));
        }
        if tag == 5 {
            let class = self.reader.text()?;
            let word = class.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && class
                    .split('.')
                    .all(|part| !part.is_empty() && part.bytes().all(crate::lexer::is_word));
            let count = self.reader.u32()?;
            if !word || count == 0 {
                return self.reader.fail("unknown register");
            }
            return Ok(Type::Register(Register {
                class: class.into(),
                count,
            }));
        }
        if tag == 7 {
            return Ok(Type::Token(Token::TensorDescriptor));
        }
        let Some(&kind) = ShapeKind::ALL.get(usize::from(tag)) else {
            return self.reader.fail("unknown type");
        };
        let Some(&element) = Scalar::ALL.get(usize::from(self.reader.u8()?)) else {
            return self.reader.fail("unknown element type");
        };
        let rank = self.reader.count(1)?;
        let dims = (0..rank).map(|_| self.dim()).collect::<Read<_>>()?;
        let align = match self.reader.uint()? {
            0 => None,
            align if align.is_power_of_two() && align < element.bytes() && kind == ShapeKind::View => {
                Some(align)
            }
            _ => return self.reader.fail("unknown alignment"),
        };
        let layout = match self.reader.u8()? {
            0 => None,
            1 => {
                let number = self.reader.u32()?;
                Some(Layout::Value(self.forward_value(number)?))
            }
            2 => Some(Layout::Attr(self.attr()?)),
            _ => return self.reader.fail("unknown layout"),
        };
        if kind == ShapeKind::Vector && (rank == 0 || layout.is_some()) {
            return self.reader.fail("a vector that is none");
        }
        Ok(Type::Shaped(Box::new(Shaped {
            kind,
            element,
            dims,
            layout,
            align,
        })))
    }

    fn type_list(&mut self) -> Read<Box<[TypeId]>> {
        let count = self.reader.count(1)?;
        (0..count).map(|_| self.ty()).collect()
    }

    fn dim(&mut self) -> Read<Dim> {
        let word = self.reader.uint()?;
        if word & 1 == 0 {
            return Ok(Dim::Static(word >> 1));
        }
        match u32::try_from(word >> 1) {
            Ok(number) => Ok(Dim::Value(self.forward_value(number)?)),
            Err(_) => self.reader.fail("unknown value"),
        }
    }

    /// A value in a type: it may be defined after the type is read, but within the same facet.
    fn forward_value(&mut self, number: u32) -> Read<ValueId> {
        let known = self.values.len() as u32;
        let value = match self.values.get(number as usize) {
            Some(&value) => value.0,
            None => match self.builder.next_value().0.checked_add(number - known) {
                Some(value) => value,
                None => return self.reader.fail("unknown value"),
            },
        };
        self.highest = self.highest.max(value);
        Ok(ValueId(value))
    }

    pub(super) fn string(&mut self) -> Read<StringId> {
        let number = self.reader.u32()? as usize;
        match self.strings.get(number) {
            Some(&id) => Ok(id),
            None => self.reader.fail("unknown string"),
        }
    }

    /// A name that stands in text without quotes.
    pub(super) fn name(&mut self) -> Read<StringId> {
        let at = self.reader;
        let number = at.clone().u32()? as usize;
        match self.plain.get(number) {
            Some(false) => self.reader.fail("a name with other characters"),
            _ => self.string(),
        }
    }

    /// The word of an attribute, which may have dashes inside or before it.
    fn dashed(&mut self) -> Read<StringId> {
        let id = self.string()?;
        let text = self.builder.strings.get(id);
        match text.split('-').all(|part| {
            part.bytes()
                .all(|byte| crate::lexer::is_word(byte) || byte == b'.')
        }) {
            true => Ok(id),
            false => self.reader.fail("a word with other characters"),
        }
    }

    fn ty(&mut self) -> Read<TypeId> {
        let number = self.reader.u32()? as usize;
        let builtin = crate::module::builtin_types();
        if (1..builtin).contains(&number) {
            return Ok(TypeId(number as u32));
        }
        match number.checked_sub(builtin).and_then(|at| self.types.get(at)) {
            Some(&id) => Ok(id),
            None => self.reader.fail("unknown type"),
        }
    }

    fn value(&mut self) -> Read<ValueId> {
        let distance = self.reader.uint()?;
        self.value_at(distance)
    }

    fn value_at(&mut self, distance: u64) -> Read<ValueId> {
        let number = usize::try_from(distance)
            .ok()
            .and_then(|distance| self.values.len().checked_sub(distance));
        match number {
            Some(number) if self.alive.get(number) == Some(&true) => Ok(self.values[number]),
            _ => self.reader.fail("unknown value"),
        }
    }

    fn indexed(&mut self) -> Read<Indexed> {
        let word = self.reader.uint()?;
        if word & 1 == 0 {
            return Ok(Indexed::Value(self.value_at(word >> 1)?));
        }
        let attr = self.attr()?;
        Ok(Indexed::Static(self.builder.attr(attr)))
    }

    fn attr(&mut self) -> Read<Attr> {
        self.depth += 1;
        if self.depth > super::MAX_DEPTH {
            return self.reader.fail("nesting is too deep");
        }
        let attr = match self.reader.u8()? {
            0 => Attr::Bool(false),
            1 => Attr::Bool(true),
            2 => Attr::Int(self.reader.int()?),
            3 => {
                let mut bits = [0; 8];
                bits.copy_from_slice(self.reader.take(8)?);
                Attr::Float(u64::from_le_bytes(bits))
            }
            4 => Attr::String(self.string()?),
            5 => Attr::Word(self.dashed()?),
            6 => Attr::Symbol(self.name()?),
            7 => {
                let count = self.reader.count(1)?;
                Attr::List((0..count).map(|_| self.attr()).collect::<Read<_>>()?)
            }
            8 => {
                let count = self.reader.count(2)?;
                let pair = |decoder: &mut Self| Ok((decoder.name()?, decoder.attr()?));
                Attr::Dict((0..count).map(|_| pair(self)).collect::<Read<_>>()?)
            }
            9 => {
                let name = self.name()?;
                let count = self.reader.count(2)?;
                let param = |decoder: &mut Self| {
                    Ok(Param {
                        key: decoder.name()?,
                        value: decoder.attr()?,
                    })
                };
                Attr::Ref {
                    name,
                    params: (0..count).map(|_| param(self)).collect::<Read<_>>()?,
                }
            }
            _ => return self.reader.fail("unknown attribute"),
        };
        self.depth -= 1;
        Ok(attr)
    }

    /// Names and types of `count` values, all of which have numbers before the first type is read.
    pub(super) fn typed_names(&mut self, count: usize) -> Read<()> {
        let first = self.values.len();
        for _ in 0..count {
            self.define(StringId::EMPTY, TypeId::UNKNOWN);
        }
        for number in first..first + count {
            let name = self.name()?;
            let ty = self.ty()?;
            self.builder.set_value(self.values[number], name, ty);
        }
        Ok(())
    }

    /// The content of a slot that holds no region; `count` is its number of words.
    pub(super) fn slot(&mut self, def: &OpDef, slot: usize, count: usize, bound: &mut Bound) -> Read<()> {
        let pairs = count / 2;
        match &def.slots[slot].kind {
            SlotKind::Operand(_) | SlotKind::Operands(_) => {
                for _ in 0..count {
                    let value = self.value()?;
                    self.word(value.0);
                }
            }
            SlotKind::Indexed(_) => {
                for _ in 0..count {
                    let word = self.indexed()?.word();
                    self.word(word);
                }
            }
            SlotKind::Type(_) | SlotKind::Types(_) => {
                for _ in 0..count {
                    let ty = self.ty()?;
                    self.word(ty.0);
                }
            }
            SlotKind::Attr(_) => {
                for _ in 0..count {
                    self.attr_word()?;
                }
            }
            SlotKind::Choice(words) | SlotKind::MaybeChoice(words) => {
                for _ in 0..count {
                    let word = self.reader.u32()?;
                    if word as usize >= words.len() {
                        return self.reader.fail("unknown word");
                    }
                    self.word(word);
                }
            }
            SlotKind::Presence(_) => {
                for _ in 0..count {
                    let word = self.reader.u32()?;
                    self.word(word);
                }
            }
            SlotKind::Flags(words) => {
                for _ in 0..count {
                    let word = self.reader.u32()?;
                    if word == 0 || word >> words.len() != 0 {
                        return self.reader.fail("unknown flags");
                    }
                    self.word(word);
                }
            }
            SlotKind::Symbol(_) | SlotKind::Define | SlotKind::Label => {
                for _ in 0..count {
                    let name = self.name()?;
                    self.word(name.0);
                }
            }
            SlotKind::Dict(_) => {
                for _ in 0..pairs {
                    let key = self.name()?;
                    self.word(key.0);
                    self.attr_word()?;
                }
            }
            SlotKind::Args | SlotKind::Bind(_) | SlotKind::TypedArg | SlotKind::Compared => {
                let first = self.builder.next_value().0;
                let number = self.values.len();
                self.typed_names(count)?;
                if let SlotKind::Bind(_) = def.slots[slot].kind {
                    self.hide(bound, number);
                }
                self.bind(bound, first, count as u32);
                (first..first + count as u32).for_each(|value| self.word(value));
            }
            SlotKind::Results => {
                for _ in 0..pairs {
                    let named = self.reader.u8()?;
                    if named == 0 {
                        let ty = self.ty()?;
                        self.word(u32::MAX);
                        self.word(ty.0);
                    } else {
                        let value = self.builder.next_value();
                        self.typed_names(1)?;
                        self.word(value.0);
                        let ty = self.builder.value_of(value).ty;
                        self.word(ty.0);
                    }
                }
            }
            SlotKind::Where => self.predicates(count)?,
            SlotKind::Carries => {
                for _ in 0..pairs {
                    let init = self.value()?;
                    let value = self.builder.next_value();
                    let number = self.values.len();
                    self.typed_names(1)?;
                    self.hide(bound, number);
                    self.bind(bound, value.0, 1);
                    self.word(value.0);
                    self.word(init.0);
                }
            }
            SlotKind::Pass => {
                for _ in 0..pairs {
                    let value = self.value()?;
                    self.word(value.0);
                    let ty = self.ty()?;
                    self.word(ty.0);
                }
            }
            SlotKind::Aux => {
                for _ in 0..count / 3 {
                    let key = self.name()?;
                    self.word(key.0);
                    let value = self.value()?;
                    self.word(value.0);
                    let ty = self.ty()?;
                    self.word(ty.0);
                }
            }
            SlotKind::Cases(_) => {
                let mark = self.values.len();
                for _ in 0..pairs {
                    match self.reader.u8()? {
                        0 => self.word(u32::MAX),
                        _ => self.attr_word()?,
                    }
                    let region = self.region(Bound::default())?;
                    self.bury(mark);
                    self.word(region.0);
                }
            }
            SlotKind::Rows => {
                let mut left = count;
                while left >= 2 {
                    self.attr_word()?;
                    let values = self.reader.count(1)?;
                    if values > left - 2 {
                        return self.reader.fail("a row that is too long");
                    }
                    self.word(values as u32);
                    for _ in 0..values {
                        let value = self.value()?;
                        self.word(value.0);
                    }
                    left -= 2 + values;
                }
            }
            SlotKind::Pack => {
                for _ in 0..pairs {
                    self.attr_word()?;
                    let value = self.value()?;
                    self.word(value.0);
                }
            }
            SlotKind::Region(_) => {}
        }
        Ok(())
    }

    fn predicates(&mut self, count: usize) -> Read<()> {
        let mut left = count;
        while left >= 2 {
            let number = self.reader.u32()?;
            let arity = self.reader.count(1)?;
            if Predicate::from_number(number).is_none_or(|predicate| predicate.arity() != arity)
                || arity > left - 2
            {
                return self.reader.fail("unknown predicate");
            }
            self.word(number);
            self.word(arity as u32);
            for _ in 0..arity {
                let word = self.indexed()?.word();
                self.word(word);
            }
            left -= 2 + arity;
        }
        Ok(())
    }

    fn bind(&mut self, bound: &mut Bound, first: u32, count: u32) {
        if bound.count == 0 {
            bound.first = first;
        }
        bound.count += count;
    }

    /// Keeps the values numbered `from` and up out of sight until the region.
    fn hide(&mut self, bound: &mut Bound, from: usize) {
        self.alive[from..].fill(false);
        let start = if bound.hidden.is_empty() {
            from
        } else {
            bound.hidden.start
        };
        bound.hidden = start..self.values.len();
    }

    fn attr_word(&mut self) -> Read<()> {
        let attr = self.attr()?;
        let id = self.builder.attr(attr);
        self.word(id.0);
        Ok(())
    }

    fn word(&mut self, word: u32) {
        self.builder.word(word, Span::default());
    }
}
