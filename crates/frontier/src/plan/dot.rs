//! Plans as pictures, in the language of Graphviz.

use std::fmt::Write;

use super::{Plan, Reason};
use crate::index::Catalog;

/// The plan as a directed graph: each provider that gives something is a cluster, a symbol is a node with its
/// facets below its name, roots have a double border, and edges go from causes to what they need. The edge from a
/// declaration to its definition is dashed.
pub fn plan_dot(catalog: &dyn Catalog, plan: &Plan) -> String {
    let mut out = String::from("digraph plan {\n  rankdir=LR;\n  node [shape=box];\n");
    for (provider, described) in catalog.providers().iter().enumerate() {
        let own = |position: &usize| plan.symbols[*position].id.provider as usize == provider;
        let mut positions = (0..plan.symbols.len()).filter(own).peekable();
        if positions.peek().is_none() {
            continue;
        }
        let label = quoted(&format!("{} ({})", described.name, described.role.name()));
        let _ = writeln!(out, "  subgraph cluster_{provider} {{\n    label={label};");
        for position in positions {
            let planned = &plan.symbols[position];
            let record = catalog.record(planned.id);
            let facets = planned.facets.names(record).join(", ");
            let label = quoted(&format!("@{}\n{facets}", record.name));
            let mark = match planned.reason {
                Reason::Root => ", peripheries=2",
                Reason::Provider => ", style=rounded",
                Reason::Merge | Reason::Dependency => "",
            };
            let _ = writeln!(out, "    s{position} [label={label}{mark}];");
        }
        out.push_str("  }\n");
    }
    for (position, planned) in plan.symbols.iter().enumerate() {
        let Some(cause) = planned.cause else { continue };
        let defines = plan.symbols[cause as usize]
            .definitions
            .contains(&(position as u32));
        let style = if defines { " [style=dashed]" } else { "" };
        let _ = writeln!(out, "  s{cause} -> s{position}{style};");
    }
    out.push_str("}\n");
    out
}

/// A string of the language of Graphviz: line breaks become its escape for centred lines.
pub(crate) fn quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}
