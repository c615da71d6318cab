//! What one run of a command consulted and what came of it.

use loom_base::Digest;

use super::said::Said;
use crate::{Kind, Nanoseconds, Signature, Stamp};

/// One answer that may be given again: everything the run consulted, and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Files and directories, sorted by path. Paths are as the command named them: relative ones start at its
    /// working directory, which is part of the key.
    pub inputs: Vec<Input>,
    /// Environment variables, sorted by name; `None` was unset.
    pub variables: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// Whether a changed time is a changed input even if the content is the same (precompiled headers).
    pub times_matter: bool,
    /// What came of it.
    pub result: ActionResult,
}

/// A path with what was seen there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Input {
    /// The path, raw.
    pub path: Vec<u8>,
    /// What was there.
    pub state: State,
}

/// What was seen at a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// Nothing.
    Absent,
    /// Something of this kind was there, and nothing else about it was asked.
    Present {
        /// File, directory or other.
        kind: Kind,
        /// Device and inode: which other paths name the same thing.
        identity: (u64, u64),
    },
    /// Something was there whose size and time of change reach the result.
    Timed {
        /// The whole signature.
        seen: Seen,
    },
    /// A regular file was read.
    Content {
        /// Its signature before it was read.
        seen: Seen,
        /// What was read.
        digest: Digest,
        /// Its real path, if that is another one.
        real: Option<Vec<u8>>,
    },
    /// The names in a directory were read.
    Listing {
        /// The directory's signature before.
        seen: Seen,
        /// Digest of the names and kinds ([`listing_digest`](super::listing_digest)).
        digest: Digest,
    },
    /// The path was resolved to this one.
    Resolved(Vec<u8>),
}

/// A signature with the time at which it was taken, as it is stored: times that need more than 64 bits are no input
/// of anything that is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seen {
    /// File, directory or other.
    pub kind: Kind,
    /// Length in bytes.
    pub size: u64,
    /// Time of the last change of the content, in nanoseconds.
    pub mtime: i64,
    /// Time of the last change of content or attributes.
    pub ctime: i64,
    /// When this was seen.
    pub taken: i64,
    /// Inode number.
    pub inode: u64,
    /// Device number.
    pub device: u64,
}

impl Seen {
    /// `None` if a time is beyond what is stored.
    pub fn new(stamp: &Stamp) -> Option<Self> {
        let signature = &stamp.signature;
        Some(Self {
            kind: signature.kind,
            size: signature.size,
            mtime: signature.mtime.try_into().ok()?,
            ctime: signature.ctime.try_into().ok()?,
            taken: stamp.taken.try_into().ok()?,
            inode: signature.inode,
            device: signature.device,
        })
    }

    /// The stamp it was made of.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            signature: Signature {
                kind: self.kind,
                size: self.size,
                mtime: Nanoseconds::from(self.mtime),
                ctime: Nanoseconds::from(self.ctime),
                inode: self.inode,
                device: self.device,
            },
            taken: Nanoseconds::from(self.taken),
        }
    }

    /// Device and inode.
    pub fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }
}

/// What a run did: its exit status, what it said, and the files it left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionResult {
    /// Exit status of the process.
    pub status: u8,
    /// What went to standard error.
    pub said: Said,
    /// Files, sorted by path.
    pub outputs: Vec<Output>,
    /// The program that did the work, if the run only found out which: a linker, which is run each time.
    pub program: Option<Program>,
}

/// A program with its arguments, its own name first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The executable.
    pub path: Vec<u8>,
    /// What it is given.
    pub arguments: Vec<Vec<u8>>,
}

/// A file that a run left.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Output {
    /// The path, raw.
    pub path: Vec<u8>,
    /// What became of it.
    pub effect: Effect,
}

/// What a run did to a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// A new file took the path's place, as compilers write objects.
    Replaced(Digest),
    /// The content was written into whatever file was there, as compilers write dependency files.
    Written(Digest),
    /// It was removed.
    Removed,
}

impl Effect {
    /// The content left, if any.
    pub fn content(&self) -> Option<Digest> {
        match self {
            Self::Replaced(digest) | Self::Written(digest) => Some(*digest),
            Self::Removed => None,
        }
    }
}
