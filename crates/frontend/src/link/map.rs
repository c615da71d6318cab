//! What a linker's own map says: which input each piece of the output comes from.
//!
//! GNU ld and gold, lld, and mold write three formats, told apart by their headers. Everything a map says besides
//! pieces (symbols, fill, discarded sections, the script) is passed over.

use std::collections::BTreeSet;

/// The pieces of an output, in the order of the map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkMap {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

/// An input section in the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Name of the input section.
    pub section: String,
    /// Its address; for sections that are not loaded the offset in the output section.
    pub address: u64,
    /// Its length.
    pub size: u64,
    /// The input: an object's name, or `archive(member)`.
    pub input: String,
}

/// Reads a map. `None` if it is none that this reader knows.
pub fn parse_map(text: &str) -> Option<LinkMap> {
    let mut lines = text.lines();
    let pieces = loop {
        let line = lines.next()?;
        let words: Vec<_> = line.split_whitespace().collect();
        match &words[..] {
            ["Memory", "map"] | ["Linker", "script", "and", "memory", "map"] => break parse_gnu(lines),
            ["VMA", "LMA", "Size", "Align", ..] => break parse_columns(lines, &LLD),
            ["VMA", "Size", "Align", ..] => break parse_columns(lines, &MOLD),
            _ => {}
        }
    };
    Some(LinkMap { pieces })
}

impl LinkMap {
    /// The pieces whose input section has this name.
    pub fn pieces_of<'m>(&'m self, section: &'m str) -> impl Iterator<Item = &'m Piece> {
        self.pieces.iter().filter(move |it| it.section == section)
    }

    /// Every input that has a piece, in the order of their first ones.
    pub fn inputs(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let inputs = self.pieces.iter().map(|it| &it.input[..]);
        inputs.filter(|it| seen.insert(*it)).collect()
    }
}

/// GNU: ` .section  0xADDRESS  0xSIZE INPUT`, where a long section name has a line of its own.
fn parse_gnu<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut waiting: Option<&str> = None;
    for line in lines {
        // Output sections begin at the margin, their inputs are indented.
        let Some(indented) = line.strip_prefix(' ') else {
            waiting = None;
            continue;
        };
        let (section, rest) = if indented.starts_with(' ') {
            (waiting.take(), indented.trim_start())
        } else {
            let (name, rest) = indented.split_once(' ').unwrap_or((indented, ""));
            (Some(name), rest.trim_start())
        };
        let Some(section) = section else { continue };
        if rest.is_empty() {
            waiting = Some(section);
            continue;
        }
        if section.starts_with('*') {
            continue;
        }
        let piece = next_number(rest, 16).and_then(|(address, rest)| {
            let (size, rest) = next_number(rest, 16)?;
            Some((address, size, rest.trim()))
        });
        if let Some((address, size, input)) = piece
            && !input.is_empty()
        {
            pieces.push(Piece {
                section: section.to_owned(),
                address,
                size,
                input: input.to_owned(),
            });
        }
    }
    pieces
}

/// A format of columns: numbers, then names whose depth tells output section, input section and symbol apart.
struct Columns {
    radixes: &'static [u32],
    /// Which column holds the size.
    size: usize,
}

const LLD: Columns = Columns {
    radixes: &[16, 16, 16, 10],
    size: 2,
};

const MOLD: Columns = Columns {
    radixes: &[16, 10, 10],
    size: 1,
};

/// lld and mold: `NUMBERS         INPUT:(SECTION)`.
fn parse_columns<'t>(lines: impl Iterator<Item = &'t str>, columns: &Columns) -> Vec<Piece> {
    lines.filter_map(|line| parse_row(line, columns)).collect()
}

fn parse_row(line: &str, columns: &Columns) -> Option<Piece> {
    let mut rest = line;
    let mut numbers = Vec::new();
    for &radix in columns.radixes {
        let (number, behind) = next_number(rest, radix)?;
        numbers.push(number);
        rest = behind;
    }
    // One blank, then eight for each depth; symbols stand deeper than pieces.
    let name = rest.strip_prefix("         ")?;
    if name.starts_with(' ') {
        return None;
    }
    let (input, section) = name.strip_suffix(')')?.rsplit_once(":(")?;
    Some(Piece {
        section: section.to_owned(),
        address: numbers[0],
        size: numbers[columns.size],
        input: input.to_owned(),
    })
}

/// Splits the number off the front of `text`, `0x` or not.
fn next_number(text: &str, radix: u32) -> Option<(u64, &str)> {
    let text = text.trim_start();
    let end = text.find(' ').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let (digits, radix) = match word.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (word, radix),
    };
    Some((u64::from_str_radix(digits, radix).ok()?, rest))
}

#[cfg(test)]
mod tests;
