//! Requests about links: plans, symbol lists, products.

use std::sync::Arc;

use loom_base::{Blob, Diagnostic, FileName, Outcome};
use loom_db::{Db, file};
pub use loom_frontier::{Configuration, DependencyPolicy, Literal, Mode, PlanOptions, Role, TargetFacts};
use loom_queries::link::{self, LinkInput, LinkKey, QueryCatalog, Universe};

use crate::{Interruption, Snapshot};

/// A link: its providers and what is wanted of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// The providers in command-line order.
    pub providers: Vec<LinkProvider>,
    /// Mode, roots, policy and configuration.
    pub options: PlanOptions,
    /// Whether every configuration symbol must have a value.
    pub require_resolved_config: bool,
    /// Whether the product is verified.
    pub verify: bool,
}

/// One provider of a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkProvider {
    /// The absolute path of the module, text or bytecode.
    pub path: Vec<u8>,
    /// The name that diagnostics and listings use.
    pub name: FileName,
    /// Its role.
    pub role: Role,
}

/// How plans and symbol lists are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListingForm {
    /// One line per symbol (loom-language 4.5).
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// A picture in the language of Graphviz; plans only, a symbol list is text.
    Dot,
}

impl Snapshot {
    /// The plan of `link`, with everything there is to say about it.
    pub fn link_plan(&self, link: &Link, form: ListingForm) -> Result<Outcome<String>, Interruption> {
        self.ask(|db| {
            let key = key(db, link);
            let outcome = planned(db, key);
            let value = link::link_plan(db, key)
                .value
                .as_ref()
                .filter(|_| !outcome.has_errors())
                .map(|plan| {
                    let catalog = QueryCatalog::new(db, key.universe(db));
                    match form {
                        ListingForm::Text => loom_frontier::print_plan(&catalog, plan),
                        ListingForm::Json => loom_frontier::plan_json(&catalog, plan),
                        ListingForm::Dot => loom_frontier::plan_dot(&catalog, plan),
                    }
                });
            Outcome {
                value,
                diagnostics: outcome.diagnostics,
            }
        })
    }

    /// All symbols of the providers of `link`, with everything there is to say about these.
    pub fn link_symbols(&self, link: &Link, form: ListingForm) -> Result<Outcome<String>, Interruption> {
        self.ask(|db| {
            let universe = key(db, link).universe(db);
            let diagnostics = Arc::clone(link::link_diagnostics(db, universe));
            let catalog = QueryCatalog::new(db, universe);
            let listing = match form {
                ListingForm::Text | ListingForm::Dot => loom_frontier::list_symbols(&catalog),
                ListingForm::Json => loom_frontier::symbols_json(&catalog),
            };
            Outcome::checked(listing, diagnostics.to_vec())
        })
    }

    /// The canonical text of the product of `link`, with everything there is to say about it.
    pub fn linked_text(&self, link: &Link) -> Result<Outcome<Arc<str>>, Interruption> {
        self.ask_about_product(link, |db, key| link::linked_text(db, key).clone())
    }

    /// The product of `link` as bytecode, with everything there is to say about it.
    pub fn linked_bytecode(&self, link: &Link) -> Result<Outcome<Blob>, Interruption> {
        self.ask_about_product(link, |db, key| link::linked_bytecode(db, key).clone())
    }

    /// The JSON schema of configuration files for the product of `link`.
    pub fn link_config_schema(&self, link: &Link) -> Result<Outcome<String>, Interruption> {
        self.ask_about_product(link, |db, key| {
            let linked = link::linked_product(db, key).value.as_ref();
            linked.map(|linked| loom_frontier::config_schema(linked))
        })
    }

    fn ask_about_product<T>(
        &self,
        link: &Link,
        request: impl for<'db> Fn(&'db dyn Db, LinkKey<'db>) -> Option<T>,
    ) -> Result<Outcome<T>, Interruption> {
        self.ask(|db| {
            let key = key(db, link);
            let mut found = planned(db, key).diagnostics.to_vec();
            if !found.iter().any(Diagnostic::is_error) {
                found.extend(link::linked_product(db, key).diagnostics.iter().cloned());
                if link.verify {
                    found.extend(link::linked_diagnostics(db, key).iter().cloned());
                }
            }
            let failed = found.iter().any(Diagnostic::is_error);
            let value = (!failed).then(|| request(db, key)).flatten();
            Outcome {
                value,
                diagnostics: found.into(),
            }
        })
    }
}

/// What there is to say about providers and plan.
fn planned<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Outcome<()> {
    let mut found = link::link_diagnostics(db, key.universe(db)).to_vec();
    if !found.iter().any(Diagnostic::is_error) {
        found.extend(link::link_plan(db, key).diagnostics.iter().cloned());
    }
    Outcome::checked((), found)
}

fn key<'db>(db: &'db dyn Db, link: &Link) -> LinkKey<'db> {
    let input = |provider: &LinkProvider| LinkInput {
        file: file(db, &provider.path),
        name: provider.name.clone(),
        role: provider.role,
    };
    let inputs: Box<[LinkInput]> = link.providers.iter().map(input).collect();
    let universe = Universe::of(db, inputs);
    LinkKey::new(db, universe, link.options.clone(), link.require_resolved_config)
}
