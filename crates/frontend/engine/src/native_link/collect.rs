//! From a finished link to its members.

use std::collections::{BTreeMap, BTreeSet};

use loom_base::{Blob, Digest};
use loom_frontend::engine::EngineVersions;
use loom_frontend::link::{
    LinkError, LinkMap, LinkMember, LinkPart, LinkReport, LinkRequest, LinkerInput, ReportVersions,
    ReportedMember, UnselectedMember, Visibility, parse_map, preflight, read_selection, read_symbol_table,
    split_name, unreadable,
};
use loom_frontend::payload::{decode_root, validate_root};
use loom_frontend::provider::Provider;
use loom_store::path_of;
use object::{Object as _, ObjectSymbol as _};

use super::inputs::{Inputs, Payload, payloads_of};
use super::resolution::SymbolSources;
use super::{LinkWishes, Running};
use crate::link::Llvm;

/// What a link selected.
pub(super) struct Collected {
    /// Everything that takes part in the merge.
    pub(super) request: LinkRequest,
    /// What is known so far.
    pub(super) report: LinkReport,
    /// Which member the linker took each symbol from.
    pub(super) sources: SymbolSources,
    /// What would be an error if a module were wanted.
    pub(super) warnings: Vec<LinkError>,
}

/// Reads the product of a finished link, its map, and of the inputs those that took part.
pub(super) fn collect(running: &Running, wishes: &LinkWishes) -> Result<Collected, LinkError> {
    let output_name = String::from_utf8_lossy(&running.command.output).into_owned();
    let product = read(&output_name, running.staging.product())?;
    let map = read_map(running)?;
    let mut collection = Collection {
        running,
        strict: wishes.is_strict(),
        inputs: Inputs::default(),
        members: Vec::new(),
        reported: Vec::new(),
        native: Vec::new(),
        warnings: Vec::new(),
    };
    collection.take(&output_name, &product, &map)?;
    let visibility = visibility(running, &output_name, &product)?;
    let request = LinkRequest {
        members: std::mem::take(&mut collection.members),
        visibility,
        // The linker has judged them.
        unique: false,
        level: wishes.level,
    };
    if !wishes.is_strict() {
        collection.judge(&request);
    }
    let unselected = match wishes.report {
        Some(_) => collection.unselected(&map)?,
        None => Vec::new(),
    };
    // Where equal functions share an address it says nothing about who defined which.
    let sources = match running.command.folds || running.command.relocatable {
        true => SymbolSources::default(),
        false => SymbolSources::read(&product, &map, |input| collection.shown(input)),
    };
    let report = LinkReport {
        output: output_name,
        level: wishes.level,
        members: collection.reported,
        native: collection.native.iter().map(|it| split_name(it)).collect(),
        unselected,
        linker: match wishes.report {
            Some(_) => linker_version(&running.executable),
            None => String::new(),
        },
        versions: versions(&crate::versions()),
        ..LinkReport::default()
    };
    Ok(Collected {
        request,
        sources,
        report,
        warnings: collection.warnings,
    })
}

struct Collection<'a> {
    running: &'a Running,
    strict: bool,
    inputs: Inputs,
    members: Vec<LinkMember>,
    reported: Vec<ReportedMember>,
    native: Vec<String>,
    warnings: Vec<LinkError>,
}

impl Collection<'_> {
    fn take(&mut self, output: &str, product: &[u8], map: &LinkMap) -> Result<(), LinkError> {
        let mut records: BTreeMap<&str, Vec<Digest>> = BTreeMap::new();
        let selection = read_selection(output, product, map)?;
        for record in &selection {
            records.entry(&record.input).or_default().push(record.identity);
        }
        // Members with a payload come in the order of their records, which is the linker's; the others where the map
        // mentions them first.
        let mut rank: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, record) in selection.iter().enumerate() {
            rank.entry(&record.input).or_insert(at);
        }
        let mut entered = BTreeSet::new();
        let mut in_order: Vec<&str> = Vec::new();
        for input in map.inputs() {
            let Some(&own) = rank.get(input) else {
                in_order.push(input);
                continue;
            };
            let before = selection[..=own].iter().map(|it| &it.input[..]);
            in_order.extend(before.filter(|it| entered.insert(*it)));
        }
        for input in in_order {
            match records.get(input) {
                Some(identities) => self.enter_payloads(input, identities)?,
                None => self.enter_native(input)?,
            }
        }
        Ok(())
    }

    fn enter_payloads(&mut self, input: &str, identities: &[Digest]) -> Result<(), LinkError> {
        let name = self.shown(input);
        let mut own: Vec<Payload> = Vec::new();
        for content in self.inputs.contents(input)? {
            match payloads_of(&name, &content) {
                Ok(payloads) => own.extend(payloads),
                Err(error) => self.complain(error)?,
            }
        }
        for &identity in identities {
            if let Some((_, root)) = own.iter().find(|it| it.0 == identity) {
                let root = root.clone();
                self.enter(&name, identity, root, false);
                continue;
            }
            let found = self.inputs.search(&self.running.command, identity)?;
            let names: BTreeSet<String> = found.iter().map(|it| self.shown(&it.0)).collect();
            let Some((_, (_, root))) = found.into_iter().next() else {
                let error = LinkError::new(
                    "selected_payload_rejected",
                    [name.clone()],
                    format!(
                        "`artifact_identity` is `{identity}` in its record, but it holds no such payload"
                    ),
                );
                self.reject(&name, identity, error)?;
                continue;
            };
            let ambiguous = names.len() > 1;
            let names: Vec<_> = names.into_iter().collect();
            self.enter(&names.join(" or "), identity, root, ambiguous);
        }
        Ok(())
    }

    fn enter(&mut self, name: &str, identity: Digest, root: Blob, ambiguous: bool) {
        let split = split_name(name);
        self.reported.push(ReportedMember {
            input: split.input,
            member: split.member,
            identity: identity.to_string(),
            verdict: "collected".to_owned(),
            ambiguous,
        });
        self.members.push(LinkMember {
            name: name.to_owned(),
            part: LinkPart::Payload(root),
        });
    }

    fn enter_native(&mut self, input: &str) -> Result<(), LinkError> {
        let name = self.shown(input);
        let mut contents = self.inputs.contents(input)?;
        // Several members of one name: those with payloads are accounted for by their records.
        let several = contents.len() > 1;
        contents.retain(|it| it.starts_with(b"\x7fELF"));
        for content in contents {
            let kind = object::File::parse(&content[..]).map(|it| it.kind());
            if kind.is_ok_and(|it| it != object::ObjectKind::Relocatable) {
                continue;
            }
            match payloads_of(&name, &content) {
                Ok(payloads) if payloads.is_empty() => {}
                Ok(_) if several => continue,
                Ok(payloads) => {
                    let error = LinkError::new(
                        "selected_record_discarded",
                        [name.clone()],
                        "it was linked and holds a payload, but the link discarded its record",
                    )
                    .help("keep the section `.loom.record` in the linker script");
                    self.reject(&name, payloads[0].0, error)?;
                    continue;
                }
                Err(error) => self.complain(error)?,
            }
            let table = read_symbol_table(&content).map_err(|reason| unreadable(&name, &reason))?;
            self.native.push(name.clone());
            self.members.push(LinkMember {
                name: name.clone(),
                part: LinkPart::Native(table),
            });
        }
        Ok(())
    }

    /// An error where payloads are needed, else a warning and a row of the report.
    fn reject(&mut self, name: &str, identity: Digest, error: LinkError) -> Result<(), LinkError> {
        let split = split_name(name);
        self.reported.push(ReportedMember {
            input: split.input,
            member: split.member,
            identity: identity.to_string(),
            verdict: error.code.clone(),
            ambiguous: false,
        });
        self.complain(error)
    }

    fn complain(&mut self, error: LinkError) -> Result<(), LinkError> {
        if self.strict {
            return Err(error);
        }
        self.warnings.push(error);
        Ok(())
    }

    /// Warns of everything that would keep the payloads from being linked.
    fn judge(&mut self, request: &LinkRequest) {
        let mut roots = Vec::new();
        for member in &request.members {
            let LinkPart::Payload(root) = &member.part else {
                continue;
            };
            let checked = decode_root(root.bytes())
                .and_then(|root| validate_root(&root, &Provider::pinned(), &Llvm).map(|()| root));
            match checked {
                Ok(root) => roots.push((&member.name[..], root)),
                Err(error) => self.warn(&member.name, LinkError::rejected(&member.name, &error)),
            }
        }
        if let Err(error) = preflight(&roots, &Llvm) {
            let member = error.members.first().cloned().unwrap_or_default();
            self.warn(&member, error);
        }
    }

    fn warn(&mut self, member: &str, error: LinkError) {
        let name = split_name(member);
        let mut rows = self.reported.iter_mut();
        if let Some(row) = rows.find(|it| it.input == name.input && it.member == name.member) {
            row.verdict.clone_from(&error.code);
        }
        self.warnings.push(error);
    }

    /// The members of the archives on the command line that have no piece in the product.
    fn unselected(&mut self, map: &LinkMap) -> Result<Vec<UnselectedMember>, LinkError> {
        let selected: BTreeSet<_> = map
            .inputs()
            .into_iter()
            .map(split_name)
            .map(|it| (it.input, it.member))
            .collect();
        let mut unselected = Vec::new();
        for input in &self.running.command.inputs {
            let LinkerInput::Path(path) = input else { continue };
            let archive = String::from_utf8_lossy(path).into_owned();
            let mut last = None;
            for member in self.inputs.member_names(&archive)? {
                let short = member.rsplit('/').next().unwrap_or(&member).to_owned();
                let taken = [&member, &short]
                    .iter()
                    .any(|it| selected.contains(&(archive.clone(), Some((*it).clone()))));
                if !taken && last.as_ref() != Some(&member) {
                    unselected.push(UnselectedMember {
                        input: archive.clone(),
                        member: member.clone(),
                        reason: "the linker needed no symbol of it".to_owned(),
                    });
                }
                last = Some(member);
            }
        }
        unselected.dedup();
        Ok(unselected)
    }

    /// The name of an input in messages: a temporary object is called by its source.
    fn shown(&self, input: &str) -> String {
        let mut sources = self.running.sources.iter();
        match sources.find(|(file, _)| file == input.as_bytes()) {
            Some((_, source)) => String::from_utf8_lossy(source).into_owned(),
            None => input.to_owned(),
        }
    }
}

/// The command line's visibility with what the product itself shows: its dynamic symbols and its entry.
fn visibility(running: &Running, name: &str, product: &[u8]) -> Result<Visibility, LinkError> {
    let mut visibility = running.command.visibility();
    let file = object::File::parse(product).map_err(|error| unreadable(name, &error.to_string()))?;
    for symbol in file.dynamic_symbols() {
        if let Ok(name) = symbol.name_bytes()
            && !symbol.is_undefined()
        {
            visibility.exported.insert(name.to_vec());
        }
    }
    for symbol in file.symbols() {
        if symbol.is_global()
            && !symbol.is_undefined()
            && symbol.address() == file.entry()
            && let Ok(name) = symbol.name_bytes()
        {
            visibility.names.insert(name.to_vec());
        }
    }
    Ok(visibility)
}

fn read_map(running: &Running) -> Result<LinkMap, LinkError> {
    let path = running.command.map.as_deref().unwrap_or(running.staging.map());
    let name = String::from_utf8_lossy(path).into_owned();
    let text = read(&name, path)?;
    let text = String::from_utf8_lossy(&text);
    if running.command.prints_map && running.command.map.is_none() {
        print!("{text}");
    }
    parse_map(&text).ok_or_else(|| {
        LinkError::new(
            "link_map_unreadable",
            [String::from_utf8_lossy(&running.executable)],
            "its map is in none of the formats of GNU ld, gold, lld and mold",
        )
        .help("link with one of these, for example `-fuse-ld=lld`")
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one-shot host reads the linker's products"
)]
fn read(name: &str, path: &[u8]) -> Result<Vec<u8>, LinkError> {
    std::fs::read(path_of(path)).map_err(|error| unreadable(name, &error.to_string()))
}

/// The first line of what the linker says about itself; empty if it says nothing.
#[expect(clippy::disallowed_methods, reason = "only the linker knows its version")]
fn linker_version(executable: &[u8]) -> String {
    let output = std::process::Command::new(path_of(executable))
        .arg("--version")
        .output();
    let text = output.map(|it| it.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().next().unwrap_or_default().to_owned()
}

fn versions(engine: &EngineVersions) -> ReportVersions {
    ReportVersions {
        loom: env!("CARGO_PKG_VERSION").to_owned(),
        llvm: engine.llvm.clone(),
        commit: engine.commit.clone(),
    }
}
