//! Reading an artifact. Nothing is repaired: what the writer would not have written is refused.

use loom_base::{Diagnostic, FileName};

use super::format::*;
use super::{
    Action, ActionArgument, ActionCounts, ArgumentKind, Artifact, ArtifactCommand, EntrySchema,
    ResourceRange, StorageNeed, encode_artifact,
};
use crate::product::codes;
use crate::product::storage::{PlacedParameter, Resource};

/// Reads the artifact in `bytes`; `file` is where they come from.
///
/// # Errors
/// One `COMMAND` diagnostic ([`codes`]) when the bytes are none, of another version, truncated or malformed.
pub fn decode_artifact(bytes: &[u8], file: &FileName) -> Result<Artifact, Box<Diagnostic>> {
    check_start(bytes, file)?;
    let read = || {
        let mut reader = Reader { bytes, at: 12 };
        let header = read_header(&mut reader)?;
        read_tables(&mut reader, &header)
    };
    let artifact = read().map_err(|problem| match problem {
        Problem::End => fault(
            file,
            codes::ARTIFACT_END,
            "the command artifact ends too early".into(),
        ),
        Problem::At(at, what) => malformed(file, at, what),
    })?;
    // Counts, offsets and the order of slices have one form only: that which is written.
    match encode_artifact(&artifact) {
        Ok(written) if written == bytes => Ok(artifact),
        Ok(written) => {
            let differs = written.iter().zip(bytes).position(|(one, other)| one != other);
            let at = differs.unwrap_or(written.len().min(bytes.len()));
            Err(malformed(file, at, "a field that is not as it is written"))
        }
        Err(_) => Err(malformed(file, 12, "a length out of range")),
    }
}

enum Problem {
    End,
    At(usize, &'static str),
}

type Read<T> = Result<T, Problem>;

fn check_start(bytes: &[u8], file: &FileName) -> Result<(), Box<Diagnostic>> {
    let found = bytes.len().min(MAGIC.len());
    if bytes[..found] != MAGIC[..found] || bytes.is_empty() {
        let message = "this is not a command artifact".to_owned();
        return Err(fault(file, codes::NO_ARTIFACT, message));
    }
    let Some(version) = bytes.get(8..10) else {
        let message = "the command artifact ends too early".to_owned();
        return Err(fault(file, codes::ARTIFACT_END, message));
    };
    let version = u16::from_le_bytes([version[0], version[1]]);
    if version != VERSION {
        let message = format!("unsupported command artifact version {version}, expected {VERSION}");
        return Err(fault(file, codes::ARTIFACT_VERSION, message));
    }
    if bytes.len() < HEADER as usize {
        let message = "the command artifact ends too early".to_owned();
        return Err(fault(file, codes::ARTIFACT_END, message));
    }
    Ok(())
}

fn fault(file: &FileName, code: &'static str, message: String) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error(code, message).at(file, 0..0);
    Box::new(diagnostic.help("make the artifact again with `loom-compile --format=loom-command`"))
}

fn malformed(file: &FileName, at: usize, what: &str) -> Box<Diagnostic> {
    let message = format!("malformed command artifact at byte {at}: {what}");
    fault(file, codes::ARTIFACT_FIELD, message)
}

/// The counts of the header, and the storage in it.
struct Header {
    counts: [u32; 12],
    transient: Option<StorageNeed>,
    launch_counts: Option<StorageNeed>,
}

fn read_header(reader: &mut Reader<'_>) -> Read<Header> {
    let total = reader.word()?;
    if total as usize > reader.bytes.len() {
        return Err(Problem::End);
    }
    if (total as usize) < reader.bytes.len() {
        return Err(Problem::At(total as usize, "bytes after the end"));
    }
    let mut counts = [0; 12];
    for count in &mut counts {
        *count = reader.word()?;
    }
    // The offsets follow from the counts; that they do is checked in the end.
    reader.take(32)?;
    let bindings = counts[1];
    Ok(Header {
        counts,
        transient: reader.need(bindings)?,
        launch_counts: reader.need(bindings)?,
    })
}

fn read_tables(reader: &mut Reader<'_>, header: &Header) -> Read<Artifact> {
    let [
        fixed,
        bindings,
        executables,
        entries,
        ranges,
        data,
        commands,
        roots,
        parameters,
        keys,
        schemas,
        kinds,
    ] = header.counts;
    let mut artifact = Artifact {
        fixed_buffers: fixed,
        rebindable_bindings: bindings,
        executables,
        entries,
        transient: header.transient,
        launch_counts: header.launch_counts,
        ..Artifact::default()
    };
    let limits = (fixed, bindings);
    for _ in 0..reader.count(ranges, RANGE)? {
        artifact.buffer_refs.push(reader.range(limits)?);
    }
    let rows: Vec<[u32; 4]> = (0..reader.count(schemas, SCHEMA)?)
        .map(|_| reader.words())
        .collect::<Read<_>>()?;
    let first_kind = reader.at;
    let kinds = reader.take(kinds)?;
    let mut next = 0;
    for [entry, _, count, _] in rows {
        let slice = kinds.get(next..next + count as usize);
        let Some(slice) = slice.filter(|_| entry < entries) else {
            return Err(Problem::At(first_kind, "a schema out of range"));
        };
        next += count as usize;
        let kind = |byte: &u8| ArgumentKind::ALL.get(usize::from(*byte).wrapping_sub(1)).copied();
        let Some(kinds) = slice.iter().map(kind).collect() else {
            return Err(Problem::At(first_kind, "an unknown kind of argument"));
        };
        artifact.schemas.push(EntrySchema { entry, kinds });
    }
    let mut arguments = Reader {
        bytes: reader.bytes,
        at: reader.at,
    };
    reader.take(data)?;
    for _ in 0..reader.count(commands, COMMAND)? {
        let command = read_command(reader, &mut arguments, &artifact)?;
        artifact.commands.push(command);
    }
    for _ in 0..reader.count(roots, ROOT)? {
        artifact.parameter_roots.push(reader.root(fixed)?);
    }
    let ascending = artifact
        .parameter_roots
        .is_sorted_by(|one, other| one.slot < other.slot);
    if !ascending {
        return Err(Problem::At(reader.at, "parameter roots out of order"));
    }
    read_parameters(reader, parameters, keys, &mut artifact)?;
    Ok(artifact)
}

fn read_command(
    reader: &mut Reader<'_>,
    data: &mut Reader<'_>,
    artifact: &Artifact,
) -> Read<ArtifactCommand> {
    let at = reader.at;
    let fail = |what| Err(Problem::At(at, what));
    let [kind, _, schema, a, b, c, d, e] = reader.words()?;
    let is_range = |range: u32| (range as usize) < artifact.buffer_refs.len();
    let waits = kind & WAITS != 0;
    let kind = kind & !WAITS;
    let counts = match kind {
        FILL if is_range(a) && matches!(c, 1 | 2 | 4) => {
            let action = Action::Fill {
                target: a,
                pattern: b,
                bytes: c,
            };
            return Ok(ArtifactCommand { waits, action });
        }
        COPY if is_range(a) && is_range(b) => {
            let action = Action::Copy { source: a, target: b };
            return Ok(ArtifactCommand { waits, action });
        }
        BARRIER if !waits => {
            let action = Action::Barrier;
            return Ok(ArtifactCommand { waits, action });
        }
        FILL | COPY | BARRIER => return fail("an operand out of range"),
        DIRECT => ActionCounts::Direct([c, d, e]),
        STATIC if is_range(c) => ActionCounts::Static(c),
        DYNAMIC if is_range(c) => ActionCounts::Dynamic(c),
        STATIC | DYNAMIC => return fail("counts out of range"),
        _ => return fail("an unknown command"),
    };
    let Some(row) = artifact.schemas.get(schema as usize) else {
        return fail("a schema out of range");
    };
    if a >= artifact.executables || b >= artifact.entries || row.entry != b {
        return fail("an executable or entry out of range");
    }
    let limits = (artifact.fixed_buffers, artifact.rebindable_bindings);
    let arguments = row.kinds.iter().map(|kind| data.argument(*kind, limits));
    let action = Action::Dispatch {
        executable: a,
        entry: b,
        schema,
        counts,
        arguments: arguments.collect::<Read<_>>()?,
    };
    Ok(ArtifactCommand { waits, action })
}

fn read_parameters(reader: &mut Reader<'_>, count: u32, keys: u32, artifact: &mut Artifact) -> Read<()> {
    let mut rows = Vec::new();
    for _ in 0..reader.count(count, PARAMETER)? {
        let [_, length, slot, _] = reader.words()?;
        rows.push((length, slot, reader.long()?, reader.long()?, reader.long()?));
    }
    let first = reader.at;
    let keys = reader.take(keys)?;
    let mut next = 0;
    for (key_length, slot, offset, length, align) in rows {
        let key = keys
            .get(next..next + key_length as usize)
            .and_then(|key| std::str::from_utf8(key).ok());
        let Some(key) = key else {
            return Err(Problem::At(first, "a key out of range"));
        };
        next += key_length as usize;
        let root = artifact.parameter_roots.iter().find(|root| root.slot == slot);
        let fits = |root: &StorageNeed| {
            let ends = offset.checked_add(length).is_some_and(|end| end <= root.length);
            ends && align.is_power_of_two() && offset % align == 0 && align <= root.align
        };
        if !root.is_some_and(fits) {
            return Err(Problem::At(first, "a parameter out of range"));
        }
        artifact.parameters.push(PlacedParameter {
            key: key.into(),
            slot,
            offset,
            length,
            align,
        });
    }
    Ok(())
}

/// A position in the bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: u32) -> Read<&'a [u8]> {
        let end = self.at.checked_add(length as usize);
        let Some(taken) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            return Err(Problem::At(self.at, "a table that is longer than the file"));
        };
        self.at += length as usize;
        Ok(taken)
    }

    /// A count of rows, all of which the file has room for.
    fn count(&self, rows: u32, size: u32) -> Read<u32> {
        match u64::from(rows) * u64::from(size) <= (self.bytes.len() - self.at) as u64 {
            true => Ok(rows),
            false => Err(Problem::At(self.at, "a table that is longer than the file")),
        }
    }

    fn bits(&mut self, length: u32) -> Read<u64> {
        let bytes = self.take(length)?;
        Ok(bytes
            .iter()
            .rev()
            .fold(0, |all, &byte| all << 8 | u64::from(byte)))
    }

    fn word(&mut self) -> Read<u32> {
        self.bits(4).map(|bits| bits as u32)
    }

    fn long(&mut self) -> Read<u64> {
        self.bits(8)
    }

    fn words<const N: usize>(&mut self) -> Read<[u32; N]> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.word()?;
        }
        Ok(words)
    }

    fn range(&mut self, (fixed, bindings): (u32, u32)) -> Read<ResourceRange> {
        let at = self.at;
        let [role, slot] = self.words()?;
        let resource = match role {
            FIXED if slot < fixed => Resource::Fixed(slot),
            REBINDABLE if slot < bindings => Resource::Rebindable(slot),
            _ => return Err(Problem::At(at, "a buffer out of range")),
        };
        let (offset, length) = (self.long()?, self.long()?);
        Ok(ResourceRange {
            resource,
            offset,
            length: (length != REST).then_some(length),
        })
    }

    fn argument(&mut self, kind: ArgumentKind, limits: (u32, u32)) -> Read<ActionArgument> {
        Ok(match kind {
            ArgumentKind::Buffer => ActionArgument::Buffer(self.range(limits)?),
            kind => ActionArgument::Scalar(kind, self.bits(kind.bytes())?),
        })
    }

    fn root(&mut self, fixed: u32) -> Read<StorageNeed> {
        let at = self.at;
        let [slot, _] = self.words()?;
        let (length, align) = (self.long()?, self.long()?);
        match slot < fixed && align.is_power_of_two() {
            true => Ok(StorageNeed { slot, length, align }),
            false => Err(Problem::At(at, "a parameter root out of range")),
        }
    }

    fn need(&mut self, bindings: u32) -> Read<Option<StorageNeed>> {
        let at = self.at;
        let [slot, _] = self.words()?;
        let (length, align) = (self.long()?, self.long()?);
        if slot == NO_BINDING {
            return Ok(None);
        }
        match slot < bindings && align.is_power_of_two() {
            true => Ok(Some(StorageNeed { slot, length, align })),
            false => Err(Problem::At(at, "storage out of range")),
        }
    }
}
