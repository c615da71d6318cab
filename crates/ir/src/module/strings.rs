//! Interned strings of one item.

use std::fmt;
use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::StringId;

/// The strings of one item, in order of first mention. String 0 is always the empty one.
#[derive(Clone, PartialEq, Eq)]
pub struct Strings {
    text: Box<str>,
    ends: Box<[u32]>,
}

impl Strings {
    /// The text of `id`.
    pub fn get(&self, id: StringId) -> &str {
        let end = self.ends[id.index()] as usize;
        let start = if id.0 == 0 {
            0
        } else {
            self.ends[id.index() - 1] as usize
        };
        &self.text[start..end]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none: never the case for a finished item.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings in order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| self.get(StringId(id)))
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
    table: HashTable<u32>,
}

impl Default for Interner {
    fn default() -> Self {
        Self {
            text: String::new(),
            ends: vec![0],
            table: HashTable::new(),
        }
    }
}

impl Interner {
    pub(crate) fn intern(&mut self, text: &str) -> StringId {
        if text.is_empty() {
            return StringId::EMPTY;
        }
        let hash = hash(text);
        let (all, ends) = (&self.text, &self.ends);
        if let Some(&id) = self.table.find(hash, |&id| slice(all, ends, id) == text) {
            return StringId(id);
        }
        let id = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        let (all, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hash, id, |&id| hash_of(all, ends, id));
        StringId(id)
    }

    pub(crate) fn get(&self, id: StringId) -> &str {
        slice(&self.text, &self.ends, id.0)
    }

    /// Takes the strings, leaving the interner empty with its memory kept for the next item.
    pub(crate) fn take(&mut self) -> Strings {
        let strings = Strings {
            text: self.text.as_str().into(),
            ends: self.ends.as_slice().into(),
        };
        self.text.clear();
        self.ends.truncate(1);
        self.table.clear();
        strings
    }
}

fn slice<'a>(text: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = if id == 0 {
        0
    } else {
        ends[id as usize - 1] as usize
    };
    &text[start..ends[id as usize] as usize]
}

fn hash_of(text: &str, ends: &[u32], id: u32) -> u64 {
    hash(slice(text, ends, id))
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
