//! What a product can be configured with, as a JSON schema for configuration files.

use std::collections::BTreeSet;

use loom_ir::{Attr, Indexed, Item, OpTable, Predicate, Scalar};
use serde_json::{Map, Value, json};

use crate::link::{Linked, comment, default_of, type_of};
use crate::predicates::predicates;

/// The schema (draft 2020-12) of the configuration files of a product, one JSON object with a final newline:
/// one property per configuration symbol, nested where names have dots. Constraints with constants become
/// keywords; all constraints are listed, as the source writes them, under `x-loom-constraints`.
pub fn config_schema(linked: &Linked) -> String {
    let symbols = || {
        linked
            .items
            .iter()
            .filter_map(|linked| match linked.item.symbol() {
                Some((loom_ir::SymbolKind::Config, name)) => Some((name, &*linked.item)),
                _ => None,
            })
    };
    let names: BTreeSet<&str> = symbols().map(|(name, _)| name).collect();
    let mut root = object();
    for (name, item) in symbols() {
        // `a` and `a.b` cannot both be keys of nested objects: there the longer name stays flat.
        let nests = name
            .match_indices('.')
            .all(|(dot, _)| !names.contains(&name[..dot]));
        insert(&mut root, name, nests, property(item));
    }
    let mut schema = Map::new();
    schema.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    schema.extend(root);
    let mut text = serde_json::to_string_pretty(&schema).expect("maps of strings are always JSON");
    text.push('\n');
    text
}

fn object() -> Map<String, Value> {
    let object = json!({ "type": "object", "properties": {} });
    object.as_object().cloned().unwrap_or_default()
}

/// Puts `schema` under `name`, whose dots lead into nested objects if it `nests`.
fn insert(object: &mut Map<String, Value>, name: &str, nests: bool, schema: Value) {
    let Some(Value::Object(properties)) = object.get_mut("properties") else {
        return;
    };
    match name.split_once('.').filter(|_| nests) {
        None => {
            properties.insert(name.to_owned(), schema);
        }
        Some((first, rest)) => {
            if let Value::Object(inner) = properties
                .entry(first)
                .or_insert_with(|| Value::Object(self::object()))
            {
                insert(inner, rest, nests, schema);
            }
        }
    }
}

fn property(item: &Item) -> Value {
    let scalar = type_of(item).and_then(|ty| item.body.ty(ty).scalar());
    let mut schema = Map::new();
    let kind = match scalar {
        Some(Scalar::I1) => json!("boolean"),
        Some(scalar) if scalar.is_float() => json!("number"),
        _ => json!("integer"),
    };
    schema.insert("type".to_owned(), kind);
    let comment: Vec<&str> = comment(item)
        .lines()
        .map(|line| line.trim_start_matches('/').trim())
        .filter(|line| !line.is_empty())
        .collect();
    if !comment.is_empty() {
        schema.insert("description".to_owned(), json!(comment.join(" ")));
    }
    if let Some(value) = default_of(item).and_then(|value| number(value, scalar)) {
        schema.insert("default".to_owned(), value);
    }
    if let Some(scalar) = scalar {
        schema.insert("x-loom-type".to_owned(), json!(scalar.name()));
    }
    let mut constraints = Vec::new();
    for (predicate, arguments) in predicates(item.root(OpTable::standard()), "where") {
        constrain(&mut schema, item, predicate, &arguments);
        constraints.push(spelled(item, predicate, &arguments));
    }
    if !constraints.is_empty() {
        schema.insert("x-loom-constraints".to_owned(), json!(constraints));
    }
    Value::Object(schema)
}

/// The keywords that say the same as a predicate of the value and constants, if there are any.
fn constrain(schema: &mut Map<String, Value>, item: &Item, predicate: Predicate, arguments: &[Indexed]) {
    let [Indexed::Value(_), bounds @ ..] = arguments else {
        return;
    };
    let constant = |at: usize| match bounds.get(at) {
        Some(Indexed::Static(attr)) => match item.body.attrs[attr.index()] {
            Attr::Int(value) => Some(value),
            _ => None,
        },
        _ => None,
    };
    let mut set = |keyword: &str, at: usize| {
        if let Some(value) = constant(at) {
            let tighter = |known: &Value| match (keyword, known.as_i64()) {
                ("minimum" | "exclusiveMinimum", Some(known)) => value > known,
                ("maximum" | "exclusiveMaximum", Some(known)) => value < known,
                // Two divisors cannot be said at once; the list of constraints has both.
                _ => false,
            };
            if schema.get(keyword).is_none_or(tighter) {
                schema.insert(keyword.to_owned(), json!(value));
            }
        }
    };
    match predicate {
        Predicate::Eq => set("const", 0),
        Predicate::Lt => set("exclusiveMaximum", 0),
        Predicate::Le | Predicate::Max => set("maximum", 0),
        Predicate::Gt => set("exclusiveMinimum", 0),
        Predicate::Ge | Predicate::Min => set("minimum", 0),
        Predicate::Mul if constant(0).is_some_and(|divisor| divisor > 0) => set("multipleOf", 0),
        Predicate::Range => {
            set("minimum", 0);
            set("maximum", 1);
        }
        _ => {}
    }
}

/// A predicate as the source writes it.
fn spelled(item: &Item, predicate: Predicate, arguments: &[Indexed]) -> String {
    let argument = |argument: &Indexed| match *argument {
        Indexed::Value(value) => format!("%{}", item.body.text(item.body.values[value.index()].name)),
        Indexed::Static(attr) => match item.body.attrs[attr.index()] {
            Attr::Int(value) => value.to_string(),
            Attr::Float(bits) => format!("{:?}", f64::from_bits(bits)),
            _ => String::new(),
        },
    };
    let arguments: Vec<String> = arguments.iter().map(argument).collect();
    format!("{}({})", predicate.name(), arguments.join(", "))
}

/// A value as JSON has it; none for floats that JSON lacks.
fn number(value: &Attr, scalar: Option<Scalar>) -> Option<Value> {
    match *value {
        Attr::Bool(value) => Some(json!(value)),
        Attr::Int(value) if scalar == Some(Scalar::I1) => Some(json!(value != 0)),
        Attr::Int(value) => Some(json!(value)),
        Attr::Float(bits) => Some(f64::from_bits(bits))
            .filter(|value| value.is_finite())
            .map(|value| json!(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
