//! Sets of words that several rows share.

/// The words of the set called `name`.
pub(super) fn named_words(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "icmp" => &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"],
        "fcmp" => &[
            "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
        ],
        "fragment" => &["lhs", "rhs", "init", "result"],
        "axis" => &["x", "y", "z"],
        "fast" => &["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"],
        "wrap" => &["nsw", "nuw"],
        "volatile" => &["volatile"],
        "noftz" => &["noftz"],
        "reduction" => &[
            "addi", "addf", "muli", "mulf", "minsi", "maxsi", "minui", "maxui", "andi", "ori", "xori",
            "minimumf", "maximumf", "minnumf", "maxnumf",
        ],
        "atomic" => &[
            "xchgi", "xchgf", "addi", "addf", "subi", "andi", "ori", "xori", "minsi", "maxsi", "minui",
            "maxui", "minimumf", "maximumf", "minnumf", "maxnumf",
        ],
        "ordering" => &["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
        "scope" => &["thread", "subgroup", "workgroup", "device", "system"],
        "space" => &[
            "private",
            "workgroup",
            "global",
            "constant",
            "host",
            "descriptor",
            "generic",
            "unknown",
        ],
        _ => return None,
    })
}
