//! Scopes of value names. A region may redefine an outer name; one scope may not (loom-ops 0.10).

use loom_base::Diagnostic;

use super::{Parse, Parser};
use crate::lexer::Kind;
use crate::module::{Span, StringId, TypeId, ValueId};

const NONE: (ValueId, u32) = (ValueId(u32::MAX), 0);

impl Parser<'_> {
    /// A use of a value. An unknown name is reported once and then counts as defined.
    pub(super) fn value_use(&mut self) -> Parse<(ValueId, Span)> {
        if self.token.kind != Kind::Value {
            return self.unexpected("an SSA value");
        }
        let span = self.token_span();
        let name = self.sigil_name();
        let value = match self.lookup(name) {
            Some(value) => value,
            None => self.undefined(name, span),
        };
        self.advance();
        Ok((value, span))
    }

    pub(super) fn lookup(&self, name: StringId) -> Option<ValueId> {
        let (value, _) = *self.visible.get(name.index())?;
        (value != NONE.0).then_some(value)
    }

    fn undefined(&mut self, name: StringId, span: Span) -> ValueId {
        if self.lenient == 0 {
            let text = self.builder.strings.get(name).to_owned();
            let mut diagnostic = Diagnostic::error("PARSE/001", format!("undefined SSA value '%{text}'"))
                .at(self.file, self.range(span));
            diagnostic = match self.similar(&text) {
                Some(similar) => {
                    diagnostic.help(format!("a value with a similar name is visible: `%{similar}`"))
                }
                None => diagnostic.help("define the value before this op, in this region or one around it"),
            };
            self.complain(diagnostic);
        }
        self.broken = true;
        let value = self.builder.value(name, TypeId::UNKNOWN, span);
        // Beyond the end of any scope: the name is no news for the rest of the item.
        self.make_visible(name, value, u32::MAX);
        self.undo.pop();
        value
    }

    fn similar(&self, text: &str) -> Option<String> {
        let names = (0..self.visible.len() as u32)
            .map(StringId)
            .filter(|&name| self.lookup(name).is_some());
        self.speller
            .closest(text, names.map(|name| self.builder.strings.get(name)))
            .map(str::to_owned)
    }

    /// Defines `name` in the scope of number `scope`; a second definition there is reported.
    pub(super) fn define(&mut self, name: StringId, value: ValueId, span: Span, scope: u32) {
        if name == StringId::EMPTY {
            return;
        }
        if let Some(&(earlier, at)) = self.visible.get(name.index())
            && earlier != NONE.0
            && at == scope
            && self.lenient == 0
        {
            let text = self.builder.strings.get(name).to_owned();
            let first = self.range(self.builder.value_span(earlier));
            let diagnostic =
                Diagnostic::error("PARSE/002", format!("SSA value '%{text}' is already defined"))
                    .at(self.file, self.range(span))
                    .related("first defined here", self.file, first)
                    .help("give one of the two values another name");
            self.complain(diagnostic);
        }
        self.make_visible(name, value, scope);
    }

    fn make_visible(&mut self, name: StringId, value: ValueId, scope: u32) {
        if self.visible.len() <= name.index() {
            self.visible.resize(name.index() + 1, NONE);
        }
        let before = std::mem::replace(&mut self.visible[name.index()], (value, scope));
        self.undo.push((name, before));
    }

    pub(super) fn scope_mark(&self) -> usize {
        self.undo.len()
    }

    /// Forgets all definitions since `mark`.
    pub(super) fn leave_scope(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((name, before)) = self.undo.pop() {
                self.visible[name.index()] = before;
            }
        }
    }

    /// The value a dimension refers to: any visible one, or a later argument of the list being read.
    pub(super) fn dim_value(&mut self, name: &str, range: std::ops::Range<u32>) -> Parse<ValueId> {
        let id = self.builder.string(name);
        if let Some(value) = self.lookup(id) {
            return Ok(value);
        }
        if let Some(value) = self.later_argument(name) {
            return Ok(value);
        }
        if self.lenient == 0 {
            let diagnostic = Diagnostic::error(
                "PARSE/022",
                format!("unresolved dimension '%{name}' in this scope"),
            )
            .at(self.file, range.clone())
            .help("a dimension names a value that is visible here or an argument of the same list");
            self.complain(diagnostic);
        }
        self.broken = true;
        let span = Span {
            start: range.start - self.base,
            end: range.end - self.base,
        };
        // The undefined value must not take a number inside the list: it stands for nothing.
        Ok(ValueId(span.start | 1 << 30))
    }

    /// Looks ahead in the argument list being read for `%name :` and yields the number it will get.
    fn later_argument(&self, name: &str) -> Option<ValueId> {
        let (start, first) = self.list_start?;
        let bytes = &self.text.as_bytes()[start as usize..];
        let (mut depth, mut position, mut fresh) = (0, 0, true);
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'(' | b'<' | b'[' | b'{' => depth += 1,
                b')' | b'>' | b']' | b'}' if depth == 0 => return None,
                b')' | b'>' | b']' | b'}' => depth -= 1,
                b',' if depth == 0 => {
                    position += 1;
                    fresh = true;
                }
                b'%' if depth == 0 && fresh => {
                    fresh = false;
                    let end = bytes[at + 1..]
                        .iter()
                        .position(|&byte| !crate::lexer::is_word(byte));
                    let end = end.map_or(bytes.len(), |end| at + 1 + end);
                    if &bytes[at + 1..end] == name.as_bytes() {
                        return Some(ValueId(first.0 + position));
                    }
                    at = end - 1;
                }
                b'/' if bytes.get(at + 1) == Some(&b'/') => {
                    at += bytes[at..]
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .unwrap_or(bytes.len() - at);
                }
                _ => {}
            }
            at += 1;
        }
        None
    }
}
