//! The text of one file with its line table: byte offsets to lines and columns.

use std::sync::Arc;

use crate::FileName;

/// A place as people read it: both numbers count from one, the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A file's name and text, with the start of each line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    name: FileName,
    text: Arc<str>,
    line_starts: Box<[u32]>,
}

impl SourceText {
    /// Indexes the lines of `text`. Lines end at `\n`.
    pub fn new(name: FileName, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let line_ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(line_ends.map(|(at, _)| at as u32 + 1))
            .collect();
        Self {
            name,
            text,
            line_starts,
        }
    }

    /// The name diagnostics use.
    pub fn name(&self) -> &FileName {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place of byte `offset`. An offset past the end, or inside a character, counts as the nearest
    /// character border before it.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self
            .line_starts
            .partition_point(|&start| start as usize <= offset)
            - 1;
        let before = &self.text[self.line_starts[line] as usize..offset];
        LineColumn {
            line: line as u32 + 1,
            column: before.chars().count() as u32 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = SourceText::new("x.loom".into(), "a\nµb\n");
        let at = |offset| {
            let LineColumn { line, column } = source.line_column(offset);
            (line, column)
        };
        assert_eq!(
            [at(0), at(1), at(2), at(3), at(4), at(6), at(99)],
            [(1, 1), (1, 2), (2, 1), (2, 1), (2, 2), (3, 1), (3, 1)]
        );
    }
}
