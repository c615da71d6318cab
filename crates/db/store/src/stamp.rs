//! The racy-timestamp rule: when an unchanged signature proves an unchanged file.

use std::io;
use std::path::Path;

use crate::{Nanoseconds, Signature, System};

const MILLISECOND: Nanoseconds = 1_000_000;
const SECOND: Nanoseconds = 1_000 * MILLISECOND;

/// A signature with the time at which it was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// What `stat` said.
    pub signature: Signature,
    /// When it was asked.
    pub taken: Nanoseconds,
}

impl Stamp {
    /// Stamps `path` as it is now.
    ///
    /// To stamp a content, take the stamp *before* reading it: a write between the two then shows as a
    /// change later, where it would be overlooked the other way round.
    pub fn take(system: &dyn System, path: &Path) -> io::Result<Self> {
        let taken = system.now();
        Ok(Self {
            signature: system.stat(path)?,
            taken,
        })
    }

    /// Whether a file whose signature is `now` is sure to have the content it had at this stamp.
    ///
    /// A file written again within one tick of its file system's clock keeps its times, so a stamp taken
    /// that close to the file's own times proves nothing and the content has to be hashed again.
    pub fn proves_unchanged(&self, now: &Signature) -> bool {
        self.signature == *now && self.is_trustworthy()
    }

    fn is_trustworthy(&self) -> bool {
        let written = self.signature.mtime.max(self.signature.ctime);
        self.taken - written > granularity(&self.signature)
    }
}

/// The coarsest clock that could have made these times. Linux stamps files with the time of the last timer
/// tick (at most 10 ms); a time without a fraction may come from a file system that counts seconds, or two.
fn granularity(signature: &Signature) -> Nanoseconds {
    let counts_seconds = signature.mtime % SECOND == 0 || signature.ctime % SECOND == 0;
    if counts_seconds {
        2 * SECOND
    } else {
        20 * MILLISECOND
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn stamp(mtime: Nanoseconds, taken: Nanoseconds) -> Stamp {
        let signature = Signature {
            kind: Kind::File,
            size: 1,
            mtime,
            ctime: mtime,
            inode: 1,
            device: 1,
        };
        Stamp { signature, taken }
    }

    #[test]
    fn a_stamp_close_to_the_write_proves_nothing() {
        let written = 5 * SECOND + 7;
        for (taken, proves) in [
            (written, false),
            (written + 20 * MILLISECOND, false),
            (written + SECOND, true),
        ] {
            let stamp = stamp(written, taken);
            assert_eq!(stamp.proves_unchanged(&stamp.signature), proves, "{taken}");
        }
    }

    #[test]
    fn whole_seconds_need_two_of_them() {
        let written = 5 * SECOND;
        for (taken, proves) in [(written + SECOND, false), (written + 2 * SECOND + 1, true)] {
            let stamp = stamp(written, taken);
            assert_eq!(stamp.proves_unchanged(&stamp.signature), proves, "{taken}");
        }
    }

    #[test]
    fn a_time_in_the_future_proves_nothing() {
        let stamp = stamp(9 * SECOND + 1, 5 * SECOND);
        assert!(!stamp.proves_unchanged(&stamp.signature));
    }

    #[test]
    fn every_part_of_the_signature_counts() {
        let stamp = stamp(SECOND + 1, 60 * SECOND);
        let signature = stamp.signature;
        let others = [
            Signature {
                kind: Kind::Directory,
                ..signature
            },
            Signature { size: 2, ..signature },
            Signature {
                mtime: 2,
                ..signature
            },
            Signature {
                ctime: 2,
                ..signature
            },
            Signature {
                inode: 2,
                ..signature
            },
            Signature {
                device: 2,
                ..signature
            },
        ];
        assert!(stamp.proves_unchanged(&signature));
        assert!(others.iter().all(|other| !stamp.proves_unchanged(other)));
    }
}
