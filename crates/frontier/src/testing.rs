//! Fixtures of tests: several modules in one text, read as text and as bytecode.

use std::fmt::Write;
use std::sync::Arc;

use loom_base::{Diagnostic, Place, SourceText};

use crate::{Index, Role, Source, read_source};

/// One module of a fixture.
#[derive(Clone)]
pub(crate) struct Part {
    pub role: Role,
    pub name: String,
    pub text: String,
}

/// The modules of a fixture. Each begins with a line `//- input <name>` or `//- library <name>`.
pub(crate) fn parts(fixture: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in fixture.lines() {
        match line.strip_prefix("//- ") {
            Some(head) => {
                let (role, name) = head.split_once(' ').expect("a role and a name");
                let role = match role {
                    "input" => Role::Input,
                    "library" => Role::Library,
                    _ => panic!("unknown role {role}"),
                };
                parts.push(Part {
                    role,
                    name: name.to_owned(),
                    text: String::new(),
                });
            }
            None => {
                let part = parts.last_mut().expect("a module to begin with");
                part.text.push_str(line);
                part.text.push('\n');
            }
        }
    }
    parts
}

/// The modules as text.
pub(crate) fn text_sources(parts: &[Part]) -> Vec<Source> {
    let read = |part: &Part| {
        let bytes: Arc<[u8]> = part.text.as_bytes().into();
        let source = read_source(part.name.as_str(), part.role, &bytes);
        source.unwrap_or_else(|diagnostics| panic!("{}", render(parts, &diagnostics)))
    };
    parts.iter().map(read).collect()
}

/// The modules as bytecode under the same names.
pub(crate) fn bytecode_sources(parts: &[Part]) -> Vec<Source> {
    let read = |part: &Part| {
        let source = read_source(part.name.as_str(), part.role, &bytecode(part));
        source.unwrap_or_else(|diagnostics| panic!("{}", render(parts, &diagnostics)))
    };
    parts.iter().map(read).collect()
}

/// The bytecode of one module.
pub(crate) fn bytecode(part: &Part) -> Arc<[u8]> {
    let parsed = loom_ir::parse(&part.text, &part.name.as_str().into());
    assert_eq!(parsed.diagnostics, [], "{}", part.name);
    loom_ir::encode(&parsed.module).into()
}

/// An index of the fixture as text, and one of it as bytecode.
pub(crate) fn indexes(fixture: &str) -> [Index; 2] {
    let parts = parts(fixture);
    [
        Index::new(text_sources(&parts)),
        Index::new(bytecode_sources(&parts)),
    ]
}

/// Diagnostics as lines, with places as `file:line:column`.
pub(crate) fn render(parts: &[Part], diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let Diagnostic {
            code,
            severity,
            message,
            ..
        } = diagnostic;
        let at = diagnostic
            .place
            .as_ref()
            .map_or("-".to_owned(), |at| place(parts, at));
        let _ = writeln!(out, "{at}: {severity} [{code}]: {message}");
        for related in &diagnostic.related {
            let _ = writeln!(out, "  {}: {}", place(parts, &related.place), related.label);
        }
        for note in &diagnostic.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
    out
}

/// Diagnostics without their places: what providers in text and in bytecode have in common.
pub(crate) fn placeless(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut diagnostics = diagnostics.to_vec();
    for diagnostic in &mut diagnostics {
        let places = diagnostic.related.iter_mut().map(|related| &mut related.place);
        places
            .chain(&mut diagnostic.place)
            .for_each(|place| place.range = 0..0);
    }
    diagnostics
}

fn place(parts: &[Part], place: &Place) -> String {
    let Some(part) = parts.iter().find(|part| part.name == place.file.as_str()) else {
        return place.file.to_string();
    };
    let source = SourceText::new(place.file.clone(), part.text.as_str());
    let at = source.line_column(place.range.start);
    format!("{}:{}:{}", place.file, at.line, at.column)
}
