//! Types by their spelling: most types of a text were met before.

use std::ops::Range;

use super::Parser;
use crate::lexer::word_end;
use crate::module::{TypeId, key, place};

/// What types are called, remembered.
#[derive(Default)]
pub(super) struct TypeNames {
    /// The types without parameters, if any, that short words name, by the key of the word.
    plain: [(u64, Option<TypeId>); PLAIN],
    /// Spellings of shapes in the current item, such as `view<4xf32>`, and their types.
    shapes: Vec<(Range<u32>, TypeId)>,
}

const PLAIN: usize = 32;
const SHAPES: usize = 8;

impl TypeNames {
    /// Forgets what holds for one item only.
    pub(super) fn next_item(&mut self) {
        self.shapes.clear();
    }

    /// In the current item the shape written as `spelling` is `ty`.
    pub(super) fn remember(&mut self, spelling: Range<u32>, ty: TypeId) {
        if self.shapes.len() < SHAPES {
            self.shapes.push((spelling, ty));
        }
    }
}

impl Parser<'_> {
    /// Where the shape that begins here stands, if it is written without blanks, names and qualifiers: its
    /// spelling then means the same everywhere.
    pub(super) fn simple_shape(&self) -> Option<Range<u32>> {
        let bytes = self.text.as_bytes();
        let open = self.token.end as usize;
        if bytes.get(open) != Some(&b'<') {
            return None;
        }
        let close = word_end(bytes, open + 1);
        (bytes.get(close) == Some(&b'>')).then(|| self.token.start..close as u32 + 1)
    }

    pub(super) fn known_shape(&self, spelling: &Range<u32>) -> Option<TypeId> {
        let bytes = |range: &Range<u32>| &self.text.as_bytes()[range.start as usize..range.end as usize];
        let wanted = bytes(spelling);
        let mut known = self.type_names.shapes.iter();
        known.find(|(other, _)| bytes(other) == wanted).map(|(_, ty)| *ty)
    }

    /// The type without parameters that the current token, a word, names.
    #[inline]
    pub(super) fn plain_type(&mut self) -> Option<TypeId> {
        let key = key(
            self.text.as_bytes(),
            self.token.start as usize,
            self.token.end as usize,
        );
        let entry = &mut self.type_names.plain[place(key, PLAIN)];
        if entry.0 == key && self.token.end - self.token.start < 8 {
            return entry.1;
        }
        let name = &self.text[self.token.start as usize..self.token.end as usize];
        *entry = (key, TypeId::builtin(name).filter(|_| name != "encoding"));
        entry.1
    }
}
