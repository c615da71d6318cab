//! Command products: a prepared program, its schedule, and where the product stops (loom-language 5).
//!
//! A product goes through three steps. Preparation makes a flat [`Program`] of the facets that a link selected;
//! no kernel body is among them. Scheduling orders its commands in waves and lays out its storage. Encoding
//! writes the artifact. Whether launches of one kernel need one executable or several is decided beside that,
//! from the [`Program`] and what each kernel's body decides by its launch arguments.

pub use artifact::{
    Action, ActionArgument, ActionCounts, ArgumentKind, Artifact, ArtifactCommand, DispatchedWave,
    EntrySchema, ResourceRange, StorageNeed, TracedCounts, TracedDispatch, decode_artifact, encode_artifact,
    trace_artifact,
};
pub use choices::{Choice, LaunchChoices, launch_choices};
pub use classes::{
    CLASS_LIMIT, LaunchClass, LaunchClasses, LaunchSite, Trace, classify_choices, launched, position_classes,
};
pub use decisions::{
    Affine, Candidate, Clause, ClauseTerm, Conjunction, Decision, Input, KernelDecisions, Residual,
    Unresolved, kernel_decisions, request_options,
};
pub use dot::programs_dot;
pub use explain::{Explained, explain_classes};
pub use lower::{EncodedProgram, Entry, encode_program};
pub use manifest::{artifact_name, manifest_json, request_name};
pub use prepare::{Preparation, prepare_program};
pub use program::{
    Allocation, Argument, Binding, BufferRef, Callee, Command, Counts, Dispatch, Parameter, Program, Root,
    Site, Spot, Step,
};
pub use request::{
    ProductKind, RequestMetadata, RequestModule, RequestRoot, kernel_request, read_request_metadata,
    request_module, semantic_digest,
};
pub use requirements::{Requirements, number_requirements};
pub use roots::program_roots;
pub use schedule::{Schedule, Scheduled, schedule};
pub use storage::{BoundResource, ParameterRoot, PlacedParameter, Resource, Resources, TransientSlab};

mod artifact;
mod choices;
mod classes;
pub mod codes;
mod decisions;
mod dot;
mod explain;
mod lower;
mod manifest;
mod prepare;
mod program;
mod request;
mod requirements;
mod roots;
mod schedule;
mod storage;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
