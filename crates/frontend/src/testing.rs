//! Inputs for this crate's tests: a payload for made-up modules, ELF objects and archives.

use loom_base::Blob;
use object::write::Object;
use object::{Architecture, BinaryFormat, Endianness, SectionKind};

use crate::engine::{ModuleError, NormalizedModule};
use crate::payload::{ModuleAuthority, encode_root};
use crate::provider::Provider;

/// A module as the engine of these tests would normalize it: bitcode is the magic, then anything.
pub fn module(data_layout: &str, content: &[u8]) -> NormalizedModule {
    NormalizedModule {
        triple: "x86_64-pc-linux-gnu".into(),
        data_layout: data_layout.into(),
        bitcode: Blob::new([b"BC\xc0\xde", content].concat()),
    }
}

/// The root of [`module`] for the pinned provider.
pub fn root(data_layout: &str, content: &[u8]) -> Vec<u8> {
    encode_root(&Provider::pinned(), &module(data_layout, content))
}

/// Accepts whatever starts as bitcode, with layout `e`, and refuses the rest as LLVM would.
pub struct AnyModule;

impl ModuleAuthority for AnyModule {
    fn normalize(&self, bitcode: &[u8]) -> Result<NormalizedModule, ModuleError> {
        match bitcode.strip_prefix(b"BC\xc0\xde") {
            Some(content) => Ok(module("e", content)),
            None => Err(ModuleError {
                code: "llvm_module_unparsable".into(),
                message: "file doesn't start with bitcode header".into(),
            }),
        }
    }
}

/// A relocatable object with these sections.
pub fn elf(architecture: Architecture, endianness: Endianness, sections: &[(&str, &[u8])]) -> Vec<u8> {
    let mut object = Object::new(BinaryFormat::Elf, architecture, endianness);
    for (name, data) in sections {
        let section = object.add_section(Vec::new(), name.as_bytes().to_vec(), SectionKind::Other);
        object.append_section_data(section, data, 1);
    }
    object.write().unwrap()
}

/// The little-endian `object`, as if it were linked.
pub fn link(mut object: Vec<u8>) -> Vec<u8> {
    object[16..18].copy_from_slice(&object::elf::ET_EXEC.0.to_le_bytes());
    object
}

/// A GNU archive; names longer than 15 bytes go through the name table.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    let (names, headers) = name_table(members.iter().map(|(name, _)| *name), 15);
    if !names.is_empty() {
        push_member(&mut bytes, "//", &names);
    }
    for (header, (_, content)) in headers.iter().zip(members) {
        push_member(&mut bytes, header, content);
    }
    bytes
}

/// A GNU thin archive, in which all names go through the name table.
pub fn thin_archive(members: &[&str]) -> Vec<u8> {
    let mut bytes = b"!<thin>\n".to_vec();
    let (names, headers) = name_table(members.iter().copied(), 0);
    push_member(&mut bytes, "//", &names);
    for header in headers {
        push_header(&mut bytes, &header, 1000);
    }
    bytes
}

fn name_table<'a>(members: impl Iterator<Item = &'a str>, longest: usize) -> (Vec<u8>, Vec<String>) {
    let mut names = Vec::new();
    let headers = members
        .map(|name| {
            if name.len() <= longest {
                return format!("{name}/");
            }
            let header = format!("/{}", names.len());
            names.extend(format!("{name}/\n").bytes());
            header
        })
        .collect();
    (names, headers)
}

fn push_member(bytes: &mut Vec<u8>, name: &str, content: &[u8]) {
    push_header(bytes, name, content.len());
    bytes.extend(content);
    if content.len() % 2 == 1 {
        bytes.push(b'\n');
    }
}

fn push_header(bytes: &mut Vec<u8>, name: &str, size: usize) {
    bytes.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).bytes());
}
