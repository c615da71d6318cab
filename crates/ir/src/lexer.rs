//! Text to tokens, one at a time (loom-language 1.1). Nothing is allocated; comments come out as trivia.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Identifier, dots included.
    Word,
    /// `%name`
    Value,
    /// `@name`
    Symbol,
    /// `#name`
    Ref,
    /// `^name`
    Label,
    /// Integer literal.
    Int,
    /// Float literal, `-inf` included.
    Float,
    /// String literal with its quotes.
    String,
    /// `->`
    Arrow,
    /// A punctuation character.
    Punct(u8),
    /// A string without its closing quote.
    OpenString,
    /// `%`, `@`, `#` or `^` without a name.
    Nameless,
    /// A character that begins no token.
    Stray,
    /// End of text.
    End,
}

/// A token and how it is set off from the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    /// Whether it is the first token of its line.
    pub leads: bool,
    /// Whether a blank line stands directly before it.
    pub blank: bool,
}

pub(crate) struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    /// Lines of comments since the last [`Lexer::take_comments`], in the form of [`crate::Trivia`].
    comments: String,
    has_comments: bool,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text: text.as_bytes(),
            at: 0,
            comments: String::new(),
            has_comments: false,
        }
    }

    /// Continues at byte `at`: the parser reads dimension lists itself.
    pub(crate) fn seek(&mut self, at: usize) {
        self.at = at;
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The comments met since the last call, if any.
    pub(crate) fn take_comments(&mut self) -> Option<Box<str>> {
        if !self.has_comments {
            return None;
        }
        self.has_comments = false;
        let text = self.comments.as_str().into();
        self.comments.clear();
        Some(text)
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Token {
        let (leads, blank) = self.skip_blanks();
        let start = self.at;
        let kind = self.kind();
        Token {
            kind,
            start: start as u32,
            end: self.at as u32,
            leads,
            blank,
        }
    }

    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    #[inline]
    fn skip_blanks(&mut self) -> (bool, bool) {
        let mut newlines = if self.at == 0 { 1 } else { 0 };
        let mut leads = self.at == 0;
        loop {
            match self.peek(0) {
                b'\n' => {
                    newlines += 1;
                    leads = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    let start = self.at;
                    let rest = &self.text[start..];
                    self.at = rest
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .map_or(self.text.len(), |at| start + at);
                    self.comment(start, newlines > 1);
                    newlines = 0;
                }
                _ => return (leads, newlines > 1),
            }
        }
    }

    fn comment(&mut self, start: usize, blank: bool) {
        if self.has_comments {
            self.comments.push('\n');
        }
        if blank {
            self.comments.push('\n');
        }
        self.has_comments = true;
        let bytes = self.text[start..self.at].trim_ascii_end();
        // The text came in as `str`, and both ends of a comment are at ASCII characters.
        self.comments
            .push_str(std::str::from_utf8(bytes).unwrap_or_default());
    }

    #[inline]
    fn kind(&mut self) -> Kind {
        let Some(&first) = self.text.get(self.at) else {
            return Kind::End;
        };
        self.at += 1;
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip_word(true);
                Kind::Word
            }
            b'%' => self.sigil(Kind::Value, false),
            b'@' => self.sigil(Kind::Symbol, true),
            b'#' => self.sigil(Kind::Ref, true),
            b'^' => self.sigil(Kind::Label, false),
            b'0'..=b'9' => self.number(first),
            b'-' => match self.peek(0) {
                b'>' => {
                    self.at += 1;
                    Kind::Arrow
                }
                digit @ b'0'..=b'9' => {
                    self.at += 1;
                    self.number(digit)
                }
                b'i' if self.text[self.at..].starts_with(b"inf") && !is_word(self.peek(3)) => {
                    self.at += 3;
                    Kind::Float
                }
                _ => Kind::Stray,
            },
            b'"' => self.string(),
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'=' | b':' | b',' | b'|' => {
                Kind::Punct(first)
            }
            _ => {
                while self.at < self.text.len() && self.text[self.at] & 0xc0 == 0x80 {
                    self.at += 1;
                }
                Kind::Stray
            }
        }
    }

    #[inline]
    fn sigil(&mut self, kind: Kind, dots: bool) -> Kind {
        let start = self.at;
        self.skip_word(dots);
        if self.at == start { Kind::Nameless } else { kind }
    }

    #[inline]
    fn skip_word(&mut self, dots: bool) {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
            if !(dots && self.peek(0) == b'.' && is_word(self.peek(1))) {
                return;
            }
            self.at += 1;
        }
    }

    fn number(&mut self, first: u8) -> Kind {
        if first == b'0' && matches!(self.peek(0), b'x' | b'X') && self.peek(1).is_ascii_hexdigit() {
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_hexdigit());
            let fraction = self.peek(0) == b'.' && self.peek(1).is_ascii_hexdigit();
            if fraction {
                self.at += 1;
                self.skip_while(|byte| byte.is_ascii_hexdigit());
            }
            return if self.exponent(b'p') || fraction {
                Kind::Float
            } else {
                Kind::Int
            };
        }
        self.skip_while(|byte| byte.is_ascii_digit());
        let fraction = self.peek(0) == b'.' && self.peek(1).is_ascii_digit();
        if fraction {
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        if self.exponent(b'e') || fraction {
            Kind::Float
        } else {
            Kind::Int
        }
    }

    fn exponent(&mut self, letter: u8) -> bool {
        if self.peek(0) | 0x20 != letter {
            return false;
        }
        let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
        let found = self.peek(1 + sign).is_ascii_digit();
        if found {
            self.at += 1 + sign;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        found
    }

    fn string(&mut self) -> Kind {
        loop {
            match self.text.get(self.at) {
                None | Some(b'\n') => return Kind::OpenString,
                Some(b'"') => {
                    self.at += 1;
                    return Kind::String;
                }
                Some(b'\\') if self.at + 1 < self.text.len() && self.text[self.at + 1] != b'\n' => {
                    self.at += 2
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn skip_while(&mut self, admits: impl Fn(u8) -> bool) {
        while admits(self.peek(0)) {
            self.at += 1;
        }
    }
}

/// Whether `byte` may stand inside an identifier.
#[inline]
pub(crate) fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let character = byte as u8;
            table[byte] = character.is_ascii_alphanumeric() || character == b'_' || character == b'$';
            byte += 1;
        }
        table
    };
    WORD[byte as usize]
}
