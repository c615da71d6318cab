//! Where the storage of a program lies: slots of bindings, places of parameters, the transient slab
//! (loom-language 5.2).

use loom_base::{Diagnostic, Place};

use super::codes;
use super::program::{Argument, BufferRef, Command, Counts, Program, Root, Spot};
use super::schedule::Schedule;
use slab::{Life, pack};

mod slab;

/// The alignment of parameters and of the roots they lie in.
pub const PARAMETER_ALIGNMENT: u64 = 256;

/// A buffer that somebody hands to a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase", tag = "role", content = "slot")]
pub enum Resource {
    /// Bound once, when the program is loaded.
    Fixed(u32),
    /// Bound whenever the program is issued.
    Rebindable(u32),
}

/// What storage a program asks for: the resource projections of a product (decision 32).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, serde::Serialize)]
pub struct Resources {
    /// What each launch argument of the program became, in their order.
    pub bindings: Vec<BoundResource>,
    /// The fixed buffers that hold parameters, in the order of their slots.
    pub parameter_roots: Vec<ParameterRoot>,
    /// The parameters, in the order of the source.
    pub parameters: Vec<PlacedParameter>,
    /// Transient storage, in the last rebindable slot.
    pub transient: Option<TransientSlab>,
}

/// A launch argument with its slot.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize)]
pub struct BoundResource {
    /// The authored name, without `%`.
    pub name: Box<str>,
    /// The slot.
    #[serde(flatten)]
    pub resource: Resource,
}

/// A fixed buffer with parameters in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
pub struct ParameterRoot {
    /// The fixed slot.
    pub slot: u32,
    /// The least size: the end of the last parameter or view.
    pub length: u64,
    /// The least alignment.
    pub align: u64,
}

/// A parameter with its place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize)]
pub struct PlacedParameter {
    /// The key.
    pub key: Box<str>,
    /// The fixed slot of its root.
    pub slot: u32,
    /// First byte within the root.
    pub offset: u64,
    /// Size.
    pub length: u64,
    /// The least alignment.
    pub align: u64,
}

/// The storage that all allocations of a program share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
pub struct TransientSlab {
    /// The rebindable slot.
    pub slot: u32,
    /// Size.
    pub length: u64,
    /// The least alignment.
    pub align: u64,
}

/// Places of everything that commands can refer to.
pub(super) struct Layout {
    pub resources: Resources,
    /// Places in the slab, by allocation; `None` for one that no command uses.
    pub allocations: Box<[Option<u64>]>,
}

impl Resources {
    /// How many fixed buffers there are.
    pub fn fixed(&self) -> u32 {
        self.parameter_roots.len() as u32
    }

    /// How many rebindable bindings there are, the slab among them.
    pub fn rebindable(&self) -> u32 {
        let arguments = self.bindings.len() as u32 - self.fixed();
        arguments + u32::from(self.transient.is_some())
    }
}

/// The storage that a command refers to, arguments first.
pub(super) fn references(command: &Command) -> impl Iterator<Item = BufferRef> + '_ {
    let arguments = command.dispatch.arguments.iter();
    let buffers = arguments.filter_map(|argument| match argument {
        Argument::Buffer(reference) => Some(*reference),
        Argument::Scalar(_) => None,
    });
    let counts = match command.dispatch.counts {
        Counts::Indirect(reference) => Some(reference),
        Counts::Direct(_) => None,
    };
    buffers.chain(counts)
}

/// Lays out the storage of `program`.
///
/// # Errors
/// [`codes::TOO_LARGE`] when parameters or allocations together leave the range of 64 bits.
pub(super) fn lay_out(
    program: &Program,
    commands: &[&Command],
    schedule: &Schedule,
    place: &dyn Fn(Spot) -> Place,
) -> Result<Layout, Box<Diagnostic>> {
    let mut resources = Resources::default();
    let is_fixed = |binding: usize| {
        let mut uses = program.parameters.iter();
        uses.any(|parameter| parameter.binding as usize == binding)
    };
    let (mut fixed, mut rebindable) = (0, 0);
    for (number, binding) in program.bindings.iter().enumerate() {
        let (next, resource): (_, fn(u32) -> Resource) = match is_fixed(number) {
            true => (&mut fixed, Resource::Fixed),
            false => (&mut rebindable, Resource::Rebindable),
        };
        resources.bindings.push(BoundResource {
            name: binding.name.clone(),
            resource: resource(*next),
        });
        *next += 1;
    }
    resources.parameter_roots = (0..fixed)
        .map(|slot| ParameterRoot {
            slot,
            length: 0,
            align: PARAMETER_ALIGNMENT,
        })
        .collect();
    place_parameters(program, &mut resources, place)?;
    cover_views(commands, &mut resources);
    let (allocations, slab) = place_allocations(program, commands, schedule, place)?;
    resources.transient = slab.map(|(length, align)| TransientSlab {
        slot: rebindable,
        length,
        align,
    });
    Ok(Layout {
        resources,
        allocations,
    })
}

fn place_parameters(
    program: &Program,
    resources: &mut Resources,
    place: &dyn Fn(Spot) -> Place,
) -> Result<(), Box<Diagnostic>> {
    for parameter in &program.parameters {
        let Resource::Fixed(slot) = resources.bindings[parameter.binding as usize].resource else {
            unreachable!("the binding of a parameter is fixed");
        };
        let root = &mut resources.parameter_roots[slot as usize];
        let offset = root.length.checked_next_multiple_of(PARAMETER_ALIGNMENT);
        let end = offset.and_then(|offset| offset.checked_add(parameter.bytes));
        let (Some(offset), Some(end)) = (offset, end) else {
            let message = format!(
                "the parameters of '%{}' exceed 64 bits of address space",
                program.bindings[parameter.binding as usize].name
            );
            let help = "give the parameters smaller views, or spread them over several buffers";
            let diagnostic = Diagnostic::error(codes::TOO_LARGE, message).help(help);
            return Err(Box::new(parameter.site.mark(diagnostic, place)));
        };
        root.length = end;
        resources.parameters.push(PlacedParameter {
            key: parameter.key.clone(),
            slot,
            offset,
            length: parameter.bytes,
            align: PARAMETER_ALIGNMENT,
        });
    }
    Ok(())
}

/// A fixed buffer must also hold what commands view in it directly.
fn cover_views(commands: &[&Command], resources: &mut Resources) {
    for reference in commands.iter().flat_map(|command| references(command)) {
        let Root::Binding(binding) = reference.root else {
            continue;
        };
        let Resource::Fixed(slot) = resources.bindings[binding as usize].resource else {
            continue;
        };
        let end = reference.offset.saturating_add(reference.length.unwrap_or(0));
        let root = &mut resources.parameter_roots[slot as usize];
        root.length = root.length.max(end);
    }
}

/// Places in the slab, and its size and alignment.
type Packed = (Box<[Option<u64>]>, Option<(u64, u64)>);

fn place_allocations(
    program: &Program,
    commands: &[&Command],
    schedule: &Schedule,
    place: &dyn Fn(Spot) -> Place,
) -> Result<Packed, Box<Diagnostic>> {
    let mut last: Vec<Option<u32>> = vec![None; program.allocations.len()];
    for scheduled in &schedule.commands {
        for reference in references(commands[scheduled.command as usize]) {
            if let Root::Allocation(allocation) = reference.root {
                last[allocation as usize] = Some(scheduled.wave);
            }
        }
    }
    let lives: Vec<Life> = last
        .iter()
        .enumerate()
        .filter_map(|(number, last)| {
            let allocation = &program.allocations[number];
            Some(Life {
                allocation: number as u32,
                first: schedule.born[number].min((*last)?),
                last: (*last)?,
                bytes: allocation.bytes,
                align: allocation.align,
            })
        })
        .collect();
    let mut places = vec![None; program.allocations.len()];
    let placed = pack(&lives).map_err(|life| {
        let allocation = &program.allocations[life.allocation as usize];
        let message = "the transient storage of the program exceeds 64 bits of address space";
        let help = "allocate less, or end the use of other allocations before this one";
        Box::new(
            allocation
                .site
                .mark(Diagnostic::error(codes::TOO_LARGE, message).help(help), place),
        )
    })?;
    for (life, offset) in lives.iter().zip(&placed) {
        places[life.allocation as usize] = Some(*offset);
    }
    let ends = lives
        .iter()
        .zip(&placed)
        .map(|(life, offset)| offset + life.bytes);
    let slab = ends.max().zip(lives.iter().map(|life| life.align).max());
    Ok((places.into(), slab))
}

#[cfg(test)]
mod tests;
