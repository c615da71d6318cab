//! Door A without LLVM: everything about payloads, carriers and engine traffic that is pure bytes.
//!
//! **Invariant:** no LLVM, no salsa, no files. LLVM modules appear here only as bitcode bytes that the
//! engine has already parsed, verified and normalized.

pub mod engine;
pub mod worker;
