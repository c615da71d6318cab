//! Annotated fixtures: every parser and verifier code at its exact place.
//!
//! An annotation is a comment on the line below: `//^^^ error CODE: message`. The carets mark the columns of the
//! range (of its first line); `//<^^^` marks a range that begins in the first column, `//$` the end of the file.
//! `UPDATE_EXPECT=1` rewrites the annotations.

use std::collections::BTreeSet;
use std::fmt::Write;

use loom_base::{Diagnostic, FileName};

use super::sources;
use crate::codes::SOURCE_CODES;
use crate::{parse, verify};

/// The text of a fixture with the annotations that its diagnostics ask for.
fn annotated(plain: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    let mut start = 0;
    for line in plain.split_inclusive('\n') {
        out.push_str(line);
        let end = start + line.len();
        for diagnostic in diagnostics {
            let range = diagnostic.place.as_ref().unwrap().range.clone();
            let (from, to) = (range.start as usize, range.end as usize);
            if !(start..end).contains(&from) {
                continue;
            }
            let column = from - start;
            let width = (to.min(start + line.trim_end().len()) - from).max(1);
            match column {
                0 | 1 => write!(out, "//<{}", "^".repeat(width + column)),
                _ => write!(out, "//{}{}", " ".repeat(column - 2), "^".repeat(width)),
            }
            .unwrap();
            describe(&mut out, diagnostic, plain);
        }
        start = end;
    }
    for diagnostic in diagnostics {
        if diagnostic.place.as_ref().unwrap().range.start as usize >= start {
            out.push_str("//$");
            describe(&mut out, diagnostic, plain);
        }
    }
    out
}

fn describe(out: &mut String, diagnostic: &Diagnostic, plain: &str) {
    writeln!(
        out,
        " {} {}: {}",
        diagnostic.severity, diagnostic.code, diagnostic.message
    )
    .unwrap();
    for related in &diagnostic.related {
        let line = plain[..related.place.range.start as usize].matches('\n').count() + 1;
        writeln!(out, "//  note: {} (line {line})", related.label).unwrap();
    }
    for note in &diagnostic.notes {
        writeln!(out, "//  note: {note}").unwrap();
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "//  help: {help}").unwrap();
    }
}

/// Removes annotations: they are the comments whose text begins with a caret, `<^`, `$`, or two blanks and a label.
fn plain(text: &str) -> String {
    let is_annotation = |line: &str| {
        let Some(rest) = line.strip_prefix("//") else {
            return false;
        };
        let marks = rest.trim_start_matches([' ', '<', '^', '$']);
        rest.starts_with("  note: ")
            || rest.starts_with("  help: ")
            || (["error ", "warning ", "note "]
                .iter()
                .any(|word| marks.starts_with(word))
                && marks.len() < rest.len()
                && rest.contains(['^', '$']))
    };
    text.split_inclusive('\n')
        .filter(|line| !is_annotation(line))
        .collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "an update rewrites the fixtures")]
fn fixtures_have_the_annotated_diagnostics() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for (path, text) in sources("diagnostics") {
        let plain = plain(&text);
        let file: FileName = path.file_name().unwrap().to_str().unwrap().into();
        let parsed = parse(&plain, &file);
        let mut diagnostics = parsed.diagnostics;
        diagnostics.extend(verify(&parsed.module, &file));
        for diagnostic in &diagnostics {
            assert!(diagnostic.help.is_some(), "{} has no help", diagnostic.code);
            assert!(!diagnostic.message.ends_with('.'));
            seen.insert(diagnostic.code.to_string());
        }
        let code = path.file_stem().unwrap().to_str().unwrap().replacen('-', "/", 1);
        let own = code.split('-').next().unwrap_or_default();
        if own.contains('/') {
            assert!(
                diagnostics.iter().any(|diagnostic| diagnostic.code == own),
                "{} lacks its code",
                path.display()
            );
        }
        let expected = annotated(&plain, &diagnostics);
        if text != expected {
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(&path, expected).unwrap();
            } else {
                wrong.push(format!("{}: expected\n{expected}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed: BTreeSet<String> = SOURCE_CODES.iter().map(|(code, _)| (*code).to_owned()).collect();
    assert_eq!(seen, listed, "codes in fixtures, and codes in the table");
}
