//! The op table: one row per op is the only place that knows the op.
//!
//! A [`Row`] gives an op's syntax in the notation of [`syntax`], its results, traits, verifier rules and one
//! line of documentation. Parser, printer, verifier and bytecode walk the compiled form, [`OpDef`].
//!
//! The number of an op is its family's number times 256 plus its position in the family. Numbers are part of
//! the bytecode format: new rows go to the end of their family.

use std::sync::LazyLock;

use crate::module::{key, place};

pub use class::Class;
pub use row::{Refers, Row, Rule, SymbolKind, Traits};
pub use syntax::{Binding, Element, Form, KeySpec, OpDef, RegionSpec, ResultSpec, Slot, SlotKind, Step};

mod buffer;
mod check;
mod class;
mod command;
mod compile;
mod index;
mod kernel;
mod lanes;
mod pool;
mod program;
mod row;
mod scalar;
mod scf;
mod syntax;
mod usage;
mod vector;
mod view;
mod words;

/// All known ops.
pub struct OpTable {
    defs: Vec<OpDef>,
    by_code: Vec<u16>,
    /// Open addressing with linear probing: places in `defs`, or `u16::MAX`.
    by_name: Vec<u16>,
}

/// The families in the order of their numbers.
const FAMILIES: &[(&str, &[Row])] = &[
    ("program", program::ROWS),
    ("index", index::ROWS),
    ("scalar", scalar::ROWS),
    ("scalar lanes", lanes::SCALAR),
    ("vector", vector::ROWS),
    ("vector lanes", lanes::VECTOR),
    ("scf", scf::ROWS),
    ("buffer", buffer::ROWS),
    ("view", view::ROWS),
    ("kernel", kernel::ROWS),
    ("command", command::ROWS),
    ("check", check::ROWS),
    ("pool", pool::ROWS),
];

impl OpTable {
    /// The table of the language.
    pub fn standard() -> &'static OpTable {
        static TABLE: LazyLock<OpTable> =
            LazyLock::new(|| OpTable::new(FAMILIES.iter().map(|(_, rows)| *rows)));
        &TABLE
    }

    /// A table of `families`.
    ///
    /// # Panics
    /// When a row's notation is malformed or two rows share a name: the table is part of the program.
    pub fn new(families: impl IntoIterator<Item = &'static [Row]>) -> OpTable {
        let mut table = OpTable {
            defs: Vec::new(),
            by_code: Vec::new(),
            by_name: Vec::new(),
        };
        for (family, rows) in families.into_iter().enumerate() {
            table.by_code.resize(family * 256, u16::MAX);
            assert!(rows.len() <= 256, "family {family} is full");
            for (position, row) in rows.iter().enumerate() {
                let code = (family * 256 + position) as u16;
                table.by_code.push(table.defs.len() as u16);
                table.defs.push(OpDef::compile(row, code));
            }
        }
        table.index_names();
        table
    }

    fn index_names(&mut self) {
        // A quarter full, so that nearly every name is found at its first place.
        let size = (self.defs.len() * 4).next_power_of_two().max(2);
        self.by_name = vec![u16::MAX; size];
        for (number, def) in self.defs.iter().enumerate() {
            let mut at = place(key(def.name.as_bytes(), 0, def.name.len()), size);
            while let Some(other) = self.defs.get(usize::from(self.by_name[at])) {
                assert!(other.name != def.name, "two rows for {}", def.name);
                at = (at + 1) & (size - 1);
            }
            self.by_name[at] = number as u16;
        }
    }

    /// The families of the language, for tables that add to it.
    pub fn families() -> impl Iterator<Item = &'static [Row]> {
        FAMILIES.iter().map(|(_, rows)| *rows)
    }

    /// The op called `name`.
    pub fn find(&self, name: &str) -> Option<&OpDef> {
        self.find_in(name.as_bytes(), 0, name.len())
    }

    /// The op called `text[start..end]`.
    #[inline]
    pub(crate) fn find_in(&self, text: &[u8], start: usize, end: usize) -> Option<&OpDef> {
        let mut at = place(key(text, start, end), self.by_name.len());
        loop {
            let def = self.defs.get(usize::from(self.by_name[at]))?;
            if def.name.as_bytes() == &text[start..end] {
                return Some(def);
            }
            at = (at + 1) & (self.by_name.len() - 1);
        }
    }

    /// The op with number `code`, which must exist.
    pub fn def(&self, code: u16) -> &OpDef {
        &self.defs[self.by_code[code as usize] as usize]
    }

    /// The op with number `code`, if there is one.
    pub fn get(&self, code: u16) -> Option<&OpDef> {
        let at = *self.by_code.get(code as usize)?;
        self.defs.get(at as usize)
    }

    /// All ops in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &OpDef> {
        self.defs.iter()
    }
}
