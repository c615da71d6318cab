//! Command programs as pictures, in the language of Graphviz.

use std::fmt::Write;

use loom_base::{Diagnostic, FileName};

use super::artifact::{
    Action, ActionArgument, ActionCounts, ArgumentKind, Artifact, ArtifactCommand, ResourceRange,
    decode_artifact,
};
use super::lower::{EncodedProgram, Entry};
use super::manifest::request_name;
use super::requirements::Requirements;
use super::storage::{Resource, Resources};
use crate::plan::quoted;

/// `programs` as a directed graph. Each program is a cluster of waves, and a wave is a cluster of the dispatches
/// that may run at once, with their counts and arguments; edges lead from each wave to the next. A requirement is
/// a box: with the file of its kernel request if it has a class, and dashed if the host provides it.
///
/// # Errors
/// Those of [`decode_artifact`], for programs whose bytes are none.
pub fn programs_dot(
    programs: &[&EncodedProgram],
    requirements: &Requirements,
) -> Result<String, Box<Diagnostic>> {
    let mut out = String::from("digraph product {\n  rankdir=LR;\n  compound=true;\n  node [shape=box];\n");
    for (number, entry) in requirements.entries.iter().enumerate() {
        let _ = writeln!(out, "  r{number} [{}];", requirement(number, entry));
    }
    for (number, program) in programs.iter().enumerate() {
        let file = FileName::from(super::artifact_name(number));
        let artifact = decode_artifact(&program.bytes, &file)?;
        let ordinals = requirements
            .programs
            .get(number)
            .map_or(&[][..], |ordinals| ordinals);
        draw(&mut out, number, program, &artifact, ordinals);
    }
    out.push_str("}\n");
    Ok(out)
}

fn requirement(number: usize, entry: &Entry) -> String {
    let name = &entry.callee.name;
    let (what, style) = match (entry.class, entry.callee.is_source_backed) {
        (Some(class), _) => (format!("class {class}, {}", request_name(number)), ""),
        (None, true) => ("from source".to_owned(), ""),
        (None, false) => ("bound by the host".to_owned(), ", style=dashed"),
    };
    let label = quoted(&format!("requirement {number}\n@{name}\n{what}"));
    format!("label={label}{style}")
}

fn draw(out: &mut String, number: usize, program: &EncodedProgram, artifact: &Artifact, ordinals: &[u32]) {
    let label = quoted(&format!("@{} ({} bytes)", program.symbol, program.bytes.len()));
    let _ = writeln!(out, "  subgraph cluster_p{number} {{\n    label={label};");
    let waves = waves(artifact);
    for (wave, commands) in waves.iter().enumerate() {
        let _ = writeln!(
            out,
            "    subgraph cluster_p{number}w{wave} {{\n      label=\"wave {wave}\";"
        );
        for &at in commands {
            let label = quoted(&command(program, artifact, &artifact.commands[at]));
            let _ = writeln!(out, "      p{number}c{at} [label={label}, style=rounded];");
        }
        out.push_str("    }\n");
    }
    out.push_str("  }\n");
    for (wave, pair) in waves.windows(2).enumerate() {
        if let ([from, ..], [to, ..]) = (pair[0].as_slice(), pair[1].as_slice()) {
            let next = wave + 1;
            let _ = writeln!(
                out,
                "  p{number}c{from} -> p{number}c{to} [ltail=cluster_p{number}w{wave}, lhead=cluster_p{number}w{next}];"
            );
        }
    }
    for (at, command) in artifact.commands.iter().enumerate() {
        if let Action::Dispatch { entry, .. } = command.action
            && let Some(ordinal) = ordinals.get(entry as usize)
        {
            let _ = writeln!(out, "  p{number}c{at} -> r{ordinal} [style=dotted];");
        }
    }
}

/// Positions of commands, wave by wave.
fn waves(artifact: &Artifact) -> Vec<Vec<usize>> {
    let mut waves: Vec<Vec<usize>> = Vec::new();
    for (at, command) in artifact.commands.iter().enumerate() {
        match waves.last_mut().filter(|_| !command.waits) {
            Some(wave) => wave.push(at),
            None => waves.push(vec![at]),
        }
    }
    waves
}

fn command(program: &EncodedProgram, artifact: &Artifact, command: &ArtifactCommand) -> String {
    let resources = &program.resources;
    let range = |range: u32| range_text(resources, &artifact.buffer_refs[range as usize]);
    match &command.action {
        Action::Fill {
            target,
            pattern,
            bytes,
        } => format!("fill {} with {pattern:#x} of {bytes} bytes", range(*target)),
        Action::Copy { source, target } => format!("copy {} to {}", range(*source), range(*target)),
        Action::Barrier => "barrier".to_owned(),
        Action::Dispatch {
            entry,
            counts,
            arguments,
            ..
        } => {
            let name = program
                .entries
                .get(*entry as usize)
                .map_or("?", |entry| &entry.callee.name);
            let counts = match *counts {
                ActionCounts::Direct([x, y, z]) => format!("{x} × {y} × {z}"),
                ActionCounts::Static(counts) => format!("counts in {}", range(counts)),
                ActionCounts::Dynamic(counts) => format!("counts written to {}", range(counts)),
            };
            let arguments: Vec<String> = arguments.iter().map(|it| argument(resources, it)).collect();
            format!("@{name}\n{counts}\n{}", arguments.join(", "))
        }
    }
}

fn argument(resources: &Resources, argument: &ActionArgument) -> String {
    match argument {
        ActionArgument::Buffer(range) => range_text(resources, range),
        ActionArgument::Scalar(ArgumentKind::Index, bits) => (*bits as i64).to_string(),
        ActionArgument::Scalar(ArgumentKind::Offset, bits) => format!("{bits} bytes"),
        ActionArgument::Scalar(_, bits) => format!("{bits:#x}"),
    }
}

fn range_text(resources: &Resources, range: &ResourceRange) -> String {
    let slab = resources.transient.map(|slab| Resource::Rebindable(slab.slot));
    let mut offset = range.offset;
    let inside = |parameter: &&super::PlacedParameter| {
        let is_here = Resource::Fixed(parameter.slot) == range.resource;
        is_here && (parameter.offset..parameter.offset + parameter.length.max(1)).contains(&range.offset)
    };
    let name = match resources.parameters.iter().find(inside) {
        Some(parameter) => {
            offset -= parameter.offset;
            format!("'{}'", parameter.key)
        }
        None if Some(range.resource) == slab => "transient".to_owned(),
        None => {
            let binding = resources.bindings.iter().find(|it| it.resource == range.resource);
            binding.map_or("?".to_owned(), |binding| format!("%{}", binding.name))
        }
    };
    let offset = if offset == 0 {
        String::new()
    } else {
        format!("+{offset}")
    };
    let length = range.length.map_or(String::new(), |length| format!(":{length}"));
    format!("{name}{offset}{length}")
}

#[cfg(test)]
mod tests;
