//! The strings and metadata names in which a module carries candidate hints (source integration, section 3).
//!
//! The encoding is the provider's own: `schema|field|...`, numbers in decimal, the file's name after its length so
//! that it may hold any byte but NUL. There is exactly one spelling of a hint, and a reader accepts no other.

use std::fmt;

/// Function metadata: one string, the hint of the function.
pub const FUNCTION_METADATA: &str = "loom.candidate.function";
/// Function metadata: the manifest, one string for each candidate loop the source put into the function.
pub const LOOPS_METADATA: &str = "loom.candidate.loops";
/// A property in a loop's metadata node: this name, then the hint's string.
pub const LOOP_PROPERTY: &str = "llvm.loop.loom.candidate";
/// Function metadata: the definition is held for its hint. One bit: the source would have emitted it anyway.
pub const RETENTION_METADATA: &str = "loom.candidate.temporary_retention";

const FUNCTION_SCHEMA: &str = "loom.candidate.function.2.0";
const LOOP_SCHEMA: &str = "loom.candidate.loop.1.0";

/// A place in a source file, as its line directives present it. Both numbers count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in bytes.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where a hint stands and what it is about. Line directives may make the positions run backwards.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HintPlace {
    /// The file's presumed name: not empty, without NUL.
    pub file: Vec<u8>,
    /// The name of the function that carries the hint.
    pub carrier: Position,
    /// The pragma's `#`.
    pub pragma: Position,
    /// The first character of the function or loop.
    pub begin: Position,
    /// Behind its last character.
    pub end: Position,
}

/// A candidate hint.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Hint {
    /// On the function that carries it.
    Function(HintPlace),
    /// On a loop in the function that carries it.
    Loop {
        /// Tells the loops of one translation unit apart; not 0.
        marker: u64,
        /// Where.
        place: HintPlace,
    },
}

/// A string that is not a hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintError {
    /// It does not begin with a schema of this reader.
    Schema,
    /// The field of this name is missing, no number in range, or not in its one spelling.
    Field(&'static str),
    /// It goes on behind the last field.
    Trailing,
}

impl HintError {
    /// The stable category.
    pub fn code(self) -> &'static str {
        "candidate_hint_invalid_encoding"
    }
}

impl fmt::Display for HintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code())?;
        match self {
            Self::Schema => f.write_str("unknown schema of a candidate hint"),
            Self::Field(name) => write!(f, "the field `{name}` of a candidate hint is malformed"),
            Self::Trailing => f.write_str("a candidate hint goes on behind its last field"),
        }
    }
}

impl std::error::Error for HintError {}

/// The one spelling of `hint`.
pub fn encode_hint(hint: &Hint) -> Vec<u8> {
    let (mut text, place) = match hint {
        Hint::Function(place) => (format!("{FUNCTION_SCHEMA}|"), place),
        Hint::Loop { marker, place } => (format!("{LOOP_SCHEMA}|{marker}|"), place),
    };
    text += &format!("{}|", place.file.len());
    let mut text = text.into_bytes();
    text.extend_from_slice(&place.file);
    for Position { line, column } in [place.carrier, place.pragma, place.begin, place.end] {
        text.extend_from_slice(format!("|{line}|{column}").as_bytes());
    }
    text
}

/// Reads a hint in its one spelling.
pub fn decode_hint(text: &[u8]) -> Result<Hint, HintError> {
    let mut fields = Fields { rest: text };
    match fields.schema(&[FUNCTION_SCHEMA, LOOP_SCHEMA])? {
        FUNCTION_SCHEMA => Ok(Hint::Function(fields.place()?)),
        _ => Ok(Hint::Loop {
            marker: fields.number("marker")?,
            place: fields.place()?,
        }),
    }
}

/// What is left of a string.
struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn schema(&mut self, known: &[&'static str]) -> Result<&'static str, HintError> {
        let schema = known.iter().find(|it| {
            self.rest
                .strip_prefix(it.as_bytes())
                .is_some_and(|rest| rest.first() == Some(&b'|'))
        });
        let schema = schema.ok_or(HintError::Schema)?;
        self.rest = &self.rest[schema.len()..];
        Ok(schema)
    }

    /// `|` and a number without leading zeros, not 0.
    fn number(&mut self, name: &'static str) -> Result<u64, HintError> {
        let error = HintError::Field(name);
        let rest = self.rest.strip_prefix(b"|").ok_or(error)?;
        let length = rest.iter().take_while(|it| it.is_ascii_digit()).count();
        let (digits, rest) = rest.split_at(length);
        if digits.first() == Some(&b'0') {
            return Err(error);
        }
        let digits = std::str::from_utf8(digits).map_err(|_| error)?;
        self.rest = rest;
        digits.parse().map_err(|_| error)
    }

    fn position(&mut self, name: &'static str) -> Result<Position, HintError> {
        let mut half = || u32::try_from(self.number(name)?).map_err(|_| HintError::Field(name));
        Ok(Position {
            line: half()?,
            column: half()?,
        })
    }

    fn place(&mut self) -> Result<HintPlace, HintError> {
        let place = HintPlace {
            file: self.file()?.to_vec(),
            carrier: self.position("carrier")?,
            pragma: self.position("pragma")?,
            begin: self.position("begin")?,
            end: self.position("end")?,
        };
        self.end()?;
        Ok(place)
    }

    fn file(&mut self) -> Result<&'a [u8], HintError> {
        let error = HintError::Field("file");
        let length = usize::try_from(self.number("file")?).map_err(|_| error)?;
        let rest = self.rest.strip_prefix(b"|").ok_or(error)?;
        let (file, rest) = rest.split_at_checked(length).ok_or(error)?;
        if file.contains(&0) {
            return Err(error);
        }
        self.rest = rest;
        Ok(file)
    }

    fn end(&self) -> Result<(), HintError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(HintError::Trailing)
        }
    }
}

#[cfg(test)]
mod tests;
