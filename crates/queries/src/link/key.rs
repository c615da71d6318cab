//! What links are asked by.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use loom_base::FileName;
use loom_db::File;
use loom_frontier::{PlanOptions, Role};

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

/// The providers of links, in command-line order.
#[salsa::interned(debug)]
pub struct Universe<'db> {
    /// The providers.
    pub inputs: Box<[LinkInput]>,
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
