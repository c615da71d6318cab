//! Interned strings of one item.

use std::fmt;
use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::StringId;

/// The strings of one item, in order of first mention. String 0 is always the empty one.
#[derive(Clone, PartialEq, Eq)]
pub struct Strings {
    text: Box<str>,
    ends: Ends,
}

/// Where each string ends; of few and short ones without memory of its own.
#[derive(Clone, PartialEq, Eq)]
enum Ends {
    Few { count: u8, ends: [u16; FEW] },
    Many(Box<[u32]>),
}

const FEW: usize = 11;

impl Ends {
    fn new(all: &[u32]) -> Ends {
        let short = all.last().is_none_or(|&end| u16::try_from(end).is_ok());
        if all.len() > FEW || !short {
            return Ends::Many(all.into());
        }
        let mut ends = [0; FEW];
        ends.iter_mut().zip(all).for_each(|(to, &end)| *to = end as u16);
        let count = all.len() as u8;
        Ends::Few { count, ends }
    }

    #[inline]
    fn get(&self, at: usize) -> usize {
        match self {
            Ends::Few { ends, .. } => ends[at].into(),
            Ends::Many(ends) => ends[at] as usize,
        }
    }

    fn len(&self) -> usize {
        match self {
            Ends::Few { count, .. } => usize::from(*count),
            Ends::Many(ends) => ends.len(),
        }
    }
}

impl Strings {
    /// The text of `id`.
    pub fn get(&self, id: StringId) -> &str {
        let start = match id.index() {
            0 => 0,
            at => self.ends.get(at - 1),
        };
        &self.text[start..self.ends.get(id.index())]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none: never the case for a finished item.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All strings in order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|id| self.get(StringId(id)))
    }

    /// The id of `text`, found by search.
    pub fn find(&self, text: &str) -> Option<StringId> {
        self.iter()
            .position(|candidate| candidate == text)
            .map(|at| StringId(at as u32))
    }
}

impl fmt::Debug for Strings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Collects [`Strings`].
#[derive(Clone)]
pub(crate) struct Interner {
    text: String,
    ends: Vec<u32>,
    /// By id: the key of the string.
    keys: Vec<u64>,
    /// Ids below, the high halves of [`spread`] keys above; 0 is a free place. Open addressing; at most half of it is
    /// in use.
    table: Vec<u64>,
}

const SMALLEST: usize = 64;
/// From a place that is taken to the next one: past the neighbours, which are likely to be taken too. Odd, so that it
/// gets everywhere.
const STEP: usize = 17;

impl Default for Interner {
    fn default() -> Self {
        Self {
            text: String::new(),
            ends: vec![0],
            keys: vec![0],
            table: vec![0; SMALLEST],
        }
    }
}

impl Interner {
    #[inline]
    pub(crate) fn intern(&mut self, text: &str) -> StringId {
        self.intern_in(text, 0, text.len())
    }

    /// Interns `text[start..end]`.
    #[inline]
    pub(crate) fn intern_in(&mut self, text: &str, start: usize, end: usize) -> StringId {
        if start == end {
            return StringId::EMPTY;
        }
        let key = key(text.as_bytes(), start, end);
        let tag = spread(key) >> 32;
        let mut at = near(tag, self.table.len());
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return self.add(&text[start..end], key, at);
            }
            let id = entry as u32;
            if entry >> 32 == tag
                && self.keys[id as usize] == key
                && (key < LONG || self.is(id, &text.as_bytes()[start..end]))
            {
                return StringId(id);
            }
            at = (at + STEP) & (self.table.len() - 1);
        }
    }

    fn is(&self, id: u32, bytes: &[u8]) -> bool {
        slice(&self.text, &self.ends, id).as_bytes() == bytes
    }

    fn add(&mut self, text: &str, key: u64, at: usize) -> StringId {
        let id = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        self.keys.push(key);
        self.table[at] = spread(key) & !u64::from(u32::MAX) | u64::from(id);
        if self.ends.len() * 2 > self.table.len() {
            self.grow();
        }
        StringId(id)
    }

    /// Doubles the table. Places are ordered by the tags, so both tables are walked from front to back.
    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let old = std::mem::replace(&mut self.table, vec![0; size]);
        for entry in old.into_iter().filter(|&entry| entry != 0) {
            let mut at = near(entry >> 32, size);
            while self.table[at] != 0 {
                at = (at + STEP) & (size - 1);
            }
            self.table[at] = entry;
        }
    }

    pub(crate) fn get(&self, id: StringId) -> &str {
        slice(&self.text, &self.ends, id.0)
    }

    /// Takes the strings, leaving the interner empty with its memory kept for the next item.
    pub(crate) fn take(&mut self) -> Strings {
        let strings = Strings {
            text: self.text.as_str().into(),
            ends: Ends::new(&self.ends),
        };
        // One huge item must not make emptying the table dear for all that follow.
        if self.table.len() > SMALLEST * 16 && self.ends.len() * 16 < self.table.len() {
            self.table = vec![0; SMALLEST];
        } else {
            self.table.fill(0);
        }
        self.text.clear();
        self.ends.truncate(1);
        self.keys.truncate(1);
        strings
    }
}

/// The bits of `key` spread over the higher half, but for four: the low ones of a short string's last character stay
/// together at the bottom of that half. So names that count, such as `v120` to `v129`, are neighbours in the table,
/// and a text with a hundred thousand of them does not wait for memory at each one.
#[inline]
fn spread(key: u64) -> u64 {
    // Of a long string, whose key is a hash, these are any four bits.
    let last = ((key >> 56).wrapping_sub(1) << 3) as u32;
    let low = key.wrapping_shr(last) & 0xf;
    let rest = key ^ low.wrapping_shl(last);
    // Only the highest bits of the product depend on all bytes of the key.
    let product = rest.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ low << 32
}

/// Where to look first for a string with the higher half `tag` of its spread key, in a table of `size` entries, a
/// power of two from [`SMALLEST`] to 2^32.
#[inline]
fn near(tag: u64, size: usize) -> usize {
    let block = tag >> (36 - size.trailing_zeros());
    (block << 4 | tag & 0xf) as usize & (size - 1)
}

/// Keys from here on are hashes of long strings; those below are short strings themselves.
const LONG: u64 = 0xff << 56;

/// What tells `text[start..end]` from other strings: all of it and its length up to seven bytes, else a hash.
#[inline]
pub(crate) fn key(text: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    match text.get(start..start + 8).map(<[u8; 8]>::try_from) {
        Some(Ok(chunk)) if length < 8 => {
            u64::from_le_bytes(chunk) & !(u64::MAX << (8 * length)) | (length as u64) << 56
        }
        _ => key_alone(&text[start..end]),
    }
}

/// The key of a long string, or of one without eight bytes to read at once.
#[inline(never)]
fn key_alone(text: &[u8]) -> u64 {
    if text.len() < 8 {
        let chunk = text
            .iter()
            .rev()
            .fold(0, |chunk, &byte| chunk << 8 | u64::from(byte));
        return chunk | (text.len() as u64) << 56;
    }
    let mut hasher = FxHasher::default();
    hasher.write(text);
    LONG | hasher.finish() >> 8
}

/// Where to look for `key` first in a table of `size` entries, a power of two above one.
#[inline]
pub(crate) fn place(key: u64, size: usize) -> usize {
    // Only the highest bits of the product depend on all bytes of the key.
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - size.trailing_zeros())) as usize & (size - 1)
}

fn slice<'a>(text: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = if id == 0 {
        0
    } else {
        ends[id as usize - 1] as usize
    };
    &text[start..ends[id as usize] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_have_equal_ids_wherever_they_stand() {
        let text = (0..3000)
            .map(|number| format!("v{number} long_name_{number} "))
            .collect::<String>();
        let mut interner = Interner::default();
        let mut ids = rustc_hash::FxHashMap::default();
        for _ in 0..2 {
            let mut start = 0;
            for word in text.split_inclusive(' ') {
                let end = start + word.len() - 1;
                let id = interner.intern_in(&text, start, end);
                assert_eq!(interner.intern(word.trim_end()), id);
                assert_eq!(*ids.entry(word.trim_end()).or_insert(id), id);
                start += word.len();
            }
        }
        let strings = interner.take();
        assert_eq!(strings.len(), 6001);
        assert!(ids.iter().all(|(text, id)| strings.get(*id) == *text));
        interner.intern("few");
        assert_eq!(interner.take().len(), 2);
        assert_eq!(interner.table.len(), SMALLEST);
    }

    #[test]
    fn few_and_many_strings_read_alike() {
        for long in [0, 70_000] {
            for count in 0..30u32 {
                let mut interner = Interner::default();
                let texts: Vec<String> = (0..count)
                    .map(|number| format!("s{number}{}", "x".repeat(long)))
                    .collect();
                let ids: Vec<StringId> = texts.iter().map(|text| interner.intern(text)).collect();
                let strings = interner.take();
                assert_eq!(strings.len() as u32, count + 1);
                assert!(ids.iter().zip(&texts).all(|(id, text)| strings.get(*id) == text));
                assert_eq!(strings.iter().skip(1).collect::<Vec<_>>(), texts);
            }
        }
    }

    #[test]
    fn names_that_count_are_neighbours() {
        let size = 1 << 18;
        let at = |name: &str| near(spread(key(name.as_bytes(), 0, name.len())) >> 32, size);
        let mut blocks = std::collections::BTreeMap::<usize, usize>::new();
        for ten in 10_000..11_000 {
            let places: Vec<usize> = (0..10).map(|one| at(&format!("v{ten}{one}"))).collect();
            assert!(places.iter().all(|place| place / 16 == places[0] / 16));
            assert!((1..10).all(|one| !places[..one].contains(&places[one])));
            *blocks.entry(places[0] / 16).or_default() += 1;
        }
        assert!(blocks.len() > 900, "different tens are spread: {}", blocks.len());
    }

    #[test]
    fn short_strings_are_their_own_keys() {
        let text = "ab\0\0abcdefghi";
        let all = (0..text.len()).flat_map(|start| (start..=text.len()).map(move |end| (start, end)));
        let short: Vec<_> = all.filter(|(start, end)| end - start < 8).collect();
        for &(a, b) in &short {
            for &(c, d) in &short {
                let same = text[a..b] == text[c..d];
                assert_eq!(key(text.as_bytes(), a, b) == key(text.as_bytes(), c, d), same);
            }
        }
    }
}
