//! Entry requirements of a set of programs: what the host must supply, and under which number
//! (loom-language 5.3).

use rustc_hash::FxHashMap;

use super::lower::{EncodedProgram, Entry};

/// The requirements of a product, numbered.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Requirements {
    /// The entries by number.
    pub entries: Vec<Entry>,
    /// For each program the numbers of its local entry slots, in the order of these.
    pub programs: Vec<Vec<u32>>,
}

/// Numbers the entries that `programs` need. Without classes they are numbered by first use. With classes the
/// kernels with source come first, in the order in which they stand in the product, each with its classes in
/// order; then everything else by first use.
pub fn number_requirements<'a>(programs: impl IntoIterator<Item = &'a EncodedProgram>) -> Requirements {
    let programs: Vec<&EncodedProgram> = programs.into_iter().collect();
    let mut numbers: FxHashMap<&Entry, u32> = FxHashMap::default();
    let mut entries: Vec<&Entry> = Vec::new();
    for entry in programs.iter().flat_map(|program| &program.entries) {
        numbers.entry(entry).or_insert_with(|| {
            entries.push(entry);
            0
        });
    }
    // The sort is stable: what has no class stays in the order of first use.
    entries.sort_by_key(|entry| match entry.class {
        Some(class) => (false, Some((entry.callee.stands, class))),
        None => (true, None),
    });
    for (number, entry) in entries.iter().enumerate() {
        numbers.insert(entry, number as u32);
    }
    let local = |program: &&EncodedProgram| program.entries.iter().map(|entry| numbers[entry]).collect();
    Requirements {
        programs: programs.iter().map(local).collect(),
        entries: entries.into_iter().cloned().collect(),
    }
}

#[cfg(test)]
mod tests;
