//! Command products: a prepared program, its schedule, and where the product stops (loom-language 5).
//!
//! A product goes through three steps. Preparation makes a flat [`Program`] of the facets that a link selected;
//! no kernel body is among them. Scheduling orders its commands in waves and lays out its storage. Encoding
//! writes the artifact. Whether launches of one kernel need one executable or several is decided beside that,
//! from the [`Program`] and what each kernel's body decides by its launch arguments.

pub use program::{
    Allocation, Argument, Binding, BufferRef, Callee, Command, Counts, Dispatch, Parameter, Program, Root,
    Site, Spot, Step,
};

mod program;
