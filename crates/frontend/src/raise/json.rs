//! The report of a raise as JSON, for programs.

use serde_json::{Map, Value, json};

use super::{RaiseReport, RaisedHint};

/// One object: the linked module's SHA-256, totals, functions, globals, losses and hints.
pub fn render_json(report: &RaiseReport) -> String {
    let mut value = json!({
        "module_sha256": report.module.map(|it| it.to_string()),
        "totals": totals(report),
        "functions": report.functions,
        "globals": report.globals,
        "losses": report.losses,
    });
    value["hints"] = report.hints.iter().map(hint).collect();
    pretty(&value)
}

/// One array: every candidate with its function, place and state.
pub fn render_hints(report: &RaiseReport) -> String {
    pretty(&report.hints.iter().map(hint).collect())
}

fn totals(report: &RaiseReport) -> Value {
    let sum = |of: fn(&super::RaisedFunction) -> u64| report.functions.iter().map(of).sum::<u64>();
    json!({
        "lifted": report.count("lifted"),
        "straight": report.count("straight"),
        "unstructured": report.count("unstructured"),
        "isolated": report.count("isolated"),
        "for": sum(|it| it.for_loops),
        "while": sum(|it| it.while_loops),
        "if": sum(|it| it.conditionals),
        "switch": sum(|it| it.switches),
        "scalars": sum(|it| it.scalars),
    })
}

fn hint(hint: &RaisedHint) -> Value {
    let mut value = Map::new();
    value.insert(
        "kind".into(),
        if hint.is_loop { "loop" } else { "function" }.into(),
    );
    value.insert("function".into(), hint.function.as_str().into());
    value.insert("state".into(), hint.state.as_str().into());
    if let Some(place) = hint.place() {
        value.insert("file".into(), String::from_utf8_lossy(&place.file).into());
        let positions = [
            ("pragma", place.pragma),
            ("begin", place.begin),
            ("end", place.end),
        ];
        for (name, at) in positions {
            value.insert(name.into(), json!({ "line": at.line, "column": at.column }));
        }
    }
    for (name, text) in [("category", &hint.category), ("message", &hint.message)] {
        if !text.is_empty() {
            value.insert(name.into(), text.as_str().into());
        }
    }
    value.insert("payload".into(), hint.payload.as_str().into());
    Value::Object(value)
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("strings and numbers are JSON");
    text.push('\n');
    text
}
