//! Executing an artifact without a device: the dispatches it issues, wave by wave.

use super::{Action, ActionArgument, ActionCounts, Artifact, ResourceRange};

/// Dispatches that may run at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DispatchedWave {
    /// In the order in which they are issued.
    pub dispatches: Vec<TracedDispatch>,
}

/// One dispatch, with everything resolved that the artifact says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedDispatch {
    /// The entry slot.
    pub entry: u32,
    /// The counts, or where they are read.
    pub counts: TracedCounts,
    /// The arguments.
    pub arguments: Box<[ActionArgument]>,
}

/// The workgroup counts of a traced dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TracedCounts {
    /// Known.
    Direct([u32; 3]),
    /// Read from a buffer that does not change while the program runs.
    Static(ResourceRange),
    /// Read from a buffer that an earlier wave writes.
    Dynamic(ResourceRange),
}

/// Issues the commands of `artifact` one after another: what does not wait for the command before it is in the
/// same wave. Waves without a dispatch are left out.
pub fn trace_artifact(artifact: &Artifact) -> Vec<DispatchedWave> {
    let mut waves = vec![DispatchedWave::default()];
    for command in &artifact.commands {
        if command.waits || command.action == Action::Barrier {
            waves.push(DispatchedWave::default());
        }
        let Action::Dispatch {
            entry,
            counts,
            arguments,
            ..
        } = &command.action
        else {
            continue;
        };
        let read = |range: u32| artifact.buffer_refs[range as usize];
        let counts = match *counts {
            ActionCounts::Direct(counts) => TracedCounts::Direct(counts),
            ActionCounts::Static(range) => TracedCounts::Static(read(range)),
            ActionCounts::Dynamic(range) => TracedCounts::Dynamic(read(range)),
        };
        let dispatch = TracedDispatch {
            entry: *entry,
            counts,
            arguments: arguments.clone(),
        };
        if let Some(wave) = waves.last_mut() {
            wave.dispatches.push(dispatch);
        }
    }
    waves.retain(|wave| !wave.dispatches.is_empty());
    waves
}
