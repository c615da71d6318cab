//! Which build an executable is, without reading it whole.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// No note is longer than this.
const MOST: u64 = 4096;

const PT_NOTE: u32 = 4;
const NT_GNU_BUILD_ID: u32 = 3;

/// The GNU build-id of the executable at `path`; an error if it is no 64-bit ELF file of this machine's byte order with
/// one.
pub fn read_build_id(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let mut header = [0; 64];
    file.read_exact_at(&mut header, 0)?;
    if !header.starts_with(b"\x7fELF\x02") {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let table = u64::from_ne_bytes(bytes(&header, 32)?);
    let size = u64::from(u16::from_ne_bytes(bytes(&header, 54)?));
    let count = u64::from(u16::from_ne_bytes(bytes(&header, 56)?));
    let mut segments = vec![0; usize::try_from(size * count).map_err(io::Error::other)?];
    file.read_exact_at(&mut segments, table)?;
    for segment in segments.chunks_exact(usize::try_from(size).map_err(io::Error::other)?.max(1)) {
        if u32::from_ne_bytes(bytes(segment, 0)?) != PT_NOTE {
            continue;
        }
        let offset = u64::from_ne_bytes(bytes(segment, 8)?);
        let length = u64::from_ne_bytes(bytes(segment, 32)?).min(MOST);
        let mut notes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        file.read_exact_at(&mut notes, offset)?;
        if let Some(id) = find(&notes) {
            return Ok(id.to_vec());
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

/// The build-id among notes: each is three words (lengths of name and content, type), name, content.
fn find(mut notes: &[u8]) -> Option<&[u8]> {
    loop {
        let word = |at| bytes(notes, at).ok().map(u32::from_ne_bytes);
        let (name, content, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let start = 12 + name.next_multiple_of(4);
        let id = notes.get(start..start + content)?;
        if kind == NT_GNU_BUILD_ID && notes.get(12..16) == Some(b"GNU\0") {
            return Some(id);
        }
        notes = notes.get(start + content.next_multiple_of(4)..)?;
    }
}

fn bytes<const N: usize>(from: &[u8], at: usize) -> io::Result<[u8; N]> {
    let found = from.get(at..).and_then(|rest| rest.first_chunk());
    found.copied().ok_or_else(|| io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_id_is_found_among_notes() {
        let note = |kind: u32, content: &[u8]| {
            let mut note = [4, content.len() as u32, kind].map(u32::to_ne_bytes).concat();
            note.extend_from_slice(b"GNU\0");
            note.extend_from_slice(content);
            note.resize(note.len().next_multiple_of(4), 0);
            note
        };
        let notes = [note(1, b"12345"), note(3, b"identity")].concat();
        assert_eq!(find(&notes), Some(&b"identity"[..]));
        for length in 0..notes.len() {
            assert_eq!(find(&notes[..length]), None, "{length}");
        }
    }

    #[test]
    fn this_test_has_one() {
        let own = std::env::current_exe().unwrap();
        assert!(read_build_id(&own).unwrap().len() >= 8);
        assert!(read_build_id(Path::new("/dev/null")).is_err());
    }
}
