//! From a file to the members that it brings into a link.

use std::ops::Range;

use loom_base::Blob;
use object::read::ReadRef;
use object::read::archive::ArchiveFile;

use crate::carrier::{Carrier, Content, Frame, read_carriers};
use crate::link::{LinkError, LinkMember, LinkPart, read_symbol_table};
use crate::payload::PayloadError;

/// The members of an archive as its headers name them; contents are not looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveIndex {
    /// The members in order. Several can have one name.
    pub members: Vec<IndexedMember>,
}

/// One archive member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedMember {
    /// Its name; in a thin archive a path relative to the archive's directory.
    pub name: Vec<u8>,
    /// Where its bytes are in the archive; none in a thin archive.
    pub range: Option<Range<u64>>,
}

/// Whether these first bytes are those of an archive, thin ones included.
pub fn is_archive(start: &[u8]) -> bool {
    start.starts_with(b"!<arch>\n") || start.starts_with(b"!<thin>\n")
}

/// Reads the headers of an archive. Fails, saying why.
pub fn read_archive_index<'d>(archive: impl ReadRef<'d>) -> Result<ArchiveIndex, String> {
    let file = ArchiveFile::parse(archive).map_err(|error| error.to_string())?;
    let mut members = Vec::new();
    for member in file.members() {
        let member = member.map_err(|error| error.to_string())?;
        let (start, size) = member.file_range();
        members.push(IndexedMember {
            name: member.name().to_vec(),
            range: (!file.is_thin()).then_some(start..start + size),
        });
    }
    Ok(ArchiveIndex { members })
}

/// What the object `name` (or `archive(member)`) with these bytes brings: its payloads, or the symbols of an object
/// without one. After `ld -r` there can be several payloads. Bitcode and textual IR are left to the engine.
///
/// Fails with `selected_payload_rejected` for carriers that cannot be read, `selected_input_unreadable` for files that
/// are no objects, and `payload_carrier_records_only` for linked files.
pub fn read_members(name: &str, bytes: &[u8]) -> Result<Vec<LinkMember>, LinkError> {
    if is_text(bytes) {
        return Ok(vec![LinkMember {
            name: name.to_owned(),
            part: LinkPart::Module(Blob::new(bytes)),
        }]);
    }
    let mut no_thin_members = |_: &[u8]| Err("an archive cannot be a member".to_owned());
    let mut carriers = read_carriers(name, bytes, &mut no_thin_members);
    let carrier = match (carriers.objects.pop(), &carriers.objects[..]) {
        (Some(Ok(carrier)), []) => carrier,
        (Some(Err(error)), []) => return Err(LinkError::rejected(name, &error.error)),
        _ => return Err(unreadable(name, "is an archive, not an object")),
    };
    match &carrier.content {
        Content::Bitcode(module) => Ok(vec![LinkMember {
            name: name.to_owned(),
            part: LinkPart::Module(Blob::new(&module[..])),
        }]),
        Content::Other => Err(unreadable(name, "is neither an ELF object nor bitcode")),
        Content::Linked => {
            let error = PayloadError::RecordsOnly {
                records: carrier.frames.len(),
            };
            Err(LinkError::new("payload_carrier_records_only", [name], error.to_string()).help(error.help()))
        }
        Content::Object | Content::Root => object_members(name, bytes, &carrier),
    }
}

/// Whether the bytes can only be textual IR: objects and roots have zero bytes where they begin.
fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(8)];
    !start.is_empty() && !start.contains(&0) && !is_archive(start) && std::str::from_utf8(bytes).is_ok()
}

fn object_members(name: &str, bytes: &[u8], carrier: &Carrier<'_>) -> Result<Vec<LinkMember>, LinkError> {
    let roots: Vec<_> = carrier.frames.iter().filter_map(Frame::root).collect();
    if roots.is_empty() {
        let table = read_symbol_table(bytes).map_err(|reason| unreadable(name, &reason))?;
        return Ok(vec![LinkMember {
            name: name.to_owned(),
            part: LinkPart::Native(table),
        }]);
    }
    for frame in &carrier.frames {
        frame
            .check_identity()
            .map_err(|error| LinkError::rejected(name, &error))?;
    }
    let count = roots.len();
    let members = roots.iter().enumerate().map(|(at, root)| LinkMember {
        name: match count {
            1 => name.to_owned(),
            _ => format!("{name}, payload {} of {count}", at + 1),
        },
        part: LinkPart::Payload(Blob::new(*root)),
    });
    Ok(members.collect())
}

/// `selected_input_unreadable` about `name`.
pub fn unreadable(name: &str, reason: &str) -> LinkError {
    LinkError::new("selected_input_unreadable", [name], reason)
}
