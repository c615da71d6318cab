//! Command artifacts, `.loomcmd` version 1: what is in one, apart from how it is written (loom-language 5.4).
//!
//! An artifact is portable: it names buffers, executables and entries by slots, and who loads it binds them.

pub use decode::decode_artifact;
pub use encode::encode_artifact;
pub use trace::{DispatchedWave, TracedCounts, TracedDispatch, trace_artifact};

use super::storage::{PlacedParameter, Resource};

mod decode;
mod encode;
mod format;
mod trace;

/// The content of one artifact.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Artifact {
    /// How many fixed buffers are bound when it is loaded.
    pub fixed_buffers: u32,
    /// How many bindings are bound when it is issued, the transient slab among them.
    pub rebindable_bindings: u32,
    /// How many executables are loaded.
    pub executables: u32,
    /// How many entries of executables are named.
    pub entries: u32,
    /// What fills, copies and indirect dispatches refer to.
    pub buffer_refs: Vec<ResourceRange>,
    /// What entries take.
    pub schemas: Vec<EntrySchema>,
    /// The commands in order.
    pub commands: Vec<ArtifactCommand>,
    /// Fixed buffers that hold parameters, by slot.
    pub parameter_roots: Vec<StorageNeed>,
    /// The parameters in them.
    pub parameters: Vec<PlacedParameter>,
    /// Transient storage.
    pub transient: Option<StorageNeed>,
    /// Storage for workgroup counts that the host computes.
    pub launch_counts: Option<StorageNeed>,
}

/// What a bound buffer must at least be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StorageNeed {
    /// The slot, fixed for parameters and rebindable otherwise.
    pub slot: u32,
    /// Bytes.
    pub length: u64,
    /// Alignment, a power of two.
    pub align: u64,
}

/// A range of a bound buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResourceRange {
    /// The buffer.
    pub resource: Resource,
    /// First byte.
    pub offset: u64,
    /// Bytes; `None` is the rest of the buffer.
    pub length: Option<u64>,
}

/// The arguments of an entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EntrySchema {
    /// The entry.
    pub entry: u32,
    /// One per argument.
    pub kinds: Box<[ArgumentKind]>,
}

/// Kind of an argument. The discriminants are its numbers in the artifact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArgumentKind {
    /// A range of a buffer.
    Buffer = 1,
    /// Eight bits.
    B8 = 2,
    /// Sixteen bits.
    B16 = 3,
    /// Thirty-two bits.
    B32 = 4,
    /// Sixty-four bits.
    B64 = 5,
    /// An `index`, as 64 bits.
    Index = 6,
    /// An `offset`, as 64 bits.
    Offset = 7,
}

/// One command, with whether it waits for everything before it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArtifactCommand {
    /// Everything before must be over.
    pub waits: bool,
    /// What it does.
    pub action: Action,
}

/// What a command of an artifact does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Repeats the low `bytes` bytes of `pattern` over a range. Command programs have no such op; other
    /// producers may.
    Fill {
        /// Position in [`Artifact::buffer_refs`].
        target: u32,
        /// The pattern.
        pattern: u32,
        /// 1, 2 or 4.
        bytes: u32,
    },
    /// Copies one range to another. Command programs have no such op; other producers may.
    Copy {
        /// Position in [`Artifact::buffer_refs`].
        source: u32,
        /// Position in [`Artifact::buffer_refs`].
        target: u32,
    },
    /// Runs an entry.
    Dispatch {
        /// The executable.
        executable: u32,
        /// The entry.
        entry: u32,
        /// Position in [`Artifact::schemas`].
        schema: u32,
        /// How often.
        counts: ActionCounts,
        /// Its arguments.
        arguments: Box<[ActionArgument]>,
    },
    /// Does nothing but wait.
    Barrier,
}

/// The workgroup counts of a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActionCounts {
    /// Known: x, y and z.
    Direct([u32; 3]),
    /// In a buffer whose content does not change while the program runs; position in [`Artifact::buffer_refs`].
    Static(u32),
    /// In a buffer that an earlier command writes; position in [`Artifact::buffer_refs`].
    Dynamic(u32),
}

/// An argument of a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActionArgument {
    /// A range of a buffer.
    Buffer(ResourceRange),
    /// A scalar of another kind than [`ArgumentKind::Buffer`], with its bits.
    Scalar(ArgumentKind, u64),
}

impl ArgumentKind {
    /// All kinds, by number from 1.
    pub const ALL: [ArgumentKind; 7] = [
        ArgumentKind::Buffer,
        ArgumentKind::B8,
        ArgumentKind::B16,
        ArgumentKind::B32,
        ArgumentKind::B64,
        ArgumentKind::Index,
        ArgumentKind::Offset,
    ];

    /// Bytes in a command's argument data.
    pub fn bytes(self) -> u32 {
        match self {
            ArgumentKind::Buffer => format::RANGE,
            ArgumentKind::B8 => 1,
            ArgumentKind::B16 => 2,
            ArgumentKind::B32 => 4,
            ArgumentKind::B64 | ArgumentKind::Index | ArgumentKind::Offset => 8,
        }
    }
}

impl ActionArgument {
    /// Its kind.
    pub fn kind(&self) -> ArgumentKind {
        match self {
            ActionArgument::Buffer(_) => ArgumentKind::Buffer,
            ActionArgument::Scalar(kind, _) => *kind,
        }
    }
}

#[cfg(test)]
mod tests;
