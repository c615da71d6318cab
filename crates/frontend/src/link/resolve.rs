//! What becomes of each symbol, by the rules of ELF linkers: the first strong definition, else the largest common
//! one, else the first weak one; of a COMDAT group its first member's definitions.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::link::{LinkError, LinkSymbol, SymbolKind, SymbolTable};

/// What the linker decided about one symbol of one module, as LLVM's LTO library takes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Use(pub u8);

impl Use {
    /// This module's definition counts.
    pub const PREVAILING: Self = Self(1);
    /// The definition is in this link and nothing can replace it at run time.
    pub const FINAL: Self = Self(2);
    /// Something outside of the merged module refers to it by name.
    pub const VISIBLE: Self = Self(4);
    /// Shared libraries may refer to it.
    pub const EXPORTED: Self = Self(8);
    /// The linker gives the name another meaning (`--wrap`, `--defsym`).
    pub const REDEFINED: Self = Self(16);

    /// Whether all of `other` holds.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    fn set(&mut self, other: Self, holds: bool) {
        if holds {
            self.0 |= other.0;
        }
    }
}

/// What is seen from outside of the members of a link.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Visibility {
    /// Whether every external definition that is not hidden is seen.
    pub all: bool,
    /// Names that are seen besides.
    pub names: BTreeSet<Vec<u8>>,
    /// Names in the output's dynamic symbol table.
    pub exported: BTreeSet<Vec<u8>>,
    /// Names whose meaning the linker changes.
    pub redefined: BTreeSet<Vec<u8>>,
    /// Whether exported definitions can be replaced at run time: the output is a shared library.
    pub preemptible: bool,
}

impl Visibility {
    /// Everything external and not hidden is seen.
    pub fn all() -> Self {
        Self {
            all: true,
            ..Self::only([])
        }
    }

    /// Only these names are seen.
    pub fn only(names: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self {
            all: false,
            names: names.into_iter().collect(),
            exported: BTreeSet::new(),
            redefined: BTreeSet::new(),
            preemptible: false,
        }
    }
}

/// A member of a link as resolution sees it.
#[derive(Clone, Copy, Debug)]
pub struct Interest<'a> {
    /// The member's name.
    pub name: &'a str,
    /// Its symbols.
    pub table: &'a SymbolTable,
    /// Whether it has a payload, so that what it refers to is inside of the merged module.
    pub merged: bool,
}

/// Decides about every symbol of every member, in their orders; rows of members without payload are of no use to
/// LLVM.
///
/// With `unique`, two strong definitions fail with `linked_symbol_duplicate`, which names the symbol and both members.
pub fn resolve_symbols(
    members: &[Interest<'_>],
    visibility: &Visibility,
    unique: bool,
) -> Result<Vec<Vec<Use>>, LinkError> {
    let resolution = Resolution::of(members, unique)?;
    let seen = seen_from_native(members);
    let bracketed = bracketed_sections(members);
    let mut rows = Vec::with_capacity(members.len());
    for (at, member) in members.iter().enumerate() {
        let uses = member.table.symbols.iter().enumerate().map(|(row, symbol)| {
            let definition = resolution.winners.get(&symbol.name[..]);
            let mut decided = Use::default();
            let prevails = definition.is_some_and(|it| (it.member, it.row) == (at, row));
            let exported = visibility.exported.contains(&symbol.name);
            let redefined = visibility.redefined.contains(&symbol.name);
            decided.set(Use::PREVAILING, prevails);
            decided.set(
                Use::FINAL,
                definition.is_some() && !redefined && !(visibility.preemptible && exported),
            );
            decided.set(
                Use::VISIBLE,
                redefined
                    || exported
                    || seen.contains(&symbol.name[..])
                    || visibility.names.contains(&symbol.name)
                    || bracketed.contains(&symbol.section[..])
                    || definition.is_some_and(|it| !members[it.member].merged)
                    || (visibility.all && !resolution.hidden.contains(&symbol.name[..])),
            );
            decided.set(Use::EXPORTED, exported);
            decided.set(Use::REDEFINED, redefined);
            decided
        });
        rows.push(uses.collect());
    }
    Ok(rows)
}

#[derive(Clone, Copy)]
struct Definition {
    member: usize,
    row: usize,
    strength: Strength,
}

/// From weakest to strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Weak,
    Common(u64),
    Strong,
}

struct Resolution<'a> {
    winners: BTreeMap<&'a [u8], Definition>,
    /// Names that somebody declares hidden.
    hidden: BTreeSet<&'a [u8]>,
}

impl<'a> Resolution<'a> {
    fn of(members: &[Interest<'a>], unique: bool) -> Result<Self, LinkError> {
        let mut groups: BTreeMap<&[u8], usize> = BTreeMap::new();
        let mut resolution = Self {
            winners: BTreeMap::new(),
            hidden: BTreeSet::new(),
        };
        for (at, member) in members.iter().enumerate() {
            for (row, symbol) in member.table.symbols.iter().enumerate() {
                if symbol.hidden {
                    resolution.hidden.insert(&symbol.name);
                }
                if symbol.kind == SymbolKind::Undefined {
                    continue;
                }
                let owner = symbol.comdat.as_deref().map(|it| *groups.entry(it).or_insert(at));
                if owner.is_some_and(|owner| owner != at) {
                    continue;
                }
                resolution.enter(members, at, row, symbol, unique)?;
            }
        }
        Ok(resolution)
    }

    fn enter(
        &mut self,
        members: &[Interest<'a>],
        member: usize,
        row: usize,
        symbol: &'a LinkSymbol,
        unique: bool,
    ) -> Result<(), LinkError> {
        let strength = match symbol.kind {
            SymbolKind::Common(size) => Strength::Common(size),
            _ if symbol.weak => Strength::Weak,
            _ => Strength::Strong,
        };
        let definition = Definition {
            member,
            row,
            strength,
        };
        let Some(former) = self.winners.get_mut(&symbol.name[..]) else {
            self.winners.insert(&symbol.name, definition);
            return Ok(());
        };
        if unique && former.strength == Strength::Strong && strength == Strength::Strong {
            let names = [members[member].name, members[former.member].name];
            let symbol = String::from_utf8_lossy(&symbol.name);
            return Err(LinkError::new(
                "linked_symbol_duplicate",
                names,
                format!("both define `{symbol}`"),
            )
            .help("leave one of the two out, or make one definition weak or internal"));
        }
        if strength > former.strength {
            *former = definition;
        }
        Ok(())
    }
}

/// Names that members without payload refer to or define.
fn seen_from_native<'a>(members: &[Interest<'a>]) -> BTreeSet<&'a [u8]> {
    let native = members.iter().filter(|it| !it.merged);
    let symbols = native.flat_map(|it| &it.table.symbols);
    symbols.map(|it| &it.name[..]).collect()
}

/// Sections whose begin or end somebody asks the linker for: their contents are read by address.
fn bracketed_sections<'a>(members: &[Interest<'a>]) -> BTreeSet<&'a [u8]> {
    let symbols = members.iter().flat_map(|it| &it.table.symbols);
    let undefined = symbols.filter(|it| it.kind == SymbolKind::Undefined);
    undefined
        .filter_map(|it| {
            let name = &it.name[..];
            name.strip_prefix(b"__start_")
                .or_else(|| name.strip_prefix(b"__stop_"))
        })
        .collect()
}

#[cfg(test)]
mod tests;
