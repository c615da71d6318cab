//! Modules as bytes (decision 30).
//!
//! A file is a fixed header, a directory with one row per item, tables of names and references, and then the
//! items' bytes, so that a reader learns all symbols and references without touching a body. One checksum
//! covers header, directory and tables; every facet of an item has its own, verified when it is read.
//!
//! The bytes of an item are those of [`crate::Symbol::semantic`]: they mean the same in any file.

pub use file::{decode, encode, encode_with_metadata, is_bytecode};
#[cfg(test)]
pub(crate) use file::{decode_with, encode_with};
pub(crate) use item::Encoder;
pub use read::{Malformed, decode_item, join_facets, only_facets};
pub use seal::{Checksum, Seal};
pub use summary::{
    BytecodeSummary, BytecodeSymbol, damaged_symbol, read_body, read_facets, summarize_bytecode,
};

mod file;
mod item;
mod parts;
mod read;
mod seal;
mod summary;
mod wire;
