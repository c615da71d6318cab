//! The tables of a file: all symbols and references, without a body.
//!
//! ```text
//! tables    = names directory trailing metadata      the last two: length, then bytes
//! names     = count { length bytes }
//! directory = { op(2) name flags contract configuration implementation trivia checksums references }
//!                                          the four lengths are those of the item's parts
//! checksums = { eight bytes }              one for each part that is not empty
//! references = count { name op(2) slot(1) facet(1) }
//! ```

use std::ops::Range;

use loom_base::{Diagnostic, DigestWriter, FileName};

use super::file::{HEADER, MAGIC, VERSION, malformed};
use super::seal::{Checksum, Seal};
use super::wire::{Malformed, Read, Reader, uint_length};
use crate::symbols::{Facet, Reference, SymbolFlags};
use crate::table::{OpTable, SymbolKind};

/// What the tables of a bytecode file say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BytecodeSummary {
    /// One entry per item, in order.
    pub symbols: Vec<BytecodeSymbol>,
    /// Comments after the last op.
    pub trailing: Box<str>,
    /// Where metadata that is not part of the module stands in the file.
    pub metadata: Range<u64>,
}

/// One row of the directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BytecodeSymbol {
    /// What it names; `None` for an item without a symbol.
    pub kind: Option<SymbolKind>,
    /// The defining or declaring op.
    pub op: &'static str,
    /// The name, without `@`.
    pub name: Box<str>,
    /// How many symbols of the same kind and name stand before it.
    pub occurrence: u32,
    /// Visibility and nature.
    pub flags: SymbolFlags,
    /// Position in the module.
    pub ordinal: u32,
    /// Where [`crate::Symbol::semantic`] stands in the file.
    pub semantic: Range<u64>,
    /// The facets within `semantic`, in the order of [`Facet::ALL`].
    pub facets: [Range<u32>; 3],
    /// Where [`crate::Symbol::trivia`] stands in the file.
    pub trivia: Range<u64>,
    /// Mentions of other symbols in the order of the text.
    pub references: Vec<Reference>,
    /// What tells whether `semantic` is undamaged, facet by facet.
    pub seal: Seal,
    /// What tells whether `trivia` is undamaged.
    pub trivia_checksum: Checksum,
}

/// Reads header and tables of `bytes`; no body is touched.
///
/// # Errors
/// One `BYTECODE` diagnostic at `file` when the bytes are truncated, damaged, foreign, or of another version.
pub fn summarize_bytecode(bytes: &[u8], file: &FileName) -> Result<BytecodeSummary, Box<Diagnostic>> {
    open(OpTable::standard(), bytes, file)
}

/// The bytes of one item, semantic ones and comments, after checking that they are undamaged.
///
/// # Errors
/// `BYTECODE/004` when the checksum differs.
pub fn read_body<'a>(
    bytes: &'a [u8],
    symbol: &BytecodeSymbol,
    file: &FileName,
) -> Result<(&'a [u8], &'a [u8]), Box<Diagnostic>> {
    body_bytes(bytes, symbol, file)
}

pub(super) fn body_bytes<'a>(
    bytes: &'a [u8],
    symbol: &BytecodeSymbol,
    file: &FileName,
) -> Result<(&'a [u8], &'a [u8]), Box<Diagnostic>> {
    let part = |range: &Range<u64>| bytes.get(range.start as usize..range.end as usize);
    let (Some(semantic), Some(trivia)) = (part(&symbol.semantic), part(&symbol.trivia)) else {
        return Err(malformed(file, bytes.len(), "unexpected end"));
    };
    let sound = symbol.seal.holds(semantic) && symbol.trivia_checksum.holds(trivia);
    match sound {
        true => Ok((semantic, trivia)),
        false => Err(damaged_symbol(file, &symbol.name)),
    }
}

/// The bytes of one item with only the facets `wanted` and the contract, as [`crate::only_facets`] gives them,
/// after checking that these are undamaged. Other facets may hold anything.
///
/// # Errors
/// `BYTECODE/004` when a checksum differs.
pub fn read_facets(
    bytes: &[u8],
    symbol: &BytecodeSymbol,
    wanted: &[Facet],
    file: &FileName,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let semantic = bytes.get(symbol.semantic.start as usize..symbol.semantic.end as usize);
    let Some(semantic) = semantic else {
        return Err(malformed(file, bytes.len(), "unexpected end"));
    };
    let opened = symbol.seal.open(semantic, wanted);
    opened.ok_or_else(|| damaged_symbol(file, &symbol.name))
}

/// `BYTECODE/004` about the bytes of the symbol `name` in `file`.
pub fn damaged_symbol(file: &FileName, name: &str) -> Box<Diagnostic> {
    damaged(
        file,
        format!("the bytes of '@{name}' are damaged: their checksum differs"),
    )
}

pub(super) fn open(
    table: &OpTable,
    bytes: &[u8],
    file: &FileName,
) -> Result<BytecodeSummary, Box<Diagnostic>> {
    if !bytes.starts_with(MAGIC) {
        let message = "this is not Loom bytecode";
        let diagnostic = Diagnostic::error("BYTECODE/001", message).at(file, 0..0);
        return Err(Box::new(
            diagnostic.help("text is read with `--from=text`; bytecode begins with `LOOMIR`"),
        ));
    }
    let Some((header, rest)) = bytes.split_at_checked(HEADER) else {
        return Err(truncated(file));
    };
    let u32_at = |at: usize| {
        header[at..at + 4]
            .iter()
            .rev()
            .fold(0u32, |all, &byte| all << 8 | u32::from(byte))
    };
    let u64_at = |at: usize| {
        header[at..at + 8]
            .iter()
            .rev()
            .fold(0u64, |all, &byte| all << 8 | u64::from(byte))
    };
    let version = u32_at(8);
    if version != VERSION {
        let message = format!("unsupported bytecode version {version}, expected {VERSION}");
        let help = match version > VERSION {
            true => "a newer Loom wrote this file; read it with that version or write it again from its text",
            false => "write the file again from its text",
        };
        return Err(Box::new(
            Diagnostic::error("BYTECODE/002", message)
                .at(file, 0..0)
                .help(help),
        ));
    }
    if u64_at(16) > bytes.len() as u64 {
        return Err(truncated(file));
    }
    if u64_at(16) < bytes.len() as u64 {
        return Err(malformed(file, u64_at(16) as usize, "bytes after the end"));
    }
    let Some(tables) = usize::try_from(u64_at(24))
        .ok()
        .and_then(|length| rest.get(..length))
    else {
        return Err(malformed(file, 24, "tables that are longer than the file"));
    };
    let digest = DigestWriter::default().raw(&header[..32]).raw(tables).finish();
    if digest.as_bytes()[..16] != header[32..] {
        return Err(damaged(
            file,
            "the tables of the file are damaged: their checksum differs".to_owned(),
        ));
    }
    let at = |error: Malformed| malformed(file, HEADER + error.at, error.what);
    read_tables(table, tables, u32_at(12), bytes.len() as u64).map_err(at)
}

fn truncated(file: &FileName) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error("BYTECODE/003", "unexpected end of bytecode").at(file, 0..0);
    Box::new(diagnostic.help("the file is truncated: write it again from its text"))
}

fn damaged(file: &FileName, message: String) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error("BYTECODE/004", message).at(file, 0..0);
    Box::new(diagnostic.help("write the file again from its text"))
}

fn read_tables(table: &OpTable, tables: &[u8], count: u32, length: u64) -> Read<BytecodeSummary> {
    let mut reader = Reader::new(tables);
    let names = (0..reader.count(1)?)
        .map(|_| reader.text())
        .collect::<Read<Vec<&str>>>()?;
    let mut at = (HEADER + tables.len()) as u64;
    let mut seen = rustc_hash::FxHashMap::default();
    if count as usize > reader.left() {
        return reader.fail("count out of range");
    }
    let mut symbols = Vec::with_capacity(count as usize);
    for ordinal in 0..count {
        let (mut symbol, name) = read_row(table, &mut reader, &names, &mut at)?;
        symbol.ordinal = ordinal;
        let seen = seen.entry((symbol.kind, name)).or_insert(0);
        symbol.occurrence = *seen;
        *seen += 1;
        symbols.push(symbol);
    }
    let start = reader.at;
    let trailing = match reader.clone().text()? {
        "" => reader.text()?,
        _ => super::read::comments(&mut reader, true)?,
    };
    if trailing.starts_with('\n') {
        return Err(Malformed {
            at: start,
            what: "a comment that is none",
        });
    }
    let metadata = reader.block()?;
    let end = (HEADER + reader.at) as u64;
    if reader.left() > 0 {
        return reader.fail("bytes after the tables");
    }
    if at != length {
        return reader.fail("items that do not fill the file");
    }
    Ok(BytecodeSummary {
        symbols,
        trailing: trailing.into(),
        metadata: end - metadata.len() as u64..end,
    })
}

/// One row of the directory, and the name in it.
fn read_row<'n>(
    table: &OpTable,
    reader: &mut Reader<'_>,
    names: &[&'n str],
    at: &mut u64,
) -> Read<(BytecodeSymbol, &'n str)> {
    let def = read_op(table, reader)?;
    let name = read_name(reader, names)?;
    let flags = SymbolFlags(reader.u32()?);
    let mut offset = 0u64;
    let mut facets = [0..0, 0..0, 0..0];
    for facet in &mut facets {
        let length = reader.u32()?;
        offset += uint_length(length.into()) as u64;
        *facet = match u32::try_from(offset + u64::from(length)) {
            Ok(end) => offset as u32..end,
            Err(_) => return reader.fail("an item that is too long"),
        };
        offset += u64::from(length);
    }
    let trivia = u64::from(reader.u32()?);
    let semantic = *at..*at + offset;
    let trivia = semantic.end..semantic.end + trivia;
    *at = trivia.end;
    let mut checksums = [Checksum::default(); 4];
    let parts = [
        !facets[0].is_empty(),
        !facets[1].is_empty(),
        !facets[2].is_empty(),
        !trivia.is_empty(),
    ];
    for (checksum, _) in checksums
        .iter_mut()
        .zip(parts)
        .filter(|(_, has_bytes)| *has_bytes)
    {
        checksum.0.copy_from_slice(reader.take(8)?);
    }
    let [contract, configuration, implementation, trivia_checksum] = checksums;
    let mut references = Vec::new();
    for _ in 0..reader.count(5)? {
        let symbol = read_name(reader, names)?;
        let def = read_op(table, reader)?;
        let Some(slot) = def.slots.get(usize::from(reader.u8()?)) else {
            return reader.fail("unknown slot");
        };
        let Some(&facet) = Facet::ALL.get(usize::from(reader.u8()?)) else {
            return reader.fail("unknown facet");
        };
        references.push(Reference {
            symbol: symbol.into(),
            op: def.name,
            slot: slot.name,
            facet,
        });
    }
    let symbol = BytecodeSymbol {
        kind: def.defines.map(|(_, kind)| kind),
        op: def.name,
        name: name.into(),
        occurrence: 0,
        flags,
        ordinal: 0,
        semantic,
        facets,
        trivia,
        references,
        seal: Seal([contract, configuration, implementation]),
        trivia_checksum,
    };
    Ok((symbol, name))
}

fn read_op<'t>(table: &'t OpTable, reader: &mut Reader<'_>) -> Read<&'t crate::table::OpDef> {
    let code = u16::from(reader.u8()?) << 8 | u16::from(reader.u8()?);
    match table.get(code) {
        Some(def) => Ok(def),
        None => reader.fail("unknown op"),
    }
}

fn read_name<'n>(reader: &mut Reader<'_>, names: &[&'n str]) -> Read<&'n str> {
    let number = reader.u32()? as usize;
    match names.get(number) {
        Some(name) => Ok(name),
        None => reader.fail("unknown name"),
    }
}
