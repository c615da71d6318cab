//! Checks values against the shipped JSON Schemas, for tests.
//!
//! Knows the keywords that our schemas use and refuses any other, so that none is silently without effect. A
//! full validator would bring fifty packages for a few files.

use regex_lite::Regex;
use serde_json::{Map, Value};

/// Keywords that say something to readers only.
const SILENT: [&str; 6] = [
    "$schema",
    "$id",
    "$defs",
    "title",
    "description",
    "contentEncoding",
];

/// What is wrong with `value` under `#/$defs/<definition>` of the session schema.
pub(crate) fn session_errors(definition: &str, value: &Value) -> Vec<String> {
    Schemas::load().errors(&format!("urn:loom:schema:session:1#/$defs/{definition}"), value)
}

/// What is wrong with `value` under the diagnostic schema.
pub(crate) fn diagnostic_errors(value: &Value) -> Vec<String> {
    Schemas::load().errors("urn:loom:schema:diagnostic:1", value)
}

/// What is wrong with `value` under the schema of plans and symbol lists.
pub(crate) fn link_errors(definition: &str, value: &Value) -> Vec<String> {
    Schemas::load().errors(&format!("urn:loom:schema:link:1#/$defs/{definition}"), value)
}

struct Schemas(Vec<Value>);

impl Schemas {
    fn load() -> Self {
        let texts = [
            include_str!("../schema/diagnostic.schema.json"),
            include_str!("../schema/link.schema.json"),
            include_str!("../schema/session.schema.json"),
        ];
        Self(
            texts
                .iter()
                .map(|text| serde_json::from_str(text).expect("a schema is JSON"))
                .collect(),
        )
    }

    fn errors(&self, reference: &str, value: &Value) -> Vec<String> {
        let (root, schema) = self.resolve(&Value::Null, reference);
        let mut errors = Vec::new();
        self.check(root, schema, value, "", &mut errors);
        errors
    }

    /// The schema that `reference` names, seen from a schema in `root`, with its own root.
    fn resolve<'a>(&'a self, root: &'a Value, reference: &str) -> (&'a Value, &'a Value) {
        let (id, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let root = match id {
            "" => root,
            id => self
                .0
                .iter()
                .find(|schema| schema["$id"] == id)
                .expect("a shipped schema"),
        };
        (
            root,
            root.pointer(pointer)
                .unwrap_or_else(|| panic!("{reference} leads nowhere")),
        )
    }

    fn check(&self, root: &Value, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        let schema = match schema {
            Value::Object(schema) => schema,
            Value::Bool(true) => return,
            _ => return errors.push(format!("{at}: must not be there")),
        };
        for (keyword, rule) in schema {
            let holds = match keyword.as_str() {
                "type" => match rule {
                    Value::Array(types) => types.iter().any(|it| has_type(value, it)),
                    one => has_type(value, one),
                },
                "const" => value == rule,
                "enum" => rule.as_array().expect("enum is a list").contains(value),
                "minimum" => value
                    .as_f64()
                    .is_none_or(|number| number >= rule.as_f64().expect("a number")),
                "minLength" => value
                    .as_str()
                    .is_none_or(|it| it.chars().count() as u64 >= rule.as_u64().expect("a number")),
                "pattern" => value.as_str().is_none_or(|it| {
                    Regex::new(rule.as_str().expect("text"))
                        .expect("a pattern")
                        .is_match(it)
                }),
                "required" => value.as_object().is_none_or(|members| {
                    rule.as_array()
                        .expect("required is a list")
                        .iter()
                        .all(|name| members.contains_key(name.as_str().expect("text")))
                }),
                "oneOf" => {
                    let alternatives = rule.as_array().expect("oneOf is a list").iter();
                    1 == alternatives
                        .filter(|alternative| {
                            let mut errors = Vec::new();
                            self.check(root, alternative, value, at, &mut errors);
                            errors.is_empty()
                        })
                        .count()
                }
                "$ref" => {
                    let (root, schema) = self.resolve(root, rule.as_str().expect("text"));
                    self.check(root, schema, value, at, errors);
                    true
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(root, rule, item, &format!("{at}/{index}"), errors);
                    }
                    true
                }
                "properties" | "additionalProperties" => {
                    self.check_members(root, schema, keyword, value, at, errors);
                    true
                }
                silent if SILENT.contains(&silent) => true,
                unknown => panic!("the checker does not know the keyword {unknown}"),
            };
            if !holds {
                errors.push(format!("{at}: breaks {keyword} {rule}"));
            }
        }
    }

    fn check_members(
        &self,
        root: &Value,
        schema: &Map<String, Value>,
        keyword: &str,
        value: &Value,
        at: &str,
        errors: &mut Vec<String>,
    ) {
        let properties = schema.get("properties");
        for (name, member) in value.as_object().into_iter().flatten() {
            let listed = properties.and_then(|properties| properties.get(name));
            let rule = if keyword == "properties" {
                listed
            } else {
                schema.get(keyword)
            };
            let is_extra = keyword == "additionalProperties" && listed.is_some();
            if let Some(rule) = rule.filter(|_| !is_extra) {
                self.check(root, rule, member, &format!("{at}/{name}"), errors);
            }
        }
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("types are text") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("the checker does not know the type {unknown}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(definition: &str, value: Value, errors: &[&str]) {
        assert_eq!(session_errors(definition, &value), errors, "{value}");
    }

    #[test]
    fn the_checker_notices() {
        check("id", json!(5), &[]);
        check("id", json!(-5), &[": breaks minimum 0"]);
        check("id", json!(null), &[": breaks type [\"string\",\"integer\"]"]);
        check("digest", json!("0A"), &[": breaks pattern \"^[0-9a-f]{64}$\""]);
        check("cancel", json!({ "id": 1, "method": "cancel" }), &[]);
        check(
            "cancel",
            json!({ "method": "cancel" }),
            &[": breaks required [\"id\",\"method\"]"],
        );
        check(
            "cancel",
            json!({ "id": 1, "method": "cancel", "x": 0 }),
            &["/x: must not be there"],
        );
        check(
            "cancel",
            json!({ "id": 1, "method": "x" }),
            &["/method: breaks const \"cancel\""],
        );
        let change = |file: Value| json!({ "id": 1, "method": "change", "files": [file] });
        check("change", change(json!({ "path": "x", "text": null })), &[]);
        check("change", change(json!({ "path": "x", "reread": true })), &[]);
        let both = session_errors(
            "change",
            &change(json!({ "path": "x", "reread": true, "text": "" })),
        );
        assert_eq!(both.len(), 1);
        assert!(both[0].starts_with("/files/0: breaks oneOf"), "{both:?}");
        let environment = json!({ "id": 1, "method": "change", "environment": { "A": 1 } });
        check(
            "change",
            environment,
            &["/environment/A: breaks type [\"string\",\"null\"]"],
        );
    }
}
