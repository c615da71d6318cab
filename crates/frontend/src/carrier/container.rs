//! The files that carriers are found in, judged by their content and never by their name.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use loom_base::Diagnostic;
use object::read::archive::ArchiveFile;
use object::{CompressionFormat, Object as _, ObjectKind, ObjectSection as _};

use super::{Frame, PAYLOAD_SECTION, RECORD_SECTION, read_frames};
use crate::payload::{PayloadError, artifact_identity, decode_root};

/// All that was found in one file.
#[derive(Clone, Debug)]
pub struct Carriers<'a> {
    /// The file's name, as the user gave it.
    pub name: String,
    /// One entry per object: the file itself, or each member of an archive in order. A member that cannot be
    /// read does not keep the others from being read.
    pub objects: Vec<Result<Carrier<'a>, CarrierError>>,
}

/// One object with the frames it carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carrier<'a> {
    /// The name of the object, or `archive(member)`. Members of one archive can share a name.
    pub name: String,
    /// What kind of file it is.
    pub content: Content<'a>,
    /// Its frames, in the order of the file; after `ld -r` there can be several payloads. Frames are told
    /// apart, but their roots are not decoded.
    pub frames: Vec<Frame<'a>>,
}

/// What a file turned out to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content<'a> {
    /// A relocatable ELF object.
    Object,
    /// A linked ELF file, which holds records but no payloads.
    Linked,
    /// A bare root, as `loom payload extract` writes it.
    Root,
    /// LLVM bitcode: its sections are inside the module, see [`Carriers::resolve_bitcode`].
    Bitcode(Cow<'a, [u8]>),
    /// An archive member that can hold no carrier.
    Other,
}

/// Supplies a thin archive's member by its path relative to the archive's directory, or says why it cannot.
pub type ReadMember<'f> = dyn FnMut(&[u8]) -> Result<Arc<[u8]>, String> + 'f;

/// Gives the content of each of Loom's sections in the module with the given bitcode: what the engine does.
pub type ReadSections<'f> = dyn FnMut(&[u8]) -> Result<Vec<Vec<u8>>, PayloadError> + 'f;

/// Finds the carriers in the file `name` with these bytes: an ELF file, an archive (`!<arch>` or `!<thin>`),
/// LLVM bitcode, or else a bare root.
///
/// Codes of failed entries: `payload_carrier_unreadable`, `relocatable_payload_schema_unsupported`,
/// `relocatable_payload_encoding_*` for what should be a bare root, and `target_triple_unsupported` for object
/// formats without a carrier.
pub fn read_carriers<'a>(name: &str, bytes: &'a [u8], thin_member: &mut ReadMember<'_>) -> Carriers<'a> {
    let objects = match Format::of(bytes) {
        Format::Archive => read_archive(name, bytes, thin_member),
        Format::Unknown => vec![read_root(name, bytes)],
        Format::Foreign(format) => {
            vec![Err(CarrierError::new(
                name,
                PayloadError::FormatUnsupported { format },
            ))]
        }
        Format::Elf | Format::Bitcode => vec![read_object(name.to_owned(), bytes)],
    };
    Carriers {
        name: name.to_owned(),
        objects,
    }
}

impl Carriers<'_> {
    /// Replaces bitcode objects by the frames in their sections.
    pub fn resolve_bitcode(&mut self, sections: &mut ReadSections<'_>) {
        for object in &mut self.objects {
            let Ok(Carrier {
                name,
                content: Content::Bitcode(bitcode),
                ..
            }) = object
            else {
                continue;
            };
            let frames = sections(bitcode).and_then(|sections| {
                let mut frames = Vec::new();
                for section in &sections {
                    frames.extend(read_frames(section)?.into_iter().map(Frame::into_owned));
                }
                Ok(frames)
            });
            let name = std::mem::take(name);
            *object = match frames {
                Ok(frames) => Ok(Carrier {
                    name,
                    content: Content::Object,
                    frames,
                }),
                Err(error) => Err(CarrierError { name, error }),
            };
        }
    }
}

/// The first bytes of a file, as far as they decide what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Elf,
    Archive,
    Bitcode,
    Foreign(&'static str),
    Unknown,
}

impl Format {
    fn of(bytes: &[u8]) -> Self {
        const MAGICS: &[(&[u8], Format)] = &[
            (b"\x7fELF", Format::Elf),
            (b"!<arch>\n", Format::Archive),
            (b"!<thin>\n", Format::Archive),
            (b"BC\xc0\xde", Format::Bitcode),
            (b"\xde\xc0\x17\x0b", Format::Bitcode),
            (b"\xfe\xed\xfa\xce", Format::Foreign("Mach-O")),
            (b"\xce\xfa\xed\xfe", Format::Foreign("Mach-O")),
            (b"\xfe\xed\xfa\xcf", Format::Foreign("Mach-O")),
            (b"\xcf\xfa\xed\xfe", Format::Foreign("Mach-O")),
            (b"\xca\xfe\xba\xbe", Format::Foreign("Mach-O")),
            (b"\xca\xfe\xba\xbf", Format::Foreign("Mach-O")),
            (b"\0asm", Format::Foreign("WebAssembly")),
            (b"\x03\x02\x23\x07", Format::Foreign("SPIR-V")),
            (b"MZ", Format::Foreign("PE")),
            (b"\0\0\xff\xff", Format::Foreign("COFF")),
            (b"\x4c\x01", Format::Foreign("COFF")),
            (b"\x64\x86", Format::Foreign("COFF")),
            (b"\x64\xaa", Format::Foreign("COFF")),
            (b"\xc4\x01", Format::Foreign("COFF")),
            (b"\x01\xdf", Format::Foreign("XCOFF")),
            (b"\x01\xf7", Format::Foreign("XCOFF")),
        ];
        MAGICS
            .iter()
            .find(|(magic, _)| bytes.starts_with(magic))
            .map_or(Self::Unknown, |&(_, format)| format)
    }
}

fn read_archive<'a>(
    archive: &str,
    bytes: &'a [u8],
    thin_member: &mut ReadMember<'_>,
) -> Vec<Result<Carrier<'a>, CarrierError>> {
    let broken = |error: object::Error| {
        CarrierError::new(
            archive,
            PayloadError::unreadable(0, format!("archive is malformed: {error}")),
        )
    };
    let file = match ArchiveFile::parse(bytes) {
        Ok(file) => file,
        Err(error) => return vec![Err(broken(error))],
    };
    let mut objects = Vec::new();
    for member in file.members() {
        let member = match member {
            Ok(member) => member,
            Err(error) => {
                objects.push(Err(broken(error)));
                break;
            }
        };
        let name = format!("{archive}({})", String::from_utf8_lossy(member.name()));
        objects.push(if file.is_thin() {
            match thin_member(member.name()) {
                Ok(content) => read_object(name, &content).map(Carrier::into_owned),
                Err(reason) => {
                    let reason = format!("member of a thin archive cannot be read: {reason}");
                    Err(CarrierError::new(&name, PayloadError::unreadable(0, reason)))
                }
            }
        } else {
            match member.data(bytes) {
                Ok(content) => read_object(name, content),
                Err(error) => {
                    let reason = format!("archive member is cut off: {error}");
                    Err(CarrierError::new(
                        &name,
                        PayloadError::unreadable(member.file_range().0, reason),
                    ))
                }
            }
        });
    }
    objects
}

fn read_object(name: String, bytes: &[u8]) -> Result<Carrier<'_>, CarrierError> {
    match Format::of(bytes) {
        Format::Elf => match read_elf(bytes) {
            Ok((content, frames)) => Ok(Carrier {
                name,
                content,
                frames,
            }),
            Err(error) => Err(CarrierError { name, error }),
        },
        Format::Bitcode => Ok(Carrier {
            name,
            content: Content::Bitcode(Cow::Borrowed(bytes)),
            frames: Vec::new(),
        }),
        Format::Archive | Format::Foreign(_) | Format::Unknown => Ok(Carrier {
            name,
            content: Content::Other,
            frames: Vec::new(),
        }),
    }
}

fn read_elf(bytes: &[u8]) -> Result<(Content<'static>, Vec<Frame<'_>>), PayloadError> {
    let broken =
        |error: object::Error| PayloadError::unreadable(0, format!("ELF file is malformed: {error}"));
    let file = object::File::parse(bytes).map_err(broken)?;
    let content = match file.kind() {
        ObjectKind::Relocatable => Content::Object,
        _ => Content::Linked,
    };
    let mut frames = Vec::new();
    let mut total = 0;
    for section in file.sections() {
        let name = section.name_bytes().map_err(broken)?;
        if name != PAYLOAD_SECTION.as_bytes() && name != RECORD_SECTION.as_bytes() {
            continue;
        }
        let range = section.compressed_file_range().map_err(broken)?;
        if range.format != CompressionFormat::None {
            return Err(PayloadError::unreadable(
                range.offset,
                "payload section is compressed",
            ));
        }
        let data = section.data().map_err(broken)?;
        // Sections that share their bytes could make a small file yield any number of frames.
        total += data.len();
        if total > bytes.len() {
            return Err(PayloadError::unreadable(range.offset, "payload sections overlap"));
        }
        frames.extend(read_frames(data).map_err(|error| error.moved_by(range.offset))?);
    }
    Ok((content, frames))
}

fn read_root<'a>(name: &str, bytes: &'a [u8]) -> Result<Carrier<'a>, CarrierError> {
    decode_root(bytes).map_err(|error| CarrierError::new(name, error))?;
    let frame = Frame::Payload {
        identity: artifact_identity(bytes),
        root: Cow::Borrowed(bytes),
    };
    Ok(Carrier {
        name: name.to_owned(),
        content: Content::Root,
        frames: vec![frame],
    })
}

impl Carrier<'_> {
    fn into_owned(self) -> Carrier<'static> {
        let content = match self.content {
            Content::Object => Content::Object,
            Content::Linked => Content::Linked,
            Content::Root => Content::Root,
            Content::Bitcode(bitcode) => Content::Bitcode(Cow::Owned(bitcode.into_owned())),
            Content::Other => Content::Other,
        };
        let frames = self.frames.into_iter().map(Frame::into_owned).collect();
        Carrier {
            name: self.name,
            content,
            frames,
        }
    }
}

/// A [`PayloadError`] with the object it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CarrierError {
    /// The name of the object, or `archive(member)`.
    pub name: String,
    /// What is wrong with it.
    pub error: PayloadError,
}

impl CarrierError {
    /// `error` about the object `name`.
    pub fn new(name: &str, error: PayloadError) -> Self {
        Self {
            name: name.to_owned(),
            error,
        }
    }

    /// The error as a user sees it.
    pub fn diagnostic(&self) -> Diagnostic {
        self.error.diagnostic(&self.name)
    }
}

impl fmt::Display for CarrierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.error)
    }
}

impl std::error::Error for CarrierError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

#[cfg(test)]
mod tests;
