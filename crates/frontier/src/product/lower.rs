//! From a prepared program to its artifact: slots, ranges, schemas and the checks that need waves.

use loom_base::{Diagnostic, Outcome, Place};
use loom_ir::Scalar;
use loom_ir::fold::Exact;
use rustc_hash::{FxHashMap, FxHashSet};

use super::artifact::{
    Action, ActionArgument, ActionCounts, ArgumentKind, Artifact, ArtifactCommand, EntrySchema,
    ResourceRange, StorageNeed, encode_artifact,
};
use super::codes;
use super::program::{Argument, BufferRef, Callee, Command, Counts, Program, Root, Spot};
use super::schedule::{Schedule, schedule};
use super::storage::{Layout, Resource, Resources, lay_out, references};

/// The size of the workgroup counts that a dispatch reads.
const COUNTS_BYTES: u64 = 12;

/// A finished program. It owns all it is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EncodedProgram {
    /// The name of the root, without `@`.
    pub symbol: Box<str>,
    /// The artifact, `.loomcmd`.
    pub bytes: Box<[u8]>,
    /// What each local entry slot stands for, in the order of first use.
    pub entries: Vec<Entry>,
    /// The storage that the program asks for.
    pub resources: Resources,
}

/// An executable entry that a program needs: one class of a kernel, or a kernel or entry as a whole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// The kernel or entry.
    pub callee: Callee,
    /// The class of its launches; `None` where kernels are not classified, and for entries without source.
    pub class: Option<u32>,
}

/// Encodes `program`. `class` tells the class of the command at a position of its schedule; it is asked for
/// kernels with source only. A body-blind product answers `None`. `place` tells the bytes of a spot, for
/// diagnostics.
///
/// # Errors
/// [`codes::COUNTS_TOO_EARLY`], [`codes::COUNTS_UNPLACED`], [`codes::BEYOND_STORAGE`],
/// [`codes::ARGUMENT_KINDS`], [`codes::TOO_LARGE`].
pub fn encode_program(
    program: &Program,
    class: &dyn Fn(usize) -> Option<u32>,
    place: &dyn Fn(Spot) -> Place,
) -> Outcome<EncodedProgram> {
    let schedule = schedule(program);
    let commands = program.commands();
    let layout = match lay_out(program, &commands, &schedule, place) {
        Ok(layout) => layout,
        Err(diagnostic) => return Outcome::failure([*diagnostic]),
    };
    let mut lowering = Lowering::new(program, layout);
    lowering.commands(&schedule, &commands, class, place);
    let Lowering {
        artifact,
        entries,
        mut diagnostics,
        layout,
        ..
    } = lowering;
    let bytes = encode_artifact(&artifact).unwrap_or_else(|diagnostic| {
        diagnostics.push(*diagnostic);
        Vec::new()
    });
    let encoded = EncodedProgram {
        symbol: program.symbol.clone(),
        bytes: bytes.into(),
        entries,
        resources: layout.resources,
    };
    Outcome::checked(encoded, diagnostics)
}

struct Lowering<'a> {
    program: &'a Program,
    layout: Layout,
    artifact: Artifact,
    entries: Vec<Entry>,
    slots: FxHashMap<Entry, u32>,
    ranges: FxHashMap<ResourceRange, u32>,
    /// Allocations that commands of earlier waves refer to, and those of this wave.
    earlier: FxHashSet<u32>,
    current: FxHashSet<u32>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lowering<'a> {
    fn new(program: &'a Program, layout: Layout) -> Self {
        let resources = &layout.resources;
        let artifact = Artifact {
            fixed_buffers: resources.fixed(),
            rebindable_bindings: resources.rebindable(),
            parameter_roots: resources
                .parameter_roots
                .iter()
                .map(|root| StorageNeed {
                    slot: root.slot,
                    length: root.length,
                    align: root.align,
                })
                .collect(),
            parameters: resources.parameters.clone(),
            transient: resources.transient.map(|slab| StorageNeed {
                slot: slab.slot,
                length: slab.length,
                align: slab.align,
            }),
            ..Artifact::default()
        };
        Lowering {
            program,
            layout,
            artifact,
            entries: Vec::new(),
            slots: FxHashMap::default(),
            ranges: FxHashMap::default(),
            earlier: FxHashSet::default(),
            current: FxHashSet::default(),
            diagnostics: Vec::new(),
        }
    }

    fn commands(
        &mut self,
        schedule: &Schedule,
        commands: &[&Command],
        class: &dyn Fn(usize) -> Option<u32>,
        place: &dyn Fn(Spot) -> Place,
    ) {
        for (position, scheduled) in schedule.commands.iter().enumerate() {
            let command = commands[scheduled.command as usize];
            let waits = schedule.waits(position);
            if waits {
                self.earlier.extend(self.current.drain());
            }
            if let Err(diagnostic) = self.command(command, waits, position, class) {
                self.diagnostics.push(command.site.mark(*diagnostic, place));
            }
            for reference in references(command) {
                if let Root::Allocation(allocation) = reference.root {
                    self.current.insert(allocation);
                }
            }
        }
        self.artifact.entries = self.entries.len() as u32;
        self.artifact.executables = self.entries.len() as u32;
    }

    fn command(
        &mut self,
        command: &Command,
        waits: bool,
        position: usize,
        class: &dyn Fn(usize) -> Option<u32>,
    ) -> Result<(), Box<Diagnostic>> {
        let dispatch = &command.dispatch;
        let arguments = dispatch.arguments.iter().map(|argument| match argument {
            Argument::Buffer(reference) => self.range(*reference).map(ActionArgument::Buffer),
            Argument::Scalar(exact) => Ok(scalar(*exact)),
        });
        let arguments: Box<[ActionArgument]> = arguments.collect::<Result<_, _>>()?;
        let counts = match dispatch.counts {
            Counts::Direct(counts) => ActionCounts::Direct(counts),
            Counts::Indirect(reference) => self.indirect(&dispatch.callee, reference)?,
        };
        let class = match dispatch.callee.is_source_backed {
            true => class(position),
            false => None,
        };
        let entry = Entry {
            callee: dispatch.callee.clone(),
            class,
        };
        let entry = self.entry(entry, &arguments)?;
        let action = Action::Dispatch {
            executable: entry,
            entry,
            schema: entry,
            counts,
            arguments,
        };
        self.artifact.commands.push(ArtifactCommand { waits, action });
        Ok(())
    }

    /// The slot of `entry`. Its schema stands under the same number.
    fn entry(&mut self, entry: Entry, arguments: &[ActionArgument]) -> Result<u32, Box<Diagnostic>> {
        let kinds: Box<[ArgumentKind]> = arguments.iter().map(ActionArgument::kind).collect();
        if let Some(&slot) = self.slots.get(&entry) {
            if self.artifact.schemas[slot as usize].kinds != kinds {
                let message = format!(
                    "@{} is dispatched with arguments of different kinds",
                    entry.callee.name
                );
                let help = "pass arguments of the types that the kernel declares in every dispatch of it";
                return Err(Box::new(
                    Diagnostic::error(codes::ARGUMENT_KINDS, message).help(help),
                ));
            }
            return Ok(slot);
        }
        let slot = self.entries.len() as u32;
        self.artifact.schemas.push(EntrySchema { entry: slot, kinds });
        self.slots.insert(entry.clone(), slot);
        self.entries.push(entry);
        Ok(slot)
    }

    fn indirect(&mut self, callee: &Callee, counts: BufferRef) -> Result<ActionCounts, Box<Diagnostic>> {
        let unplaced = |requirement: &str, help: &str| {
            let message = format!(
                "cannot place the workgroup-count view for @{}; {requirement}",
                callee.name
            );
            Err(Box::new(
                Diagnostic::error(codes::COUNTS_UNPLACED, message).help(help),
            ))
        };
        if counts.length.is_some_and(|length| length < COUNTS_BYTES) {
            let help = "view the counts as `view<3xi32>`";
            return unplaced("it requires three 32-bit words", help);
        }
        if !counts.offset.is_multiple_of(4) {
            let help = "begin the view at a byte offset that is a multiple of 4";
            return unplaced("it requires an offset that is a multiple of 4", help);
        }
        let dynamic = match counts.root {
            Root::Allocation(allocation) if !self.earlier.contains(&allocation) => {
                let message = format!(
                    "cannot dispatch @{} from dynamic workgroup counts without a preceding execution wave",
                    callee.name
                );
                let help = "let a kernel that runs before this dispatch write the counts: put it ahead of the \
                            dispatch in serial order, not beside it in a concurrent group";
                return Err(Box::new(
                    Diagnostic::error(codes::COUNTS_TOO_EARLY, message).help(help),
                ));
            }
            Root::Allocation(_) => true,
            Root::Binding(_) | Root::Parameter(_) => false,
        };
        let wanted = BufferRef {
            length: Some(COUNTS_BYTES),
            ..counts
        };
        let range = self.range(wanted)?;
        let next = self.artifact.buffer_refs.len() as u32;
        let number = *self.ranges.entry(range).or_insert(next);
        if number == next {
            self.artifact.buffer_refs.push(range);
        }
        Ok(match dynamic {
            true => ActionCounts::Dynamic(number),
            false => ActionCounts::Static(number),
        })
    }

    /// The bound range that `reference` means.
    fn range(&self, reference: BufferRef) -> Result<ResourceRange, Box<Diagnostic>> {
        let resources = &self.layout.resources;
        let (resource, base, size) = match reference.root {
            Root::Binding(binding) => (resources.bindings[binding as usize].resource, 0, None),
            Root::Parameter(parameter) => {
                let placed = &resources.parameters[parameter as usize];
                (Resource::Fixed(placed.slot), placed.offset, Some(placed.length))
            }
            Root::Allocation(allocation) => {
                let place = self.layout.allocations[allocation as usize];
                let (Some(slab), Some(base)) = (resources.transient, place) else {
                    unreachable!("an allocation that a command uses has a place");
                };
                let bytes = self.program.allocations[allocation as usize].bytes;
                (Resource::Rebindable(slab.slot), base, Some(bytes))
            }
        };
        // The rest of a part of a buffer is not the rest of that buffer.
        let length = match (reference.length, size) {
            (None, Some(size)) => Some(size.checked_sub(reference.offset)),
            (length, _) => length.map(Some),
        };
        let end = match length {
            Some(length) => length.and_then(|length| reference.offset.checked_add(length)),
            None => Some(reference.offset),
        };
        let beyond = end.is_none_or(|end| size.is_some_and(|size| end > size));
        if beyond {
            let what = match reference.root {
                Root::Binding(_) => "a view leaves the range of 64 bits".to_owned(),
                Root::Parameter(_) => format!(
                    "a view reaches beyond its parameter of {} bytes",
                    size.unwrap_or(0)
                ),
                Root::Allocation(_) => {
                    format!(
                        "a view reaches beyond its allocation of {} bytes",
                        size.unwrap_or(0)
                    )
                }
            };
            let help = "make the view smaller, or what it views larger";
            return Err(Box::new(
                Diagnostic::error(codes::BEYOND_STORAGE, what).help(help),
            ));
        }
        Ok(ResourceRange {
            resource,
            offset: base + reference.offset,
            length: length.flatten(),
        })
    }
}

/// A scalar argument: `index` and `offset` have kinds of their own, everything else counts by its size.
fn scalar(exact: Exact) -> ActionArgument {
    let kind = match exact.scalar() {
        Scalar::Index => ArgumentKind::Index,
        Scalar::Offset => ArgumentKind::Offset,
        scalar => match scalar.bytes() {
            1 => ArgumentKind::B8,
            2 => ArgumentKind::B16,
            4 => ArgumentKind::B32,
            _ => ArgumentKind::B64,
        },
    };
    ActionArgument::Scalar(kind, exact.bits())
}

#[cfg(test)]
mod tests;
