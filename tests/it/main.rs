//! Integration tests of Loom.
