//! Which programs a product is made of.

use loom_base::{Diagnostic, Outcome};
use loom_ir::{SymbolFlags, SymbolKind};

use crate::codes::NO_ROOT;
use crate::index::{Catalog, Role, SymbolId};
use crate::plan::find_root;

/// The programs that `names` stand for, in their order, repetitions included; without names every public or
/// retained program with a body in the inputs, in index order (loom-language 5.1).
///
/// # Errors
/// `LINK` diagnostics about names that stand for nothing or for several symbols, and [`NO_ROOT`] when there is
/// nothing to take.
pub fn program_roots(catalog: &dyn Catalog, names: &[Box<str>]) -> Outcome<Box<[SymbolId]>> {
    let mut diagnostics = Vec::new();
    let mut roots = Vec::new();
    for name in names {
        match find_root(catalog, name) {
            Ok(id) => roots.push(id),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    if names.is_empty() {
        roots.extend(exported(catalog));
        if roots.is_empty() {
            let message = "the inputs export no command program";
            let help = "name a program as a root, or make one `public` or `retain`";
            diagnostics.push(Diagnostic::error(NO_ROOT, message).help(help));
        }
    }
    Outcome::checked(roots.into(), diagnostics)
}

fn exported(catalog: &dyn Catalog) -> impl Iterator<Item = SymbolId> {
    let providers = catalog.providers().iter().enumerate();
    let inputs = providers.filter(|(_, provider)| provider.role == Role::Input);
    let symbols = inputs.flat_map(|(provider, _)| {
        let provider = provider as u32;
        (0..catalog.count(provider)).map(move |ordinal| SymbolId { provider, ordinal })
    });
    symbols.filter(|&id| {
        let record = catalog.record(id);
        let is_kept = record.flags.has(SymbolFlags::PUBLIC) || record.flags.has(SymbolFlags::RETAIN);
        record.kind == SymbolKind::Program && record.is_definition() && is_kept
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::indexes;

    const PROGRAMS: &str = "\
//- input a.loom
command.program.def @private() launch() {
  command.return
}
command.program.def retain @kept() launch() {
  command.return
}
command.program.decl public @declared() launch()
func.def public @no_program() {
  func.return
}
command.program.def public @shown() launch() {
  command.return
}
//- library lib.loom
command.program.def public @of_library() launch() {
  command.return
}
";

    #[track_caller]
    fn check(fixture: &str, names: &[&str], expected: Expect) {
        for index in indexes(fixture) {
            let names: Vec<Box<str>> = names.iter().map(|name| (*name).into()).collect();
            let outcome = program_roots(&index, &names);
            let found = outcome.value.iter().flatten();
            let found = found.map(|&id| format!("@{}", index.record(id).name));
            let said = outcome.diagnostics.iter();
            let said = said.map(|it| format!("{}: {}", it.code, it.message));
            let lines: Vec<String> = found.chain(said).collect();
            expected.assert_eq(&lines.join("\n"));
        }
    }

    #[test]
    fn roots() {
        check(
            PROGRAMS,
            &[],
            expect![[r#"
                @kept
                @shown"#]],
        );
        check(
            PROGRAMS,
            &["@private", "of_library", "@private"],
            expect![[r#"
                @private
                @of_library
                @private"#]],
        );
        check(
            PROGRAMS,
            &["@privat", ""],
            expect![[r#"
                LINK/004: root symbol '@privat' was not found
                LINK/006: root symbol name must not be empty"#]],
        );
        let libraries_only = PROGRAMS.replace("//- input", "//- library");
        check(
            &libraries_only,
            &[],
            expect!["LINK/006: the inputs export no command program"],
        );
    }
}
