//! Comments and blank lines, kept beside the ops.

use super::{BlockId, OpId};

/// What a group of comments stands before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Anchor {
    /// Before an op.
    Op(OpId),
    /// Before the end of a block, after its last op.
    End(BlockId),
}

/// The comments and blank lines of one item.
///
/// The text of an entry is its lines joined by `\n`; an empty line is a blank line of the source, any other
/// line begins with `//`. The empty text is therefore one blank line. Runs of blank lines are collapsed, and a
/// blank line between the last comment and its op is dropped (loom-language 1.4).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trivia {
    /// What stands before ops, by op.
    pub before: Box<[(OpId, Box<str>)]>,
    /// What stands before the ends of blocks, by block.
    pub ends: Box<[(BlockId, Box<str>)]>,
}

impl Trivia {
    /// The text at `anchor`, if any.
    pub fn at(&self, anchor: Anchor) -> Option<&str> {
        fn find<K: Ord>(entries: &[(K, Box<str>)], key: K) -> Option<&str> {
            let at = entries
                .binary_search_by(|(candidate, _)| candidate.cmp(&key))
                .ok()?;
            Some(&entries[at].1)
        }
        match anchor {
            Anchor::Op(op) => find(&self.before, op),
            Anchor::End(block) => find(&self.ends, block),
        }
    }
}
