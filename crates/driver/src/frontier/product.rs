//! What a build leaves: programs, what they require, and what they are bound to.

use loom_base::Blob;
use loom_frontier::product::{ProductKind, Resources};
use loom_queries::product::CommandSet;

/// Finished command programs. Owns all it is made of, and is no reason for any request to live on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandProduct {
    programs: Box<[CommandProgram]>,
    requirements: Box<[EntryRequirement]>,
    manifest: Box<str>,
}

/// One program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandProgram {
    /// Its name, without `@`.
    pub symbol: Box<str>,
    /// The artifact, `.loomcmd`.
    pub bytes: Blob,
    /// For each local entry slot the requirement that fills it: positions in [`CommandProduct::requirements`].
    pub requirements: Box<[u32]>,
    /// The storage it asks for: fixed and rebindable resources, parameters, transient slab.
    pub resources: Resources,
}

/// An executable entry that the host must supply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryRequirement {
    /// The kernel or entry, without `@`.
    pub symbol: Box<str>,
    /// Where it can come from.
    pub source: RequirementSource,
}

/// Where an entry can come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequirementSource {
    /// A request was published for it: a class of the kernel's launches, counted per kernel.
    Request {
        /// The class.
        class: u32,
    },
    /// A kernel with source, which a body-blind build has not opened.
    Unopened,
    /// The host: there is no source.
    External,
}

impl CommandProduct {
    pub(super) fn new(set: &CommandSet) -> Self {
        let programs = set.programs.iter().zip(&set.requirements.programs);
        let entries = set.requirements.entries.iter();
        CommandProduct {
            programs: programs
                .map(|(program, requirements)| CommandProgram {
                    symbol: program.symbol.clone(),
                    bytes: Blob::new(program.bytes.clone()),
                    requirements: requirements.as_slice().into(),
                    resources: program.resources.clone(),
                })
                .collect(),
            requirements: entries
                .map(|entry| EntryRequirement {
                    symbol: (*entry.callee.name).into(),
                    source: match (entry.class, entry.callee.is_source_backed) {
                        (Some(class), _) => RequirementSource::Request { class },
                        (None, true) => RequirementSource::Unopened,
                        (None, false) => RequirementSource::External,
                    },
                })
                .collect(),
            manifest: set.manifest.clone(),
        }
    }

    /// What kind of product this is.
    pub fn kind(&self) -> ProductKind {
        ProductKind::Command
    }

    /// The programs in the order of the roots.
    pub fn programs(&self) -> &[CommandProgram] {
        &self.programs
    }

    /// The requirements of all programs by ordinal.
    pub fn requirements(&self) -> &[EntryRequirement] {
        &self.requirements
    }

    /// The manifest of programs and entries: one line of JSON. It calls the program at position N
    /// `program-N.loomcmd` and the request for requirement N `kernel-N.loombc`.
    pub fn manifest(&self) -> &str {
        &self.manifest
    }
}
