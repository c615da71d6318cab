//! `loom-cc` and `loom-c++` as drop-in compilers, looked at from outside: beside clang-22, and through the payloads
//! they leave in objects.

mod anchors;
mod carriage;
mod compiled;
mod determinism;
mod differential;
mod field;
mod sandbox;
mod worker;

pub use compiled::{Compiled, payloads_of};
pub use sandbox::{Compiler, Sandbox, copy_tree};
pub use worker::Worker;
