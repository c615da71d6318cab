//! Everything of Loom that links LLVM, clang or MLIR.
//!
//! **Invariants:** raw LLVM and MLIR handles stay inside [`ffi`]; everything else here, and everything public,
//! is bytes. All C++ is in `cpp/` behind one header of plain C. This crate knows nothing of salsa.

mod ffi;
mod import;
mod link;
mod module;
mod native_link;
mod one_shot;
mod payload;
mod raise;
mod recorded;
mod versions;
mod worker;

pub use import::import_into_mlir;
pub use link::link;
pub use module::{fold_constants, measure_normalization, normalize, pack, read_carriers};
pub use one_shot::{compile_command, compile_job};
pub use raise::{measure_raising, raise};
pub use recorded::compile_recorded;
pub use versions::versions;
pub use worker::serve;
