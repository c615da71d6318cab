//! The front key: what names a command before any of its options is understood.

use std::path::Path;

use loom_base::{Digest, DigestWriter};

use crate::{System, path_of};

/// Changes whenever the meaning of a key or an entry does.
pub(super) const FORMAT: &[u8] = b"loom compile cache 2";

/// The key of the command `argv` (program name first) in directory `cwd`, run by the programs with these identities
/// (build-ids).
///
/// The contents of response files are part of it: who writes the same options into one anew names the same command.
/// What their names lead to further, and everything else a run looks at, is in the entries below the key.
pub fn front_key(system: &dyn System, argv: &[Vec<u8>], cwd: &Path, identities: &[Vec<u8>]) -> Digest {
    use std::os::unix::ffi::OsStrExt;
    let mut key = DigestWriter::default()
        .bytes64(FORMAT)
        .bytes64(cwd.as_os_str().as_bytes())
        .raw(&(identities.len() as u64).to_be_bytes());
    for identity in identities {
        key = key.bytes64(identity);
    }
    for argument in argv {
        key = key.bytes64(argument);
        if let Some(file) = argument.strip_prefix(b"@") {
            match system.read(&cwd.join(path_of(file))) {
                Ok(content) => key = key.raw(b"+").bytes64(&content),
                Err(_) => key = key.raw(b"-"),
            }
        }
    }
    key.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    fn key(system: &MemorySystem, argv: &[&str], cwd: &str) -> Digest {
        let argv: Vec<_> = argv.iter().map(|it| it.as_bytes().to_vec()).collect();
        front_key(system, &argv, Path::new(cwd), &[b"engine".to_vec()])
    }

    #[test]
    fn arguments_directory_and_response_files_count() {
        let system = MemorySystem::default();
        system.write("/w/options", "-O1");
        let keys = |system: &MemorySystem| {
            [
                key(system, &["cc", "-c", "a.c"], "/w"),
                key(system, &["cc", "-ca.c"], "/w"),
                key(system, &["cc", "-c", "a.c"], "/"),
                key(system, &["cc", "@options", "a.c"], "/w"),
                key(system, &["cc", "@missing", "a.c"], "/w"),
            ]
        };
        let before = keys(&system);
        assert_eq!(before, keys(&system));
        for (index, one) in before.iter().enumerate() {
            assert!(!before[index + 1..].contains(one), "{index}");
        }
        system.write("/w/options", "-O2");
        let after = keys(&system);
        assert_ne!(before[3], after[3]);
        assert_eq!(before[4], after[4]);
    }
}
