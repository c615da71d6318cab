//! The codes of what a link can find wrong, each with its meaning.

/// Two selected modules define one global symbol.
pub const DUPLICATE: &str = "LINK/001";
/// Several modules offer the definition of one name, and nothing says which is meant.
pub const AMBIGUOUS: &str = "LINK/002";
/// A declaration has no definition.
pub const UNRESOLVED: &str = "LINK/003";
/// A root, or a request for a symbol, names none.
pub const UNKNOWN_ROOT: &str = "LINK/004";
/// A root names private symbols of several modules.
pub const PRIVATE_ROOT: &str = "LINK/005";
/// There is no root, or the name of one is empty.
pub const NO_ROOT: &str = "LINK/006";
/// A declaration and its definition disagree.
pub const CONTRACT: &str = "LINK/007";
/// One name stands for symbols of different kinds.
pub const KIND: &str = "LINK/008";
/// A symbol that exists for tests only is needed where such symbols are stripped.
pub const STRIPPED: &str = "LINK/009";
/// A configuration value violates a predicate of its declarations.
pub const CONFIG_VIOLATED: &str = "LINK/010";
/// Two definitions give one configuration symbol different values.
pub const CONFIG_CONFLICT: &str = "LINK/011";
/// A configuration value is not of the declared type.
pub const CONFIG_TYPE: &str = "LINK/012";
/// A configuration symbol has no value although all must have one.
pub const CONFIG_UNRESOLVED: &str = "LINK/013";
/// Roots are given to a merge, which takes everything.
pub const MERGE_ROOTS: &str = "LINK/014";

/// A configuration file is malformed.
pub const CONFIG_FILE: &str = "LINK/015";
/// What is supplied as a configuration value can be none.
pub const CONFIG_VALUE: &str = "LINK/016";
/// One configuration symbol is supplied with two values.
pub const CONFIG_TWICE: &str = "LINK/017";

/// The target is none that is known, or what is said of it contradicts itself.
pub const TARGET: &str = "LINK/018";

/// All codes with their meanings, in order.
pub const ALL: &[(&str, &str)] = &[
    (DUPLICATE, "two selected modules define one global symbol"),
    (AMBIGUOUS, "several modules offer the definition of one name"),
    (UNRESOLVED, "a declaration has no definition"),
    (UNKNOWN_ROOT, "a root, or a request for a symbol, names none"),
    (PRIVATE_ROOT, "a root names private symbols of several modules"),
    (NO_ROOT, "there is no root, or the name of one is empty"),
    (CONTRACT, "a declaration and its definition disagree"),
    (KIND, "one name stands for symbols of different kinds"),
    (
        STRIPPED,
        "a test-only symbol is needed where such symbols are stripped",
    ),
    (CONFIG_VIOLATED, "a configuration value violates a predicate"),
    (
        CONFIG_CONFLICT,
        "two definitions give one configuration symbol different values",
    ),
    (CONFIG_TYPE, "a configuration value is not of the declared type"),
    (CONFIG_UNRESOLVED, "a configuration symbol has no value"),
    (MERGE_ROOTS, "roots are given to a merge"),
    (CONFIG_FILE, "a configuration file is malformed"),
    (
        CONFIG_VALUE,
        "what is supplied as a configuration value can be none",
    ),
    (
        CONFIG_TWICE,
        "one configuration symbol is supplied with two values",
    ),
    (TARGET, "the target is unknown, or contradicts itself"),
];

#[cfg(test)]
mod tests;
