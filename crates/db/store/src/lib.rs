//! The outside world behind one trait, and the store of contents by digest,
//! and the compile cache on top of it.
//!
//! **Invariant:** this crate knows nothing of salsa, LLVM or queries. The file system, the environment and the
//! clock are reached in [`OsSystem`] alone; everything above speaks to the trait [`System`], so that a test
//! can put a file system in memory, or one that fails at a chosen call, under any layer of Loom.

pub mod cache;
mod content;
mod faulty;
mod memory;
mod os;
mod overlay;
mod place;
mod stamp;
mod system;

pub use content::{ContentStore, StoreError};
pub use faulty::{Call, FaultySystem};
pub use memory::MemorySystem;
pub use os::{OsSystem, read_build_id};
pub use overlay::Overlay;
pub use stamp::Stamp;
pub use system::{DirEntry, Kind, Nanoseconds, Signature, System, Terminal, path_of};
