//! Partial links compose (issue of selective linking, "Must show" 3), on random catalogs.

use std::collections::BTreeSet;
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
    applies: Option<Size>,
}

/// What a function applies the family to.
#[derive(Clone, Debug)]
enum Size {
    Argument,
    Constant(i64),
    Configured,
}

/// A provider of the family.
#[derive(Clone, Debug)]
struct Provider {
    module: usize,
    priority: i64,
    least: Option<i64>,
    calls_helper: bool,
}

/// A whole catalog.
#[derive(Clone, Debug)]
struct Sources {
    modules: usize,
    functions: Vec<Function>,
    providers: Vec<Provider>,
    /// The module that defines the configuration, if any does, and its value.
    configured: Option<(usize, i64)>,
}

fn function(modules: usize, count: usize) -> impl Strategy<Value = Function> {
    let size = prop_oneof![
        Just(Size::Argument),
        (0i64..64).prop_map(Size::Constant),
        Just(Size::Configured)
    ];
    let calls = prop::collection::vec(0..count, 0..4);
    let limit = prop::option::of(1i64..9);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (0..modules, flags, calls, limit, prop::option::of(size)).prop_map(
        |(module, (public, comment, private_helper), calls, limit, applies)| Function {
            module,
            public,
            comment,
            calls,
            private_helper,
            limit,
            applies,
        },
    )
}

fn provider(modules: usize) -> impl Strategy<Value = Provider> {
    (0..modules, -1i64..3, prop::option::of(0i64..64), any::<bool>()).prop_map(
        |(module, priority, least, calls_helper)| Provider {
            module,
            priority,
            least,
            calls_helper,
        },
    )
}

fn sources() -> impl Strategy<Value = Sources> {
    (2usize..5, 1usize..9).prop_flat_map(|(modules, count)| {
        let functions = prop::collection::vec(function(modules, count), count);
        let providers = prop::collection::vec(provider(modules), 0..4);
        let configured = prop::option::of((0..modules, 0i64..64));
        (functions, providers, configured).prop_map(move |(functions, providers, configured)| Sources {
            modules,
            functions,
            providers,
            configured,
        })
    })
}

impl Sources {
    /// The modules' texts. What one calls of another it declares, with a predicate and comment of its own; a
    /// function that another module calls is public, unless `hide` (inputs see each other's private symbols).
    fn texts(&self, hide: bool) -> Vec<String> {
        (0..self.modules).map(|module| self.text(module, hide)).collect()
    }

    fn text(&self, module: usize, hide: bool) -> String {
        let mut text = String::new();
        self.declarations(module, &mut text);
        for (number, provider) in self
            .providers
            .iter()
            .enumerate()
            .filter(|(_, it)| it.module == module)
        {
            let Provider {
                priority,
                least,
                calls_helper,
                ..
            } = provider;
            let condition = least.map_or(String::new(), |least| format!(" where [ge(%n, {least})]"));
            let call = if *calls_helper {
                "  func.call @helper(%n) : (index)\n"
            } else {
                ""
            };
            let _ = writeln!(
                text,
                "template.def<@family> priority({priority}) @p{number}(%n: index){condition} {{\n{call}  template.return\n}}\n"
            );
        }
        for (number, function) in self
            .functions
            .iter()
            .enumerate()
            .filter(|(_, it)| it.module == module)
        {
            self.definition(number, function, hide, &mut text);
        }
        let _ = writeln!(text, "// End of {module}.");
        text
    }

    fn declarations(&self, module: usize, text: &mut String) {
        let own = || self.functions.iter().filter(|function| function.module == module);
        let providers = || self.providers.iter().filter(|provider| provider.module == module);
        if own().any(|function| function.applies.is_some()) || providers().next().is_some() {
            let _ = writeln!(
                text,
                "// Of module {module}.\ntemplate.decl @family(%n: index) where [ne(%n, -{})]\n",
                module + 1
            );
        }
        match self.configured {
            Some((definer, value)) if definer == module => {
                let _ = writeln!(text, "config.def @k = {value} : index\n");
            }
            _ if own().any(|function| matches!(function.applies, Some(Size::Configured))) => {
                let _ = writeln!(
                    text,
                    "config.decl @k : %v: index where [gt(%v, -{})]\n",
                    module + 1
                );
            }
            _ => {}
        }
        let called: BTreeSet<usize> = own()
            .flat_map(|function| function.calls.iter().copied())
            .collect();
        for callee in called
            .into_iter()
            .filter(|&callee| self.functions[callee].module != module)
        {
            let limit = self.functions[callee].limit.map_or(String::new(), |limit| {
                format!(" where [ge(%n, {limit}), ne(%n, {module})]")
            });
            let _ = writeln!(
                text,
                "// Of module {module}.\nfunc.decl @f{callee}(%n: index){limit}\n"
            );
        }
        if own().any(|function| function.private_helper) || providers().any(|it| it.calls_helper) {
            let _ = writeln!(text, "func.def @helper(%n: index) {{\n  func.return\n}}\n");
        }
    }

    fn definition(&self, number: usize, function: &Function, hide: bool, text: &mut String) {
        if function.comment {
            let _ = writeln!(text, "// Number {number}.");
        }
        let mut others = self
            .functions
            .iter()
            .filter(|other| other.module != function.module);
        let is_called = others.any(|other| other.calls.contains(&number));
        let public = if function.public || (is_called && !hide) {
            "public "
        } else {
            ""
        };
        let limit = number + 64;
        let _ = writeln!(
            text,
            "func.def {public}@f{number}(%x: index) where [lt(%x, {limit})] {{"
        );
        if function.private_helper {
            let _ = writeln!(text, "  func.call @helper(%x) : (index)");
        }
        let size = match function.applies {
            None => None,
            Some(Size::Argument) => Some("%x"),
            Some(Size::Constant(value)) => {
                let _ = writeln!(text, "  %c = index.constant {value} : index");
                Some("%c")
            }
            Some(Size::Configured) => {
                let _ = writeln!(text, "  %k = config.get @k : index");
                Some("%k")
            }
        };
        if let Some(size) = size {
            let _ = writeln!(text, "  template.apply<@family>({size}) : (index)");
        }
        for callee in &function.calls {
            let _ = writeln!(text, "  func.call @f{callee}(%x) : (index)");
        }
        let _ = writeln!(text, "  func.return\n}}\n");
    }

    /// The same catalog in which modules from `cut` on need nothing of those before: a library that calls back
    /// into what the requester does not use itself would need the whole requester.
    fn layered(mut self, cut: usize) -> Sources {
        // There is always something to ask for.
        (self.functions[0].module, self.functions[0].public) = (0, true);
        let module_of: Vec<usize> = self.functions.iter().map(|function| function.module).collect();
        for function in &mut self.functions {
            function
                .calls
                .retain(|&callee| module_of[callee] >= function.module);
        }
        for provider in &mut self.providers {
            provider.module = provider.module.max(cut);
        }
        if let Some((module, _)) = &mut self.configured {
            *module = (*module).max(cut);
        }
        self
    }
}

/// A fixture of modules, each with its role.
fn fixture(modules: &[(&str, &str, &str)]) -> String {
    modules
        .iter()
        .map(|(role, name, text)| format!("//- {role} {name}\n{text}\n"))
        .collect()
}

/// Modules under one role.
fn named<'a>(role: &'a str, texts: &'a [String], names: &'a [String]) -> Vec<(&'a str, &'a str, &'a str)> {
    texts
        .iter()
        .zip(names)
        .map(|(text, name)| (role, &**name, &**text))
        .collect()
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|module| format!("m{module}.loom")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merges_compose(sources in sources(), cut in 1usize..4) {
        let (texts, names, cut) = (sources.texts(true), names(sources.modules), cut.min(sources.modules - 1));
        let first = named("input", &texts[..cut], &names[..cut]);
        let rest = named("input", &texts[cut..], &names[cut..]);
        let whole = linked("merge", &fixture(&[first.clone(), rest.clone()].concat()));
        let part = linked("merge", &fixture(&first));
        let composed = linked("merge", &fixture(&[vec![("input", "part.loom", &*part)], rest].concat()));
        prop_assert!(!whole.contains("error ["), "{whole}");
        prop_assert_eq!(whole, composed);
    }

    #[test]
    fn links_compose(sources in sources(), cut in 1usize..4) {
        let cut = cut.min(sources.modules - 1);
        let sources = sources.layered(cut);
        let (texts, names) = (sources.texts(false), names(sources.modules));
        let functions = sources.functions.iter().enumerate();
        let roots = functions.filter(|(_, function)| function.module < cut && function.public);
        let roots: Vec<String> = roots.map(|(number, _)| format!("@f{number}")).collect();
        let roots = roots.join(" ");
        let inputs = named("input", &texts[..cut], &names[..cut]);
        let libraries = named("library", &texts[cut..], &names[cut..]);
        let whole = linked(&roots, &fixture(&[inputs.clone(), libraries.clone()].concat()));
        let part = linked(&format!("{roots} open"), &fixture(&inputs));
        let composed = linked(&roots, &fixture(&[vec![("input", "part.loom", &*part)], libraries].concat()));
        prop_assert!(!whole.contains("error ["), "{whole}");
        prop_assert_eq!(whole, composed);
    }

    #[test]
    fn unrelated_modules_do_not_show(sources in sources()) {
        let (texts, names) = (sources.texts(false), names(sources.modules));
        let inputs = named("input", &texts, &names);
        let roots: Vec<String> = (0..sources.functions.len()).map(|number| format!("@f{number}")).collect();
        let roots = roots.join(" ");
        let noise = (
            "library",
            "noise.loom",
            "template.decl @other()\nfunc.def public @noise() {\n  func.return\n}\nfunc.def @helper() {\n  func.return\n}\ntemplate.def<@other> @p0() {\n  template.return\n}\n",
        );
        let quiet = linked(&roots, &fixture(&inputs));
        prop_assert_eq!(quiet, linked(&roots, &fixture(&[vec![noise], inputs].concat())));
    }
}
