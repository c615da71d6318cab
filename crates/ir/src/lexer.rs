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
    #[inline]
    pub(crate) fn take_comments(&mut self) -> Option<Box<str>> {
        self.has_comments.then(|| self.comments_from(|text| text))
    }

    /// [`Lexer::take_comments`] without blank lines before the first.
    pub(crate) fn take_leading_comments(&mut self) -> Option<Box<str>> {
        self.has_comments
            .then(|| self.comments_from(|text| text.trim_start_matches('\n')))
    }

    fn comments_from(&mut self, part: impl FnOnce(&str) -> &str) -> Box<str> {
        self.has_comments = false;
        let text = part(&self.comments).into();
        self.comments.clear();
        text
    }

    /// The next token.
    #[inline]
    pub(crate) fn next(&mut self) -> Token {
        // Nearly always one blank or none stands between two tokens of a line.
        let at = self.at + usize::from(self.peek(0) == b' ');
        let class = CLASS[usize::from(self.byte(at))];
        if class == Class::Blank || self.at == 0 {
            return self.next_line();
        }
        self.at = at;
        self.token(class, false, false)
    }

    /// The next token after blanks, lines and comments.
    #[inline(never)]
    fn next_line(&mut self) -> Token {
        let (leads, blank) = self.skip_blanks();
        let class = CLASS[usize::from(self.peek(0))];
        self.token(class, leads, blank)
    }

    /// The token that begins here.
    #[inline]
    fn token(&mut self, class: Class, leads: bool, blank: bool) -> Token {
        if class != Class::Punct {
            return self.long_token(class, leads, blank);
        }
        let start = self.at;
        self.at += 1;
        Token {
            kind: Kind::Punct(self.byte(start)),
            start: start as u32,
            end: start as u32 + 1,
            leads,
            blank,
        }
    }

    #[inline(never)]
    fn long_token(&mut self, class: Class, leads: bool, blank: bool) -> Token {
        let start = self.at;
        let kind = match class {
            Class::Blank | Class::Punct | Class::Other => self.kind(),
            _ => self.name(class),
        };
        Token {
            kind,
            start: start as u32,
            end: self.at as u32,
            leads,
            blank,
        }
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        self.byte(self.at + ahead)
    }

    /// Skips blanks, lines and comments. Yields whether a line begins and whether a blank line stands before.
    #[inline(never)]
    fn skip_blanks(&mut self) -> (bool, bool) {
        let first = self.at == 0;
        let (mut leads, mut newlines) = (first, u32::from(first));
        loop {
            match self.peek(0) {
                b'\n' => {
                    newlines += 1;
                    leads = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    self.comment(newlines > 1);
                    newlines = 0;
                }
                _ => return (leads, newlines > 1),
            }
        }
    }

    fn comment(&mut self, blank: bool) {
        let start = self.at;
        let rest = &self.text[start..];
        let line = rest.iter().position(|&byte| byte == b'\n');
        self.at = line.map_or(self.text.len(), |at| start + at);
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

    /// A token that is no word, no name and no punctuation.
    #[inline(never)]
    fn kind(&mut self) -> Kind {
        let Some(&first) = self.text.get(self.at) else {
            return Kind::End;
        };
        self.at += 1;
        match first {
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
            _ => {
                while self.at < self.text.len() && self.text[self.at] & 0xc0 == 0x80 {
                    self.at += 1;
                }
                Kind::Stray
            }
        }
    }

    /// A word, or a name with its sigil.
    #[inline]
    fn name(&mut self, class: Class) -> Kind {
        let start = self.at + usize::from(class != Class::Word);
        let mut end = word_end(self.text, start);
        // The names of values and labels have no dots.
        while self.byte(end) == b'.'
            && !matches!(class, Class::Value | Class::Label)
            && is_word(self.byte(end + 1))
        {
            end = word_end(self.text, end + 1);
        }
        self.at = end;
        if end == start {
            return Kind::Nameless;
        }
        match class {
            Class::Value => Kind::Value,
            Class::Symbol => Kind::Symbol,
            Class::Ref => Kind::Ref,
            Class::Label => Kind::Label,
            _ => Kind::Word,
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

/// The end of the identifier characters that begin at `at`.
#[inline]
pub(crate) fn word_end(text: &[u8], at: usize) -> usize {
    // Eight bytes at a time: the lengths of names follow no pattern that a branch per byte could predict.
    if let Some(Ok(chunk)) = text.get(at..at + 8).map(<[u8; 8]>::try_from) {
        let others = !word_bytes(u64::from_le_bytes(chunk)) & HIGH;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
    }
    long_word_end(text, at)
}

#[inline(never)]
fn long_word_end(text: &[u8], mut at: usize) -> usize {
    while let Some(Ok(chunk)) = text.get(at..at + 8).map(<[u8; 8]>::try_from) {
        let others = !word_bytes(u64::from_le_bytes(chunk)) & HIGH;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len())
}

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = ONES << 7;

/// The high bit of every byte of `chunk` that [`is_word`] admits; the other bits are void.
#[inline]
const fn word_bytes(chunk: u64) -> u64 {
    // Adding to seven bits carries into the eighth from the limit on, and never into the next byte.
    const fn at_least(low: u64, limit: u8) -> u64 {
        low + ONES * (0x80 - limit) as u64
    }
    let low = chunk & !HIGH;
    let letters = low | ONES << 5;
    let letter = at_least(letters, b'a') & !at_least(letters, b'z' + 1);
    let digit = at_least(low, b'0') & !at_least(low, b'9' + 1);
    let underscore = !at_least(low ^ (ONES * b'_' as u64), 1);
    let dollar = !at_least(low ^ (ONES * b'$' as u64), 1);
    (letter | digit | underscore | dollar) & !chunk
}

/// What a byte begins; `Blank` includes what may begin a comment, `Other` all that is rarer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Value,
    Symbol,
    Ref,
    Label,
    Punct,
    Other,
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\n' | b' ' | b'\t' | b'\r' | b'/' => Class::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Word,
            b'%' => Class::Value,
            b'@' => Class::Symbol,
            b'#' => Class::Ref,
            b'^' => Class::Label,
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'=' | b':' | b',' | b'|' => Class::Punct,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_bytes_agree_with_is_word() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                for around in [b'a', b' ', 0, 0xff] {
                    let mut chunk = [around; 8];
                    chunk[place] = byte;
                    let found = word_bytes(u64::from_le_bytes(chunk)) >> (place * 8 + 7) & 1 == 1;
                    assert_eq!(found, is_word(byte), "{byte:#x} at {place} in {around:#x}");
                }
            }
        }
    }

    #[test]
    fn words_end_where_they_end() {
        for length in 0..20 {
            for rest in ["", ".", " and more of it"] {
                let text = format!("{}{rest}", "w".repeat(length));
                assert_eq!(word_end(text.as_bytes(), 0), length);
            }
        }
    }
}
