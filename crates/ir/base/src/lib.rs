//! Values that every layer of Loom shares.
//!
//! **Invariant:** this crate knows nothing of salsa, LLVM, files, threads or either language; it holds only
//! plain data with value equality. Whatever two layers both need to name lives here and nowhere else.

mod blob;
mod diagnostic;
mod digest;
mod outcome;
mod source;

pub use blob::Blob;
pub use diagnostic::{Code, Diagnostic, FileName, Place, Related, Severity};
pub use digest::{Digest, DigestWriter, ParseDigestError};
pub use outcome::Outcome;
pub use source::{LineColumn, SourceText};
