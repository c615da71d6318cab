//! `loom lto` at the command line.
