//! Objects made of modules that other frontends wrote.

use std::ops::Range;
use std::path::Path;

use loom_base::{Blob, Diagnostic, FileName};
use loom_frontend::carrier::PAYLOAD_SECTION;
use loom_frontend::engine::ModuleError;

use super::PayloadFiles;
use crate::Interruption;

/// See [`PayloadFiles::pack`].
pub(super) fn pack(
    files: &PayloadFiles<'_>,
    name: &Path,
) -> Result<Result<Blob, Box<Diagnostic>>, Interruption> {
    let module = match files.read(name)? {
        Ok(module) => module,
        Err(unread) => return Ok(Err(unread)),
    };
    if let Some(kind) = container(module.bytes()) {
        return Ok(Err(not_a_module(name, kind)));
    }
    if carries_payload(files, &module)? {
        return Ok(Err(carries_already(name)));
    }
    match files.engine.pack(module.clone()) {
        Ok(Ok(object)) => Ok(Ok(object)),
        Ok(Err(error)) => Ok(Err(refuse(name, module.bytes(), &error))),
        Err(failure) => Err(Interruption::Engine(failure)),
    }
}

/// What the bytes are, if they are something that holds modules and is none.
fn container(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], _); 3] = [
        (b"\x7fELF", "an ELF file"),
        (b"!<arch>\n", "an archive"),
        (b"!<thin>\n", "a thin archive"),
    ];
    let kind = kinds.iter().find(|(magic, _)| bytes.starts_with(magic));
    kind.map(|&(_, kind)| kind)
}

fn not_a_module(name: &Path, kind: &str) -> Box<Diagnostic> {
    let refusal = error(
        name,
        "llvm_module_unparsable",
        &format!("is {kind}, not an LLVM module"),
        0..0,
    );
    Box::new(
        refusal.help("`loom payload extract --bitcode` takes the module out of an object with a payload"),
    )
}

/// Whether the module is an LTO object of Loom's, with its payload inside: a payload must not contain another.
fn carries_payload(files: &PayloadFiles<'_>, module: &Blob) -> Result<bool, Interruption> {
    let bitcode = if is_text(module.bytes()) {
        let section = PAYLOAD_SECTION.as_bytes();
        if !module.bytes().windows(section.len()).any(|it| it == section) {
            return Ok(false);
        }
        match files.engine.normalize(module.bytes()) {
            Ok(module) => module.bitcode,
            Err(_) => return Ok(false),
        }
    } else {
        module.clone()
    };
    let sections = files
        .engine
        .read_sections(bitcode)
        .map_err(Interruption::Engine)?;
    // What is wrong with the module is for the packing to say.
    Ok(sections.is_ok_and(|sections| !sections.is_empty()))
}

fn carries_already(name: &Path) -> Box<Diagnostic> {
    let refusal = error(
        name,
        "payload_carrier_ambiguous",
        "the module carries a payload already",
        0..0,
    );
    Box::new(refusal.help("pack the module that `loom payload extract --bitcode` takes out of it"))
}

fn is_text(bytes: &[u8]) -> bool {
    !bytes.starts_with(b"BC\xc0\xde") && !bytes.starts_with(b"\xde\xc0\x17\x0b")
}

/// Why the module in the file `name` cannot be packed, where in its text, and what its author can do about it.
fn refuse(name: &Path, module: &[u8], refusal: &ModuleError) -> Box<Diagnostic> {
    let located = locate(module, &refusal.message);
    let (message, place) = located.unwrap_or((&refusal.message, 0..0));
    let diagnostic = error(name, &refusal.code, message, place);
    Box::new(match help(&refusal.code) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    })
}

fn error(name: &Path, code: &str, message: &str, place: Range<u32>) -> Diagnostic {
    let name = name.to_string_lossy();
    let file = FileName::from(name.as_ref());
    Diagnostic::error(code.to_owned(), format!("{name}: {message}")).at(&file, place)
}

/// Takes `module:LINE:COLUMN: error: MESSAGE` apart, by which LLVM's parser of textual IR begins its messages.
fn locate<'m>(module: &[u8], message: &'m str) -> Option<(&'m str, Range<u32>)> {
    let (position, rest) = message.strip_prefix("module:")?.split_once(": error: ")?;
    let (line, column) = position.split_once(':')?;
    let (line, column): (usize, usize) = (line.parse().ok()?, column.parse().ok()?);
    let line = line.checked_sub(1)?;
    let before: usize = module
        .split_inclusive(|&byte| byte == b'\n')
        .take(line)
        .map(<[u8]>::len)
        .sum();
    let offset = u32::try_from(before + column.checked_sub(1)?).ok()?;
    let is_inside = offset as usize <= module.len();
    is_inside.then(|| (rest.lines().next().unwrap_or_default(), offset..offset))
}

fn help(code: &str) -> Option<&'static str> {
    Some(match code {
        "llvm_module_unparsable" => {
            "a module is bitcode or textual IR of an LLVM no newer than Loom's, as clang writes it with `-emit-llvm`"
        }
        "llvm_module_materialization_failed" => "the bitcode is damaged: write it again",
        "llvm_module_invalid" => "LLVM's verifier refuses the module: the frontend that wrote it has a bug",
        "target_triple_absent" => {
            "an object has a target: add one, for example `target triple = \"x86_64-unknown-linux-gnu\"`"
        }
        "target_triple_unsupported" => "payloads are carried by ELF objects, for a target that LLVM has",
        "data_layout_absent" => "add the `target datalayout` that clang writes for this target",
        "data_layout_invalid" => "the LLVM language reference describes it under \"Data Layout\"",
        "data_layout_mismatch" => "use the `target datalayout` that clang writes for this target",
        _ => return None,
    })
}
