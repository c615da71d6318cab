//! `#pragma loom candidate` looked at from outside: what is accepted and refused, what arrives in the module, and
//! that the code stays what it is without the hint.

mod actions;
mod cases;
mod census;
mod corpus;
mod cost;
mod field;
mod fuzz;
mod mutations;
mod retention;
mod table;
mod twin;

pub use cases::twin;
pub use corpus::{Kind, source};
