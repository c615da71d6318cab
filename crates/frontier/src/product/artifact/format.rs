//! The numbers of the format, all little-endian, without padding between tables (loom-language 5.4, decision 29).
//!
//! ```text
//!   0  "LOOMCMD\0"       8 u16 version     10 u16 header length     12 u32 total length
//!  16  u32 × 12  counts: fixed buffers, rebindable bindings, executables, entries, buffer ranges,
//!                argument bytes, commands, parameter roots, parameters, key bytes, schemas, kind bytes
//!  64  u32 × 8   offsets of the tables, which follow the header in this order: buffer ranges, schemas, kinds,
//!                argument data, commands, parameter roots, parameters, keys
//!  96  transient slab: u32 binding (all ones: none), u32 0, u64 length, u64 alignment
//! 120  launch counts: likewise
//!
//! range           role slot | offset | length (all ones: the rest)
//! schema          entry, first kind, arguments, argument bytes        an empty one begins at kind 0
//! command         kind, first argument byte, schema, five operands    one without arguments begins at byte 0
//! parameter root  slot 0 | length | alignment
//! parameter       key offset, key length, slot, 0 | offset | length | alignment
//! ```

/// The first bytes.
pub(super) const MAGIC: &[u8; 8] = b"LOOMCMD\0";
/// The version that is written and read.
pub(super) const VERSION: u16 = 1;
/// Length of the header.
pub(super) const HEADER: u32 = 144;
/// Length of a range of a buffer.
pub(super) const RANGE: u32 = 24;
/// Length of a schema.
pub(super) const SCHEMA: u32 = 16;
/// Length of a command.
pub(super) const COMMAND: u32 = 32;
/// Length of a parameter root.
pub(super) const ROOT: u32 = 24;
/// Length of a parameter.
pub(super) const PARAMETER: u32 = 40;

/// Stands for no binding.
pub(super) const NO_BINDING: u32 = u32::MAX;
/// Stands for the rest of a buffer.
pub(super) const REST: u64 = u64::MAX;

/// Role of a fixed buffer.
pub(super) const FIXED: u32 = 1;
/// Role of a rebindable binding.
pub(super) const REBINDABLE: u32 = 2;

/// Command kinds.
pub(super) const FILL: u32 = 1;
pub(super) const COPY: u32 = 2;
pub(super) const DIRECT: u32 = 3;
pub(super) const STATIC: u32 = 4;
pub(super) const DYNAMIC: u32 = 5;
pub(super) const BARRIER: u32 = 6;
/// Set in the kind of a command that waits for everything before it.
pub(super) const WAITS: u32 = 0x100;
