//! Writing an artifact.

use loom_base::Diagnostic;

use super::format::*;
use super::{Action, ActionArgument, ActionCounts, Artifact, ArtifactCommand, ResourceRange, StorageNeed};
use crate::product::codes;
use crate::product::storage::Resource;

/// The bytes of `artifact`: equal artifacts have equal bytes.
///
/// # Errors
/// [`codes::TOO_LARGE`] when a table leaves the range of 32 bits.
pub fn encode_artifact(artifact: &Artifact) -> Result<Vec<u8>, Box<Diagnostic>> {
    let kinds: u64 = artifact
        .schemas
        .iter()
        .map(|schema| schema.kinds.len() as u64)
        .sum();
    let keys: u64 = artifact.parameters.iter().map(|it| it.key.len() as u64).sum();
    let mut arguments = Table::default();
    let mut commands = Table::default();
    for command in &artifact.commands {
        write_command(command, &mut commands, &mut arguments);
    }
    let lengths = [
        artifact.buffer_refs.len() as u64 * u64::from(RANGE),
        artifact.schemas.len() as u64 * u64::from(SCHEMA),
        kinds,
        arguments.0.len() as u64,
        commands.0.len() as u64,
        artifact.parameter_roots.len() as u64 * u64::from(ROOT),
        artifact.parameters.len() as u64 * u64::from(PARAMETER),
        keys,
    ];
    let total = u64::from(HEADER) + lengths.iter().sum::<u64>();
    if u32::try_from(total).is_err() {
        let message = format!("the artifact would have {total} bytes, more than 32 bits can count");
        let help = "split the program into several that the host issues one after another";
        return Err(Box::new(Diagnostic::error(codes::TOO_LARGE, message).help(help)));
    }
    let mut out = Table(Vec::with_capacity(total as usize));
    write_header(artifact, &lengths, &mut out);
    artifact.buffer_refs.iter().for_each(|range| out.range(range));
    let mut kind = 0;
    for schema in &artifact.schemas {
        let count = schema.kinds.len() as u32;
        let bytes = schema.kinds.iter().map(|kind| kind.bytes()).sum();
        out.words(&[schema.entry, if count == 0 { 0 } else { kind }, count, bytes]);
        kind += count;
    }
    for schema in &artifact.schemas {
        out.0.extend(schema.kinds.iter().map(|&kind| kind as u8));
    }
    out.0.append(&mut arguments.0);
    out.0.append(&mut commands.0);
    for root in &artifact.parameter_roots {
        out.words(&[root.slot, 0]);
        out.longs(&[root.length, root.align]);
    }
    let mut key = 0;
    for parameter in &artifact.parameters {
        let length = parameter.key.len() as u32;
        out.words(&[key, length, parameter.slot, 0]);
        out.longs(&[parameter.offset, parameter.length, parameter.align]);
        key += length;
    }
    for parameter in &artifact.parameters {
        out.0.extend_from_slice(parameter.key.as_bytes());
    }
    Ok(out.0)
}

fn write_header(artifact: &Artifact, lengths: &[u64; 8], out: &mut Table) {
    out.0.extend_from_slice(MAGIC);
    out.0.extend_from_slice(&VERSION.to_le_bytes());
    out.0.extend_from_slice(&(HEADER as u16).to_le_bytes());
    let [.., kinds, arguments, _, _, _, keys] = lengths.map(|length| length as u32);
    let total = HEADER + lengths.iter().sum::<u64>() as u32;
    out.words(&[
        total,
        artifact.fixed_buffers,
        artifact.rebindable_bindings,
        artifact.executables,
        artifact.entries,
        artifact.buffer_refs.len() as u32,
        arguments,
        artifact.commands.len() as u32,
        artifact.parameter_roots.len() as u32,
        artifact.parameters.len() as u32,
        keys,
        artifact.schemas.len() as u32,
        kinds,
    ]);
    let mut at = HEADER;
    for length in lengths {
        out.words(&[at]);
        at += *length as u32;
    }
    out.need(artifact.transient);
    out.need(artifact.launch_counts);
}

fn write_command(command: &ArtifactCommand, commands: &mut Table, arguments: &mut Table) {
    let mut first = 0;
    let (kind, schema, operands) = match &command.action {
        Action::Fill {
            target,
            pattern,
            bytes,
        } => (FILL, 0, [*target, *pattern, *bytes, 0, 0]),
        Action::Copy { source, target } => (COPY, 0, [*source, *target, 0, 0, 0]),
        Action::Barrier => (BARRIER, 0, [0; 5]),
        Action::Dispatch {
            executable,
            entry,
            schema,
            counts,
            arguments: given,
        } => {
            if !given.is_empty() {
                first = arguments.0.len() as u32;
            }
            given.iter().for_each(|argument| arguments.argument(argument));
            let (kind, [a, b, c]) = match *counts {
                ActionCounts::Direct(counts) => (DIRECT, counts),
                ActionCounts::Static(range) => (STATIC, [range, 0, 0]),
                ActionCounts::Dynamic(range) => (DYNAMIC, [range, 0, 0]),
            };
            (kind, *schema, [*executable, *entry, a, b, c])
        }
    };
    let waits = if command.waits { WAITS } else { 0 };
    commands.words(&[kind | waits, first, schema]);
    commands.words(&operands);
}

/// Bytes being written.
#[derive(Default)]
struct Table(Vec<u8>);

impl Table {
    fn words(&mut self, words: &[u32]) {
        words
            .iter()
            .for_each(|word| self.0.extend_from_slice(&word.to_le_bytes()));
    }

    fn longs(&mut self, longs: &[u64]) {
        longs
            .iter()
            .for_each(|long| self.0.extend_from_slice(&long.to_le_bytes()));
    }

    fn range(&mut self, range: &ResourceRange) {
        self.words(&match range.resource {
            Resource::Fixed(slot) => [FIXED, slot],
            Resource::Rebindable(slot) => [REBINDABLE, slot],
        });
        self.longs(&[range.offset, range.length.unwrap_or(REST)]);
    }

    fn need(&mut self, need: Option<StorageNeed>) {
        let none = StorageNeed {
            slot: NO_BINDING,
            length: 0,
            align: 0,
        };
        let StorageNeed { slot, length, align } = need.unwrap_or(none);
        self.words(&[slot, 0]);
        self.longs(&[length, align]);
    }

    fn argument(&mut self, argument: &ActionArgument) {
        match argument {
            ActionArgument::Buffer(range) => self.range(range),
            ActionArgument::Scalar(kind, bits) => {
                self.0
                    .extend_from_slice(&bits.to_le_bytes()[..kind.bytes() as usize]);
            }
        }
    }
}
