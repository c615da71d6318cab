//! The final link, as far as it can be told without LLVM: who takes part, whether their payloads agree, and what
//! becomes of each symbol (source integration, section 7, "Object Carrier And Final Link").
//!
//! The ordinary linker alone decides who takes part. Everything behind the resolution of symbols (COMDAT and ODR,
//! module flags, internalization, optimization) is LLVM's.

mod command;
mod error;
mod map;
mod members;
mod preflight;
mod report;
mod resolve;
mod selection;
mod symbols;

use loom_base::Blob;
use serde::{Deserialize, Serialize};

use crate::engine::NormalizedModule;

pub use command::{LinkerCommand, LinkerInput};
pub use error::LinkError;
pub use map::{LinkMap, Piece, parse_map};
pub use members::{ArchiveIndex, IndexedMember, is_archive, read_archive_index, read_members, unreadable};
pub use preflight::{LayoutAuthority, preflight};
pub use report::{
    LinkReport, ReportForm, ReportVersions, ReportedInput, ReportedMember, UnselectedMember, split_name,
};
pub use resolve::{Interest, Use, Visibility, resolve_symbols};
pub use selection::{SelectedRecord, read_selection};
pub use symbols::{LinkSymbol, SymbolKind, SymbolTable, read_symbol_table};

/// What is merged into one module, in link order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LinkRequest {
    /// Everything that the linker selected.
    pub members: Vec<LinkMember>,
    /// What is seen from outside of the merged module.
    pub visibility: Visibility,
    /// Whether two strong definitions of one symbol are an error; a native linker has judged them already.
    pub unique: bool,
    /// LLVM's level of whole-program optimization, 0 to 3.
    pub level: u8,
}

/// The level without `--loom-lto-O`: higher ones erase many candidate loops.
pub const DEFAULT_LEVEL: u8 = 1;

/// The level is at most this.
pub const HIGHEST_LEVEL: u8 = 3;

/// One object or archive member of a link.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LinkMember {
    /// The object's name, or `archive(member)`.
    pub name: String,
    /// What it brings.
    pub part: LinkPart,
}

/// What a member brings into a link.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LinkPart {
    /// A payload: its canonical root.
    Payload(Blob),
    /// A bitcode module: an LTO object that carries a payload inside, or a module of any frontend, which is normalized
    /// first.
    Module(Blob),
    /// No payload, but symbols that others refer to or that it refers to.
    Native(SymbolTable),
}

/// What a merge yields.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LinkedModule {
    /// The linked module in its normal form, verified; what raising takes.
    pub module: NormalizedModule,
}
