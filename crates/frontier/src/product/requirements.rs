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
    let mut numbers: FxHashMap<(&str, Option<u32>), usize> = FxHashMap::default();
    let mut entries: Vec<Entry> = Vec::new();
    for entry in programs.iter().flat_map(|program| &program.entries) {
        let number = *numbers.entry(key(entry)).or_insert(entries.len());
        match entries.get_mut(number) {
            None => entries.push(entry.clone()),
            // Programs that were linked one by one may know different declarations of it.
            Some(known) if entry.callee.stands < known.callee.stands => known.callee = entry.callee.clone(),
            Some(_) => {}
        }
    }
    // The sort is stable: what has no class stays in the order of first use.
    entries.sort_by_key(|entry| match entry.class {
        Some(class) => (false, Some((entry.callee.stands, class))),
        None => (true, None),
    });
    for (number, entry) in entries.iter().enumerate() {
        if let Some(known) = numbers.get_mut(&key(entry)) {
            *known = number;
        }
    }
    let local = |program: &&EncodedProgram| {
        let numbers = program.entries.iter().map(|entry| numbers[&key(entry)] as u32);
        numbers.collect()
    };
    Requirements {
        programs: programs.iter().map(local).collect(),
        entries,
    }
}

/// Kernels and entries are global: one name is one of them.
fn key(entry: &Entry) -> (&str, Option<u32>) {
    (&entry.callee.name, entry.class)
}

#[cfg(test)]
mod tests;
