//! The identity of the LLVM that makes and reads payloads.

use serde::{Deserialize, Serialize};

/// One exact LLVM: a repository identity and a complete commit (source integration, section 7).
///
/// Two payloads can be linked only if their providers are equal, and a reader accepts only its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Provider {
    /// The closed repository identity, not a URL.
    pub repository: String,
    /// The full commit: 40 lowercase hex digits, never a release name or an abbreviation.
    pub commit: String,
}

impl Provider {
    /// The provider of this build: llvmorg-22.1.8.
    pub fn pinned() -> Self {
        Self {
            repository: "llvm-project".to_owned(),
            commit: "ca7933e47d3a3451d81e72ac174dcb5aa28b59d1".to_owned(),
        }
    }
}
