//! The final link: preflight, resolution, and LLVM's merge.

use std::collections::BTreeMap;

use loom_base::Blob;
use loom_frontend::carrier::read_frames;
use loom_frontend::engine::{ModuleError, NormalizedModule};
use loom_frontend::link::{
    Interest, LayoutAuthority, LinkError, LinkMember, LinkPart, LinkRequest, LinkedModule, SymbolKind,
    SymbolTable, Use, preflight, resolve_symbols,
};
use loom_frontend::payload::{ModuleAuthority, PayloadError, Root, decode_root, encode_root, validate_root};
use loom_frontend::provider::Provider;

use crate::ffi::{self, Merged};

/// Merges the payloads of a link into one module (source integration, section 7, "Object Carrier And Final Link"):
/// every payload is validated, all of them are compared, symbols are resolved, and LLVM's LTO library does the rest, up
/// to before code generation. The result is in normal form and verified.
///
/// Codes: `selected_payload_absent`, `selected_payload_rejected`, `selected_payload_incompatible`,
/// `linked_symbol_duplicate`, `accelerator_link_failed`, `linked_module_invalid`.
pub fn link(request: &LinkRequest) -> Result<LinkedModule, LinkError> {
    let request = &with_payloads(request)?;
    let roots = decode(request)?;
    preflight(&roots, &Llvm)?;
    for (name, root) in &roots {
        validate_root(root, &Provider::pinned(), &Llvm).map_err(|error| LinkError::rejected(name, &error))?;
    }
    merge(request, &roots)
}

/// The member whose definition of each symbol counts, for symbols that payloads define.
pub(crate) fn prevailing(request: &LinkRequest) -> Result<BTreeMap<Vec<u8>, String>, LinkError> {
    let roots = decode(request)?;
    let tables = symbol_tables(request, &roots)?;
    let members = interests(request, &tables);
    let uses = resolve_symbols(&members, &request.visibility, request.unique)?;
    let mut prevailing = BTreeMap::new();
    for (member, uses) in members.iter().zip(&uses) {
        for (symbol, decided) in member.table.symbols.iter().zip(uses) {
            if member.merged && decided.has(Use::PREVAILING) && symbol.kind == SymbolKind::Defined {
                prevailing.insert(symbol.name.clone(), member.name.to_owned());
            }
        }
    }
    Ok(prevailing)
}

fn interests<'a>(request: &'a LinkRequest, tables: &'a [SymbolTable]) -> Vec<Interest<'a>> {
    let members = request.members.iter().zip(tables);
    members
        .map(|(member, table)| Interest {
            name: &member.name,
            table,
            merged: matches!(member.part, LinkPart::Payload(_)),
        })
        .collect()
}

/// Everything of [`link`] behind preflight and validation.
fn merge(request: &LinkRequest, roots: &[(&str, Root<'_>)]) -> Result<LinkedModule, LinkError> {
    if roots.is_empty() {
        let nothing = LinkError::new(
            "selected_payload_absent",
            [""; 0],
            "no selected member holds a payload",
        );
        return Err(nothing.help("compile at least one of the linked sources with loom-cc"));
    }
    let tables = symbol_tables(request, roots)?;
    let members = interests(request, &tables);
    let uses = resolve_symbols(&members, &request.visibility, request.unique)?;
    let merged = members.iter().zip(&uses).filter(|(member, _)| member.merged);
    let modules: Vec<_> = merged
        .zip(roots)
        .map(|((member, uses), (_, root))| Merged {
            name: member.name,
            bitcode: root.bitcode,
            uses,
        })
        .collect();
    let linked = ffi::merge(&modules, request.level)?;
    let module = ffi::normalize(linked.bytes())
        .map_err(|error| LinkError::new("linked_module_invalid", [""; 0], error.to_string()))?;
    Ok(LinkedModule { module })
}

/// The request with payloads in place of modules: those inside of LTO objects, and new ones of plain modules.
fn with_payloads(request: &LinkRequest) -> Result<LinkRequest, LinkError> {
    let mut members = Vec::with_capacity(request.members.len());
    for member in &request.members {
        let LinkPart::Module(module) = &member.part else {
            members.push(member.clone());
            continue;
        };
        for root in roots_of(&member.name, module.bytes())? {
            members.push(LinkMember {
                name: member.name.clone(),
                part: LinkPart::Payload(root),
            });
        }
    }
    Ok(LinkRequest {
        members,
        ..request.clone()
    })
}

fn roots_of(name: &str, module: &[u8]) -> Result<Vec<Blob>, LinkError> {
    let refused = |error: ModuleError| LinkError::rejected(name, &PayloadError::Module(error));
    let module = &ffi::to_bitcode("module", module).map_err(refused)?;
    let sections = crate::read_carriers(module).map_err(refused)?;
    if sections.is_empty() {
        let module = crate::normalize(module).map_err(refused)?;
        return Ok(vec![Blob::new(encode_root(&Provider::pinned(), &module))]);
    }
    let mut roots = Vec::new();
    for section in &sections {
        for frame in read_frames(section.bytes()).map_err(|error| LinkError::rejected(name, &error))? {
            frame
                .check_identity()
                .map_err(|error| LinkError::rejected(name, &error))?;
            roots.extend(frame.root().map(Blob::new));
        }
    }
    Ok(roots)
}

/// The payloads of a request, in its order.
fn decode(request: &LinkRequest) -> Result<Vec<(&str, Root<'_>)>, LinkError> {
    let payloads = request.members.iter().filter_map(|member| match &member.part {
        LinkPart::Payload(root) => Some((&member.name[..], root.bytes())),
        LinkPart::Module(_) | LinkPart::Native(_) => None,
    });
    payloads
        .map(|(name, root)| match decode_root(root) {
            Ok(root) => Ok((name, root)),
            Err(error) => Err(LinkError::rejected(name, &error)),
        })
        .collect()
}

fn symbol_tables(request: &LinkRequest, roots: &[(&str, Root<'_>)]) -> Result<Vec<SymbolTable>, LinkError> {
    let mut roots = roots.iter();
    request
        .members
        .iter()
        .map(|member| match &member.part {
            LinkPart::Native(table) => Ok(table.clone()),
            LinkPart::Module(_) => Ok(SymbolTable::default()),
            LinkPart::Payload(_) => {
                let (name, root) = roots.next().expect("there is a root for each payload");
                ffi::symbols(root.bitcode)
                    .map_err(|error| LinkError::new(&error.code, [*name], error.message))
            }
        })
        .collect()
}

/// The LLVM of this process.
pub(crate) struct Llvm;

impl LayoutAuthority for Llvm {
    fn same_layout(&self, left: &str, right: &str) -> Result<bool, ModuleError> {
        ffi::same_layout(left, right)
    }
}

impl ModuleAuthority for Llvm {
    fn normalize(&self, bitcode: &[u8]) -> Result<NormalizedModule, ModuleError> {
        ffi::normalize(bitcode)
    }
}
