//! Every way to be accepted and refused, in C and C++.

use std::fmt::Write;

use expect_test::{ExpectFile, expect_file};

use super::cases::{Case, Outcome, cases, compile};

const CATEGORIES: [&str; 4] = [
    "candidate_hint_invalid_encoding",
    "candidate_hint_invalid_placement",
    "candidate_hint_unsupported_construct",
    "candidate_hint_projection_proof_not_established",
];

/// Renders `show` of every case; the languages together where nothing differs.
fn check(file: &str, show: fn(&Case, &Outcome) -> String, expected: ExpectFile) {
    let mut text = String::new();
    for case in cases(file) {
        let mut shown: Vec<(String, Vec<&str>)> = Vec::new();
        for language in &case.languages {
            let it = show(&case, &compile(language, &case.options, &case.source));
            match shown.iter_mut().find(|(other, _)| *other == it) {
                Some((_, languages)) => languages.push(language),
                None => shown.push((it, vec![language])),
            }
        }
        for (it, languages) in shown {
            let _ = writeln!(text, "{} ({})\n{it}", case.name, languages.join(", "));
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn refused() {
    check(
        "refused.txt",
        |case, outcome| {
            let name = &case.name;
            assert_eq!(outcome.status, Some(1), "{name}: {:?}", outcome.messages);
            assert!(outcome.left.is_empty(), "{name}: left {:?}", outcome.left);
            let errors: Vec<_> = outcome
                .messages
                .iter()
                .filter(|it| it.contains("error: "))
                .collect();
            assert!(!errors.is_empty(), "{name}");
            for error in &errors {
                let message = error.split("error: ").nth(1).unwrap_or_default();
                let category = message.split(':').next().unwrap_or_default();
                assert!(CATEGORIES.contains(&category), "{name}: {error}");
            }
            // Each says what to do.
            let advice = outcome
                .messages
                .iter()
                .filter(|it| it.contains("note: ") && !it.contains("expanded from"));
            assert_eq!(advice.count(), errors.len(), "{name}: {:?}", outcome.messages);
            outcome.messages.iter().map(|it| format!("    {it}\n")).collect()
        },
        expect_file!["../../../testdata/pragma/refused.golden"],
    );
}

#[test]
fn accepted() {
    check(
        "accepted.txt",
        |case, outcome| {
            let name = &case.name;
            assert_eq!(outcome.status, Some(0), "{name}: {:?}", outcome.messages);
            assert_eq!(outcome.left, ["work/made.o"], "{name}");
            let errors = outcome.messages.iter().filter(|it| it.contains("candidate_hint"));
            assert_eq!(errors.count(), 0, "{name}: {:?}", outcome.messages);
            for hint in outcome.hints.iter().filter(|it| it.starts_with("loop.")) {
                assert!(hint.ends_with(" on 1"), "{name}: {hint}");
            }
            outcome.hints.iter().map(|it| format!("    {it}\n")).collect()
        },
        expect_file!["../../../testdata/pragma/accepted.golden"],
    );
}

/// Decision 9: no option makes less of a refusal.
#[test]
fn refusals_are_errors_whatever_the_options() {
    for case in cases("refused.txt").iter().step_by(9) {
        for options in [
            "-w",
            "-Wno-error",
            "-Wno-everything -Wno-unknown-pragmas",
            "-fsyntax-only -w",
        ] {
            let plain = compile(&case.languages[0], &case.options, &case.source);
            let quiet = compile(
                &case.languages[0],
                &format!("{} {options}", case.options),
                &case.source,
            );
            // What only code generation can tell is no matter of the syntax.
            if options.contains("syntax") && quiet.status == Some(0) {
                continue;
            }
            assert_eq!(quiet.status, Some(1), "{} {options}", case.name);
            let errors = |outcome: &Outcome| {
                let errors = outcome.messages.iter().filter(|it| it.contains("candidate_hint"));
                errors.cloned().collect::<Vec<_>>()
            };
            assert_eq!(errors(&quiet), errors(&plain), "{} {options}", case.name);
        }
    }
}
