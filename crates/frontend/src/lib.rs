//! Door A without LLVM: everything about payloads, carriers and engine traffic that is pure bytes.
//!
//! **Invariant:** no LLVM, no salsa, no files. LLVM modules appear here only as bitcode bytes that the
//! engine has already parsed, verified and normalized.

pub mod abi;
pub mod artifact;
pub mod carrier;
pub mod engine;
mod error;
pub mod hint;
pub mod link;
pub mod payload;
pub mod provider;
pub mod raise;
pub mod report;
pub mod view;
pub mod worker;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod testing;
