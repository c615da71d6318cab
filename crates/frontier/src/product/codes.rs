//! The codes of what a command product can find wrong, each with its meaning.

pub use super::prepare::codes as preparation;

/// Dynamic workgroup counts are read where no earlier wave could have written them.
pub const COUNTS_TOO_EARLY: &str = "LOWERING/053";
/// A view of workgroup counts has no place that a dispatch could read.
pub const COUNTS_UNPLACED: &str = "LOWERING/054";

/// Two providers of the best priority both suit a decision of a kernel.
pub const AMBIGUOUS_DECISION: &str = "PRODUCT/001";
/// A decision of a kernel asks a family without any provider.
pub const NO_PROVIDER: &str = "PRODUCT/002";
/// Too little is known for a decision of a kernel.
pub const UNPROVEN_DECISION: &str = "PRODUCT/003";
/// No provider suits a decision of a kernel.
pub const NO_MATCH: &str = "PRODUCT/004";
/// A launch breaks the contract of a template family that its kernel applies.
pub const FAMILY_REJECTS: &str = "PRODUCT/005";
/// A kernel has too many classes, and a decision has no answer that suits all launches.
pub const CLASS_LIMIT: &str = "PRODUCT/006";
/// A decision depends on the results of what it chooses, and has no answer that suits all launches.
pub const RESULT_DEPENDENT: &str = "PRODUCT/007";
/// A program exceeds what its artifact can express.
pub const TOO_LARGE: &str = "PRODUCT/008";
/// A command refers to bytes beyond the end of its storage.
pub const BEYOND_STORAGE: &str = "PRODUCT/009";
/// The dispatches of one entry have arguments of different kinds.
pub const ARGUMENT_KINDS: &str = "PRODUCT/010";

/// A request says of itself what it is not.
pub const REQUEST: &str = "PRODUCT/011";

/// The bytes are no command artifact.
pub const NO_ARTIFACT: &str = "COMMAND/001";
/// A command artifact is of another version.
pub const ARTIFACT_VERSION: &str = "COMMAND/002";
/// A command artifact ends too early.
pub const ARTIFACT_END: &str = "COMMAND/003";
/// A field of a command artifact has a value it cannot have.
pub const ARTIFACT_FIELD: &str = "COMMAND/006";

/// All codes with their meanings, in order.
pub const ALL: &[(&str, &str)] = &[
    (NO_ARTIFACT, "the bytes are no command artifact"),
    (ARTIFACT_VERSION, "a command artifact is of another version"),
    (ARTIFACT_END, "a command artifact ends too early"),
    (ARTIFACT_FIELD, "a command artifact is malformed"),
    (
        COUNTS_TOO_EARLY,
        "dynamic workgroup counts have no wave before them that could write them",
    ),
    (
        COUNTS_UNPLACED,
        "a view of workgroup counts has no place that a dispatch could read",
    ),
    (
        AMBIGUOUS_DECISION,
        "two best providers suit a decision of a kernel",
    ),
    (
        NO_PROVIDER,
        "a decision of a kernel has no provider to choose from",
    ),
    (
        UNPROVEN_DECISION,
        "too little is known for a decision of a kernel",
    ),
    (NO_MATCH, "no provider suits a decision of a kernel"),
    (
        FAMILY_REJECTS,
        "a launch breaks the contract of a template family",
    ),
    (CLASS_LIMIT, "a kernel has too many classes"),
    (
        RESULT_DEPENDENT,
        "a decision depends on the results of what it chooses",
    ),
    (TOO_LARGE, "a program exceeds what its artifact can express"),
    (BEYOND_STORAGE, "a command refers to bytes beyond its storage"),
    (
        ARGUMENT_KINDS,
        "dispatches of one entry have arguments of different kinds",
    ),
    (REQUEST, "a request says of itself what it is not"),
];

#[cfg(test)]
mod tests;
