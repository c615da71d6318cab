//! Whole files.
//!
//! ```text
//!  0  "LOOMIR" 0 0x0a
//!  8  u32 version         12  u32 number of items
//! 16  u64 file length     24  u64 length of the tables
//! 32  16 bytes: the beginning of the SHA-256 digest of bytes 0..32 and the tables
//! 48  tables: names, directory, trailing comments, metadata      then: the items' bytes, in order
//! ```
//! Fixed fields are little-endian. [`super::summary`] describes the tables.

use std::sync::Arc;

use loom_base::{Diagnostic, DigestWriter, FileName};

use super::item::{Encoded, Encoder};
use super::read::Decoder;
use super::seal::{Checksum, Seal};
use super::summary::{body_bytes, open};
use super::wire::Writer;
use crate::module::Module;
use crate::table::OpTable;

pub(super) const MAGIC: &[u8; 8] = b"LOOMIR\0\n";
pub(super) const VERSION: u32 = 1;
pub(super) const HEADER: usize = 48;

/// Whether `bytes` begin like bytecode. Text never does: it has no NUL.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The bytecode of `module`: equal modules have equal bytes. Items with syntax errors are left out.
pub fn encode(module: &Module) -> Vec<u8> {
    encode_with(OpTable::standard(), module, &[])
}

/// [`encode`] with `metadata` that is no part of the module (decision 31): text does not show it, [`decode`]
/// skips it, and [`crate::summarize_bytecode`] says where it stands.
pub fn encode_with_metadata(module: &Module, metadata: &[u8]) -> Vec<u8> {
    encode_with(OpTable::standard(), module, metadata)
}

/// [`encode`] with the ops of `table` and metadata that text does not show (decision 31).
pub(crate) fn encode_with(table: &OpTable, module: &Module, metadata: &[u8]) -> Vec<u8> {
    let items: Vec<_> = module.items.iter().filter(|item| !item.broken).collect();
    let mut encoder = Encoder::new(table);
    let mut bodies = Vec::new();
    let encoded: Vec<(Encoded, Seal, usize, Option<Checksum>)> = items
        .iter()
        .map(|item| {
            let encoded = encoder.item(item);
            let (semantic, trivia) = (encoder.semantic(), encoder.trivia());
            let seal = Seal::of(semantic, &encoded.facets);
            bodies.extend_from_slice(semantic);
            bodies.extend_from_slice(trivia);
            let sum = (!trivia.is_empty()).then(|| Checksum::of(trivia));
            (encoded, seal, trivia.len(), sum)
        })
        .collect();
    let mut names = Names::default();
    let mut directory = Writer::default();
    for (item, (encoded, seal, trivia, trivia_sum)) in items.iter().zip(&encoded) {
        let code = item.body.ops[0].code;
        directory.bytes.extend_from_slice(&code.to_be_bytes());
        directory.uint(names.number(item.symbol_in(table).map_or("", |(_, name)| name)));
        directory.uint(crate::symbols::flags(table, item).0.into());
        for facet in &encoded.facets {
            directory.uint((facet.end - facet.start).into());
        }
        directory.uint(*trivia as u64);
        let facets = encoded.facets.iter().zip(&seal.0);
        let sums = facets.filter(|(facet, _)| !facet.is_empty()).map(|it| *it.1);
        sums.chain(*trivia_sum)
            .for_each(|sum| directory.bytes.extend_from_slice(&sum.0));
        directory.uint(encoded.references.len() as u64);
        for reference in &encoded.references {
            directory.uint(names.number(&reference.symbol));
            let def = table.find(reference.op).map_or((0, 0), |def| {
                (def.code, def.slot_named(reference.slot).unwrap_or(0))
            });
            directory.bytes.extend_from_slice(&def.0.to_be_bytes());
            directory.u8(def.1 as u8);
            directory.u8(reference.facet as u8);
        }
    }
    let mut tables = Writer::default();
    tables.uint(names.list.len() as u64);
    names.list.iter().for_each(|name| tables.block(name.as_bytes()));
    tables.bytes.append(&mut directory.bytes);
    tables.block(module.trailing.as_bytes());
    tables.block(metadata);

    let length = HEADER + tables.bytes.len() + bodies.len();
    let mut out = Vec::with_capacity(length);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(items.len() as u32).to_le_bytes());
    out.extend_from_slice(&(length as u64).to_le_bytes());
    out.extend_from_slice(&(tables.bytes.len() as u64).to_le_bytes());
    let digest = DigestWriter::default().raw(&out).raw(&tables.bytes).finish();
    out.extend_from_slice(&digest.as_bytes()[..16]);
    out.append(&mut tables.bytes);
    out.append(&mut bodies);
    out
}

/// The module that [`encode`] wrote as `bytes`.
///
/// # Errors
/// One `BYTECODE` diagnostic at `file` when the bytes are truncated, damaged, foreign, or of another version.
pub fn decode(bytes: &[u8], file: &FileName) -> Result<Module, Box<Diagnostic>> {
    decode_with(OpTable::standard(), bytes, file)
}

pub(crate) fn decode_with(table: &OpTable, bytes: &[u8], file: &FileName) -> Result<Module, Box<Diagnostic>> {
    let summary = open(table, bytes, file)?;
    let mut items = Vec::with_capacity(summary.symbols.len());
    let mut decoder = Decoder::new(table);
    for entry in &summary.symbols {
        let (semantic, trivia) = body_bytes(bytes, entry, file)?;
        let item = decoder
            .item(semantic, trivia)
            .map_err(|error| malformed(file, entry.semantic.start as usize + error.at, error.what))?;
        let facts = item.symbol_in(table).map_or("", |(_, name)| name) == &*entry.name
            && item.op(table).name == entry.op
            && crate::symbols::flags(table, &item) == entry.flags;
        if !facts {
            return Err(malformed(
                file,
                entry.semantic.start as usize,
                "an item that is not what the directory says",
            ));
        }
        items.push(Arc::new(item));
    }
    Ok(Module {
        items,
        trailing: summary.trailing,
    })
}

/// The diagnostic for bytes that are not what they should be.
pub(super) fn malformed(file: &FileName, at: usize, what: &str) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error("BYTECODE/006", format!("malformed bytecode at byte {at}: {what}"));
    Box::new(
        diagnostic
            .at(file, 0..0)
            .help("write the file again from its text"),
    )
}

/// Names of the tables, each once.
#[derive(Default)]
struct Names<'a> {
    list: Vec<&'a str>,
    numbers: rustc_hash::FxHashMap<&'a str, u64>,
}

impl<'a> Names<'a> {
    fn number(&mut self, name: &'a str) -> u64 {
        *self.numbers.entry(name).or_insert_with(|| {
            self.list.push(name);
            self.list.len() as u64 - 1
        })
    }
}
