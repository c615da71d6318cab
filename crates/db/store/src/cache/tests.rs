//! The cache over a world in memory.
