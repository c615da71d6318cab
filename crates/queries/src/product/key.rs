//! What products are asked by.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use loom_frontier::product::Trace;
use loom_frontier::{Configuration, DependencyPolicy, Facets, PlanOptions, SymbolId};

use crate::link::{LinkKey, Universe};
use loom_db::Db;

/// A set of programs.
#[salsa::interned(debug)]
pub struct ProductKey<'db> {
    /// The providers.
    #[returns(copy)]
    pub universe: Universe<'db>,
    /// The names of the programs, with or without `@`; without any all that the inputs export.
    pub roots: Box<[Box<str>]>,
    /// Values of configuration symbols.
    pub config: Configuration,
    /// Whether every configuration symbol must have a value.
    #[returns(copy)]
    pub require_resolved_config: bool,
}

/// One program.
#[salsa::interned(debug)]
pub struct ProgramKey<'db> {
    /// The providers.
    #[returns(copy)]
    pub universe: Universe<'db>,
    /// The program.
    #[returns(copy)]
    pub root: SymbolId,
    /// Values of configuration symbols.
    pub config: Configuration,
    /// Whether every configuration symbol must have a value.
    #[returns(copy)]
    pub require_resolved_config: bool,
}

/// One kernel.
#[salsa::interned(debug)]
pub struct KernelKey<'db> {
    /// The providers.
    #[returns(copy)]
    pub universe: Universe<'db>,
    /// The kernel.
    #[returns(copy)]
    pub kernel: SymbolId,
    /// Values of configuration symbols.
    pub config: Configuration,
}

/// One class of launches.
#[salsa::interned(debug)]
pub struct ClassKey<'db> {
    /// What its launches choose.
    pub trace: Trace,
}

/// What a product knows of kernels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProductForm {
    /// Nothing: a requirement is a kernel or entry, and no kernel's body is opened.
    Blind,
    /// What they decide by launch arguments: a requirement is a class of a kernel, or an entry.
    Classified,
}

impl<'db> ProductKey<'db> {
    /// The program `root` of the set.
    pub(super) fn program(self, db: &'db dyn Db, root: SymbolId) -> ProgramKey<'db> {
        let config = self.config(db).clone();
        ProgramKey::new(
            db,
            self.universe(db),
            root,
            config,
            self.require_resolved_config(db),
        )
    }

    /// A kernel that the set launches.
    pub fn kernel(self, db: &'db dyn Db, kernel: SymbolId) -> KernelKey<'db> {
        KernelKey::new(db, self.universe(db), kernel, self.config(db).clone())
    }

    /// The link of all programs of the set.
    pub(super) fn link(self, db: &'db dyn Db, roots: &[SymbolId]) -> LinkKey<'db> {
        let options = program_options(roots, self.config(db));
        LinkKey::new(db, self.universe(db), options, self.require_resolved_config(db))
    }
}

impl<'db> KernelKey<'db> {
    /// The link of the kernel with what it needs.
    pub(super) fn link(self, db: &'db dyn Db) -> LinkKey<'db> {
        let options = loom_frontier::product::request_options(self.kernel(db), self.config(db));
        LinkKey::new(db, self.universe(db), options, false)
    }
}

/// Whole programs, and of kernels what launches need. Declarations may stay open: preparation knows which of them
/// are the host's, and says what is wrong with the others.
pub(super) fn program_options(roots: &[SymbolId], config: &Configuration) -> PlanOptions {
    PlanOptions {
        root_facets: roots.iter().map(|&root| (root, Facets::ALL)).collect(),
        allow_unresolved: true,
        policy: DependencyPolicy::RequestedFacets,
        config: config.clone(),
        ..PlanOptions::default()
    }
}
