//! One fixture per rule of preparation and per diagnostic. Every fixture is prepared from text and from
//! bytecode, and its sources verify.

use std::fmt::Write;

use expect_test::{Expect, expect};
use loom_ir::fold::Exact;

use super::*;
use crate::config::Literal;
use crate::link::link;
use crate::plan::tests::{example, options};
use crate::plan::{DependencyPolicy, PlanOptions};
use crate::product::{Argument, BufferRef, Counts, Step};
use crate::testing::{Part, indexes, parts, placeless, render};

mod calls;
mod codes;
mod contracts;
mod control;
mod fold;
mod frontier;
mod geometry;
mod hostile;
mod limits;
mod select;
mod sound;
mod storage;

/// Options: roots, and `name=value` for configuration. Declarations may stay open.
fn link_options(words: &str) -> PlanOptions {
    let (config, rest): (Vec<&str>, Vec<&str>) =
        words.split_whitespace().partition(|word| word.contains('='));
    let mut options = options(&rest.join(" "));
    options.policy = DependencyPolicy::RequestedFacets;
    options.allow_unresolved = true;
    for (name, value) in config.iter().filter_map(|word| word.split_once('=')) {
        assert!(
            options
                .config
                .bind(name, Literal::parse(value).expect("a literal"))
        );
    }
    options
}

/// Prepares the roots of `fixture` and compares programs and diagnostics with `expected`.
#[track_caller]
fn check(words: &str, fixture: &str, expected: Expect) {
    expected.assert_eq(&prepared(words, fixture));
}

/// A fixture of one input.
#[track_caller]
fn check_one(words: &str, source: &str, expected: Expect) {
    check(words, &format!("//- input a.loom\n{source}"), expected);
}

#[track_caller]
fn prepared(words: &str, fixture: &str) -> String {
    let parts = parts(fixture);
    for part in &parts {
        let file = part.name.as_str().into();
        let parsed = loom_ir::parse(&part.text, &file);
        assert_eq!(parsed.diagnostics, [], "{}", render(&parts, &parsed.diagnostics));
        let findings = loom_ir::verify(&parsed.module, &file);
        assert_eq!(findings, [], "{}", render(&parts, &findings));
    }
    let [text, bytecode] = indexes(fixture);
    let options = link_options(words);
    let (from_text, from_bytecode) = (outcomes(&text, &options), outcomes(&bytecode, &options));
    let mut out = String::new();
    assert_eq!(from_text.len(), from_bytecode.len());
    for (from_text, from_bytecode) in from_text.iter().zip(&from_bytecode) {
        assert_eq!(from_text.value, from_bytecode.value);
        assert_eq!(
            placeless(&from_text.diagnostics),
            placeless(&from_bytecode.diagnostics)
        );
        out += &render(&parts, &from_text.diagnostics);
        if let Some(program) = &from_text.value {
            out += &shown(&text, &parts, program);
        }
    }
    out
}

/// Links, and prepares each root.
fn outcomes(catalog: &dyn Catalog, options: &PlanOptions) -> Vec<Outcome<Program>> {
    let linked = link(catalog, options, false);
    let Some(module) = &linked.value else {
        return vec![Outcome::failure(linked.diagnostics)];
    };
    let mut preparation = Preparation::new(catalog, module);
    let root = |name: &String| {
        let name = name.trim_start_matches('@');
        let item = module
            .items
            .iter()
            .find(|it| it.item.symbol().is_some_and(|it| it.1 == name));
        let id = item.expect("a root that was linked").origins[0];
        let program = preparation.program(id);
        assert_eq!(program, prepare_program(catalog, module, id), "alone");
        program
    };
    options.roots.iter().map(root).collect()
}

/// A program as text.
fn shown(catalog: &dyn Catalog, parts: &[Part], program: &Program) -> String {
    let mut out = format!("program @{}\n", program.symbol);
    for binding in &program.bindings {
        let _ = writeln!(
            out,
            "  binding %{} at {}",
            binding.name,
            position(catalog, parts, binding.site.at)
        );
    }
    for (at, it) in program.allocations.iter().enumerate() {
        let _ = writeln!(
            out,
            "  allocation {at} %{}: {} bytes align {}",
            it.name, it.bytes, it.align
        );
    }
    for (at, it) in program.parameters.iter().enumerate() {
        let _ = writeln!(
            out,
            "  parameter {at} '{}' of {}: {} bytes",
            it.key, it.binding, it.bytes
        );
    }
    show_steps(catalog, parts, &mut out, 1, &program.body);
    out
}

fn show_steps(catalog: &dyn Catalog, parts: &[Part], out: &mut String, depth: usize, steps: &[Step]) {
    for step in steps {
        let indent = "  ".repeat(depth);
        let _ = match step {
            Step::Serial(steps) => {
                let _ = writeln!(out, "{indent}serial");
                show_steps(catalog, parts, out, depth + 1, steps);
                Ok(())
            }
            Step::Concurrent(steps) => {
                let _ = writeln!(out, "{indent}concurrent");
                show_steps(catalog, parts, out, depth + 1, steps);
                Ok(())
            }
            Step::Allocate(at) => writeln!(out, "{indent}allocate {at}"),
            Step::Command(command) => {
                let dispatch = &command.dispatch;
                let external = if dispatch.callee.is_source_backed {
                    ""
                } else {
                    " external"
                };
                let counts = match dispatch.counts {
                    Counts::Direct([x, y, z]) => format!("{x} {y} {z}"),
                    Counts::Indirect(view) => range(&view),
                };
                let arguments: Vec<String> = dispatch.arguments.iter().map(argument).collect();
                let site = &command.site;
                let spots = [site.at].into_iter().chain(site.through.iter().copied());
                let places: Vec<String> = spots.map(|spot| position(catalog, parts, spot)).collect();
                writeln!(
                    out,
                    "{indent}@{}{external} [{counts}] ({}) at {}",
                    dispatch.callee.name,
                    arguments.join(", "),
                    places.join(" from ")
                )
            }
        };
    }
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Buffer(buffer) => range(buffer),
        Argument::Scalar(Exact::Float(scalar, bits)) => format!("{bits:#x}: {}", scalar.name()),
        Argument::Scalar(exact) => format!(
            "{}: {}",
            exact.signed().expect("an integer"),
            exact.scalar().name()
        ),
    }
}

fn range(buffer: &BufferRef) -> String {
    let root = match buffer.root {
        Root::Binding(at) => format!("binding {at}"),
        Root::Parameter(at) => format!("parameter {at}"),
        Root::Allocation(at) => format!("allocation {at}"),
    };
    match (buffer.offset, buffer.length) {
        (0, None) => root,
        (offset, None) => format!("{root}+{offset}"),
        (offset, Some(length)) => format!("{root}+{offset}:{length}"),
    }
}

fn position(catalog: &dyn Catalog, parts: &[Part], spot: Spot) -> String {
    let place = spot.place(catalog);
    let part = parts
        .iter()
        .find(|part| part.name == place.file.as_str())
        .expect("a part");
    let source = loom_base::SourceText::new(place.file.clone(), part.text.as_str());
    let at = source.line_column(place.range.start);
    format!("{}:{}:{}", place.file, at.line, at.column)
}
