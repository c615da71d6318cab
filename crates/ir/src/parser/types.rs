//! Types (loom-language 1.3). Dimension lists are read byte by byte: `4x8xf32` is no token sequence.

use loom_base::Diagnostic;

use super::{Parse, Parser};
use crate::lexer::{Kind, is_word};
use crate::module::{
    Attr, Dim, EncodingRole, Function, Layout, Register, Scalar, ShapeKind, Shaped, Span, Token, Type, TypeId,
};
use crate::table::Form;

impl<'t> Parser<'t> {
    /// Whether a type may begin here.
    #[inline]
    pub(super) fn at_type(&self) -> bool {
        matches!(self.token.kind, Kind::Word | Kind::Punct(b'('))
    }

    /// A type and its place.
    pub(super) fn ty(&mut self) -> Parse<(TypeId, Span)> {
        self.ty_within(0)
    }

    /// A type inside `depth` function types.
    fn ty_within(&mut self, depth: usize) -> Parse<(TypeId, Span)> {
        let start = self.token.start;
        if self.token.kind != Kind::Word {
            return match self.at_punct(b'(') {
                true => self.function(depth),
                false => self.unexpected("a type"),
            };
        }
        if let Some(ty) = self.plain_type() {
            self.advance();
            return Ok((ty, self.span_from(start)));
        }
        let name = self.text();
        let kind = match name {
            "vector" => ShapeKind::Vector,
            "view" => ShapeKind::View,
            "tensor" => ShapeKind::Tensor,
            "tile" => ShapeKind::Tile,
            "encoding" => {
                self.advance();
                let role = self.encoding_role()?;
                let ty = self.builder.ty(Type::Encoding(role));
                return Ok((ty, self.span_from(start)));
            }
            "reg" => {
                self.advance();
                let register = self.register()?;
                let ty = self.builder.ty(Type::Register(register));
                return Ok((ty, self.span_from(start)));
            }
            "pool" => {
                self.advance();
                let dim = self.pool_size()?;
                let ty = self.builder.ty(Type::Pool(dim));
                return Ok((ty, self.span_from(start)));
            }
            name if name == Token::TensorDescriptor.name() => {
                self.advance();
                let ty = self.builder.ty(Type::Token(Token::TensorDescriptor));
                return Ok((ty, self.span_from(start)));
            }
            _ => return self.unknown_type(name),
        };
        let spelling = self.simple_shape();
        if let Some(spelling) = &spelling
            && let Some(ty) = self.known_shape(spelling)
        {
            self.lexer.seek(spelling.end as usize);
            self.resume();
            return Ok((ty, self.span_from(start)));
        }
        self.advance();
        let shaped = self.shaped(kind, start)?;
        let ty = self.builder.ty(Type::Shaped(Box::new(shaped)));
        if let Some(spelling) = spelling {
            self.type_names.remember(spelling, ty);
        }
        Ok((ty, self.span_from(start)))
    }

    /// `(index, f32) -> (f32)`
    fn function(&mut self, depth: usize) -> Parse<(TypeId, Span)> {
        let start = self.token.start;
        if depth == Function::MAX_DEPTH {
            return self.large_function(start);
        }
        let args = self.type_list(depth)?;
        if self.token.kind != Kind::Arrow {
            return self.unexpected("`->` and the results of the function type");
        }
        self.advance();
        let results = self.type_list(depth)?;
        match self.builder.function(args, results) {
            Some(ty) => Ok((ty, self.span_from(start))),
            None => self.large_function(start),
        }
    }

    fn type_list(&mut self, depth: usize) -> Parse<Box<[TypeId]>> {
        self.expect_punct(b'(')?;
        let mut types = Vec::new();
        while !self.at_punct(b')') {
            types.push(self.ty_within(depth + 1)?.0);
            if !self.eat_punct(b',') {
                break;
            }
        }
        self.expect_punct(b')')?;
        Ok(types.into())
    }

    fn large_function<T>(&mut self, start: u32) -> Parse<T> {
        let (parts, depth) = (Function::MAX_PARTS, Function::MAX_DEPTH);
        let diagnostic = Diagnostic::error("PARSE/040", "function type too large")
            .at(self.file, start..self.token.end)
            .help(format!(
                "a function type has at most {parts} parts, nested {depth} deep"
            ));
        self.report(diagnostic)
    }

    fn unknown_type<T>(&mut self, name: &str) -> Parse<T> {
        const NAMES: [&str; 9] = [
            "vector", "view", "tensor", "tile", "buffer", "encoding", "pool", "reg", "offset",
        ];
        let range = self.token.start..self.token.end;
        let mut diagnostic =
            Diagnostic::error("PARSE/007", format!("unknown type '{name}'")).at(self.file, range);
        let names = NAMES.into_iter().chain(Scalar::ALL.map(Scalar::name));
        diagnostic = match self.speller.closest(name, names) {
            Some(similar) => diagnostic.help(format!("there is a type called `{similar}`")),
            None => diagnostic.help(
                "types are scalars such as `f32` and `index`, `buffer`, and shapes such as `view<4xf32>`",
            ),
        };
        self.report(diagnostic)
    }

    fn encoding_role(&mut self) -> Parse<EncodingRole> {
        if !self.eat_punct(b'<') {
            return Ok(EncodingRole::Any);
        }
        let range = self.token.start..self.token.end;
        let name = self.expect_kind(Kind::Word, "layout, schema, storage or transform")?;
        let Some(role) = EncodingRole::ALL.into_iter().find(|role| role.name() == name) else {
            let diagnostic =
                Diagnostic::error("PARSE/008", format!("unknown encoding '{name}'")).at(self.file, range);
            return self.report(diagnostic.help("an encoding is a layout, schema, storage or transform"));
        };
        self.expect_punct(b'>')?;
        Ok(role)
    }

    /// `<class>` or `<class xN>`
    fn register(&mut self) -> Parse<Register> {
        self.expect_punct(b'<')?;
        let class = self.expect_kind(Kind::Word, "a register class")?.into();
        let mut count = 1;
        if !self.at_punct(b'>') {
            let digits = match self.token.kind {
                Kind::Word => self.text().strip_prefix('x'),
                _ => None,
            };
            match digits
                .and_then(|digits| digits.parse().ok())
                .filter(|&count| count > 0)
            {
                Some(number) => count = number,
                None => return self.unexpected("`x` and a number of registers"),
            }
            self.advance();
        }
        self.expect_punct(b'>')?;
        Ok(Register { class, count })
    }

    fn pool_size(&mut self) -> Parse<Dim> {
        self.open_dims()?;
        let dim = self.dim()?;
        let Some(dim) = dim else {
            return self.unexpected("a size");
        };
        self.resume();
        self.expect_punct(b'>')?;
        Ok(dim)
    }

    fn shaped(&mut self, kind: ShapeKind, start: u32) -> Parse<Shaped> {
        self.open_dims()?;
        let mut dims = Vec::new();
        while let Some(dim) = self.dim()? {
            dims.push(dim);
            self.blanks();
            if self.byte() != b'x' {
                self.resume();
                return self.unexpected("`x` and an element type");
            }
            self.lexer.seek(self.lexer.position() + 1);
        }
        self.resume();
        let element = match self.token.kind {
            Kind::Word => Scalar::from_name(self.text()),
            _ => None,
        };
        let Some(element) = element else {
            if self.token.kind == Kind::Word {
                let name = self.text();
                return self.unknown_type(name);
            }
            return self.unexpected("an element type");
        };
        self.advance();
        let (layout, align) = self.qualifiers(kind, element)?;
        if kind == ShapeKind::Vector && dims.is_empty() {
            let range = start..self.token.end;
            let diagnostic = Diagnostic::error(
                "PARSE/003",
                "a vector has at least one dimension, expected an extent",
            );
            return self.report(
                diagnostic
                    .at(self.file, range)
                    .help("write `vector<1xf32>` for a single lane"),
            );
        }
        self.expect_punct(b'>')?;
        Ok(Shaped {
            kind,
            element,
            dims: dims.into(),
            layout,
            align,
        })
    }

    fn qualifiers(&mut self, kind: ShapeKind, element: Scalar) -> Parse<(Option<Layout>, Option<u64>)> {
        let (mut layout, mut align) = (None, None);
        while self.at_punct(b',') {
            let at = self.token.start;
            self.advance();
            if kind == ShapeKind::Vector {
                let diagnostic = Diagnostic::error("PARSE/004", "a vector has no encoding")
                    .at(self.file, at..self.token.end);
                return self
                    .report(diagnostic.help("only views, tensors and tiles have a layout or an encoding"));
            }
            match self.token.kind {
                Kind::Value if layout.is_none() && align.is_none() => {
                    let range = self.token.start..self.token.end;
                    let value = self.dim_value(&self.text()[1..], range)?;
                    self.advance();
                    layout = Some(Layout::Value(value));
                }
                Kind::Ref if layout.is_none() && align.is_none() => {
                    let attr = self.reference()?;
                    layout = Some(Layout::Attr(attr));
                }
                Kind::Word if self.text() == "align" && align.is_none() && kind == ShapeKind::View => {
                    self.advance();
                    align = self.alignment(element)?;
                }
                _ => return self.unexpected("a layout or `align(..)`"),
            }
        }
        // A dense layout is what a view has anyway.
        if kind == ShapeKind::View
            && let Some(Layout::Attr(Attr::Ref { name, params })) = &layout
            && params.is_empty()
            && self.builder.strings.get(*name) == "encoding.layout.dense"
        {
            layout = None;
        }
        Ok((layout, align))
    }

    /// `(N)`: a power of two up to the element's natural alignment, which itself is not kept.
    fn alignment(&mut self, element: Scalar) -> Parse<Option<u64>> {
        self.expect_punct(b'(')?;
        let range = self.token.start..self.token.end;
        let attr = self.attr_of(Form::Int)?;
        let natural = element.bytes();
        let align = match attr {
            Attr::Int(align) if align > 0 => align as u64,
            _ => 0,
        };
        if !align.is_power_of_two() || align > natural {
            let message = format!("unexpected alignment {align}, expected a power of two up to {natural}");
            return self.report(
                Diagnostic::error("PARSE/003", message)
                    .at(self.file, range)
                    .help(format!(
                        "`{}` has a natural alignment of {natural}; `align` can only weaken it",
                        element.name()
                    )),
            );
        }
        self.expect_punct(b')')?;
        Ok((align != natural).then_some(align))
    }

    /// Leaves the token stream behind `<`.
    fn open_dims(&mut self) -> Parse<()> {
        if !self.at_punct(b'<') {
            return self.unexpected("`<`");
        }
        self.lexer.seek(self.token.end as usize);
        self.last_end = self.token.end;
        Ok(())
    }

    /// Returns to the token stream.
    fn resume(&mut self) {
        self.last_end = self.lexer.position() as u32;
        self.token = self.lexer.next();
    }

    fn byte(&self) -> u8 {
        self.text
            .as_bytes()
            .get(self.lexer.position())
            .copied()
            .unwrap_or(0)
    }

    fn blanks(&mut self) {
        while self.byte().is_ascii_whitespace() {
            self.lexer.seek(self.lexer.position() + 1);
        }
    }

    /// One extent, if the element type does not come next.
    fn dim(&mut self) -> Parse<Option<Dim>> {
        self.blanks();
        let start = self.lexer.position();
        let bytes = self.text.as_bytes();
        match self.byte() {
            b'0'..=b'9' => {
                let digits = bytes[start..].iter().position(|byte| !byte.is_ascii_digit());
                let end = digits.map_or(bytes.len(), |digits| start + digits);
                self.lexer.seek(end);
                let text = &self.text[start..end];
                match text.parse::<i64>() {
                    Ok(extent) => Ok(Some(Dim::Static(extent as u64))),
                    Err(_) => {
                        self.resume();
                        let diagnostic =
                            Diagnostic::error("PARSE/015", format!("extent '{text}' is out of range"));
                        let diagnostic = diagnostic.at(self.file, start as u32..end as u32);
                        self.report(diagnostic.help("an extent lies between 0 and 2^63-1"))
                    }
                }
            }
            b'[' => {
                self.lexer.seek(start + 1);
                self.blanks();
                let at = self.lexer.position();
                let name_end = bytes[(at + 1).min(bytes.len())..]
                    .iter()
                    .position(|&byte| !is_word(byte));
                let end = name_end.map_or(bytes.len(), |length| at + 1 + length);
                if self.byte() != b'%' || end == at + 1 {
                    self.resume();
                    return self.unexpected("an SSA value");
                }
                let value = self.dim_value(&self.text[at + 1..end], at as u32..end as u32)?;
                self.lexer.seek(end);
                self.blanks();
                if self.byte() != b']' {
                    self.resume();
                    return self.unexpected("`]`");
                }
                self.lexer.seek(self.lexer.position() + 1);
                Ok(Some(Dim::Value(value)))
            }
            _ => Ok(None),
        }
    }
}
