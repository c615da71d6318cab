//! Resolution of symbols by hand-made tables.
