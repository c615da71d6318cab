//! One slot of an op, by kind.

use loom_base::Diagnostic;

use super::ops::{OpState, position};
use super::{Parse, Parser};
use crate::lexer::Kind;
use crate::module::{Attr, Indexed, Span, StringId, TypeId, ValueId};
use crate::table::{Form, KeySpec, OpDef, SlotKind};

impl<'t> Parser<'t> {
    #[inline]
    pub(super) fn slot(&mut self, def: &'t OpDef, state: &mut OpState, slot: usize) -> Parse<()> {
        // The most frequent kinds are spared the way through all others.
        match &def.slots[slot].kind {
            SlotKind::Presence(_) | SlotKind::MaybeChoice(_) if self.token.kind != Kind::Word => {}
            SlotKind::Operand(_) => {
                let (value, span) = self.value_use()?;
                self.builder.word(value.0, span);
            }
            SlotKind::Type(_) => self.type_word()?,
            _ => self.slot_content(def, state, slot)?,
        }
        self.builder.end_slot(state.open, slot);
        Ok(())
    }

    fn slot_content(&mut self, def: &'t OpDef, state: &mut OpState, slot: usize) -> Parse<()> {
        match &def.slots[slot].kind {
            SlotKind::Operand(_) => {
                let (value, span) = self.value_use()?;
                self.builder.word(value.0, span);
            }
            SlotKind::Operands(_) => {
                if self.token.kind == Kind::Value {
                    self.value_list()?;
                }
            }
            SlotKind::Indexed(_) => self.indexed_list()?,
            SlotKind::Type(_) => self.type_word()?,
            SlotKind::Types(_) => {
                if self.at_type() {
                    self.type_word()?;
                    while self.eat_punct(b',') {
                        self.type_word()?;
                    }
                }
            }
            SlotKind::Attr(form) => {
                let start = self.token.start;
                let attr = self.attr_of(*form)?;
                self.attr_word(attr, start);
            }
            SlotKind::Choice(words) => {
                let span = self.token_span();
                let choice = self.choice(words, def.slots[slot].name)?;
                self.builder.word(choice, span);
            }
            SlotKind::MaybeChoice(words) => {
                if self.token.kind == Kind::Word
                    && let Some(position) = position(words, self.bytes())
                {
                    self.builder.word(position as u32, self.token_span());
                    self.advance();
                }
            }
            SlotKind::Presence(word) => {
                if self.at_word(word) {
                    self.builder.word(1, self.token_span());
                    self.advance();
                }
            }
            SlotKind::Flags(words) => self.flags(words)?,
            SlotKind::Symbol(_) => {
                let (name, span) = self.symbol()?;
                self.builder.word(name.0, span);
            }
            SlotKind::Define => {
                let (name, span) = self.symbol()?;
                self.builder.word(name.0, span);
            }
            SlotKind::Dict(keys) => {
                let required = keys
                    .as_ref()
                    .is_none_or(|keys| keys.iter().any(|key| !key.optional));
                if self.at_punct(b'{') || (required && keys.is_some()) {
                    self.dict_slot(keys.as_deref())?;
                }
            }
            SlotKind::Args => {
                let first = self.builder.next_value();
                self.arg_spans.clear();
                let count = self.arguments(self.scope + 1)?;
                self.bind(state, first, count);
                for (position, span) in self.arg_spans.drain(..).enumerate() {
                    self.builder.word(first.0 + position as u32, span);
                }
            }
            SlotKind::Results => self.declared_results()?,
            SlotKind::Where => self.predicates()?,
            SlotKind::Region(spec) => {
                self.builder.settle_binds(def, state.open);
                let (region, span) = self.region(state, spec)?;
                self.builder.word(region.0, span);
            }
            SlotKind::Bind(_) => {
                let span = self.token_span();
                let name = self.expect_name(Kind::Value, "a name for the region argument")?;
                let value = self.builder.value(name, TypeId::UNKNOWN, span);
                state.bound.push((name, value, span));
                self.bind(state, value, 1);
                self.builder.word(value.0, span);
            }
            SlotKind::TypedArg => {
                let span = self.token_span();
                let value = self.argument(self.scope + 1)?;
                self.bind(state, value, 1);
                self.builder.word(value.0, span);
            }
            SlotKind::Carries => {
                if self.at_punct(b'(') {
                    self.carries(state)?;
                }
            }
            SlotKind::Label => {
                let span = self.token_span();
                let name = self.expect_name(Kind::Label, "a block label")?;
                self.builder.word(name.0, span);
            }
            SlotKind::Pass => {
                if self.eat_punct(b'(') {
                    while !self.at_punct(b')') {
                        let (value, span) = self.value_use()?;
                        self.builder.word(value.0, span);
                        self.expect_punct(b':')?;
                        self.type_word()?;
                        if !self.eat_punct(b',') {
                            break;
                        }
                    }
                    self.expect_punct(b')')?;
                }
            }
            SlotKind::Cases(spec) => self.cases(state, spec)?,
            SlotKind::Rows => self.rows()?,
            SlotKind::Pack => self.pack()?,
            SlotKind::Aux => {
                if self.at_punct(b'{') {
                    self.aux()?;
                }
            }
            SlotKind::Compared => self.compared(state)?,
        }
        Ok(())
    }

    /// Gives region arguments their place; a bound induction variable takes its type when the bounds are known.
    pub(super) fn bind(&mut self, state: &mut OpState, first: ValueId, count: u32) {
        if state.args == 0 {
            state.first_arg = first;
        }
        state.args += count;
    }

    pub(super) fn value_list(&mut self) -> Parse<()> {
        loop {
            let (value, span) = self.value_use()?;
            self.builder.word(value.0, span);
            if !self.eat_punct(b',') {
                return Ok(());
            }
        }
    }

    fn indexed_list(&mut self) -> Parse<()> {
        self.expect_punct(b'[')?;
        while !self.at_punct(b']') {
            self.indexed("an index: an SSA value or an integer")?;
            if !self.eat_punct(b',') {
                break;
            }
        }
        self.expect_punct(b']')
    }

    pub(super) fn indexed(&mut self, what: &str) -> Parse<()> {
        match self.token.kind {
            Kind::Value => {
                let (value, span) = self.value_use()?;
                self.builder.word(Indexed::Value(value).word(), span);
            }
            Kind::Int => {
                let span = self.token_span();
                let attr = self.attr_of(Form::Int)?;
                let attr = self.builder.attr(attr);
                self.builder.word(Indexed::Static(attr).word(), span);
            }
            _ => return self.unexpected(what),
        }
        Ok(())
    }

    pub(super) fn type_word(&mut self) -> Parse<()> {
        let (ty, span) = self.ty()?;
        self.builder.word(ty.0, span);
        Ok(())
    }

    pub(super) fn attr_word(&mut self, attr: Attr, start: u32) {
        let span = self.span_from(start);
        let attr = self.builder.attr(attr);
        self.builder.word(attr.0, span);
    }

    pub(super) fn choice(&mut self, words: &'static [&'static str], what: &str) -> Parse<u32> {
        if self.token.kind != Kind::Word {
            return self.unexpected(&format!("{what}: one of {}", words.join(", ")));
        }
        let text = self.text();
        if let Some(position) = position(words, text.as_bytes()) {
            self.advance();
            return Ok(position as u32);
        }
        let range = self.token.start..self.token.end;
        let diagnostic =
            Diagnostic::error("PARSE/017", format!("unknown {what} '{text}'")).at(self.file, range);
        self.report(diagnostic.help(format!("one of {} is expected here", words.join(", "))))
    }

    pub(super) fn flags(&mut self, words: &'static [&'static str]) -> Parse<()> {
        let start = self.token.start;
        let mut bits = 0;
        loop {
            if self.token.kind != Kind::Word {
                return self.unexpected(&format!("a flag: {}", words.join(", ")));
            }
            let text = self.text();
            match words.iter().position(|word| *word == text) {
                Some(position) => bits |= 1 << position,
                None if text == "fast" && words.len() == 7 => bits = (1 << words.len()) - 1,
                None => {
                    let range = self.token.start..self.token.end;
                    let diagnostic = Diagnostic::error("PARSE/018", format!("unknown flag '{text}'"));
                    let diagnostic = diagnostic.at(self.file, range);
                    return self.report(diagnostic.help(format!("known here: {}", words.join(", "))));
                }
            }
            self.advance();
            if !self.eat_punct(b'|') {
                break;
            }
        }
        let span = self.span_from(start);
        self.builder.word(bits, span);
        Ok(())
    }

    pub(super) fn symbol(&mut self) -> Parse<(StringId, Span)> {
        let span = self.token_span();
        Ok((self.expect_name(Kind::Symbol, "a symbol")?, span))
    }

    pub(super) fn dict_slot(&mut self, keys: Option<&[KeySpec]>) -> Parse<()> {
        let mut pairs = self.dict(keys)?;
        pairs.sort_by(|(a, ..), (b, ..)| self.builder.strings.get(*a).cmp(self.builder.strings.get(*b)));
        for (key, attr, key_span, span) in pairs {
            self.builder.word(key.0, key_span);
            let attr = self.builder.attr(attr);
            self.builder.word(attr.0, span);
        }
        Ok(())
    }

    fn declared_results(&mut self) -> Parse<()> {
        let outer = self.list_start;
        let mut first = true;
        while !self.at_punct(b')') {
            if !first {
                self.expect_punct(b',')?;
            }
            first = false;
            if self.token.kind == Kind::Value {
                let span = self.token_span();
                let value = self.argument(self.scope + 1)?;
                self.builder.word(value.0, span);
                let ty = self.builder.value_of(value).ty;
                self.builder.word(ty.0, span);
            } else {
                let (ty, span) = self.ty()?;
                self.builder.word(u32::MAX, span);
                self.builder.word(ty.0, span);
            }
        }
        self.list_start = outer;
        Ok(())
    }
}
