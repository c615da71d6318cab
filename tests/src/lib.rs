//! What Loom's integration tests and benchmarks share. The tests themselves are in it/.
#![allow(
    clippy::disallowed_methods,
    reason = "tests look at the real file system and run the real tools"
)]

pub mod built;
pub mod measure;
pub mod random;
pub mod shim;
pub mod stage;
pub mod workload;
