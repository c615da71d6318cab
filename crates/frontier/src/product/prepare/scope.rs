//! The symbols of a linked product by name.

use std::cell::OnceCell;

use loom_ir::fold::Exact;
use loom_ir::{Item, OpId, OpTable, OpView, SymbolKind};
use rustc_hash::FxHashMap;

use crate::index::{Catalog, Role, SymbolId};
use crate::link::{Linked, default_of, type_of};
use crate::product::{Callee, Spot};

/// Position of an item among those of the product.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Symbol(u32);

/// The product as a walk sees it.
pub(super) struct Scope<'a> {
    pub catalog: &'a dyn Catalog,
    linked: &'a Linked,
    names: FxHashMap<&'a str, Symbol>,
    /// Each item as something that is dispatched, once somebody asked: a kernel may be declared in every module
    /// of a product.
    callees: Vec<OnceCell<Callee>>,
    /// The providers of each family, in the order of the product.
    members: FxHashMap<&'a str, Vec<Symbol>>,
}

impl<'a> Scope<'a> {
    pub fn new(catalog: &'a dyn Catalog, linked: &'a Linked) -> Scope<'a> {
        let mut names = FxHashMap::default();
        let mut members: FxHashMap<_, Vec<Symbol>> = FxHashMap::default();
        names.reserve(linked.items.len());
        for (position, linked) in linked.items.iter().enumerate() {
            let symbol = Symbol(position as u32);
            let Some((kind, name)) = linked.item.symbol() else {
                continue;
            };
            names.entry(name).or_insert(symbol);
            if kind == SymbolKind::Provider
                && let Some(family) = linked.item.root(OpTable::standard()).symbol("family")
            {
                members.entry(family).or_default().push(symbol);
            }
        }
        let callees = vec![OnceCell::new(); linked.items.len()];
        Scope {
            catalog,
            callees,
            linked,
            names,
            members,
        }
    }

    /// What `name` means.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.names.get(name).copied()
    }

    /// The item that `id` became part of.
    pub fn of(&self, id: SymbolId) -> Option<Symbol> {
        let holds = |item: &crate::link::LinkedItem| item.origins.contains(&id);
        // Most often the name leads there at once.
        let name = self.catalog.record(id).name.as_ref();
        if let Some(symbol) = self.find(name)
            && holds(&self.linked.items[symbol.0 as usize])
        {
            return Some(symbol);
        }
        let position = self.linked.items.iter().position(holds)?;
        Some(Symbol(position as u32))
    }

    /// The item.
    pub fn item(&self, symbol: Symbol) -> &'a Item {
        &self.linked.items[symbol.0 as usize].item
    }

    /// The top-level op.
    pub fn root(&self, symbol: Symbol) -> OpView<'a> {
        self.item(symbol).root(OpTable::standard())
    }

    /// The name, without `@`.
    pub fn name(&self, symbol: Symbol) -> &'a str {
        self.item(symbol).symbol().map_or("", |(_, name)| name)
    }

    /// What defines the symbol, else what declares it.
    pub fn id(&self, symbol: Symbol) -> SymbolId {
        self.linked.items[symbol.0 as usize].origins[0]
    }

    /// The kernel or entry that is dispatched.
    pub fn callee(&self, symbol: Symbol) -> &Callee {
        self.callees[symbol.0 as usize].get_or_init(|| {
            let origins = &self.linked.items[symbol.0 as usize].origins;
            let places = origins.iter().map(|&id| (self.catalog.role(id), id));
            Callee {
                id: self.id(symbol),
                stands: places.min().unwrap_or((Role::Input, self.id(symbol))),
                name: self.name(symbol).into(),
                is_source_backed: self.root(symbol).def.name == "kernel.def",
            }
        })
    }

    /// Where the name of the symbol stands.
    pub fn spot(&self, symbol: Symbol) -> Spot {
        let root = self.root(symbol);
        let slot = root.def.defines.map_or(0, |(slot, _)| slot);
        Spot::of(self.id(symbol), OpId(0)).word(root.def, root.def.slots[slot].name, 0)
    }

    /// The providers of `family`.
    pub fn members(&self, family: &str) -> &[Symbol] {
        self.members.get(family).map_or(&[], Vec::as_slice)
    }

    /// The value of configuration `name`, if it has one.
    pub fn config(&self, name: &str) -> Option<Exact> {
        let item = self.item(self.find(name)?);
        let scalar = item.body.ty(type_of(item)?).scalar()?;
        Exact::from_literal(default_of(item)?, scalar)
    }
}
