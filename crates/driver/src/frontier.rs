//! Product frontiers: a finished product, and what it leaves to be bound (product frontiers, "Preserve ownership and
//! concurrency").
//!
//! | type | owns | shared |
//! |---|---|---|
//! | [`LinkIndex`] | indexed sources, never changed again | by any number of threads |
//! | [`Workspace`] | what one invocation works with | by nobody: one worker at a time |
//! | [`CommandProduct`] | its programs' bytes, copied names, requirements, resource projections | as it likes |
//! | [`KernelRequest`] | bytecode, roots, provisional bindings to its parent | as it likes |
//!
//! A build without a sink is body-blind: no kernel's body is opened, and a requirement is a kernel or entry. With a
//! [`RequestSink`] launches are classified, and the sink gets one request for each live class, once, while the parent
//! is still being built. What it got is its own, whatever becomes of the parent; bindings to a parent that failed are
//! never committed.
//!
//! The same build over files that change is [`Snapshot::command_product`](crate::Snapshot::command_product).

pub use build::{ProductSpec, Unfinished};
pub use index::{IndexedSymbol, LinkIndex, ModuleSource, Workspace};
pub use loom_frontier::Configuration;
pub use loom_frontier::product::{
    BoundResource, ParameterRoot, PlacedParameter, ProductKind, RequestRoot, Resource, Resources,
    TransientSlab,
};
pub use product::{CommandProduct, CommandProgram, EntryRequirement, RequirementSource};
pub use request::{Goal, KernelRequest, RequestBinding, RequestDescriptor, RequestSink, SinkError, Standing};

mod build;
mod index;
mod product;
mod request;
mod standing;
#[cfg(test)]
mod tests;
