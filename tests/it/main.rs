//! Integration tests of Loom: what no single crate can see.
//!
//! They look at the built tools, so `cargo build --release --workspace` comes first and the tests run in the
//! same profile; `make test` does both.
#![allow(
    clippy::disallowed_methods,
    reason = "tests look at the real file system and run the real tools"
)]

mod cache;
mod demo;
mod driver;
mod engine;
mod final_link;
mod folding;
mod links;
mod payload;
mod pragma;
mod products;
mod programs;
mod raise;
mod setup;
mod startup;
mod tidy;
