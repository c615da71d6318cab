//! What links are asked by.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use loom_base::{Diagnostic, FileName};
use loom_db::{Db, File};
use loom_frontier::{PlanOptions, Provider, Role};

/// One provider of a link.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinkInput {
    /// The module.
    pub file: File,
    /// The name diagnostics and listings use.
    pub name: FileName,
    /// Its role.
    pub role: Role,
}

impl LinkInput {
    /// `diagnostic` with this provider under the name that the link gives it instead of its path.
    pub(super) fn renamed(&self, db: &dyn Db, mut diagnostic: Diagnostic) -> Diagnostic {
        let path = String::from_utf8_lossy(self.file.path(db));
        let related = diagnostic.related.iter_mut().map(|related| &mut related.place);
        for place in diagnostic.place.iter_mut().chain(related) {
            if place.file.as_str() == path {
                place.file = self.name.clone();
            }
        }
        diagnostic
    }
}

/// The providers of links, in command-line order.
#[salsa::interned(debug)]
pub struct Universe<'db> {
    /// The providers.
    pub inputs: Box<[LinkInput]>,
    /// The same as plans know them; every catalog of the universe shows this one list.
    pub providers: Box<[Provider]>,
}

impl<'db> Universe<'db> {
    /// The universe of these providers.
    pub fn of(db: &'db dyn Db, inputs: Box<[LinkInput]>) -> Self {
        let provider = |input: &LinkInput| Provider {
            name: input.name.clone(),
            role: input.role,
        };
        let providers: Box<[Provider]> = inputs.iter().map(provider).collect();
        Self::new(db, inputs, providers)
    }
}

/// A name that is looked up.
#[salsa::interned(debug)]
pub struct LinkName<'db> {
    /// The name, without `@`.
    pub text: Box<str>,
}

/// One link.
#[salsa::interned(debug)]
pub struct LinkKey<'db> {
    /// The providers.
    #[returns(copy)]
    pub universe: Universe<'db>,
    /// Mode, roots, policy and configuration.
    pub options: PlanOptions,
    /// Whether every configuration symbol must have a value.
    #[returns(copy)]
    pub require_resolved_config: bool,
}
