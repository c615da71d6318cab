//! The Loom language: op table, parser, printer, verifier, facts, folding, bytecode.
//!
//! **Invariant:** everything here is a pure function of its arguments. The crate knows nothing of queries,
//! files, threads or LLVM.
//!
//! | module | what lives there |
//! |---|---|
//! | `table` | one row per op: syntax, operands, results, traits, rules, documentation; all else is driven by it |
//! | `module` | a module in memory: one self-contained arena per top-level op |
//! | `lexer`, `parser` | text to module; recovers, reports many errors in one run |
//! | `printer` | module to canonical text |
//! | `verifier` | symbols, types, shapes, control, effects, uniformity |
//! | `symbols` | the symbols of a module with their bytes, facets and references |
//! | `bytecode` | modules as bytes whose tables are readable without bodies |
//! | [`facts`], [`fold`] | what is known about values; exact folding |
//! | [`codes`] | every diagnostic code with its meaning |
//! | [`walk`] | what an op mentions, whatever its kind |
//!
//! ```
//! let file = "sum.loom".into();
//! let text = "func.def @double(%a: index) -> (index) { %b = index.add %a,%a : index func.return %b : index }";
//! let parsed = loom_ir::parse(text, &file);
//! assert!(parsed.diagnostics.is_empty() && loom_ir::verify(&parsed.module, &file).is_empty());
//! let canonical = "func.def @double(%a: index) -> (index) {\n  %b = index.add %a, %a : index\n  func.return %b : index\n}\n";
//! assert_eq!(loom_ir::print(&parsed.module), canonical);
//! let bytes = loom_ir::encode(&parsed.module);
//! assert_eq!(loom_ir::print(&loom_ir::decode(&bytes, &file).unwrap()), canonical);
//! ```

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
    BytecodeSummary, BytecodeSymbol, Checksum, Malformed, Seal, damaged_symbol, decode, decode_item, encode,
    encode_with_metadata, is_bytecode, join_facets, only_facets, read_body, read_facets, summarize_bytecode,
};
pub use module::{
    Anchor, Attr, AttrId, Block, BlockId, Body, Builder, Dim, EncodingRole, Few, Function, Indexed, Item,
    Layout, Module, Op, OpId, OpView, OpenOp, Param, Region, RegionId, Register, Scalar, ShapeKind, Shaped,
    Span, Spans, StringId, Strings, Token, Trivia, Type, TypeId, Value, ValueId,
};
pub use parser::{Parsed, parse, parse_with};
pub use predicate::Predicate;
pub use printer::{print, print_item, print_with, type_text};
pub use symbols::{Facet, Reference, Symbol, SymbolFlags, symbol, symbols};
pub use table::{
    Binding, Class, Element, Form, KeySpec, OpDef, OpTable, Refers, RegionSpec, ResultSpec, Row, Rule, Slot,
    SlotKind, Step, SymbolKind, Traits,
};
pub use verifier::{verify, verify_with};

#[cfg(test)]
mod tests;
