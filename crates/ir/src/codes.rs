//! Every diagnostic code of the language, with its meaning.
//!
//! A test holds this table against the annotated fixtures under `testdata/language/diagnostics`: a code without
//! a fixture, and a fixture with a code that is not listed, fail.

/// A code and what it is raised for.
pub type Meaning = (&'static str, &'static str);

/// Codes of the parser and the verifier.
///
/// The numbers are those of loom-language 9 and loom-ops 6. Some of these have no case here: the table fixes what
/// `STRUCTURE/001`, `/002`, `/004`, `/009`, `/010`, `/016` and `/019` to `/022` are about, so that the parser finds
/// it as `PARSE/003`, `/006`, `/009`, `/013`, `/017` or `/031` and the bytecode reader as `BYTECODE/006`; operand
/// lists that do not match their types are `STRUCTURE/013` (never `PARSE/010`), labels without a block
/// `STRUCTURE/023` (never `PARSE/032`), block arguments and call results of another type `STRUCTURE/026` and
/// `TYPE/001`. The others belong to passes.
pub const SOURCE_CODES: &[Meaning] = &[
    ("PARSE/001", "an SSA value is undefined"),
    ("PARSE/002", "an SSA value is already defined in its scope"),
    ("PARSE/003", "a token is not the expected one"),
    ("PARSE/004", "a vector has an encoding"),
    ("PARSE/005", "a string has no end"),
    ("PARSE/006", "an op is unknown"),
    ("PARSE/007", "a type is unknown"),
    ("PARSE/008", "an encoding is unknown"),
    ("PARSE/009", "results and their names differ in number"),
    ("PARSE/013", "a predicate is unknown"),
    ("PARSE/015", "an integer literal is out of range"),
    ("PARSE/016", "a float literal is malformed"),
    ("PARSE/017", "a word is none of those expected"),
    ("PARSE/018", "a flag is none of those expected"),
    ("PARSE/020", "a key occurs twice"),
    ("PARSE/022", "a dimension names no value of its scope"),
    ("PARSE/023", "a string has a wrong escape or a control character"),
    ("PARSE/024", "a sigil has no name"),
    ("PARSE/025", "a character begins no token"),
    ("PARSE/031", "a predicate has too few or too many arguments"),
    ("PARSE/033", "a block label is already defined in its region"),
    ("PARSE/040", "a limit on nesting or size is exceeded"),
    ("SYMBOL/002", "a symbol is referenced but not defined"),
    ("SYMBOL/003", "a symbol has another kind"),
    ("SYMBOL/005", "a symbol is already defined"),
    ("TYPE/001", "two types that must be equal differ"),
    ("TYPE/002", "two element types that must be equal differ"),
    ("TYPE/003", "an operand has a type of the wrong class"),
    ("TYPE/004", "a result has a type of the wrong class"),
    (
        "TYPE/005",
        "an attribute has the wrong kind, or is absent or present against the rule",
    ),
    ("TYPE/009", "a yielded or returned value has the wrong type"),
    ("TYPE/010", "a type is malformed"),
    ("TYPE/011", "a code type is too small"),
    ("TYPE/012", "poison reaches something that observes it"),
    ("STRUCTURE/003", "an op has no such attribute"),
    ("STRUCTURE/005", "a region has no terminator"),
    ("STRUCTURE/006", "a region has more blocks than allowed"),
    (
        "STRUCTURE/008",
        "the number of yielded or returned values is wrong",
    ),
    (
        "STRUCTURE/011",
        "an op that defines no symbol stands at module level",
    ),
    ("STRUCTURE/012", "an op stands after a terminator"),
    ("STRUCTURE/013", "two numbers of values differ"),
    ("STRUCTURE/014", "an attribute violates its constraint"),
    ("STRUCTURE/015", "thresholds are unordered"),
    ("STRUCTURE/017", "a pure function has effects"),
    ("STRUCTURE/018", "a region has the wrong terminator"),
    ("STRUCTURE/023", "a branch target is missing"),
    ("STRUCTURE/024", "a branch target lies outside the region"),
    ("STRUCTURE/025", "a branch passes the wrong number of values"),
    ("STRUCTURE/026", "a branch passes a value of the wrong type"),
    ("STRUCTURE/027", "a string attribute violates its constraint"),
    ("STRUCTURE/029", "an op stands in the wrong place"),
    ("STRUCTURE/030", "an op stands between two that belong together"),
    (
        "STRUCTURE/032",
        "a value comes from an op that does not make such values",
    ),
    ("STRUCTURE/034", "a pure call names an impure function"),
    (
        "STRUCTURE/038",
        "a barrier stands under control that is not uniform",
    ),
    ("STRUCTURE/052", "a launch configuration has effects"),
    (
        "STRUCTURE/053",
        "a command program has effects that are no commands",
    ),
    ("SUBRANGE/001", "the number of indices does not match the rank"),
    ("SUBRANGE/002", "an axis does not exist"),
    ("SUBRANGE/004", "an index lies outside a static extent"),
    ("SHAPE/001", "ranks, static extents or strides do not match"),
    ("SHAPE/002", "two shapes that must be equal differ"),
    ("SHAPE/004", "a shape does not spread over another"),
    ("ENCODING/001", "two layouts that must be equal differ"),
    (
        "ENCODING/016",
        "an auxiliary value that a schema needs is missing",
    ),
    ("DOMINANCE/001", "a value is not defined on every path to its use"),
    ("DOMINANCE/002", "a value is used after it was consumed"),
    ("DOMINANCE/009", "a linear value has the wrong number of uses"),
    ("DOMINANCE/010", "a linear value has the wrong user"),
];

/// Codes of the bytecode reader.
pub const BYTECODE_CODES: &[Meaning] = &[
    ("BYTECODE/001", "the file is no Loom bytecode"),
    ("BYTECODE/002", "the bytecode has another version"),
    ("BYTECODE/003", "the bytecode is truncated"),
    ("BYTECODE/004", "a checksum differs"),
    ("BYTECODE/006", "a field is malformed"),
];

/// The meaning of `code`.
pub fn meaning(code: &str) -> Option<&'static str> {
    SOURCE_CODES
        .iter()
        .chain(BYTECODE_CODES)
        .find(|(name, _)| *name == code)
        .map(|(_, meaning)| *meaning)
}
