//! The Loom language: op table, parser, printer, verifier, facts, folding, bytecode.
//!
//! **Invariant:** everything here is a pure function of its arguments. The crate knows nothing of queries,
//! files, threads or LLVM.

mod bytecode;
pub mod codes;
pub mod facts;
pub mod fold;
mod lexer;
mod module;
mod number;
mod parser;
mod predicate;
mod printer;
mod quote;
mod spelling;
mod symbols;
mod table;
mod verifier;
pub mod walk;

pub use bytecode::{
    BytecodeSummary, BytecodeSymbol, Malformed, decode, decode_item, encode, encode_with_metadata,
    is_bytecode, only_facets, read_body, summarize_bytecode,
};
pub use module::{
    Anchor, Attr, AttrId, Block, BlockId, Body, Builder, Dim, EncodingRole, Indexed, Item, Layout, Module,
    Op, OpId, OpView, OpenOp, Param, Region, RegionId, Scalar, ShapeKind, Shaped, Span, Spans, StringId,
    Strings, Token, Trivia, Type, TypeId, Value, ValueId,
};
pub use parser::{Parsed, parse, parse_with};
pub use predicate::Predicate;
pub use printer::{print, print_item, print_with};
pub use symbols::{Facet, Reference, Symbol, SymbolFlags, symbol, symbols};
pub use table::{
    Binding, Class, Element, Form, KeySpec, OpDef, OpTable, Refers, RegionSpec, ResultSpec, Row, Rule, Slot,
    SlotKind, Step, SymbolKind, Traits,
};
pub use verifier::{verify, verify_with};

#[cfg(test)]
mod tests;
