//! Tokens: looking, consuming, complaining.

use loom_base::Diagnostic;

use super::{Parse, Parser, Stop};
use crate::lexer::Kind;
use crate::module::{Span, StringId};
use crate::table::{OpDef, OpTable};

impl<'t> Parser<'t> {
    /// The text of the current token.
    #[inline]
    pub(super) fn text(&self) -> &'t str {
        &self.text[self.token.start as usize..self.token.end as usize]
    }

    /// The bytes of the current token.
    #[inline]
    pub(super) fn bytes(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.token.start as usize..self.token.end as usize]
    }

    /// Interns the name in the current token, which begins with a sigil.
    #[inline]
    pub(super) fn sigil_name(&mut self) -> StringId {
        self.builder
            .string_in(self.text, self.token.start as usize + 1, self.token.end as usize)
    }

    /// The op that the current token, a word, names.
    #[inline]
    pub(super) fn op_here(&mut self) -> Option<&'t OpDef> {
        if self.found.0 != self.token.start {
            let table: &'t OpTable = self.table;
            let (start, end) = (self.token.start as usize, self.token.end as usize);
            self.found = (self.token.start, table.find_in(self.text.as_bytes(), start, end));
        }
        self.found.1
    }

    #[inline]
    pub(super) fn advance(&mut self) {
        self.last_end = self.token.end;
        self.token = self.lexer.next();
    }

    #[inline]
    pub(super) fn at_punct(&self, punct: u8) -> bool {
        self.token.kind == Kind::Punct(punct)
    }

    #[inline]
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.token.kind == Kind::Word && self.bytes() == word.as_bytes()
    }

    /// Whether the literal `text` of a row comes next.
    #[inline]
    pub(super) fn at_literal(&self, text: &str) -> bool {
        match self.token.kind {
            Kind::Punct(punct) => text.as_bytes() == [punct],
            Kind::Word => self.bytes() == text.as_bytes(),
            Kind::Arrow => text == "->",
            _ => false,
        }
    }

    #[inline]
    pub(super) fn eat_punct(&mut self, punct: u8) -> bool {
        let found = self.at_punct(punct);
        if found {
            self.advance();
        }
        found
    }

    #[inline]
    pub(super) fn expect_literal(&mut self, text: &str) -> Parse<()> {
        if self.at_literal(text) {
            self.advance();
            return Ok(());
        }
        self.missing(text)
    }

    #[inline]
    pub(super) fn expect_punct(&mut self, punct: u8) -> Parse<()> {
        if self.eat_punct(punct) {
            return Ok(());
        }
        self.missing(char::from(punct).encode_utf8(&mut [0; 4]))
    }

    #[cold]
    fn missing(&mut self, text: &str) -> Parse<()> {
        self.unexpected(&format!("`{text}`"))
    }

    /// Consumes a token of `kind` and yields its text.
    #[inline]
    pub(super) fn expect_kind(&mut self, kind: Kind, what: &str) -> Parse<&'t str> {
        if self.token.kind != kind {
            return self.unexpected(what);
        }
        let text = self.text();
        self.advance();
        Ok(text)
    }

    /// Consumes a token of `kind`, which is one with a sigil, and interns its name.
    #[inline]
    pub(super) fn expect_name(&mut self, kind: Kind, what: &str) -> Parse<StringId> {
        if self.token.kind != kind {
            return self.unexpected(what);
        }
        let name = self.sigil_name();
        self.advance();
        Ok(name)
    }

    /// Reports that the current token is not `expected`.
    #[cold]
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parse<T> {
        let range = self.token.start..self.token.end;
        let diagnostic = match self.token.kind {
            Kind::OpenString => Diagnostic::error("PARSE/005", "unterminated string")
                .help("close the string with `\"` on the same line"),
            Kind::Nameless => {
                let sigil = self.text();
                Diagnostic::error("PARSE/024", format!("expected an identifier after `{sigil}`")).help(
                    format!(
                        "names consist of letters, digits, `_` and `$`{}",
                        if sigil == "@" {
                            "; there is no quoted form"
                        } else {
                            ""
                        }
                    ),
                )
            }
            Kind::Stray => Diagnostic::error("PARSE/025", format!("unexpected character {:?}", self.text()))
                .help(format!("{expected} was expected here")),
            Kind::End => Diagnostic::error(
                "PARSE/003",
                format!("unexpected end of file, expected {expected}"),
            ),
            _ => Diagnostic::error(
                "PARSE/003",
                format!("unexpected token `{}`, expected {expected}", self.text()),
            ),
        };
        let diagnostic = match (&diagnostic.help, self.current) {
            (None, Some(def)) => diagnostic.help(format!("the op is written `{}`", def.usage())),
            (None, None) => diagnostic.help("an op is written as `%results = family.name ..`"),
            _ => diagnostic,
        };
        self.report(diagnostic.at(self.file, range))
    }

    /// Reports `diagnostic` and gives up the current op.
    pub(super) fn report<T>(&mut self, diagnostic: Diagnostic) -> Parse<T> {
        self.complain(diagnostic);
        Err(Stop)
    }

    /// Reports `diagnostic` and goes on.
    pub(super) fn complain(&mut self, diagnostic: Diagnostic) {
        self.broken = true;
        self.diagnostics.push(diagnostic);
    }

    /// The range in the file of an item-relative span.
    pub(super) fn range(&self, span: Span) -> std::ops::Range<u32> {
        self.base + span.start..self.base + span.end
    }

    /// Runs `body` one level deeper.
    pub(super) fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth == super::MAX_DEPTH {
            let range = self.last_end.saturating_sub(1)..self.last_end;
            let message = format!("nesting is deeper than {} levels", super::MAX_DEPTH);
            self.skip_brackets();
            let diagnostic = Diagnostic::error("PARSE/040", message).at(self.file, range);
            return self.report(diagnostic.help("move inner parts into functions"));
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    /// Skips to the bracket that closes the innermost open one.
    fn skip_brackets(&mut self) {
        let mut open = 1u32;
        while self.token.kind != Kind::End {
            match self.token.kind {
                Kind::Punct(b'{' | b'[' | b'(' | b'<') => open += 1,
                Kind::Punct(b'}' | b']' | b')' | b'>') => open -= 1,
                _ => {}
            }
            self.advance();
            if open == 0 {
                return;
            }
        }
    }
}
