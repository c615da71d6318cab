//! What a request says besides its module: product kind, roots, and the digest of its meaning (decision 30).
//!
//! ```text
//! "LOOMREQ\0"   u16 version = 1   u16 product kind   u32 number of roots
//! roots, each   u32 module   u32 symbol          then the 32 bytes of the semantic digest
//! ```
//! Fields are little-endian. Text does not show this, and bytecode made from that text does not have it.

use loom_base::{Diagnostic, Digest, FileName};
use loom_ir::Module;

use crate::product::codes;

const MAGIC: &[u8; 8] = b"LOOMREQ\0";
const VERSION: u16 = 1;

/// What kind of product a request asks for. The discriminants are its numbers in files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProductKind {
    /// Executable entries of kernels.
    Kernel = 1,
    /// Command programs.
    Command = 2,
}

/// A symbol that the product of a request must offer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestRoot {
    /// Position of the module in the file: always the first one.
    pub module: u32,
    /// Position of the symbol in the module.
    pub symbol: u32,
}

/// What a request is for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RequestMetadata {
    /// What to make.
    pub product: ProductKind,
    /// What it must offer.
    pub roots: Vec<RequestRoot>,
    /// The digest of what the module means, [`semantic_digest`].
    pub semantic: Digest,
}

/// The digest of what `module` means: two modules that differ in comments, blank lines and places have the same.
pub fn semantic_digest(module: &Module) -> Digest {
    let symbols = loom_ir::symbols(module);
    super::digest(symbols.into_iter().map(|symbol| symbol.semantic))
}

impl RequestMetadata {
    /// The bytes that stand in the file.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(self.product as u16).to_le_bytes());
        out.extend_from_slice(&(self.roots.len() as u32).to_le_bytes());
        for root in &self.roots {
            out.extend_from_slice(&root.module.to_le_bytes());
            out.extend_from_slice(&root.symbol.to_le_bytes());
        }
        out.extend_from_slice(self.semantic.as_bytes());
        out
    }

    fn decode(bytes: &[u8]) -> Option<RequestMetadata> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (head, rest) = rest.split_at_checked(8)?;
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0u32, |all, &byte| all << 8 | u32::from(byte))
        };
        let product = match (word(&head[..2]), word(&head[2..4])) {
            (1, 1) => ProductKind::Kernel,
            (1, 2) => ProductKind::Command,
            _ => return None,
        };
        let count = word(&head[4..]) as usize;
        let (roots, semantic) = rest.split_at_checked(count.checked_mul(8)?)?;
        let root = |row: &[u8]| RequestRoot {
            module: word(&row[..4]),
            symbol: word(&row[4..]),
        };
        Some(RequestMetadata {
            product,
            roots: roots.chunks_exact(8).map(root).collect(),
            semantic: Digest::from_raw(semantic.try_into().ok()?),
        })
    }
}

/// What the bytecode `bytes` says of itself as a request; `None` for an ordinary module. The digest is computed
/// again from the module.
///
/// # Errors
/// `BYTECODE` diagnostics for damaged bytes, and [`codes::REQUEST`] for what no writer of requests would say.
pub fn read_request_metadata(
    bytes: &[u8],
    file: &FileName,
) -> Result<Option<RequestMetadata>, Box<Diagnostic>> {
    let summary = loom_ir::summarize_bytecode(bytes, file)?;
    let metadata = &bytes[summary.metadata.start as usize..summary.metadata.end as usize];
    if metadata.is_empty() {
        return Ok(None);
    }
    let malformed = |what: &str| {
        let message = format!("malformed request: {what}");
        let diagnostic = Diagnostic::error(codes::REQUEST, message).at(file, 0..0);
        Box::new(diagnostic.help("make the request again with `loom-compile --emit-kernel-requests`"))
    };
    let Some(metadata) = RequestMetadata::decode(metadata) else {
        return Err(malformed("its header is damaged, or of another version"));
    };
    let symbols = summary.symbols.len() as u32;
    if metadata
        .roots
        .iter()
        .any(|root| root.module != 0 || root.symbol >= symbols)
    {
        return Err(malformed("a root that it does not have"));
    }
    if semantic_digest(&loom_ir::decode(bytes, file)?) != metadata.semantic {
        return Err(malformed("its digest is not that of its module"));
    }
    Ok(Some(metadata))
}
