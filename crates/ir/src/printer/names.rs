//! Which values cannot print under their authored name (loom-language 1.4).
//!
//! Names that clash only arise in assembled items: two values of one scope share a name, or an outer value is
//! used where an inner one of the same name hides it. Each value of such a pair prints as `%name$<number>`;
//! unnamed values print as `%<number>`. The number counts definitions in the order of the text.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{Body, Item, OpId, StringId, ValueId};
use crate::table::OpTable;
use crate::walk::{Scopes, scopes};

pub(crate) type Renamed = FxHashMap<ValueId, String>;

/// The values of `item` that print under another name than their own, with that name.
pub(crate) fn renamed(table: &OpTable, item: &Item) -> Renamed {
    let body = &item.body;
    let unnamed = body.values.iter().any(|value| value.name == StringId::EMPTY);
    // Text that was parsed resolves every name already.
    if item.spans.is_some() && !unnamed {
        return Renamed::default();
    }
    let mut walk = Names {
        body,
        visible: FxHashMap::default(),
        scopes: vec![Vec::new()],
        clashing: FxHashSet::default(),
        order: Vec::new(),
    };
    scopes(table, body, &mut walk);
    if walk.clashing.is_empty() && !unnamed {
        return Renamed::default();
    }
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let authored: FxHashSet<&str> = body.values.iter().map(|value| body.text(value.name)).collect();
    let mut renamed = Renamed::default();
    for (number, &id) in walk.order.iter().enumerate() {
        let mut name = match body.text(body.values[id.index()].name) {
            "" => number.to_string(),
            name if walk.clashing.contains(&id) => format!("{name}${number}"),
            _ => continue,
        };
        while authored.contains(name.as_str()) || !taken.insert(name.clone()) {
            name.push('$');
        }
        renamed.insert(id, name);
    }
    renamed
}

/// A visible value, and how deep the scope is that defined it.
type Visible = (ValueId, usize);

struct Names<'a> {
    body: &'a Body,
    visible: FxHashMap<StringId, Visible>,
    /// What each open scope defined, with what it hid.
    scopes: Vec<Vec<(StringId, Option<Visible>)>>,
    clashing: FxHashSet<ValueId>,
    /// All values in the order of the text.
    order: Vec<ValueId>,
}

impl Scopes for Names<'_> {
    fn define(&mut self, value: ValueId) {
        self.order.push(value);
        let name = self.body.values[value.index()].name;
        if name == StringId::EMPTY {
            return;
        }
        let depth = self.scopes.len();
        let hidden = self.visible.insert(name, (value, depth));
        if let Some((earlier, at)) = hidden
            && at == depth
        {
            self.clashing.insert(earlier);
            self.clashing.insert(value);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name, hidden));
        }
    }

    fn used(&mut self, _: OpId, value: ValueId) {
        let name = self.body.values[value.index()].name;
        match self.visible.get(&name) {
            Some(&(visible, _)) if visible != value && name != StringId::EMPTY => {
                self.clashing.insert(visible);
                self.clashing.insert(value);
            }
            _ => {}
        }
    }

    fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn leave(&mut self) {
        for (name, hidden) in self.scopes.pop().into_iter().flatten().rev() {
            match hidden {
                Some(outer) => self.visible.insert(name, outer),
                None => self.visible.remove(&name),
            };
        }
    }
}
