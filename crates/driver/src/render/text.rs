//! Diagnostics with their source lines, by annotate-snippets.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use loom_base::{Diagnostic, FileName, Place, Severity, SourceText};

use super::Sources;

pub(super) fn render(diagnostic: &Diagnostic, sources: &Sources<'_>, colour: bool) -> String {
    let texts: BTreeMap<&FileName, SourceText> = places(diagnostic)
        .filter_map(|place| Some((&place.file, sources(&place.file)?)))
        .collect();
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(
        level
            .primary_title(diagnostic.message.as_str())
            .id(diagnostic.code.as_ref()),
    );
    let primary = diagnostic.place.as_ref().map(|place| &place.file);
    for file in files_in_order(diagnostic) {
        group = match texts.get(file) {
            Some(text) => group.element(snippet(diagnostic, file, text)),
            None if primary == Some(file) => group.element(Origin::path(file.as_str())),
            None => group,
        };
    }
    // Without its text a related place has no line to put its label on.
    let unseen = diagnostic
        .related
        .iter()
        .filter(|related| !texts.contains_key(&related.place.file));
    let unseen = unseen.map(|related| format!("{}: in {}", related.label, related.place.file));
    let notes = unseen
        .chain(diagnostic.notes.iter().cloned())
        .map(|note| Level::NOTE.message(note));
    let help = diagnostic
        .help
        .iter()
        .map(|help| Level::HELP.message(help.as_str()));
    let group = group.elements(notes.chain(help));
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&[group]) + "\n"
}

fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = &Place> {
    diagnostic
        .place
        .iter()
        .chain(diagnostic.related.iter().map(|related| &related.place))
}

/// The files of all places, each once, the primary one first.
fn files_in_order(diagnostic: &Diagnostic) -> Vec<&FileName> {
    let mut files = Vec::new();
    for place in places(diagnostic) {
        if !files.contains(&&place.file) {
            files.push(&place.file);
        }
    }
    files
}

fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    file: &'a FileName,
    text: &'a SourceText,
) -> Snippet<'a, Annotation<'a>> {
    let primary = diagnostic.place.iter().filter(|place| place.file == *file);
    let primary = primary.map(|place| AnnotationKind::Primary.span(span(&place.range, text.text())));
    let related = diagnostic
        .related
        .iter()
        .filter(|related| related.place.file == *file);
    let related = related.map(|related| {
        AnnotationKind::Context
            .span(span(&related.place.range, text.text()))
            .label(related.label.as_str())
    });
    Snippet::source(text.text())
        .path(file.as_str())
        .annotations(primary.chain(related))
}

/// The range within the text and on character borders, whatever the text has become since.
fn span(range: &Range<u32>, text: &str) -> Range<usize> {
    let border = |offset: u32| text.floor_char_boundary((offset as usize).min(text.len()));
    let start = border(range.start);
    start..border(range.end).max(start)
}
