//! Finding what a misspelled name probably meant.

use std::cell::Cell;

/// Looks for misspellings, but not without end: a text with thousands of unknown names is no misspelling.
pub(crate) struct Speller {
    left: Cell<u32>,
}

impl Default for Speller {
    fn default() -> Self {
        Self { left: Cell::new(64) }
    }
}

impl Speller {
    /// [`closest`], as long as patience lasts.
    pub(crate) fn closest<'a>(
        &self,
        text: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        closest(text, candidates)
    }
}

/// The candidate nearest to `text`, if it is near enough to be worth a suggestion.
fn closest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (text.len() / 4).clamp(1, 3);
    let near = candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(text.len()) <= limit);
    let scored = near.map(|candidate| (distance(text.as_bytes(), candidate.as_bytes()), candidate));
    scored
        .filter(|&(distance, _)| distance > 0 && distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edit distance with insertions, deletions, replacements and swaps of neighbours.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn suggests_only_what_is_near() {
        let names = ["index.add", "index.sub", "scalar.addi"];
        assert_eq!(closest("index.ad", names), Some("index.add"));
        assert_eq!(closest("indxe.add", names), Some("index.add"));
        assert_eq!(closest("something", names), None);
        assert_eq!(closest("index.add", ["index.add", "kernel.def"]), None);
    }
}
