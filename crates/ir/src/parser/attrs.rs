//! Attribute values and dictionaries.

use loom_base::Diagnostic;

use super::{Parse, Parser};
use crate::lexer::{Kind, is_word};
use crate::module::{Attr, Param, Span, StringId};
use crate::table::{Form, KeySpec};

/// One `key = value` of a dictionary with the places of both.
type Pair = (StringId, Attr, Span, Span);

/// Element formats of whole bytes, each of which takes a lane of its own.
const DENSE_FORMATS: &[&str] = &[
    "f64",
    "f32",
    "tf32",
    "f16",
    "bf16",
    "i32",
    "u32",
    "i16",
    "u16",
    "i8",
    "u8",
    "f8e4m3",
    "f8e5m2",
    "f8e4m3fn",
    "f8e4m3fnuz",
    "f8e5m2fnuz",
];

impl Parser<'_> {
    /// An attribute of the given form.
    pub(super) fn attr_of(&mut self, form: Form) -> Parse<Attr> {
        match (form, self.token.kind) {
            (Form::Int | Form::Number | Form::Literal | Form::Any, Kind::Int) => self.integer(),
            (Form::Float | Form::Number | Form::Literal | Form::Any, Kind::Float) => self.float(),
            (Form::Float | Form::Number | Form::Literal | Form::Any, Kind::Word)
                if matches!(self.text(), "inf" | "nan") =>
            {
                self.float()
            }
            (Form::Literal | Form::Any, Kind::Word) if matches!(self.text(), "true" | "false") => {
                let value = self.text() == "true";
                self.advance();
                Ok(Attr::Bool(value))
            }
            (Form::Word | Form::Any, Kind::Word) => Ok(Attr::Word(self.dashed_word())),
            (Form::Any, Kind::Stray) if self.text() == "-" && self.joined(self.token.end as usize) => {
                Ok(Attr::Word(self.dashed_word()))
            }
            (Form::String | Form::Any | Form::Literal, Kind::String) => {
                let string = self.string()?;
                Ok(Attr::String(self.builder.string(&string)))
            }
            (Form::Any, Kind::Symbol) => Ok(Attr::Symbol(self.symbol()?.0)),
            (Form::Ref | Form::Any, Kind::Ref) => self.reference(),
            (Form::List | Form::Any, Kind::Punct(b'[')) => {
                self.advance();
                self.nested(Self::list)
            }
            (Form::Any, Kind::Punct(b'{')) => self.nested(|parser| {
                let pairs = parser.dict(None)?;
                Ok(Attr::Dict(
                    pairs.into_iter().map(|(key, attr, ..)| (key, attr)).collect(),
                ))
            }),
            _ => self.unexpected(match form {
                Form::Int => "an integer",
                Form::Float => "a float",
                Form::Number => "a number",
                Form::Literal => "a literal",
                Form::String => "a string",
                Form::Word => "a word",
                Form::Ref => "a `#` reference",
                Form::List => "a list in brackets",
                Form::Any => "an attribute value",
            }),
        }
    }

    /// A word with the parts that dashes join to it, as in `gfx11-generic`; a dash may also stand before it.
    fn dashed_word(&mut self) -> StringId {
        let start = self.token.start as usize;
        let bytes = self.text.as_bytes();
        let mut end = self.token.end as usize;
        if bytes.get(end) == Some(&b'-') && self.joined(end + 1) || bytes[start] == b'-' {
            let stays = |at: usize| match bytes.get(at) {
                Some(b'-' | b'.') => self.joined(at + 1),
                Some(&byte) => is_word(byte),
                None => false,
            };
            while stays(end) {
                end += 1;
            }
            self.lexer.seek(end);
            self.token.end = end as u32;
        }
        let word = self.builder.string(&self.text[start..end]);
        self.advance();
        word
    }

    /// Whether a word goes on at byte `at`.
    fn joined(&self, at: usize) -> bool {
        self.text.as_bytes().get(at).is_some_and(|&byte| is_word(byte))
    }

    fn integer(&mut self) -> Parse<Attr> {
        let text = self.text();
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let value = magnitude.ok().and_then(|magnitude| match negative {
            true => 0i64.checked_sub_unsigned(magnitude),
            false => i64::try_from(magnitude).ok(),
        });
        let Some(value) = value else {
            let range = self.token.start..self.token.end;
            let diagnostic =
                Diagnostic::error("PARSE/015", format!("integer literal '{text}' is out of range"));
            return self.report(
                diagnostic
                    .at(self.file, range)
                    .help("integers lie between -2^63 and 2^63-1"),
            );
        };
        self.advance();
        Ok(Attr::Int(value))
    }

    fn float(&mut self) -> Parse<Attr> {
        let text = self.text();
        let Some(value) = crate::number::parse_float(text) else {
            let range = self.token.start..self.token.end;
            let diagnostic = Diagnostic::error("PARSE/016", format!("invalid float literal '{text}'"));
            return self.report(
                diagnostic
                    .at(self.file, range)
                    .help("write digits, a point, digits, an exponent"),
            );
        };
        self.advance();
        Ok(Attr::Float(value.to_bits()))
    }

    /// A string literal, unescaped.
    fn string(&mut self) -> Parse<String> {
        let text = self.text();
        match crate::quote::unquote(text) {
            Ok(string) => {
                self.advance();
                Ok(string)
            }
            Err((at, what)) => {
                let start = self.token.start + at as u32;
                let diagnostic = Diagnostic::error("PARSE/023", format!("{what} in string"));
                let diagnostic = diagnostic.at(self.file, start..start + 1);
                self.report(
                    diagnostic
                        .help("strings are JSON strings: escape with `\\`, control characters with `\\u`"),
                )
            }
        }
    }

    /// `#name` or `#name<..>`
    pub(super) fn reference(&mut self) -> Parse<Attr> {
        let text = self.expect_kind(Kind::Ref, "a `#` reference")?;
        let mut name = self.builder.string(&text[1..]);
        let mut params = Vec::new();
        if self.eat_punct(b'<') {
            self.nested(|parser| {
                while !parser.at_punct(b'>') {
                    let value = parser.attr_of(Form::Any)?;
                    match value {
                        Attr::Word(key) if parser.eat_punct(b'=') => {
                            params.push(Param {
                                key,
                                value: parser.attr_of(Form::Any)?,
                            });
                        }
                        value => params.push(Param {
                            key: StringId::EMPTY,
                            value,
                        }),
                    }
                    if !parser.eat_punct(b',') {
                        break;
                    }
                }
                parser.expect_punct(b'>')
            })?;
        }
        if text == "#encoding.operand"
            && let Some(short) = self.short_operand(&mut params)
        {
            name = short;
        }
        Ok(Attr::Ref {
            name,
            params: params.into(),
        })
    }

    /// The short name of an operand encoding whose lanes are packed as usual, without what the name says
    /// (loom-ops 1.4): `encoding.operand<element_format=i8, payload_packing=dense_lanes>` is `encoding.i8`.
    fn short_operand(&mut self, params: &mut Vec<Param>) -> Option<StringId> {
        let word = |name: &str| {
            params.iter().find_map(|param| match param.value {
                Attr::Word(value) if self.builder.strings.get(param.key) == name => Some(value),
                _ => None,
            })
        };
        let (format, packing) = (word("element_format")?, word("payload_packing")?);
        let format = self.builder.strings.get(format);
        if self.builder.strings.get(packing) != "dense_lanes" || !DENSE_FORMATS.contains(&format) {
            return None;
        }
        let short = format!("encoding.{format}");
        let strings = &self.builder.strings;
        params.retain(|param| !matches!(strings.get(param.key), "element_format" | "payload_packing"));
        Some(self.builder.string(&short))
    }

    /// The rest of a list, after `[`.
    fn list(&mut self) -> Parse<Attr> {
        let mut list = Vec::new();
        while !self.at_punct(b']') {
            list.push(self.attr_of(Form::Any)?);
            if !self.eat_punct(b',') {
                break;
            }
        }
        self.expect_punct(b']')?;
        Ok(Attr::List(list.into()))
    }

    /// `{key = value, ..}`; with `keys` the words of word-valued keys are checked.
    pub(super) fn dict(&mut self, keys: Option<&[KeySpec]>) -> Parse<Vec<Pair>> {
        self.expect_punct(b'{')?;
        self.open_dicts += 1;
        let mut pairs: Vec<Pair> = Vec::new();
        while !self.at_punct(b'}') {
            let key_span = self.token_span();
            let text = self.expect_kind(Kind::Word, "a key")?;
            let key = self.builder.string(text);
            if let Some((.., first, _)) = pairs.iter().find(|(other, ..)| *other == key) {
                let diagnostic = Diagnostic::error("PARSE/020", format!("duplicate key '{text}'"))
                    .at(self.file, self.range(key_span))
                    .related("first given here", self.file, self.range(*first))
                    .help("remove one of the two");
                self.complain(diagnostic);
            }
            self.expect_punct(b'=')?;
            let start = self.token.start;
            let spec = keys.and_then(|keys| keys.iter().find(|spec| spec.key == text));
            if let Some(spec) = spec
                && !spec.words.is_empty()
                && self.token.kind == Kind::Word
                && !spec.words.contains(&self.text())
            {
                let range = self.token.start..self.token.end;
                let diagnostic = Diagnostic::error("PARSE/017", format!("unknown {text} '{}'", self.text()));
                let help = format!("one of {} is expected here", spec.words.join(", "));
                return self.report(diagnostic.at(self.file, range).help(help));
            }
            let attr = self.attr_of(Form::Any)?;
            pairs.push((key, attr, key_span, self.span_from(start)));
            if !self.eat_punct(b',') {
                break;
            }
        }
        self.expect_punct(b'}')?;
        self.open_dicts -= 1;
        Ok(pairs)
    }
}
