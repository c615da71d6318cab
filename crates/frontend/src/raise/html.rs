//! The report of a raise as one page, for people.

use std::fmt::Write;

use super::{RaiseReport, RaisedFunction, RaisedHint};

/// A page without scripts or references: totals, hints, what was not lifted, every function, losses.
pub fn render_html(report: &RaiseReport) -> String {
    let mut page = String::from(HEAD);
    let module = report.module.map_or_else(String::new, |it| it.to_string());
    let _ = write!(
        page,
        "<h1>Raised module</h1>\n<p>Linked module <code>{module}</code></p>\n"
    );
    let sum = |of: fn(&RaisedFunction) -> u64| report.functions.iter().map(of).sum::<u64>().to_string();
    let totals = [
        ("functions", report.functions.len().to_string()),
        ("lifted", report.count("lifted").to_string()),
        ("one block", report.count("straight").to_string()),
        ("unstructured", report.count("unstructured").to_string()),
        ("isolated", report.count("isolated").to_string()),
        ("counted loops", sum(|it| it.for_loops)),
        ("other loops", sum(|it| it.while_loops)),
        ("conditionals", sum(|it| it.conditionals)),
        ("switches", sum(|it| it.switches)),
    ];
    table(
        &mut page,
        &["", ""],
        totals.map(|(name, count)| [name.to_owned(), count]),
    );
    if !report.hints.is_empty() {
        page.push_str("<h2>Candidates</h2>\n");
        let columns = ["function", "kind", "place", "state", "what happened"];
        table(&mut page, &columns, report.hints.iter().map(hint_row));
    }
    page.push_str("<h2>Functions</h2>\n");
    let columns = [
        "function",
        "state",
        "why not lifted",
        "for",
        "while",
        "if",
        "switch",
        "scalars",
    ];
    table(&mut page, &columns, report.functions.iter().map(function_row));
    if !report.globals.is_empty() {
        page.push_str("<h2>Globals without initializers</h2>\n");
        let rows = report
            .globals
            .iter()
            .map(|(name, why)| [name.clone(), why.clone()]);
        table(&mut page, &["global", "why"], rows);
    }
    page.push_str("<h2>What only the linked module holds</h2>\n");
    let rows = report
        .losses
        .iter()
        .map(|(kind, count)| [kind.clone(), count.to_string()]);
    table(&mut page, &["kind", "count"], rows);
    page.push_str("</body></html>\n");
    page
}

const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Raised module</title><style>
body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em }
table { border-collapse: collapse; margin: 1em 0 }
td, th { border-bottom: 1px solid #ddd; padding: .2em .8em; text-align: left }
</style></head><body>
";

fn hint_row(hint: &RaisedHint) -> [String; 5] {
    let place = hint.place().map_or_else(String::new, |place| {
        format!("{}:{}", String::from_utf8_lossy(&place.file), place.pragma)
    });
    let kind = if hint.is_loop { "loop" } else { "function" };
    let what = match hint.category.is_empty() {
        true => hint.message.clone(),
        false => format!("{}: {}", hint.category, hint.message),
    };
    [
        hint.function.clone(),
        kind.to_owned(),
        place,
        hint.state.clone(),
        what,
    ]
}

fn function_row(function: &RaisedFunction) -> [String; 8] {
    [
        function.name.clone(),
        function.state.clone(),
        function.reason.clone(),
        function.for_loops.to_string(),
        function.while_loops.to_string(),
        function.conditionals.to_string(),
        function.switches.to_string(),
        function.scalars.to_string(),
    ]
}

fn table<const N: usize>(
    page: &mut String,
    columns: &[&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) {
    page.push_str("<table>\n");
    if columns.iter().any(|it| !it.is_empty()) {
        let cells: String = columns.iter().map(|it| format!("<th>{it}</th>")).collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    for row in rows {
        let cells: String = row.iter().map(|it| format!("<td>{}</td>", escape(it))).collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    page.push_str("</table>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
