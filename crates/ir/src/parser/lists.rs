//! Slots with a form of their own: carried values, cases, rows, packed parts, predicates.

use loom_base::Diagnostic;

use super::ops::{OpState, counted};
use super::{Parse, Parser};
use crate::lexer::Kind;
use crate::module::{Indexed, Span};
use crate::predicate::Predicate;
use crate::table::Form;

impl Parser<'_> {
    pub(super) fn carries(&mut self, state: &mut OpState) -> Parse<()> {
        self.expect_punct(b'(')?;
        while !self.at_punct(b')') {
            let span = self.token_span();
            let name = self.expect_name(Kind::Value, "a name for the carried value")?;
            self.expect_punct(b'=')?;
            let (init, init_span) = self.value_use()?;
            self.expect_punct(b':')?;
            let (ty, _) = self.ty()?;
            let value = self.builder.value(name, ty, span);
            state.bound.push((name, value, span));
            self.bind(state, value, 1);
            self.builder.word(value.0, span);
            self.builder.word(init.0, init_span);
            if !self.eat_punct(b',') {
                break;
            }
        }
        self.expect_punct(b')')
    }

    pub(super) fn cases(&mut self, state: &mut OpState, spec: &crate::table::RegionSpec) -> Parse<()> {
        self.expect_punct(b'{')?;
        while !self.at_punct(b'}') {
            let start = self.token.start;
            let label = if self.at_word("default") {
                self.advance();
                u32::MAX
            } else {
                self.expect_literal("case")?;
                let key = self.attr_of(Form::Int)?;
                self.builder.attr(key).0
            };
            let span = self.span_from(start);
            self.builder.word(label, span);
            let (region, span) = self.region(state, spec)?;
            self.builder.word(region.0, span);
        }
        self.expect_punct(b'}')
    }

    pub(super) fn rows(&mut self) -> Parse<()> {
        self.expect_punct(b'{')?;
        while !self.at_punct(b'}') {
            let start = self.token.start;
            let key = self.attr_of(Form::Int)?;
            self.attr_word(key, start);
            self.expect_punct(b'=')?;
            let at = self.token_span();
            let count = self.builder.reserve_word(at);
            self.expect_punct(b'(')?;
            let before = self.builder.pending_len();
            if self.token.kind == Kind::Value {
                self.value_list()?;
            }
            self.builder
                .patch(count, (self.builder.pending_len() - before) as u32);
            self.expect_punct(b')')?;
            if !self.eat_punct(b',') {
                break;
            }
        }
        self.expect_punct(b'}')
    }

    pub(super) fn aux(&mut self) -> Parse<()> {
        self.expect_punct(b'{')?;
        self.open_dicts += 1;
        let mut entries: Vec<(&str, [(u32, Span); 3])> = Vec::new();
        while !self.at_punct(b'}') {
            let span = self.token_span();
            let text = self.expect_kind(Kind::Word, "a key")?;
            if entries.iter().any(|(key, _)| *key == text) {
                let diagnostic = Diagnostic::error("PARSE/020", format!("duplicate key '{text}'"));
                self.complain(
                    diagnostic
                        .at(self.file, self.range(span))
                        .help("remove one of the two"),
                );
            }
            let key = self.builder.string(text);
            self.expect_punct(b'=')?;
            let (value, value_span) = self.value_use()?;
            self.expect_punct(b':')?;
            let (ty, type_span) = self.ty()?;
            entries.push((text, [(key.0, span), (value.0, value_span), (ty.0, type_span)]));
            if !self.eat_punct(b',') {
                break;
            }
        }
        entries.sort_by_key(|(key, _)| *key);
        for (word, span) in entries.into_iter().flat_map(|(_, words)| words) {
            self.builder.word(word, span);
        }
        self.expect_punct(b'}')?;
        self.open_dicts -= 1;
        Ok(())
    }

    pub(super) fn compared(&mut self, state: &mut OpState) -> Parse<()> {
        if self.eat_punct(b'(') {
            return self.expect_punct(b')');
        }
        self.expect_punct(b'[')?;
        loop {
            for role in ["actual", "expected"] {
                self.expect_literal(role)?;
                self.expect_punct(b'(')?;
                let span = self.token_span();
                let value = self.argument(self.scope + 1)?;
                self.bind(state, value, 1);
                self.builder.word(value.0, span);
                self.expect_punct(b')')?;
                if role == "actual" {
                    self.expect_punct(b',')?;
                }
            }
            if !self.eat_punct(b',') {
                return self.expect_punct(b']');
            }
        }
    }

    pub(super) fn pack(&mut self) -> Parse<()> {
        loop {
            self.expect_literal("align")?;
            self.expect_punct(b'(')?;
            let start = self.token.start;
            let align = self.attr_of(Form::Int)?;
            self.attr_word(align, start);
            self.expect_punct(b')')?;
            let (value, span) = self.value_use()?;
            self.builder.word(value.0, span);
            if !self.eat_punct(b',') {
                return Ok(());
            }
        }
    }

    pub(super) fn predicates(&mut self) -> Parse<()> {
        while !self.at_punct(b']') {
            let span = self.token_span();
            let name = self.expect_kind(Kind::Word, "a predicate")?;
            let Some(predicate) = Predicate::from_name(name) else {
                let diagnostic = Diagnostic::error("PARSE/013", format!("unknown predicate '{name}'"));
                let known = Predicate::ALL.map(Predicate::name).join(", ");
                return self.report(
                    diagnostic
                        .at(self.file, self.range(span))
                        .help(format!("known predicates: {known}")),
                );
            };
            self.expect_punct(b'(')?;
            let head = self.builder.reserve_pair(predicate as u32, span);
            let mut count = 0;
            while !self.at_punct(b')') {
                match self.token.kind {
                    Kind::Value => {
                        let (value, span) = self.value_use()?;
                        self.builder.word(Indexed::Value(value).word(), span);
                    }
                    _ => {
                        let start = self.token.start;
                        let attr = self.attr_of(Form::Number)?;
                        let span = self.span_from(start);
                        let attr = self.builder.attr(attr);
                        self.builder.word(Indexed::Static(attr).word(), span);
                    }
                }
                count += 1;
                if !self.eat_punct(b',') {
                    break;
                }
            }
            self.expect_punct(b')')?;
            self.builder.patch(head + 1, count);
            if count as usize != predicate.arity() {
                let message = format!(
                    "predicate '{name}' takes {} but has {count}",
                    counted(predicate.arity(), "argument")
                );
                let diagnostic = Diagnostic::error("PARSE/031", message).at(self.file, self.range(span));
                self.complain(diagnostic.help(format!("write {}", predicate.usage())));
            }
            if !self.eat_punct(b',') {
                break;
            }
        }
        Ok(())
    }
}
