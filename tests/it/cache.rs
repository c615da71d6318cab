//! The compile cache of `loom-cc`, looked at from outside: every answer beside a compile without it.

mod command_line;
mod crowd;
mod edits;
mod imports;
mod inputs;
mod memory;
mod outputs;
mod place;
mod programs;
mod refusals;
mod shared;
mod terminals;
