//! How diagnostics look: with the source text for people, as JSON lines for programs.

mod json;
#[cfg(test)]
mod tests;
mod text;

use loom_base::{Diagnostic, FileName, SourceText};

pub use json::{DiagnosticLine, PlaceLine, PositionLine, RelatedLine};

/// Where a renderer gets the text that a place points into. `None`: the text is not available (any more); the
/// place is then shown without it.
pub type Sources<'a> = dyn Fn(&FileName) -> Option<SourceText> + 'a;

/// Renders `diagnostic` for people: title with its code, the source lines with carets, related places, notes
/// and help. Ends with a line break. With `colour` it contains ANSI escapes; only for terminals.
pub fn render_text(diagnostic: &Diagnostic, sources: &Sources<'_>, colour: bool) -> String {
    text::render(diagnostic, sources, colour)
}

/// Renders `diagnostic` as one line of JSON with its line break (`schema/diagnostic.schema.json`).
pub fn render_json(diagnostic: &Diagnostic, sources: &Sources<'_>) -> String {
    let line = DiagnosticLine::new(diagnostic, sources);
    serde_json::to_string(&line).expect("the line has string keys only") + "\n"
}

/// Lets `diagnostic` call its files by other names: each for which `rename` has one.
///
/// Queries call a file by its absolute path; users want to read the name they gave.
pub fn rename_files(diagnostic: &mut Diagnostic, rename: impl Fn(&FileName) -> Option<FileName>) {
    let places = diagnostic
        .place
        .iter_mut()
        .chain(diagnostic.related.iter_mut().map(|it| &mut it.place));
    for place in places {
        if let Some(name) = rename(&place.file) {
            place.file = name;
        }
    }
}
