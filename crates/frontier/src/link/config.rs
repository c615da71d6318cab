//! Configuration symbols of a product: one item of all declarations and definitions, with the value that was
//! supplied or defined.

use std::sync::Arc;

use loom_base::Diagnostic;
use loom_ir::facts::{Known, Term, Truth, judge};
use loom_ir::fold::Exact;
use loom_ir::{
    Anchor, Attr, AttrId, Builder, Indexed, Item, OpId, OpTable, Predicate, Scalar, Span, TypeId, ValueId,
};

use super::assemble::{has_predicate, incompatible};
use super::contract::{Correspondence, Disagreement};
use super::edit::comment;
use super::{LinkOptions, disagreement};
use crate::codes;
use crate::config::Literal;
use crate::index::{Catalog, SymbolId};
use crate::predicates::{constant, predicates};

/// One predicate of a configuration symbol, with the symbol and item that state it.
struct Stated {
    by: SymbolId,
    item: Arc<Item>,
    predicate: Predicate,
    arguments: Vec<Indexed>,
}

/// The item for the members `ids`, the base first; `None` when they disagree, which is reported.
pub(super) fn item(
    catalog: &dyn Catalog,
    options: &LinkOptions,
    ids: &[SymbolId],
    order: &[SymbolId],
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<Arc<Item>>, Box<Diagnostic>> {
    let items = ids
        .iter()
        .map(|&id| catalog.body(id))
        .collect::<Result<Vec<_>, _>>()?;
    let found = diagnostics.len();
    let stated = joined(catalog, ids, &items, diagnostics);
    let name = &catalog.record(ids[0]).name;
    let value = match options.config.get(name) {
        Some(literal) => supplied(catalog, ids[0], &items[0], literal, diagnostics),
        None => defined(catalog, ids, &items, diagnostics),
    };
    match &value {
        Some(value) => check(
            catalog,
            (ids, &items),
            value,
            options.config.get(name).is_some(),
            &stated,
            diagnostics,
        ),
        None if options.require_resolved_config && diagnostics.len() == found => {
            let message = format!("unresolved config '@{name}' remains for final compilation");
            let diagnostic = Diagnostic::error(codes::CONFIG_UNRESOLVED, message)
                .at(catalog.provider_name(ids[0]), catalog.place(ids[0]))
                .help(format!(
                    "supply a value, such as `--config={name}=..`, or link a module that defines it"
                ));
            diagnostics.push(diagnostic);
        }
        None => {}
    }
    if diagnostics.len() > found {
        return Ok(None);
    }
    let mut comments: Vec<&str> = Vec::new();
    for id in order {
        let at = ids.iter().position(|other| other == id).unwrap_or(0);
        for part in comment(&items[at]).split("\n\n").filter(|part| !part.is_empty()) {
            if !comments.contains(&part) {
                comments.push(part);
            }
        }
    }
    Ok(Some(Arc::new(build(
        name,
        &items,
        value,
        &stated,
        &comments.join("\n\n"),
    ))))
}

/// The predicates of all members, those of the base first, each once. Types that differ are reported.
fn joined(
    catalog: &dyn Catalog,
    ids: &[SymbolId],
    items: &[Arc<Item>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Stated> {
    let mut stated: Vec<Stated> = Vec::new();
    for (position, (&id, item)) in ids.iter().zip(items).enumerate() {
        if type_of(item) != type_of(&items[0]) {
            let what = Disagreement {
                what: "type".to_owned(),
                here: value_of(item),
                there: value_of(&items[0]),
            };
            diagnostics.push(incompatible(catalog, (id, item), (ids[0], &items[0]), &what));
            continue;
        }
        for (predicate, arguments) in predicates(item.root(OpTable::standard()), "where") {
            let known = items[..position].iter().any(|other| {
                let at: Correspondence = value_of(item).into_iter().zip(value_of(other)).collect();
                has_predicate(other, item, &at, predicate, &arguments)
            });
            if !known {
                stated.push(Stated {
                    by: id,
                    item: item.clone(),
                    predicate,
                    arguments,
                });
            }
        }
    }
    stated
}

/// The value of the definitions among the members, which must be one.
fn defined(
    catalog: &dyn Catalog,
    ids: &[SymbolId],
    items: &[Arc<Item>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Attr> {
    let mut values = ids
        .iter()
        .zip(items)
        .filter_map(|(&id, item)| Some((id, default_of(item)?)));
    let (first, value) = values.next()?;
    if let Some((other, conflicting)) = values.find(|(_, other)| *other != value) {
        let name = &catalog.record(first).name;
        let (in_first, in_other) = (catalog.provider_name(first), catalog.provider_name(other));
        let message = format!("duplicate value definition '@{name}' has incompatible contract field 'value'");
        let diagnostic = Diagnostic::error(codes::CONFIG_CONFLICT, message)
            .note(format!(
                "it is {} in '{in_first}' and {} in '{in_other}'",
                text(value),
                text(conflicting)
            ))
            .help(format!(
                "keep one of the definitions, or supply the value with `--config={name}=..`"
            ));
        let (at, against) = (catalog.place(other), catalog.place(first));
        diagnostics.push(disagreement(catalog, diagnostic, (other, at), (first, against)));
    }
    Some(value.clone())
}

/// The supplied value in the form of the symbol's type.
fn supplied(
    catalog: &dyn Catalog,
    id: SymbolId,
    item: &Item,
    literal: Literal,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Attr> {
    let scalar = type_of(item).and_then(|ty| item.body.ty(ty).scalar());
    let value = scalar.and_then(|scalar| literal.fitting(scalar));
    if value.is_none() {
        let name = &catalog.record(id).name;
        let ty = scalar.map_or("no scalar", Scalar::name);
        let message = format!(
            "config value {} for '@{name}' does not fit its type {ty}",
            text(&literal.attr())
        );
        let diagnostic = Diagnostic::error(codes::CONFIG_TYPE, message)
            .at(catalog.provider_name(id), catalog.place(id))
            .help(format!("supply a value of type {ty}"));
        diagnostics.push(diagnostic);
    }
    value
}

/// Reports the predicates that `value` violates.
fn check(
    catalog: &dyn Catalog,
    (ids, items): (&[SymbolId], &[Arc<Item>]),
    value: &Attr,
    supplied: bool,
    stated: &[Stated],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for Stated {
        by,
        item,
        predicate,
        arguments,
    } in stated
    {
        let scalar = type_of(item).and_then(|ty| item.body.ty(ty).scalar());
        let Some(exact) = scalar.and_then(|scalar| Exact::from_literal(value, scalar)) else {
            continue;
        };
        let term = |argument: &Indexed| match argument {
            Indexed::Value(_) => Term {
                known: Known::of(exact),
                value: None,
                float: exact.scalar().is_float(),
            },
            Indexed::Static(attr) => constant(&item.body.attrs[attr.index()]),
        };
        let terms: Vec<Term> = arguments.iter().map(term).collect();
        if judge(*predicate, &terms) != Truth::False {
            continue;
        }
        let name = &catalog.record(*by).name;
        let constraint = predicate.name();
        let message = format!(
            "symbol '@{name}' value {} violates constraint '{constraint}'",
            text(value)
        );
        let diagnostic = Diagnostic::error(codes::CONFIG_VIOLATED, message)
            .at(catalog.provider_name(*by), catalog.place(*by))
            .note(format!(
                "the constraint is stated in '{}'",
                catalog.provider_name(*by)
            ))
            .help("supply or define a value that all constraints admit");
        let owner = ids
            .iter()
            .zip(items)
            .find(|(_, item)| default_of(item).is_some())
            .map(|(id, _)| *id);
        diagnostics.push(match owner {
            Some(owner) if !supplied => {
                diagnostic.related("the value", catalog.provider_name(owner), catalog.place(owner))
            }
            _ => diagnostic,
        });
    }
}

/// The literal of a configuration symbol that is defined.
pub(crate) fn default_of(item: &Item) -> Option<&Attr> {
    item.root(OpTable::standard()).attr("default")
}

/// The linked item: a definition if there is a value, else a declaration.
fn build(name: &str, items: &[Arc<Item>], value: Option<Attr>, stated: &[Stated], comments: &str) -> Item {
    let table = OpTable::standard();
    let def = table
        .find(if value.is_some() {
            "config.def"
        } else {
            "config.decl"
        })
        .expect("configuration is in the standard table");
    let mut builder = Builder::default();
    if !comments.is_empty() {
        builder.trivia(Anchor::Op(OpId(0)), comments.into());
    }
    let ty = type_of(&items[0]).map(|ty| builder.ty(items[0].body.ty(ty).clone()));
    // Predicates need the value to have a name: the first that any member gives it.
    let argument = items
        .iter()
        .find_map(|item| Some(item.body.text(item.body.values[value_of(item)?.index()].name)));
    let open = builder.open(def);
    let argument = argument.zip(ty).map(|(text, ty)| {
        let text = builder.string(text);
        builder.value(text, ty, Span::default())
    });
    for (slot, content) in def.slots.iter().enumerate() {
        let words: Vec<u32> = match content.name {
            "config" => vec![builder.string(name).0],
            "default" => value.iter().map(|value| builder.attr(value.clone()).0).collect(),
            "value" => argument.iter().map(|value| value.0).collect(),
            "T" => ty.filter(|_| argument.is_none()).iter().map(|ty| ty.0).collect(),
            "where" => argument.map_or_else(Vec::new, |value| where_words(&mut builder, value, stated)),
            _ => Vec::new(),
        };
        words
            .into_iter()
            .for_each(|word| builder.word(word, Span::default()));
        builder.end_slot(open, slot);
    }
    let first = builder.next_value();
    builder.close(def, open, first, 0, Span::default());
    builder.finish(None, false)
}

fn where_words(builder: &mut Builder, value: ValueId, stated: &[Stated]) -> Vec<u32> {
    let mut words = Vec::new();
    for Stated {
        item,
        predicate,
        arguments,
        ..
    } in stated
    {
        words.extend([*predicate as u32, arguments.len() as u32]);
        for argument in arguments {
            let moved = match argument {
                Indexed::Value(_) => Indexed::Value(value),
                Indexed::Static(AttrId(attr)) => {
                    Indexed::Static(builder.attr(item.body.attrs[*attr as usize].clone()))
                }
            };
            words.push(moved.word());
        }
    }
    words
}

/// The named value of a configuration symbol, if it has a name.
fn value_of(item: &Item) -> Option<ValueId> {
    item.root(OpTable::standard()).operand("value")
}

/// The type of a configuration symbol. Types of configuration are scalars, whose numbers are the same everywhere.
pub(crate) fn type_of(item: &Item) -> Option<TypeId> {
    let root = item.root(OpTable::standard());
    root.ty("T")
        .or_else(|| value_of(item).map(|value| item.body.type_of(value)))
}

fn text(value: &Attr) -> String {
    match value {
        Attr::Bool(value) => value.to_string(),
        Attr::Int(value) => value.to_string(),
        Attr::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
        _ => "of another kind".to_owned(),
    }
}
