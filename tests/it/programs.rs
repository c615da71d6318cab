//! Programs that people use, built by their own unchanged build systems with `CC=loom-cc`: their tests give what they
//! give with clang-22, and every object from C has exactly one valid payload.

mod dsp;
mod lua;
mod project;
mod sqlite;
mod tree;
mod zlib;

pub use tree::{Tree, assert_same_objects};
