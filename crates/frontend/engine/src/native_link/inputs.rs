//! The files that a linker read, and the payloads in them. Of an archive only the headers and the named members are
//! read.
#![expect(
    clippy::disallowed_methods,
    reason = "the one-shot host reads the linker's own inputs"
)]

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use loom_base::{Blob, Digest};
use loom_frontend::carrier::{Content, Frame, read_carriers, read_frames};
use loom_frontend::link::{
    ArchiveIndex, LinkError, LinkerCommand, LinkerInput, is_archive, read_archive_index, split_name,
    unreadable,
};
use loom_frontend::payload::PayloadError;
use loom_store::path_of;
use object::read::ReadCache;

/// A payload with its identity.
pub(super) type Payload = (Digest, Blob);

/// The inputs of one link.
#[derive(Default)]
pub(super) struct Inputs {
    archives: BTreeMap<String, Option<(File, ArchiveIndex)>>,
    /// The payloads of everything named on the command line, with the names of what holds them; see [`Inputs::search`].
    named: Option<Vec<(String, Payload)>>,
}

impl Inputs {
    /// The contents that the map's name of an input can mean: one, or one for each archive member of the name. Empty
    /// if there is no such file, as for the objects that a linker makes of bitcode.
    pub(super) fn contents(&mut self, input: &str) -> Result<Vec<Vec<u8>>, LinkError> {
        if Path::new(input).is_file() {
            let content = std::fs::read(input);
            return Ok(vec![
                content.map_err(|error| unreadable(input, &error.to_string()))?,
            ]);
        }
        let split = split_name(input);
        let Some(member) = split.member else {
            return Ok(Vec::new());
        };
        let Some((file, index)) = self.archive(&split.input)? else {
            return Ok(Vec::new());
        };
        let mut contents = Vec::new();
        for found in index
            .members
            .iter()
            .filter(|it| is_named(&it.name, member.as_bytes()))
        {
            contents.push(read_member(file, &split.input, found, input)?);
        }
        Ok(contents)
    }

    fn archive(&mut self, name: &str) -> Result<Option<&(File, ArchiveIndex)>, LinkError> {
        if !self.archives.contains_key(name) {
            let opened = open_archive(name)?;
            self.archives.insert(name.to_owned(), opened);
        }
        Ok(self.archives.get(name).and_then(Option::as_ref))
    }

    /// The names of the members of an archive.
    pub(super) fn member_names(&mut self, archive: &str) -> Result<Vec<String>, LinkError> {
        let names = self.archive(archive)?.map(|(_, index)| &index.members);
        Ok(names
            .into_iter()
            .flatten()
            .map(|it| String::from_utf8_lossy(&it.name).into_owned())
            .collect())
    }

    /// Everything named on the command line that holds a payload of this identity: where a linker compiled its inputs
    /// itself, the map does not name them.
    pub(super) fn search(
        &mut self,
        command: &LinkerCommand,
        identity: Digest,
    ) -> Result<Vec<(String, Payload)>, LinkError> {
        if self.named.is_none() {
            self.named = Some(named_payloads(command)?);
        }
        let named = self.named.iter().flatten();
        Ok(named
            .filter(|(_, payload)| payload.0 == identity)
            .cloned()
            .collect())
    }
}

/// The payloads of an object or of an LTO object. Objects without one, and what is no object, have none.
///
/// Fails with `selected_payload_rejected`.
pub(super) fn payloads_of(name: &str, content: &[u8]) -> Result<Vec<Payload>, LinkError> {
    let rejected = |error: PayloadError| LinkError::rejected(name, &error);
    if !content.starts_with(b"\x7fELF") && !content.starts_with(b"BC\xc0\xde") {
        return Ok(Vec::new());
    }
    let mut no_members = |_: &[u8]| Err("no archive".to_owned());
    let mut carriers = read_carriers(name, content, &mut no_members);
    let Some(carrier) = carriers.objects.pop() else {
        return Ok(Vec::new());
    };
    let carrier = carrier.map_err(|error| rejected(error.error))?;
    let mut payloads = Vec::new();
    let mut take = |frames: &[Frame<'_>]| {
        for frame in frames {
            if let Some(root) = frame.root() {
                frame.check_identity().map_err(rejected)?;
                payloads.push((frame.identity(), Blob::new(root)));
            }
        }
        Ok(())
    };
    match &carrier.content {
        Content::Bitcode(module) => {
            let sections =
                crate::read_carriers(module).map_err(|error| rejected(PayloadError::Module(error)))?;
            for section in &sections {
                take(&read_frames(section.bytes()).map_err(rejected)?)?;
            }
        }
        _ => take(&carrier.frames)?,
    }
    Ok(payloads)
}

fn open_archive(name: &str) -> Result<Option<(File, ArchiveIndex)>, LinkError> {
    let unread = |reason: String| unreadable(name, &reason);
    let file = match File::open(name) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unread(error.to_string())),
    };
    let mut start = [0; 8];
    if file.read_at(&mut start, 0).is_err() || !is_archive(&start) {
        return Ok(None);
    }
    let cache = ReadCache::new(file.try_clone().map_err(|error| unread(error.to_string()))?);
    let index = read_archive_index(&cache).map_err(unread)?;
    Ok(Some((file, index)))
}

fn read_member(
    file: &File,
    archive: &str,
    member: &loom_frontend::link::IndexedMember,
    name: &str,
) -> Result<Vec<u8>, LinkError> {
    let unread = |error: std::io::Error| unreadable(name, &error.to_string());
    match &member.range {
        Some(range) => {
            let size =
                usize::try_from(range.end - range.start).map_err(|_| unreadable(name, "is too long"))?;
            let mut content = vec![0; size];
            file.read_exact_at(&mut content, range.start).map_err(unread)?;
            Ok(content)
        }
        None => {
            let directory = Path::new(archive).parent().unwrap_or(Path::new(""));
            std::fs::read(directory.join(path_of(&member.name))).map_err(unread)
        }
    }
}

/// Linkers call a thin archive's member by its path or by the last part of it.
fn is_named(member: &[u8], name: &[u8]) -> bool {
    member == name || path_of(member).file_name() == path_of(name).file_name()
}

fn named_payloads(command: &LinkerCommand) -> Result<Vec<(String, Payload)>, LinkError> {
    let mut named = Vec::new();
    for input in &command.inputs {
        let Some(name) = find(command, input) else {
            continue;
        };
        let mut enter = |name: &str, content: &[u8]| {
            // Damage in what may not have been selected is no matter of this link.
            let payloads = payloads_of(name, content).unwrap_or_default();
            named.extend(payloads.into_iter().map(|it| (name.to_owned(), it)));
        };
        match open_archive(&name)? {
            Some((file, index)) => {
                for member in &index.members {
                    let shown = format!("{name}({})", String::from_utf8_lossy(&member.name));
                    enter(&shown, &read_member(&file, &name, member, &shown)?);
                }
            }
            None => {
                if let Ok(content) = std::fs::read(&name) {
                    enter(&name, &content);
                }
            }
        }
    }
    Ok(named)
}

/// The file that an input means; libraries are looked for as linkers do, archives only.
fn find(command: &LinkerCommand, input: &LinkerInput) -> Option<String> {
    match input {
        LinkerInput::Path(path) => {
            let path = path_of(path);
            path.is_file().then(|| path.to_string_lossy().into_owned())
        }
        LinkerInput::Library(name) => {
            let name = String::from_utf8_lossy(name);
            let file = match name.strip_prefix(':') {
                Some(file) => file.to_owned(),
                None => format!("lib{name}.a"),
            };
            let found = command
                .directories
                .iter()
                .map(|it| path_of(it).join(&file))
                .find(|it| it.is_file());
            found.map(|it| it.to_string_lossy().into_owned())
        }
    }
}
