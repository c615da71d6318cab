//! Where a plan begins (loom-language 4.2).

use loom_base::Diagnostic;
use loom_ir::SymbolFlags;

use super::facets::Facets;
use super::resolve::{all_symbols, ambiguous, nearest_name};
use super::{Mode, Planner, Reason};
use crate::codes;
use crate::index::{Catalog, Role, SymbolId};

impl Planner<'_> {
    /// Selects what the options ask for.
    pub(super) fn select_roots(&mut self) {
        match self.options.mode {
            Mode::Merge => self.merge_inputs(),
            Mode::Link => {
                if self.options.include_input_exports {
                    self.export_roots();
                }
                for root in &self.options.roots {
                    self.named_root(root);
                }
                for &(id, facets) in &self.options.root_facets {
                    self.facet_root(id, facets);
                }
                if self.plan.symbols.is_empty() && self.diagnostics.is_empty() {
                    self.report_no_root();
                }
            }
        }
    }

    /// Every symbol of the inputs, then the definitions of the declarations among them.
    fn merge_inputs(&mut self) {
        let options = self.options;
        if !options.roots.is_empty() || !options.root_facets.is_empty() || options.include_input_exports {
            let diagnostic = Diagnostic::error(codes::MERGE_ROOTS, "a merge does not accept roots");
            let help = "a merge takes every symbol of its inputs: link instead, or leave the roots out";
            self.diagnostics.push(diagnostic.help(help));
        }
        let catalog = self.catalog;
        let inputs = || all_symbols(catalog).filter(|&id| catalog.role(id) == Role::Input);
        for id in inputs() {
            if !self.is_stripped(id) {
                self.select(id, Facets::ALL, Reason::Merge, None);
            }
        }
        // What is mentioned belongs to the inputs, so there is nothing to follow.
        self.followed = self.work.len();
        for id in inputs() {
            if catalog.record(id).flags.has(SymbolFlags::DECLARATION) {
                self.reach(id, Facets::ALL, Reason::Merge, None);
            }
        }
    }

    fn export_roots(&mut self) {
        let catalog = self.catalog;
        for id in all_symbols(catalog).filter(|&id| catalog.role(id) == Role::Input) {
            if catalog.record(id).flags.has(SymbolFlags::EXPORT) && !self.is_stripped(id) {
                self.reach(id, Facets::ALL, Reason::Root, None);
            }
        }
    }

    fn named_root(&mut self, root: &str) {
        match find_root(self.catalog, root) {
            Ok(id) => self.reach(id, Facets::ALL, Reason::Root, None),
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
    }

    /// Whoever names a symbol by its position may be wrong about it.
    fn facet_root(&mut self, id: SymbolId, facets: Facets) {
        let providers = self.catalog.providers().len() as u32;
        if id.provider < providers && id.ordinal < self.catalog.count(id.provider) {
            return self.reach(id, facets, Reason::Root, None);
        }
        let message = format!("there is no symbol {} in provider {}", id.ordinal, id.provider);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_ROOT, message);
        self.diagnostics
            .push(diagnostic.help("take positions from a list of the same providers"));
    }

    fn report_no_root(&mut self) {
        let diagnostic = Diagnostic::error(codes::NO_ROOT, "link planning requires a nonempty root set");
        let diagnostic = match self.options.include_input_exports {
            true => diagnostic
                .note("the inputs export nothing")
                .help("name a root, or make a symbol public"),
            false => diagnostic.help("name a root, or take the exported symbols of the inputs as roots"),
        };
        self.diagnostics.push(diagnostic);
    }

    /// A symbol that exists for tests only is asked for, by the symbol at `cause` or as a root.
    pub(super) fn report_stripped(&mut self, id: SymbolId, cause: Option<u32>) {
        if !self.reported.insert(id) {
            return;
        }
        let catalog = self.catalog;
        let message = format!("required symbol '@{}' was stripped", catalog.record(id).name);
        let diagnostic = Diagnostic::error(codes::STRIPPED, message)
            .at(catalog.provider_name(id), catalog.place(id))
            .note("it exists for tests only")
            .help("keep the symbols of tests, or name another root");
        self.diagnostics.push(match cause {
            None => diagnostic,
            Some(cause) => {
                let cause = self.plan.symbols[cause as usize].id;
                diagnostic.related("needed here", catalog.provider_name(cause), catalog.place(cause))
            }
        });
    }
}

/// The symbol that `root`, a name with or without `@`, stands for (loom-language 4.2).
///
/// # Errors
/// `LINK` diagnostics when the name is empty, names nothing, or names several symbols.
pub fn find_root(catalog: &dyn Catalog, root: &str) -> Result<SymbolId, Box<Diagnostic>> {
    let name = root.strip_prefix('@').unwrap_or(root);
    if name.is_empty() {
        let diagnostic = Diagnostic::error(codes::NO_ROOT, "root symbol name must not be empty");
        return Err(Box::new(diagnostic.help("name a symbol, such as `@main`")));
    }
    let found = catalog.candidates(name);
    root_among(catalog, &found)?.ok_or_else(|| Box::new(unknown_root(catalog, name)))
}

/// The symbol that a root's name stands for: a global one, of the inputs before the libraries and defined before
/// declared, else the only private one.
fn root_among(catalog: &dyn Catalog, found: &[SymbolId]) -> Result<Option<SymbolId>, Box<Diagnostic>> {
    let globals = |role: Role| {
        found
            .iter()
            .copied()
            .filter(move |&id| catalog.role(id) == role && catalog.record(id).is_global())
    };
    for role in [Role::Input, Role::Library] {
        let definitions: Vec<_> = globals(role)
            .filter(|&id| catalog.record(id).is_definition())
            .collect();
        match definitions[..] {
            [] => {}
            [only] => return Ok(Some(only)),
            [first, ..] if catalog.record(first).is_config() => return Ok(Some(first)),
            _ => return Err(Box::new(ambiguous(catalog, &definitions))),
        }
        if let Some(declaration) = globals(role).next() {
            return Ok(Some(declaration));
        }
    }
    let privates: Vec<_> = found.to_vec();
    match privates[..] {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        [first, ref rest @ ..] => {
            let name = &catalog.record(first).name;
            let message = format!("root symbol '@{name}' is private in several modules");
            let diagnostic = Diagnostic::error(codes::PRIVATE_ROOT, message)
                .at(catalog.provider_name(first), catalog.place(first))
                .help("make the one that is meant public");
            Err(Box::new(rest.iter().fold(diagnostic, |diagnostic, &id| {
                diagnostic.related("also defined here", catalog.provider_name(id), catalog.place(id))
            })))
        }
    }
}

fn unknown_root(catalog: &dyn Catalog, name: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        codes::UNKNOWN_ROOT,
        format!("root symbol '@{name}' was not found"),
    );
    match nearest_name(catalog, name, all_symbols(catalog)) {
        Some(other) => {
            let (record, provider) = (catalog.record(other), catalog.provider_name(other));
            diagnostic
                .related("a similar name", provider, catalog.place(other))
                .help(format!("'{provider}' has a symbol called '@{}'", record.name))
        }
        None => diagnostic.help("list the symbols of the inputs and libraries to see what there is"),
    }
}
