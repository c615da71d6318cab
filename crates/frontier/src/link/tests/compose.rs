//! Partial links compose (issue of selective linking, "Must show" 3), on random catalogs.

use std::fmt::Write;

use proptest::prelude::*;

use super::*;

/// A function of a random catalog: its name is its number.
#[derive(Clone, Debug)]
struct Function {
    module: usize,
    public: bool,
    comment: bool,
    calls: Vec<usize>,
    private_helper: bool,
    limit: Option<i64>,
}

fn function(modules: usize, count: usize) -> impl Strategy<Value = Function> {
    (
        0..modules,
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec(0..count, 0..4),
        any::<bool>(),
        prop::option::of(1i64..9),
    )
        .prop_map(
            |(module, public, comment, calls, private_helper, limit)| Function {
                module,
                public,
                comment,
                calls,
                private_helper,
                limit,
            },
        )
}

fn catalog() -> impl Strategy<Value = (usize, Vec<Function>)> {
    (2usize..5, 1usize..9).prop_flat_map(|(modules, count)| {
        (
            Just(modules),
            prop::collection::vec(function(modules, count), count),
        )
    })
}

/// The modules of a catalog. A function is public where another module calls it, unless `hide` (inputs see each
/// other's private symbols); what a module calls elsewhere it declares, with a predicate and comment of its own.
fn modules(count: usize, functions: &[Function], hide: bool) -> Vec<String> {
    let mut texts = vec![String::new(); count];
    for (module, text) in texts.iter_mut().enumerate() {
        let own = || {
            functions
                .iter()
                .enumerate()
                .filter(|(_, function)| function.module == module)
        };
        let mut declared: Vec<usize> = own().flat_map(|(_, function)| function.calls.clone()).collect();
        declared.sort_unstable();
        declared.dedup();
        for callee in declared
            .into_iter()
            .filter(|&callee| functions[callee].module != module)
        {
            let limit = functions[callee].limit.map_or(String::new(), |limit| {
                format!(" where [ge(%n, {limit}), ne(%n, {module})]")
            });
            let _ = writeln!(
                text,
                "// Of module {module}.\nfunc.decl @f{callee}(%n: index){limit}\n"
            );
        }
        if own().any(|(_, function)| function.private_helper) {
            let _ = writeln!(text, "func.def @helper(%n: index) {{\n  func.return\n}}\n");
        }
        for (number, function) in own() {
            if function.comment {
                let _ = writeln!(text, "// Number {number}.");
            }
            let called = functions
                .iter()
                .any(|other| other.module != module && other.calls.contains(&number));
            let public = if function.public || (called && !hide) {
                "public "
            } else {
                ""
            };
            let _ = writeln!(
                text,
                "func.def {public}@f{number}(%x: index) where [lt(%x, {})] {{",
                number + 64
            );
            if function.private_helper {
                let _ = writeln!(text, "  func.call @helper(%x) : (index)");
            }
            for callee in &function.calls {
                let _ = writeln!(text, "  func.call @f{callee}(%x) : (index)");
            }
            let _ = writeln!(text, "  func.return\n}}\n");
        }
        let _ = writeln!(text, "// End of {module}.");
    }
    texts
}

fn fixture(modules: &[(&str, &str, &str)]) -> String {
    modules
        .iter()
        .map(|(role, name, text)| format!("//- {role} {name}\n{text}\n"))
        .collect()
}

/// Modules `range` of `texts` under one role.
fn named<'a>(role: &'a str, texts: &'a [String], names: &'a [String]) -> Vec<(&'a str, &'a str, &'a str)> {
    texts
        .iter()
        .zip(names)
        .map(|(text, name)| (role, &**name, &**text))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merges_compose((count, functions) in catalog(), cut in 1usize..4) {
        let texts = modules(count, &functions, true);
        let names: Vec<String> = (0..count).map(|module| format!("m{module}.loom")).collect();
        let cut = cut.min(count - 1);
        let (first, rest) = (named("input", &texts[..cut], &names[..cut]), named("input", &texts[cut..], &names[cut..]));
        let whole = linked("merge", &fixture(&[first.clone(), rest.clone()].concat()));
        let part = linked("merge", &fixture(&first));
        let composed = linked("merge", &fixture(&[vec![("input", "part.loom", &*part)], rest].concat()));
        prop_assert_eq!(whole, composed);
    }

    #[test]
    fn links_compose((count, functions) in catalog(), cut in 1usize..4) {
        // A library that calls back into what the requester does not use itself would need the whole requester.
        let mut functions = functions;
        let module_of: Vec<usize> = functions.iter().map(|function| function.module).collect();
        for function in &mut functions {
            function.calls.retain(|&callee| module_of[callee] >= function.module);
        }
        let texts = modules(count, &functions, false);
        let names: Vec<String> = (0..count).map(|module| format!("m{module}.loom")).collect();
        let cut = cut.min(count - 1);
        let roots: Vec<String> = functions
            .iter()
            .enumerate()
            .filter(|(_, function)| function.module < cut && function.public)
            .map(|(number, _)| format!("@f{number}"))
            .collect();
        prop_assume!(!roots.is_empty());
        let roots = roots.join(" ");
        let (inputs, libraries) =
            (named("input", &texts[..cut], &names[..cut]), named("library", &texts[cut..], &names[cut..]));
        let whole = linked(&roots, &fixture(&[inputs.clone(), libraries.clone()].concat()));
        let part = linked(&format!("{roots} open"), &fixture(&inputs));
        let composed = linked(&roots, &fixture(&[vec![("input", "part.loom", &*part)], libraries].concat()));
        prop_assert_eq!(whole, composed);
    }

    #[test]
    fn unrelated_modules_do_not_show((count, functions) in catalog()) {
        let texts = modules(count, &functions, false);
        let names: Vec<String> = (0..count).map(|module| format!("m{module}.loom")).collect();
        let inputs = named("input", &texts, &names);
        let roots: Vec<String> = (0..functions.len()).map(|number| format!("@f{number}")).collect();
        let roots = roots.join(" ");
        let noise = ("library", "noise.loom", "func.def public @noise() {\n  func.return\n}\nfunc.def @helper() {\n  func.return\n}\n");
        let quiet = linked(&roots, &fixture(&inputs));
        prop_assert_eq!(quiet, linked(&roots, &fixture(&[vec![noise], inputs].concat())));
    }
}
