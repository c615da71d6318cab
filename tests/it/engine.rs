//! The engine seen from its hosts: one process holds clang, LLVM and MLIR; every host gives the same bytes; a
//! worker may die at any moment.

mod counts;
mod face;
mod hosts;
mod module_counts;
mod modules;
mod oracle;
pub mod world;
