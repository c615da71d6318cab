//! All programs of a product together.

use std::sync::Arc;

use loom_base::{Diagnostic, Outcome};
use loom_db::Db;
use loom_frontier::product::{EncodedProgram, Requirements, manifest_json, number_requirements};

use crate::product::{ProductForm, ProductKey, command_product, product_roots};

/// The programs of a product, and what the host must supply for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandSet {
    /// The programs in the order of the roots.
    pub programs: Box<[Arc<EncodedProgram>]>,
    /// What they require.
    pub requirements: Requirements,
    /// The manifest.
    pub manifest: Box<str>,
}

/// The programs with their requirements numbered (loom-language 5.3).
#[salsa::tracked]
pub fn command_set<'db>(
    db: &'db dyn Db,
    product: ProductKey<'db>,
    form: ProductForm,
) -> Outcome<Arc<CommandSet>> {
    let roots = product_roots(db, product);
    let Some(roots) = &roots.value else {
        return Outcome::failure(roots.diagnostics.clone());
    };
    let mut programs = Vec::with_capacity(roots.len());
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for position in 0..roots.len() as u32 {
        let outcome = command_product(db, product, position, form);
        programs.extend(outcome.value.clone());
        // What concerns several programs is said once.
        for diagnostic in outcome.diagnostics.iter() {
            if !diagnostics.contains(diagnostic) {
                diagnostics.push(diagnostic.clone());
            }
        }
    }
    if programs.len() < roots.len() {
        return Outcome::failure(diagnostics);
    }
    let requirements = number_requirements(programs.iter().map(|program| &**program));
    let borrowed: Vec<&EncodedProgram> = programs.iter().map(|program| &**program).collect();
    let manifest = manifest_json(&borrowed, &requirements).into();
    let set = CommandSet {
        programs: programs.into(),
        requirements,
        manifest,
    };
    Outcome::checked(Arc::new(set), diagnostics)
}
