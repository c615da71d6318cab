//! The manifest of a set of command artifacts: one line of JSON (loom-language 7).

use serde::Serialize;

use super::lower::EncodedProgram;
use super::requirements::Requirements;

/// The file name of the artifact of the program at `position`.
pub fn artifact_name(position: usize) -> String {
    format!("program-{position}.loomcmd")
}

/// The file name of the kernel request for requirement `ordinal`.
pub fn request_name(ordinal: usize) -> String {
    format!("kernel-{ordinal}.loombc")
}

#[derive(Serialize)]
struct Manifest<'a> {
    schema_version: u32,
    format: &'static str,
    programs: Vec<ProgramRow<'a>>,
    entries: Vec<EntryRow<'a>>,
}

#[derive(Serialize)]
struct ProgramRow<'a> {
    symbol: &'a str,
    artifact: String,
    byte_length: usize,
    entry_requirements: &'a [u32],
}

#[derive(Serialize)]
struct EntryRow<'a> {
    symbol: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_request: Option<String>,
}

/// The manifest of `programs`, whose requirements are `requirements`: one line with its line feed. Entries with
/// a class name the file of their request.
pub fn manifest_json(programs: &[&EncodedProgram], requirements: &Requirements) -> String {
    let rows = programs.iter().enumerate().zip(&requirements.programs);
    let manifest = Manifest {
        schema_version: 2,
        format: "loom-command-set",
        programs: rows
            .map(|((position, program), entry_requirements)| ProgramRow {
                symbol: &program.symbol,
                artifact: artifact_name(position),
                byte_length: program.bytes.len(),
                entry_requirements,
            })
            .collect(),
        entries: requirements
            .entries
            .iter()
            .enumerate()
            .map(|(ordinal, entry)| EntryRow {
                symbol: &entry.callee.name,
                source_request: entry.class.map(|_| request_name(ordinal)),
            })
            .collect(),
    };
    let mut line = serde_json::to_string(&manifest).unwrap_or_default();
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
