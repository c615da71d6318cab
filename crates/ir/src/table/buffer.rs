//! Buffers and encodings (loom-ops 2.5, 1.4).

use super::row::{Row, Rule, Traits};

const P: Traits = Traits::PURE;
const R: Traits = Traits::READ;
const W: Traits = Traits::WRITE;
const RW: Traits = Traits::READ.and(Traits::WRITE);

pub(super) const ROWS: &[Row] = &[
    Row::new(
        "buffer.length",
        "$buffer:buffer",
        "offset",
        P.and(Traits::SPECULATABLE),
        "Bytes of the root, 0 for null.",
    ),
    Row::new(
        "buffer.view",
        "$buffer:B[$base:offset] : !B(buffer) -> !R(view)",
        "R",
        P,
        "A view of a buffer from a byte offset.",
    ),
    Row::new(
        "buffer.alloca",
        "<%space=space> (?align(#align=int)?) $bytes:offset : !T(buffer)",
        "T",
        Traits::HINT,
        "Storage that lives as long as its scope.",
    )
    .rules(&[Rule::Alloca]),
    Row::new(
        "buffer.pack",
        "[PACK:parts] : !T(offset)",
        "offset*",
        P,
        "Offsets of parts laid out one after another; the total comes first.",
    )
    .rules(&[Rule::Pack]),
    Row::new(
        "buffer.assume.alignment",
        "$buffer:T {minimum_alignment:int} : !T(buffer)",
        "T",
        P,
        "The same buffer, promised to be aligned.",
    )
    .rules(&[Rule::PowerOfTwo("minimum_alignment")]),
    Row::new(
        "buffer.assume.memory_space",
        "<%space=space> $buffer:T : !T(buffer)",
        "T",
        P,
        "The same buffer, promised to lie in a memory space.",
    )
    .rules(&[Rule::KnownSpace]),
    Row::new(
        "buffer.assume.noalias",
        "$buffers*:T : !T*(buffer)",
        "T*",
        P,
        "The same buffers, promised to be disjoint.",
    ),
    Row::new(
        "buffer.assume.same_root",
        "$buffers*:T : !T*(buffer)",
        "T*",
        P,
        "The same buffers, promised to share their root.",
    ),
    Row::new(
        "buffer.copy",
        "$source:buffer[$from:offset], $target:buffer[$to:offset], $bytes:offset",
        "",
        RW,
        "Copies bytes.",
    ),
    Row::new(
        "buffer.fill",
        "$value:T, $target:buffer[$to:offset], $bytes:offset : !T(int)",
        "",
        W,
        "Repeats a value.",
    ),
    Row::new(
        "buffer.compare",
        "$a:buffer[$from:offset], $b:buffer[$to:offset], $bytes:offset",
        "i32",
        R,
        "Compares bytes as memcmp does.",
    ),
    Row::new(
        "buffer.load.i8.u",
        "$buffer:buffer[$from:offset]",
        "i32",
        R,
        "Reads one byte, zero extended.",
    ),
    Row::new(
        "buffer.store.i8",
        "$value:i32, $buffer:buffer[$to:offset]",
        "",
        W,
        "Writes the low byte.",
    ),
    Row::new(
        "buffer.fence",
        "scope(%scope=scope) ordering(%ordering=acquire|release|acq_rel|seq_cst)",
        "",
        Traits::FENCE,
        "Orders memory accesses.",
    ),
    Row::new(
        "encoding.isa",
        "<#encoding=ref> $value:T : !T(encoding)",
        "i1",
        P,
        "Whether an encoding is of a kind.",
    ),
    Row::new(
        "encoding.layout.dense",
        ": !T(encoding)",
        "T",
        P,
        "The dense row-major layout.",
    ),
    Row::new(
        "encoding.layout.strided",
        "$strides[]:index : !T(encoding)",
        "T",
        P,
        "A layout with element strides.",
    )
    .rules(&[Rule::Strides]),
    Row::new(
        "encoding.define",
        "#encoding=ref AUX:params : !T(encoding)",
        "T",
        P,
        "An encoding by its name, with values as parameters.",
    )
    .rules(&[Rule::Encoding]),
];
