//! What defines a declaration (loom-language 4.3).

use loom_base::Diagnostic;
use loom_ir::{Reference, SymbolFlags};

use super::facets::Facets;
use super::{Mode, Planner};
use crate::codes;
use crate::index::{Catalog, Role, SymbolId};

impl Planner<'_> {
    /// The definitions of the declaration `id`, of which `request` is wanted. A conflict, and a missing
    /// definition that is needed, are reported once.
    pub(super) fn definitions_of(&mut self, id: SymbolId, request: Facets) -> Vec<SymbolId> {
        let found = match self.definitions.get(&id) {
            Some(found) => found.clone(),
            None => {
                let found = self.find_definitions(id);
                self.definitions.insert(id, found.clone());
                found
            }
        };
        let needed = !request.without(Facets::CONTRACT).is_empty();
        let exact = self.catalog.record(id).is_exact_declaration();
        if found.is_empty() && exact && needed && !self.may_stay_open() && self.reported.insert(id) {
            let diagnostic = unresolved(self.catalog, id, |candidate| self.is_stripped(candidate));
            self.diagnostics.push(diagnostic);
        }
        found
    }

    fn find_definitions(&mut self, id: SymbolId) -> Vec<SymbolId> {
        let catalog = self.catalog;
        let declaration = catalog.record(id);
        if !declaration.is_exact_declaration()
            && !declaration.is_config()
            && !declaration.flags.has(SymbolFlags::IMPORT)
        {
            return Vec::new();
        }
        let candidates = catalog
            .candidates(&declaration.name)
            .into_iter()
            .filter(|&candidate| {
                let record = catalog.record(candidate);
                candidate != id
                    && record.is_definition()
                    && record.fits(declaration)
                    && !self.is_stripped(candidate)
            });
        let (own, foreign): (Vec<_>, Vec<_>) =
            candidates.partition(|&candidate| is_own(catalog, id, candidate));
        if !own.is_empty() {
            return self.one_of(id, own);
        }
        if self.options.mode == Mode::Merge || declaration.flags.has(SymbolFlags::IMPORT) {
            return Vec::new();
        }
        // What the requester publishes comes before what libraries offer: it owns the product.
        let offered = foreign
            .into_iter()
            .filter(|&candidate| catalog.record(candidate).is_global());
        let (inputs, libraries): (Vec<_>, Vec<_>) =
            offered.partition(|&candidate| catalog.role(candidate) == Role::Input);
        self.one_of(id, if inputs.is_empty() { libraries } else { inputs })
    }

    /// The only one of `candidates`. All of them, for configuration: equal definitions are merged later.
    fn one_of(&mut self, declaration: SymbolId, candidates: Vec<SymbolId>) -> Vec<SymbolId> {
        if candidates.len() < 2 || self.catalog.record(declaration).is_config() {
            return candidates;
        }
        if self.reported.insert(declaration) {
            let diagnostic = ambiguous(self.catalog, &candidates);
            let label = "declared here";
            let (name, place) = (
                self.catalog.provider_name(declaration),
                self.catalog.place(declaration),
            );
            self.diagnostics.push(diagnostic.related(label, name, place));
        }
        Vec::new()
    }

    /// A mention of a name that its own module does not know: the module was not verified.
    pub(super) fn report_unknown(&mut self, from: SymbolId, reference: &Reference) {
        if self.may_stay_open() || !self.reported.insert(from) {
            return;
        }
        let Reference { symbol, op, .. } = reference;
        let record = self.catalog.record(from);
        let message = format!("unresolved symbol '@{symbol}'");
        let diagnostic = Diagnostic::error(codes::UNRESOLVED, message)
            .at(self.catalog.provider_name(from), self.catalog.place(from))
            .note(format!(
                "`{op}` in '@{}' mentions it, and the module does not declare it",
                record.name
            ))
            .help(format!(
                "declare '@{symbol}' in '{}'",
                self.catalog.provider_name(from)
            ));
        self.diagnostics.push(diagnostic);
    }
}

/// Whether `candidate` belongs to the same source merge as `declaration`: private definitions count there.
fn is_own(catalog: &dyn Catalog, declaration: SymbolId, candidate: SymbolId) -> bool {
    declaration.provider == candidate.provider
        || (catalog.role(declaration) == Role::Input && catalog.role(candidate) == Role::Input)
}

/// Several definitions of one name, of which nothing says which is meant.
pub(super) fn ambiguous(catalog: &dyn Catalog, candidates: &[SymbolId]) -> Diagnostic {
    let (first, rest) = (candidates[0], &candidates[1..]);
    let name = &catalog.record(first).name;
    let names: Vec<_> = candidates
        .iter()
        .map(|&id| format!("'{}'", catalog.provider_name(id)))
        .collect();
    let role = match catalog.role(first) {
        Role::Input => "inputs",
        Role::Library => "libraries",
    };
    let message = format!("several {role} define '@{name}': {}", names.join(", "));
    let diagnostic = Diagnostic::error(codes::AMBIGUOUS, message)
        .at(catalog.provider_name(first), catalog.place(first))
        .help(match catalog.role(first) {
            Role::Input => "keep one of the definitions, or rename them",
            Role::Library => "supply only the library that is meant, or rename one of the definitions",
        });
    rest.iter().fold(diagnostic, |diagnostic, &id| {
        diagnostic.related("also defined here", catalog.provider_name(id), catalog.place(id))
    })
}

/// A declaration without definition, with the candidate that comes nearest and why it does not fit.
fn unresolved(catalog: &dyn Catalog, id: SymbolId, stripped: impl Fn(SymbolId) -> bool) -> Diagnostic {
    let declaration = catalog.record(id);
    let name = &declaration.name;
    let mut diagnostic = Diagnostic::error(
        codes::UNRESOLVED,
        format!("unresolved exact declaration '@{name}'"),
    )
    .at(catalog.provider_name(id), catalog.place(id));
    let others = catalog.candidates(name).into_iter();
    let nearest = others
        .filter(|&other| other != id && catalog.record(other).is_definition())
        .min_by_key(|&other| !catalog.record(other).fits(declaration));
    if let Some(other) = nearest {
        let (record, provider) = (catalog.record(other), catalog.provider_name(other));
        diagnostic = diagnostic.related("the nearest candidate", provider, catalog.place(other));
        let (why, help) = if !record.fits(declaration) {
            let (is, wanted) = (record.kind.name(), declaration.kind.name());
            let why = format!("'@{name}' in '{provider}' is a {is}, the declaration asks for a {wanted}");
            (
                why,
                format!("declare a {is}, or link the module that defines the {wanted}"),
            )
        } else if stripped(other) {
            let why =
                format!("'@{name}' in '{provider}' exists for tests only, and such symbols are stripped");
            (
                why,
                "keep the symbols of tests, or define the symbol for use outside of tests".to_owned(),
            )
        } else {
            let why = format!("'@{name}' in '{provider}' is private");
            (why, format!("make the definition in '{provider}' public"))
        };
        return diagnostic.note(why).help(help);
    }
    match similar(catalog, id) {
        Some(other) => {
            let (record, provider) = (catalog.record(other), catalog.provider_name(other));
            let why = format!("'{provider}' defines '@{}', whose name is similar", record.name);
            diagnostic
                .related("the nearest candidate", provider, catalog.place(other))
                .note(why)
                .help(format!(
                    "declare '@{}', or link the module that defines '@{name}'",
                    record.name
                ))
        }
        None => diagnostic
            .note(format!("no provider defines '@{name}'"))
            .help("add the library that defines it, or leave it open with `--allow-unresolved`"),
    }
}

/// The definition that fits `id` but for its name, which is similar.
fn similar(catalog: &dyn Catalog, id: SymbolId) -> Option<SymbolId> {
    let declaration = catalog.record(id);
    let fitting = all_symbols(catalog).filter(|&other| {
        let record = catalog.record(other);
        record.is_definition() && record.fits(declaration) && record.is_global()
    });
    nearest_name(catalog, &declaration.name, fitting)
}

/// The one of `ids` whose name is nearest to `name`, if any is near.
pub(super) fn nearest_name(
    catalog: &dyn Catalog,
    name: &str,
    ids: impl Iterator<Item = SymbolId>,
) -> Option<SymbolId> {
    let limit = (name.len() / 4).clamp(1, 3);
    let scored = ids.filter_map(|id| {
        let other = &*catalog.record(id).name;
        if other.len().abs_diff(name.len()) > limit || other == name {
            return None;
        }
        let distance = strsim::damerau_levenshtein(name, other);
        (distance <= limit).then_some((distance, id))
    });
    scored.min().map(|(_, id)| id)
}

/// Every symbol of every provider, in index order.
pub(super) fn all_symbols(catalog: &dyn Catalog) -> impl Iterator<Item = SymbolId> {
    (0..catalog.providers().len() as u32).flat_map(|provider| {
        let count = catalog.count(provider);
        (0..count).map(move |ordinal| SymbolId { provider, ordinal })
    })
}
