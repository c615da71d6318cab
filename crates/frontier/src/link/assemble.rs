//! One item of the product, made of the members of a group.

use std::ops::Range;
use std::sync::Arc;

use loom_base::Diagnostic;
use loom_ir::{Attr, Indexed, Item, OpTable, Predicate, ValueId};

use super::contract::{Correspondence, Disagreement, Same, compare};
use super::edit::{Edit, comment};
use super::groups::Group;
use super::names::Names;
use super::{LinkOptions, config, disagreement};
use crate::codes;
use crate::index::{Catalog, Role, SymbolId};
use crate::plan::Plan;
use crate::predicates::predicates;

/// The item of `group`; `None` when its members disagree, which is reported.
pub(super) fn item(
    catalog: &dyn Catalog,
    plan: &Plan,
    options: &LinkOptions,
    names: &Names,
    group: &Group,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<Arc<Item>>, Box<Diagnostic>> {
    let ids = group.ids(plan);
    let (base, others) = (ids[0], &ids[1..]);
    let read = |id: SymbolId, member: u32| catalog.part(id, plan.symbols[member as usize].facets);
    if catalog.record(base).is_config() {
        let order: Vec<_> = group
            .members
            .iter()
            .map(|&member| plan.symbols[member as usize].id)
            .collect();
        return config::item(catalog, options, &ids, &order, diagnostics);
    }
    let item = read(base, group.base)?;
    let mut edit = Edit::of(&item);
    let mut agree = true;
    for &other in others {
        let declared = catalog.body(other)?;
        match compare(&declared, edit.item()) {
            Ok(at) => join(&mut edit, &declared, &at),
            Err(found) => {
                agree = false;
                diagnostics.push(incompatible(catalog, (other, &declared), (base, &item), &found));
            }
        }
    }
    if !agree {
        return Ok(None);
    }
    if !others.is_empty() {
        edit.set_comment(&comments(catalog, plan, group, &item)?);
    }
    edit.set_presence("public", is_public(catalog, &ids, group.is_root));
    if group.is_root {
        edit.set_presence("retain", true);
    }
    if !names.are_authored() {
        edit.rename(names.of(base), |name| names.mentioned(catalog, base, name));
    }
    Ok(Some(Arc::new(edit.finish())))
}

/// The requester's visibility wins; a library's symbol is public only as a root.
fn is_public(catalog: &dyn Catalog, ids: &[SymbolId], is_root: bool) -> bool {
    let public = |id: &SymbolId| catalog.record(*id).flags.has(loom_ir::SymbolFlags::PUBLIC);
    let mut own = ids
        .iter()
        .filter(|&&id| catalog.role(id) == Role::Input)
        .peekable();
    match own.peek() {
        Some(_) => own.any(public),
        None => is_root && public(&ids[0]),
    }
}

/// The comments of all members in the order of the product, each once, with a blank line between them.
pub(super) fn comments(
    catalog: &dyn Catalog,
    plan: &Plan,
    group: &Group,
    base: &Item,
) -> Result<String, Box<Diagnostic>> {
    let mut found: Vec<String> = Vec::new();
    for &member in &group.members {
        let text = match member == group.base {
            true => comment(base).to_owned(),
            false => comment(&*catalog.body(plan.symbols[member as usize].id)?).to_owned(),
        };
        for part in text.split("\n\n").filter(|part| !part.is_empty()) {
            if !found.iter().any(|known| known == part) {
                found.push(part.to_owned());
            }
        }
    }
    Ok(found.join("\n\n"))
}

/// Adds to `edit` what `declared` says beyond it: predicates, purity, requirements, being retained.
fn join(edit: &mut Edit, declared: &Item, at: &Correspondence) {
    let view = declared.root(OpTable::standard());
    let mut words = edit.root().named("where").to_vec();
    let known = words.len();
    for (predicate, arguments) in predicates(view, "where") {
        if !has_predicate(edit.item(), declared, at, predicate, &arguments) {
            words.extend([predicate as u32, arguments.len() as u32]);
            for argument in arguments {
                words.push(carried(edit, declared, at, argument).word());
            }
        }
    }
    if words.len() > known {
        edit.set("where", &words);
    }
    join_requirements(edit, declared);
    let is_definition = !edit.root().def.name.ends_with(".decl");
    if !is_definition && view.has("pure") {
        edit.set_presence("pure", true);
    }
    if view.has("retain") {
        edit.set_presence("retain", true);
    }
}

/// The argument of a predicate of `declared`, as the edited item has it.
fn carried(edit: &mut Edit, declared: &Item, at: &Correspondence, argument: Indexed) -> Indexed {
    match argument {
        Indexed::Value(value) => Indexed::Value(at[&value]),
        // Literals of predicates are numbers, which mean the same everywhere.
        Indexed::Static(attr) => Indexed::Static(edit.attr(declared.body.attrs[attr.index()].clone())),
    }
}

/// Whether `item` has the predicate of `declared` already.
pub(super) fn has_predicate(
    item: &Item,
    declared: &Item,
    at: &Correspondence,
    predicate: Predicate,
    arguments: &[Indexed],
) -> bool {
    let same = Same {
        one: &declared.body,
        other: &item.body,
        at,
    };
    predicates(item.root(OpTable::standard()), "where").any(|(known, theirs)| {
        let pairs = || arguments.iter().zip(&theirs);
        known == predicate
            && arguments.len() == theirs.len()
            && pairs().all(|(ours, theirs)| match (*ours, *theirs) {
                (Indexed::Value(ours), Indexed::Value(theirs)) => at.get(&ours) == Some(&theirs),
                (Indexed::Static(ours), Indexed::Static(theirs)) => same.attrs(
                    &declared.body.attrs[ours.index()],
                    &item.body.attrs[theirs.index()],
                ),
                _ => false,
            })
    })
}

/// A family requires what any of its declarations requires.
fn join_requirements(edit: &mut Edit, declared: &Item) {
    let view = declared.root(OpTable::standard());
    if view.def.name != "template.decl" {
        return;
    }
    let Some(Attr::List(theirs)) = view.attr("requires") else {
        return;
    };
    let mut all = match edit.root().attr("requires") {
        Some(Attr::List(ours)) => ours.to_vec(),
        _ => Vec::new(),
    };
    let known = all.len();
    let at = Correspondence::default();
    for requirement in theirs {
        let same = Same {
            one: &declared.body,
            other: &edit.item().body,
            at: &at,
        };
        if !all[..known].iter().any(|ours| same.attrs(requirement, ours)) {
            let moved = moved(edit, declared, requirement);
            all.push(moved);
        }
    }
    if all.len() > known {
        let attr = edit.attr(Attr::List(all.into()));
        edit.set("requires", &[attr.0]);
    }
}

/// An attribute of another item with this item's strings.
fn moved(edit: &mut Edit, from: &Item, attr: &Attr) -> Attr {
    let body = &from.body;
    match attr {
        Attr::String(text) => Attr::String(edit.string(body.text(*text))),
        Attr::Word(text) => Attr::Word(edit.string(body.text(*text))),
        Attr::Symbol(text) => Attr::Symbol(edit.string(body.text(*text))),
        Attr::List(list) => Attr::List(list.iter().map(|attr| moved(edit, from, attr)).collect()),
        Attr::Dict(pairs) => {
            let pair = |(key, attr): &(loom_ir::StringId, Attr)| {
                (edit.string(body.text(*key)), moved(edit, from, attr))
            };
            Attr::Dict(pairs.iter().map(pair).collect())
        }
        Attr::Ref { name, params } => {
            let name = edit.string(body.text(*name));
            let param = |param: &loom_ir::Param| loom_ir::Param {
                key: edit.string(body.text(param.key)),
                value: moved(edit, from, &param.value),
            };
            Attr::Ref {
                name,
                params: params.iter().map(param).collect(),
            }
        }
        Attr::Bool(_) | Attr::Int(_) | Attr::Float(_) => attr.clone(),
    }
}

/// The diagnostic for a declaration that its definition, or another declaration, contradicts.
pub(super) fn incompatible(
    catalog: &dyn Catalog,
    (declared, its_item): (SymbolId, &Item),
    (defined, item): (SymbolId, &Item),
    found: &Disagreement,
) -> Diagnostic {
    let name = &catalog.record(declared).name;
    let message = format!("linked declaration for '@{name}' has incompatible {}", found.what);
    let at = value_range(its_item, found.here).unwrap_or_else(|| catalog.place(declared));
    let against = value_range(item, found.there).unwrap_or_else(|| catalog.place(defined));
    let (here, there) = (catalog.provider_name(declared), catalog.provider_name(defined));
    let diagnostic = Diagnostic::error(codes::CONTRACT, message)
        .note(format!("'{here}' and '{there}' disagree"))
        .help(format!(
            "make the declaration in '{here}' what '{there}' says, or change the latter"
        ));
    disagreement(catalog, diagnostic, (declared, at), (defined, against))
}

/// Where a value is defined, if the item was read from text.
pub(super) fn value_range(item: &Item, value: Option<ValueId>) -> Option<Range<u32>> {
    let value = value?;
    let known = item.spans.as_ref()?.values().len() > value.index();
    known.then(|| item.range(|spans| spans.values()[value.index()]))
}
