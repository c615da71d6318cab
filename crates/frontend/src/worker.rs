//! The traffic between a host and a worker engine: messages and their frames on a byte stream.
//!
//! One conversation has one compile at a time. The host sends [`ToWorker::Compile`]; the worker answers any
//! number of [`FromWorker::Ask`], and at last exactly one [`FromWorker::Compiled`], whose log names all that was
//! used, or [`FromWorker::Failed`]. A worker that had to apply LLVM options (`-mllvm`) answers and then exits with status
//! 0, so that they cannot reach another compile; the host starts a new one. Each `Ask` is answered by one
//! [`ToWorker::Answers`] of the same length and order.
//!
//! A frame is the length of the body as `u32` little-endian, then the body in postcard encoding. Host and
//! worker are always of one build, so the encoding carries no version.

use std::fmt;
use std::io::{self, Read, Write};

use loom_base::{Blob, Digest};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::engine::{
    CompileReply, CompileRequest, EngineFailure, EngineVersions, FileState, InputSource, ModuleError,
    NormalizedModule, OsBytes,
};
use crate::link::{LinkError, LinkRequest, LinkedModule};
use crate::raise::{RaiseReply, RaiseRequest};

/// The longest body a frame may have. A longer one is refused by the sender before anything is written, and
/// by the receiver before anything is allocated.
pub const FRAME_LIMIT: u32 = 1 << 30;

/// What the host says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ToWorker {
    /// Run clang once.
    Compile(CompileRequest),
    /// The answers to the last [`FromWorker::Ask`], one per question, in its order.
    Answers(Vec<Answer>),
    /// Normalize the module with this bitcode or textual IR.
    Normalize(Blob),
    /// Compile the module with this bitcode or textual IR to an object with its payload.
    Pack(Blob),
    /// Read the payload sections of the object that is this bitcode module.
    Carriers(Blob),
    /// Fold the one function of a textual module for tuples of `arity` operands each.
    Fold {
        /// The module.
        ir: String,
        /// Operands a tuple.
        arity: u32,
        /// The low bits of all operands, tuple after tuple.
        operands: Vec<u64>,
    },
    /// Import the module with this bitcode or textual IR into MLIR.
    Import(Blob),
    /// Merge the payloads of a link into one module.
    Link(LinkRequest),
    /// Raise a linked module to S0.
    Raise(RaiseRequest),
    /// Say which build this is.
    Versions,
    /// Exit with status 0.
    Shutdown,
}

impl ToWorker {
    /// The name under which the answer is kept for other processes, if it is a costly function of the request's bytes
    /// and of nothing else.
    pub fn step(&self) -> Option<&'static str> {
        match self {
            Self::Normalize(_) => Some("normalized_bitcode"),
            Self::Pack(_) => Some("packed_object"),
            Self::Import(_) => Some("imported_module"),
            Self::Link(_) => Some("linked_module"),
            Self::Raise(_) => Some("raised_module"),
            // A compile looks at the world; the others cost less than to look them up.
            Self::Compile(_)
            | Self::Answers(_)
            | Self::Carriers(_)
            | Self::Fold { .. }
            | Self::Versions
            | Self::Shutdown => None,
        }
    }
}

/// What the worker says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FromWorker {
    /// The running compile cannot go on without these.
    Ask(Vec<Question>),
    /// The compile has ended, well or with errors in the source.
    Compiled(CompileReply),
    /// The answer to [`ToWorker::Normalize`].
    Normalized(Result<NormalizedModule, ModuleError>),
    /// The answer to [`ToWorker::Pack`].
    Packed(Result<Blob, ModuleError>),
    /// The answer to [`ToWorker::Carriers`]: each section's content, in module order.
    Carriers(Result<Vec<Blob>, ModuleError>),
    /// The answer to [`ToWorker::Fold`]: the bits of each result LLVM folded to a plain number.
    Folded(Result<Vec<Option<u64>>, ModuleError>),
    /// The answer to [`ToWorker::Import`]: the verified MLIR text.
    Imported(Result<String, ModuleError>),
    /// The answer to [`ToWorker::Link`].
    Linked(Result<LinkedModule, LinkError>),
    /// The answer to [`ToWorker::Raise`].
    Raised(RaiseReply),
    /// The answer to [`ToWorker::Versions`].
    Versions(EngineVersions),
    /// The request could not be carried out for a reason that is not in its inputs.
    Failed(EngineFailure),
}

/// One input that a worker needs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Question {
    /// What the path (absolute) is.
    File(OsBytes),
    /// The content of the regular file at the path, whose digest the worker knows from its state.
    Content(OsBytes, Digest),
    /// The names in the directory at the path.
    Directory(OsBytes),
}

/// The answer to the [`Question`] of the same name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// What is there.
    File(FileState),
    /// The content; `None` if no regular file with the asked digest is there any more.
    Content(Option<Blob>),
    /// The sorted names, each with whether it is a directory; `None` if there is no such directory.
    Directory(Option<Vec<(OsBytes, bool)>>),
}

/// Looks `question` up in `source`.
pub fn answer(question: &Question, source: &mut dyn InputSource) -> Answer {
    match question {
        Question::File(path) => Answer::File(source.file(path)),
        Question::Content(path, digest) => {
            Answer::Content(source.content(path).filter(|content| content.digest() == *digest))
        }
        Question::Directory(path) => Answer::Directory(source.directory(path)),
    }
}

/// Writes one frame holding `message` with a single write, and flushes.
///
/// Fails with [`WireError::TooLong`] before writing anything if the body exceeds [`FRAME_LIMIT`].
pub fn send<T: Serialize>(stream: &mut impl Write, message: &T) -> Result<(), WireError> {
    let mut frame = vec![0; 4];
    postcard::to_io(message, &mut frame).map_err(WireError::Malformed)?;
    let length = frame.len() as u64 - 4;
    if length > u64::from(FRAME_LIMIT) {
        return Err(WireError::TooLong { length });
    }
    frame[..4].copy_from_slice(&(length as u32).to_le_bytes());
    stream
        .write_all(&frame)
        .and_then(|()| stream.flush())
        .map_err(WireError::Io)
}

/// Reads one frame. `None` if the stream ended before its first byte: the peer has closed in good order.
pub fn receive<T: DeserializeOwned>(stream: &mut impl Read) -> Result<Option<T>, WireError> {
    let mut header = Vec::with_capacity(4);
    read_up_to(stream, 4, &mut header)?;
    let header = match <[u8; 4]>::try_from(&header[..]) {
        Ok(header) => header,
        Err(_) if header.is_empty() => return Ok(None),
        Err(_) => {
            return Err(WireError::Truncated {
                expected: 4,
                received: header.len() as u64,
            });
        }
    };
    let length = u32::from_le_bytes(header);
    if length > FRAME_LIMIT {
        return Err(WireError::TooLong {
            length: length.into(),
        });
    }
    let mut body = Vec::with_capacity((length as usize).min(1 << 16));
    read_up_to(stream, length.into(), &mut body)?;
    if body.len() < length as usize {
        return Err(WireError::Truncated {
            expected: length.into(),
            received: body.len() as u64,
        });
    }
    match postcard::take_from_bytes(&body).map_err(WireError::Malformed)? {
        (message, []) => Ok(Some(message)),
        (_, rest) => Err(WireError::Trailing { bytes: rest.len() }),
    }
}

/// Memory grows with what arrives, not with what the header promises.
fn read_up_to(stream: &mut impl Read, limit: u64, into: &mut Vec<u8>) -> Result<(), WireError> {
    stream
        .by_ref()
        .take(limit)
        .read_to_end(into)
        .map(drop)
        .map_err(WireError::Io)
}

/// The conversation cannot go on: the peer died, or is no engine of this build.
#[derive(Debug)]
pub enum WireError {
    /// The stream failed.
    Io(io::Error),
    /// A body exceeds [`FRAME_LIMIT`].
    TooLong {
        /// Its length in bytes.
        length: u64,
    },
    /// The stream ended inside a frame.
    Truncated {
        /// Length of the header or body being read.
        expected: u64,
        /// How much of it arrived.
        received: u64,
    },
    /// The body is no message, or a message could not be encoded.
    Malformed(postcard::Error),
    /// The body goes on after its message.
    Trailing {
        /// By this many bytes.
        bytes: usize,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(_) => f.write_str("the engine's stream failed"),
            Self::TooLong { length } => write!(f, "engine message of {length} bytes exceeds {FRAME_LIMIT}"),
            Self::Truncated { expected, received } => {
                write!(f, "engine message ends after {received} of {expected} bytes")
            }
            Self::Malformed(_) => f.write_str("engine message is malformed"),
            Self::Trailing { bytes } => write!(f, "engine message is followed by {bytes} stray bytes"),
        }
    }
}

impl std::error::Error for WireError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Malformed(error) => Some(error),
            Self::TooLong { .. } | Self::Truncated { .. } | Self::Trailing { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests;
