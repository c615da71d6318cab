//! Entries as bytes. Paths share their beginnings with the path before, so a record is mostly signatures.

use loom_base::Digest;

use super::entry::{ActionResult, Effect, Entry, Input, Output, Program, Seen, State};
use super::said::{Renderings, Said, Style};
use crate::Kind;

/// The bytes of `entry`.
pub fn encode(entry: &Entry) -> Vec<u8> {
    let mut out = Writer::default();
    out.number(entry.inputs.len() as u64);
    let mut last: &[u8] = b"";
    for input in &entry.inputs {
        let shared = input.path.iter().zip(last).take_while(|(a, b)| a == b).count();
        out.number(shared as u64);
        out.bytes(&input.path[shared..]);
        out.state(&input.state);
        last = &input.path;
    }
    out.number(entry.variables.len() as u64);
    for (name, value) in &entry.variables {
        out.bytes(name);
        out.optional(value.as_deref());
    }
    out.byte(entry.times_matter.into());
    out.result(&entry.result);
    out.bytes
}

/// The entry with these bytes; `None` if they are none.
pub fn decode(bytes: &[u8]) -> Option<Entry> {
    let mut from = Reader { bytes };
    let mut inputs = Vec::with_capacity(from.count()?);
    let mut last = Vec::new();
    for _ in 0..inputs.capacity() {
        let shared = usize::try_from(from.number()?).ok()?;
        let rest = from.bytes()?;
        let mut path = Vec::with_capacity(shared.min(last.len()) + rest.len());
        path.extend_from_slice(last.get(..shared)?);
        path.extend_from_slice(rest);
        last.clone_from(&path);
        inputs.push(Input {
            path,
            state: from.state()?,
        });
    }
    let mut variables = Vec::with_capacity(from.count()?);
    for _ in 0..variables.capacity() {
        let name = from.bytes()?.to_vec();
        variables.push((name, from.optional()?));
    }
    let times_matter = from.byte()? != 0;
    let result = from.result()?;
    from.bytes.is_empty().then_some(Entry {
        inputs,
        variables,
        times_matter,
        result,
    })
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Seven bits a byte, the lowest first.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    fn word(&mut self, word: u64) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    fn optional(&mut self, bytes: Option<&[u8]>) {
        self.byte(bytes.is_some().into());
        if let Some(bytes) = bytes {
            self.bytes(bytes);
        }
    }

    fn digest(&mut self, digest: &Digest) {
        self.bytes.extend_from_slice(digest.as_bytes());
    }

    fn seen(&mut self, seen: &Seen) {
        self.byte(kind_number(seen.kind));
        self.number(seen.size);
        for time in [seen.mtime, seen.ctime, seen.taken] {
            self.word(time as u64);
        }
        self.number(seen.inode);
        self.number(seen.device);
    }

    fn state(&mut self, state: &State) {
        match state {
            State::Absent => self.byte(0),
            State::Present { kind, identity } => {
                self.byte(1);
                self.byte(kind_number(*kind));
                self.number(identity.0);
                self.number(identity.1);
            }
            State::Timed { seen } => {
                self.byte(2);
                self.seen(seen);
            }
            State::Content { seen, digest, real } => {
                self.byte(3);
                self.seen(seen);
                self.digest(digest);
                self.optional(real.as_deref());
            }
            State::Listing { seen, digest } => {
                self.byte(4);
                self.seen(seen);
                self.digest(digest);
            }
            State::Resolved(path) => {
                self.byte(5);
                self.bytes(path);
            }
        }
    }

    fn result(&mut self, result: &ActionResult) {
        self.byte(result.status);
        self.said(&result.said);
        self.number(result.outputs.len() as u64);
        for output in &result.outputs {
            self.bytes(&output.path);
            match &output.effect {
                Effect::Replaced(digest) => {
                    self.byte(0);
                    self.digest(digest);
                }
                Effect::Written(digest) => {
                    self.byte(1);
                    self.digest(digest);
                }
                Effect::Removed => self.byte(2),
            }
        }
        self.optional(result.program.as_ref().map(|it| &it.path[..]));
        if let Some(program) = &result.program {
            self.number(program.arguments.len() as u64);
            for argument in &program.arguments {
                self.bytes(argument);
            }
        }
    }
}

impl Writer {
    fn said(&mut self, said: &Said) {
        self.bytes(&said.printed);
        self.style(said.terminal);
        self.number(said.columns.map_or(0, |it| u64::from(it) + 1));
        self.number(said.colours.map_or(0, |it| u64::from(it) + 1));
        self.byte(said.renderings.is_some().into());
        let Some(Renderings { enough, texts }) = &said.renderings else {
            return;
        };
        self.number(u64::from(*enough));
        self.number(texts.len() as u64);
        for (index, (style, text)) in texts.iter().enumerate() {
            self.style(*style);
            // Most of them are equal: the number of the earlier one, from 2, or 1 for what was printed.
            let earlier = texts[..index].iter().position(|(_, it)| it == text);
            match (*text == said.printed, earlier) {
                (true, _) => self.number(1),
                (false, Some(earlier)) => self.number(earlier as u64 + 2),
                (false, None) => {
                    self.number(0);
                    self.bytes(text);
                }
            }
        }
    }

    fn style(&mut self, style: Style) {
        self.number(u64::from(style.columns));
        self.byte(style.colours.into());
    }
}

fn kind_number(kind: Kind) -> u8 {
    match kind {
        Kind::File => 0,
        Kind::Directory => 1,
        Kind::Other => 2,
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number of things that follow, each at least one byte long, so that damage cannot ask for much memory.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.bytes.len()).then_some(count)
    }

    fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*word))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(bytes)
    }

    fn optional(&mut self) -> Option<Option<Vec<u8>>> {
        Some(match self.byte()? {
            0 => None,
            _ => Some(self.bytes()?.to_vec()),
        })
    }

    fn digest(&mut self) -> Option<Digest> {
        let (raw, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(Digest::from_raw(*raw))
    }

    fn kind(&mut self) -> Option<Kind> {
        Some(match self.byte()? {
            0 => Kind::File,
            1 => Kind::Directory,
            2 => Kind::Other,
            _ => return None,
        })
    }

    fn seen(&mut self) -> Option<Seen> {
        Some(Seen {
            kind: self.kind()?,
            size: self.number()?,
            mtime: self.word()? as i64,
            ctime: self.word()? as i64,
            taken: self.word()? as i64,
            inode: self.number()?,
            device: self.number()?,
        })
    }

    fn state(&mut self) -> Option<State> {
        Some(match self.byte()? {
            0 => State::Absent,
            1 => State::Present {
                kind: self.kind()?,
                identity: (self.number()?, self.number()?),
            },
            2 => State::Timed { seen: self.seen()? },
            3 => State::Content {
                seen: self.seen()?,
                digest: self.digest()?,
                real: self.optional()?,
            },
            4 => State::Listing {
                seen: self.seen()?,
                digest: self.digest()?,
            },
            5 => State::Resolved(self.bytes()?.to_vec()),
            _ => return None,
        })
    }

    fn result(&mut self) -> Option<ActionResult> {
        let status = self.byte()?;
        let said = self.said()?;
        let mut outputs = Vec::with_capacity(self.count()?);
        for _ in 0..outputs.capacity() {
            let path = self.bytes()?.to_vec();
            let effect = match self.byte()? {
                0 => Effect::Replaced(self.digest()?),
                1 => Effect::Written(self.digest()?),
                2 => Effect::Removed,
                _ => return None,
            };
            outputs.push(Output { path, effect });
        }
        let program = match self.optional()? {
            None => None,
            Some(path) => {
                let mut arguments = Vec::with_capacity(self.count()?);
                for _ in 0..arguments.capacity() {
                    arguments.push(self.bytes()?.to_vec());
                }
                Some(Program { path, arguments })
            }
        };
        Some(ActionResult {
            status,
            said,
            outputs,
            program,
        })
    }
}

impl Reader<'_> {
    fn said(&mut self) -> Option<Said> {
        let printed = self.bytes()?.to_vec();
        let terminal = self.style()?;
        let columns = match self.number()? {
            0 => None,
            columns => Some(u16::try_from(columns - 1).ok()?),
        };
        let colours = match self.number()? {
            0 => None,
            1 => Some(false),
            _ => Some(true),
        };
        let renderings = match self.byte()? {
            0 => None,
            _ => Some(self.renderings(&printed)?),
        };
        Some(Said {
            printed,
            terminal,
            columns,
            colours,
            renderings,
        })
    }

    fn renderings(&mut self, printed: &[u8]) -> Option<Renderings> {
        let enough = u16::try_from(self.number()?).ok()?;
        let mut texts = Vec::<(Style, Vec<u8>)>::with_capacity(self.count()?);
        for _ in 0..texts.capacity() {
            let style = self.style()?;
            let text = match usize::try_from(self.number()?).ok()? {
                0 => self.bytes()?.to_vec(),
                1 => printed.to_vec(),
                earlier => texts.get(earlier - 2)?.1.clone(),
            };
            texts.push((style, text));
        }
        Some(Renderings { enough, texts })
    }

    fn style(&mut self) -> Option<Style> {
        Some(Style {
            columns: u16::try_from(self.number()?).ok()?,
            colours: self.byte()? != 0,
        })
    }
}
