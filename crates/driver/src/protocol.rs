//! The session protocol: a long-lived session spoken to in lines of JSON (`loom session --stdio`,
//! `schema/session.schema.json`).
//!
//! A client announces changes, asks for artifacts and cancels. Requests run side by side, each on a snapshot;
//! answers come in the order in which they are ready. A request that a change overtakes starts again by itself
//! and answers for the new state.

mod answer;
mod message;
mod products;
mod server;
#[cfg(test)]
mod tests;

pub use message::{
    ArtifactKind, ArtifactRequest, ChangeRequest, FileChange, LinkRequest, Request, Response, Status,
};
pub use server::serve;
