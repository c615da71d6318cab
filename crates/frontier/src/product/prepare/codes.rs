//! The codes of what preparation can find wrong, each with its meaning (loom-language 5.7, 3.2).

/// A called symbol cannot be walked in place: it has no body, or it needs itself.
pub const INLINE: &str = "LOWERING/044";
/// A template application has no provider, or more than one.
pub const SELECTION: &str = "LOWERING/045";
/// A requirement of a provider is not proven, and no other provider suits.
pub const REQUIREMENT: &str = "LOWERING/048";
/// A launched kernel has no launch configuration.
pub const NO_CONFIGURATION: &str = "LOWERING/050";
/// A workgroup count is not exact, or out of range.
pub const COUNT: &str = "LOWERING/051";
/// An argument of a kernel cannot be encoded.
pub const ARGUMENT: &str = "LOWERING/052";
/// The view with the workgroup counts cannot be placed.
pub const COUNTS_VIEW: &str = "LOWERING/054";
/// A dispatch states a workgroup size.
pub const DISPATCH_SIZE: &str = "LOWERING/055";
/// Control depends on a value that is not known.
pub const RESIDUAL: &str = "PROGRAM/001";
/// A value contradicts a contract or assumption.
pub const CONTRADICTION: &str = "PROGRAM/002";
/// Preparing a program takes too many steps.
pub const WORK: &str = "PROGRAM/003";
/// Calls and regions are nested too deeply.
pub const DEPTH: &str = "PROGRAM/004";
/// A root is not a command program with a body, or is given values of other types.
pub const ROOT: &str = "PROGRAM/005";
/// A launch argument of a root is no storage.
pub const BINDING: &str = "PROGRAM/006";
/// The size of an allocation is not exact.
pub const ALLOCATION: &str = "PROGRAM/007";
/// A parameter has no exact key or size, or its storage is no launch argument.
pub const PARAMETER: &str = "PROGRAM/008";
/// The size of a workgroup is none.
pub const SIZE: &str = "PROGRAM/009";
/// An effect that is no command.
pub const EFFECT: &str = "STRUCTURE/053";
/// The trip count of a loop to be unrolled is not exact.
pub const TRIP_COUNT: &str = "STRUCTURE/014";

/// All codes with their meanings, in order.
pub const ALL: &[(&str, &str)] = &[
    (INLINE, "a called symbol cannot be walked in place"),
    (
        SELECTION,
        "a template application has no provider, or more than one",
    ),
    (REQUIREMENT, "a requirement of a provider is not proven"),
    (NO_CONFIGURATION, "a launched kernel has no launch configuration"),
    (COUNT, "a workgroup count is not exact, or out of range"),
    (ARGUMENT, "an argument of a kernel cannot be encoded"),
    (COUNTS_VIEW, "the view with the workgroup counts cannot be placed"),
    (DISPATCH_SIZE, "a dispatch states a workgroup size"),
    (RESIDUAL, "control depends on a value that is not known"),
    (CONTRADICTION, "a value contradicts a contract or assumption"),
    (WORK, "preparing a program takes too many steps"),
    (DEPTH, "calls and regions are nested too deeply"),
    (ROOT, "a root is not a command program with a body"),
    (BINDING, "a launch argument of a root is no storage"),
    (ALLOCATION, "the size of an allocation is not exact"),
    (
        PARAMETER,
        "a parameter has no exact key or size, or its storage is no launch argument",
    ),
    (SIZE, "the size of a workgroup is none"),
    (TRIP_COUNT, "the trip count of a loop to be unrolled is not exact"),
    (EFFECT, "an effect that is no command"),
];
